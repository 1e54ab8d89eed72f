"""The secrets of second factors are encrypted in the database, and follow a change of the key."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.apps import apps
from django.db import connection
from django.test import Client
from django.urls import reverse

from games.models import Player
from games.services import second_factor
from games.services.checkup import work
from games.services.purges import purge
from tests.accounts.test_second_factor import SECRET, protected, shown_now, sign_in
from tests.people import NOON, new_player

pytestmark = pytest.mark.django_db

migration = import_module("games.migrations.0028_encrypted_factors")


@pytest.fixture
def player() -> Player:
    player = new_player("Yasmin")
    protected(player)
    return player


@pytest.fixture
def codes(player: Player) -> list[str]:
    found: list[str] = recovery(player).get_unused_codes()
    return found


def recovery(player: Player) -> RecoveryCodes:
    return RecoveryCodes(Authenticator.objects.get(user=player, type="recovery_codes"))


def stored() -> dict[str, str]:
    return {
        name: row.data[name]
        for row in Authenticator.objects.all()
        for name in second_factor.SECRETS
        if name in row.data
    }


def store_plain(seed: str = "5eed" * 20) -> dict[str, str]:
    plain = {"secret": SECRET, "seed": seed}
    for row in Authenticator.objects.all():
        row.data = {name: plain.get(name, value) for name, value in row.data.items()}
        row.save()
    return plain


def change_key(settings: Any, *, keep: bool = True) -> None:
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY] if keep else []
    settings.SECRET_KEY = "another key, as long as it has to be, and drawn by nobody else"


def comes_in(code: str) -> bool:
    client = Client()
    sign_in(client, "yasmin")
    client.post(reverse("mfa_authenticate"), {"code": code})
    return client.get("/settings/").status_code == 200


def verdicts() -> dict[str, str]:
    found = [each for each in work.examine(NOON) if each.about == "second factor"]
    return {each.verdict: each.text for each in found}


def test_neither_secret_nor_seed_can_be_read_in_the_database(player: Player) -> None:
    kept = stored()
    assert set(kept) == {"secret", "seed"}
    assert SECRET not in str(kept)
    assert all(text.startswith("encrypted:") for text in kept.values())
    assert second_factor.decrypt(kept["secret"]) == SECRET
    with connection.cursor() as cursor:
        cursor.execute("SELECT data FROM mfa_authenticator")
        assert SECRET not in str(cursor.fetchall())


def test_what_an_earlier_release_stored_works_and_is_encrypted_by_the_migration(
    player: Player, codes: list[str]
) -> None:
    plain = store_plain()
    codes = recovery(player).get_unused_codes()
    assert comes_in(codes[0])
    migration.encrypt(apps, None)
    assert not set(plain.values()) & set(stored().values())
    assert comes_in(shown_now())
    assert not comes_in(codes[0]), "which codes were used is still known"
    assert comes_in(codes[1])
    before = stored()
    migration.encrypt(apps, None)
    assert stored() == before, "a second time does nothing"
    migration.decrypt(apps, None)
    assert stored() == plain, "the release before can read them after going back"


def test_a_new_key_with_the_old_one_beside_it(
    settings: Any, player: Player, codes: list[str]
) -> None:
    assert set(verdicts()) == {"ok"}
    change_key(settings)
    assert comes_in(shown_now())
    assert set(verdicts()) == {"advice"}
    purge(now=NOON)
    assert set(verdicts()) == {"ok"}
    settings.SECRET_KEY_FALLBACKS = []
    assert comes_in(codes[0])


def test_a_new_key_alone_is_said_by_doctor_and_to_the_player(
    settings: Any, player: Player, client: Client
) -> None:
    change_key(settings, keep=False)
    before = stored()
    purge(now=NOON)
    migration.encrypt(apps, None)
    assert stored() == before, "what cannot be read is left as it is: the key may turn up"
    assert "SECRET_KEY_FALLBACKS" in verdicts()["fault"]
    sign_in(client, "yasmin")
    for code in (shown_now(), "000000"):
        answer = client.post(reverse("mfa_authenticate"), {"code": code})
        assert answer.status_code == 503
        assert "cannot be checked" in answer.content.decode()
    assert client.get("/settings/").status_code == 302


def test_a_secret_is_not_decrypted_by_another_purpose_of_the_same_key(settings: Any) -> None:
    from base64 import urlsafe_b64encode
    from hashlib import sha256

    from cryptography.fernet import Fernet

    key = urlsafe_b64encode(sha256(settings.SECRET_KEY.encode()).digest())
    forged = second_factor.MARK + Fernet(key).encrypt(SECRET.encode()).decode()
    with pytest.raises(second_factor.CannotDecrypt):
        second_factor.decrypt(forged)
