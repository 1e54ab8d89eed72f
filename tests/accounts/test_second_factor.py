"""The second factor: for whoever wants one, and for everybody of the staff."""

from __future__ import annotations

import time
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.test import Client
from django.urls import reverse

from games.models import Notice, Player
from games.selectors.accounts import everything_about
from games.services.accounts import delete_account
from tests.moderation.staff import new_moderator
from tests.people import NOON, new_player

pytestmark = pytest.mark.django_db

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
PASSWORD = "open-sesame-42"


def shown_now(secret: str = SECRET) -> str:
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30))


def protected(player: Player) -> None:
    TOTP.activate(player, SECRET)
    RecoveryCodes.activate(player)


def sign_in(client: Client, name: str) -> Any:
    return client.post(reverse("account_login"), {"login": name, "password": PASSWORD})


def test_somebody_turns_it_on_and_off(
    client: Client, django_capture_on_commit_callbacks: Any
) -> None:
    player = new_player("Yasmin")
    sign_in(client, "yasmin")
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    page = client.get(reverse("mfa_activate_totp"))
    secret = page.context["form"].secret
    assert secret in page.content.decode()
    assert player.email not in page.context["totp_url"]
    wrong = client.post(reverse("mfa_activate_totp"), {"code": "000000"})
    assert "This is not the code" in wrong.content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        done = client.post(reverse("mfa_activate_totp"), {"code": shown_now(secret)}, follow=True)
    assert "Recovery codes" in done.content.decode()
    subjects = [mail.content["subject"] for mail in Notice.objects.filter(address=player.email)]
    assert subjects == ["The second factor of your account was turned on."]
    codes = client.get(reverse("mfa_download_recovery_codes")).content.decode().split()
    assert len(codes) == 10
    assert "It is on." in client.get(reverse("mfa_index")).content.decode()
    client.post(reverse("mfa_deactivate_totp"))
    assert not Authenticator.objects.exists()


def test_a_password_is_not_enough_and_each_code_works_once(client: Client) -> None:
    player = new_player("Yasmin")
    protected(player)
    assert sign_in(client, "yasmin")["Location"] == reverse("mfa_authenticate")
    assert client.get("/settings/").status_code == 302
    asked = client.get(reverse("mfa_authenticate")).content.decode()
    assert "one of your recovery codes" in asked
    client.post(reverse("mfa_authenticate"), {"code": "000000"})
    assert client.get("/settings/").status_code == 302
    code = shown_now()
    client.post(reverse("mfa_authenticate"), {"code": code})
    assert client.get("/settings/").status_code == 200
    other = Client()
    sign_in(other, "yasmin")
    other.post(reverse("mfa_authenticate"), {"code": code})
    assert other.get("/settings/").status_code == 302, "somebody looked over the shoulder"
    recovery = RecoveryCodes(Authenticator.objects.get(type="recovery_codes"))
    other.post(reverse("mfa_authenticate"), {"code": recovery.get_unused_codes()[0]})
    assert other.get("/settings/").status_code == 200


def test_the_staff_is_led_to_it_and_keeps_it(client: Client, settings) -> None:
    settings.STAFF_SECOND_FACTOR = True
    zahra = new_moderator()
    sign_in(client, "zahra")
    for page in ("/admin/", "/admin/games/game/", "/moderation/", "/pl/moderation/"):
        assert "/accounts/2fa/totp/activate/" in client.get(page)["Location"], page
    assert client.get("/settings/").status_code == 200
    protected(zahra)
    for page in ("/admin/", "/admin/games/game/?q=1", "/moderation/"):
        asked = client.get(page)
        assert asked["Location"].startswith(reverse("mfa_reauthenticate")), "an older session"
    shown = client.post(asked["Location"], {"code": shown_now()})
    assert shown["Location"] == "/moderation/"
    for page in ("/admin/", "/moderation/"):
        assert client.get(page).status_code == 200, page
    refused = client.post(reverse("mfa_deactivate_totp"))
    assert "Whoever is of the staff keeps" in refused.content.decode()
    assert Authenticator.objects.filter(type="totp").exists()


@pytest.mark.django_db(transaction=True)
def test_whoever_of_the_staff_sets_it_up_goes_on_at_once(client: Client, settings) -> None:
    settings.STAFF_SECOND_FACTOR = True
    new_moderator()
    sign_in(client, "zahra")
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    secret = client.get(reverse("mfa_activate_totp")).context["form"].secret
    client.post(reverse("mfa_activate_totp"), {"code": shown_now(secret)})
    assert client.get("/moderation/").status_code == 200


@pytest.mark.parametrize("way", ["a code by mail", "a new password"])
def test_no_way_in_goes_round_it(client: Client, settings, way: str) -> None:
    settings.STAFF_SECOND_FACTOR = True
    zahra = new_moderator()
    protected(zahra)

    def mailed() -> str:
        words = Notice.objects.filter(address=zahra.email).latest("pk").content["text"].split()
        return next(word for word in words if len(word) >= 6 and word == word.upper())

    if way == "a code by mail":
        client.post(reverse("account_request_login_code"), {"email": zahra.email})
        client.post(reverse("account_confirm_login_code"), {"code": mailed()})
    else:
        client.post(reverse("account_reset_password"), {"email": zahra.email})
        client.post(reverse("account_confirm_password_reset_code"), {"code": mailed()})
        client.post(reverse("account_complete_password_reset"), {"password1": "open-barley-43"})
    assert client.get("/settings/").status_code == 302, "not in yet"
    assert client.get(reverse("mfa_authenticate")).status_code == 200, "so far it was right"
    client.post(reverse("mfa_authenticate"), {"code": shown_now()})
    assert client.get("/moderation/").status_code == 200


def half_a_day_later(client: Client) -> None:
    session = client.session
    for record in session["account_authentication_methods"]:
        record["at"] -= 12 * 3600
    session.save()


def test_the_staff_is_asked_again_after_half_a_day(client: Client, settings) -> None:
    settings.STAFF_SECOND_FACTOR = True
    zahra = new_moderator()
    protected(zahra)
    sign_in(client, "zahra")
    client.post(reverse("mfa_authenticate"), {"code": shown_now()})
    assert client.get("/moderation/").status_code == 200
    half_a_day_later(client)
    for page in ("/admin/", "/admin/games/game/", "/moderation/", "/pl/moderation/"):
        assert "/2fa/reauthenticate/" in client.get(page)["Location"], page
    assert client.get("/settings/").status_code == 200, "whoever only plays goes on"
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    for page in ("mfa_view_recovery_codes", "mfa_download_recovery_codes"):
        assert "/2fa/reauthenticate/" in client.get(reverse(page)).get("Location", ""), page
    recovery = RecoveryCodes(Authenticator.objects.get(type="recovery_codes"))
    asked = client.get("/moderation/")["Location"]
    client.post(asked, {"code": recovery.get_unused_codes()[0]})
    assert client.get("/moderation/").status_code == 200


def test_a_form_of_the_staff_that_comes_too_late_leads_back_to_its_page(
    client: Client, settings
) -> None:
    settings.STAFF_SECOND_FACTOR = True
    protected(new_moderator())
    sign_in(client, "zahra")
    client.post(reverse("mfa_authenticate"), {"code": shown_now()})
    half_a_day_later(client)
    page = "http://testserver/admin/games/game/?q=1"
    for path, headers, back in (
        ("/admin/games/game/", {"Referer": page}, "/admin/games/game/%3Fq%3D1"),
        ("/moderation/", {"Referer": "http://elsewhere.example/moderation/"}, "/"),
        ("/moderation/", {}, "/"),
    ):
        sent = client.post(path, {"action": "delete"}, headers=headers)
        assert (
            sent["Location"] == f"{reverse('mfa_reauthenticate')}?next={back.replace('/', '%2F')}"
        )
    by_script = client.post("/moderation/", headers={"HX-Request": "true", "Referer": page})
    assert by_script.status_code == 200
    assert "/2fa/reauthenticate/" in by_script["HX-Redirect"]


def type_wrong_codes(client: Client, times: int, page: str = "mfa_authenticate") -> None:
    for _ in range(times):
        client.post("/ru" + reverse(page), {"code": "000000"})


def subjects(player: Player) -> list[str]:
    return [mail.content["subject"] for mail in Notice.objects.filter(address=player.email)]


def test_five_wrong_codes_are_told_to_the_owner_once_a_day(client: Client) -> None:
    ileana = new_player("Ileana", language="ro", time_zone="Asia/Taipei")
    protected(ileana)
    sign_in(client, "ileana")
    type_wrong_codes(client, 4)
    assert subjects(ileana) == []
    other = Client()  # somebody who knows the password may begin again as often as they like
    sign_in(other, "ileana")
    type_wrong_codes(other, 1)
    assert subjects(ileana) == [
        "Al doilea factor al contului tău: au fost introduse cinci coduri greșite."
    ]
    text = Notice.objects.get(address=ileana.email).content["text"]
    assert "(CST)" in text, "the time of the owner"
    assert "/ru/" not in text
    type_wrong_codes(other, 12)
    assert len(subjects(ileana)) == 1


def test_wrong_codes_in_a_session_that_is_open_count_as_well(client: Client) -> None:
    player = new_player("Yasmin")
    protected(player)
    client.force_login(player)
    type_wrong_codes(client, 5, "mfa_reauthenticate")
    assert len(subjects(player)) == 1
    other = new_player("Omar")
    protected(other)
    sign_in(client, "omar")
    assert subjects(other) == [], "each account is counted by itself"


@pytest.mark.django_db(transaction=True)
def test_setting_up_a_factor_ends_all_other_sessions(client: Client) -> None:
    new_player("Yasmin")
    elsewhere = Client()
    for each in (client, elsewhere):
        sign_in(each, "yasmin")
    bystander = Client()
    new_player("Omar")
    sign_in(bystander, "omar")
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    secret = client.get(reverse("mfa_activate_totp")).context["form"].secret
    client.post(reverse("mfa_activate_totp"), {"code": "000000"})
    assert elsewhere.get("/settings/").status_code == 200
    client.post(reverse("mfa_activate_totp"), {"code": shown_now(secret)})
    assert elsewhere.get("/settings/").status_code == 302
    assert client.get("/settings/").status_code == 200
    assert bystander.get("/settings/").status_code == 200


def test_its_secret_leaves_the_house_nowhere(client: Client) -> None:
    chief = Player.objects.create_superuser("chief", "chief@souk.example", PASSWORD)
    player = new_player("Yasmin")
    protected(player)
    secret = Authenticator.objects.get(type="totp").data["secret"]
    seed = Authenticator.objects.get(type="recovery_codes").data["seed"]
    client.force_login(chief)
    for row in Authenticator.objects.all():
        page = client.get(reverse("admin:mfa_authenticator_change", args=[row.pk]))
        for text in (secret, seed, SECRET):
            assert text not in page.content.decode()
    asked = client.get(reverse("admin:mfa_authenticator_changelist"), {"data__contains": "a"})
    assert asked.status_code == 400
    assert secret not in str(everything_about(player))
    delete_account(player=player, now=NOON)
    assert not Authenticator.objects.exists()
