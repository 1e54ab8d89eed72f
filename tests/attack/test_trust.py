"""A record that was changed after it left the site is found out, whatever was changed."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from games.engine.errors import BadRecord
from games.engine.record import read, verify
from games.models import SigningKey
from games.signatures import as_pem, from_pem, new_private_key, public_key_of
from tests.history.archive import people, stored_game

pytestmark = pytest.mark.django_db


@pytest.fixture
def record(client: Client) -> dict[str, Any]:
    game = stored_game(people("yasmin", "omar", "wei"), seed=4, leave=0.02)
    found: dict[str, Any] = client.get(reverse("record", args=[game.public_id])).json()
    assert any(move["action"] in ("resign", "timeout") for move in found["moves"])
    return found


@pytest.fixture
def key(client: Client, tmp_path: Path) -> Path:
    file = tmp_path / "key.pem"
    file.write_bytes(client.get(reverse("record_key")).content)
    return file


def verified(record: dict[str, Any], tmp_path: Path, *flags: str) -> str:
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record))
    out = io.StringIO()
    try:
        call_command("verify", *flags, str(file), stdout=out)
    except CommandError:
        assert "FAILED" in out.getvalue()
    return out.getvalue()


def exchange_names(record: dict[str, Any]) -> None:
    one, other, *_ = record["players"]
    one["name"], other["name"] = other["name"], one["name"]


def exchange_names_everywhere(record: dict[str, Any]) -> None:
    before = [player["name"] for player in record["players"]]
    exchange_names(record)
    after = {old: player["name"] for old, player in zip(before, record["players"], strict=True)}
    record["fairness"]["joined"] = [after[name] for name in record["fairness"]["joined"]]


def move_a_time(record: dict[str, Any]) -> None:
    record["moves"][3]["at"] = "2020-01-01T00:00:00Z"


def turn_a_leave(record: dict[str, Any]) -> None:
    other = {"resign": "timeout", "timeout": "resign"}
    left = next(move for move in record["moves"] if move["action"] in other)
    left["action"] = other[left["action"]]


def rename_the_game(record: dict[str, Any]) -> None:
    record["id"] = "another"


CHANGES = [
    exchange_names,
    exchange_names_everywhere,
    move_a_time,
    turn_a_leave,
    rename_the_game,
]


def test_what_the_site_exports_is_signed_by_its_published_key(
    record: dict[str, Any], key: Path, tmp_path: Path
) -> None:
    assert verified(record, tmp_path, "--key", str(key)).strip().endswith("signature checked")
    assert verified(record, tmp_path).strip().endswith("signature not checked")
    assert len(record["fairness"]["joined"]) == 3
    public = from_pem(key.read_bytes())
    rest = {name: value for name, value in record.items() if name != "signature"}
    text = json.dumps(rest, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    public.verify(bytes.fromhex(record["signature"]["ed25519"]), text.encode())
    assert SigningKey.objects.count() == 1


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_found_with_the_key(
    change: Callable[[dict[str, Any]], None], record: dict[str, Any], key: Path, tmp_path: Path
) -> None:
    change(record)
    assert "FAILED" in verified(record, tmp_path, "--key", str(key))


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_found_on_the_page(
    change: Callable[[dict[str, Any]], None], record: dict[str, Any], client: Client
) -> None:
    whole = client.post(reverse("check_record"), {"text": json.dumps(record)})
    assert whole.status_code == 200
    assert "Souk signed it" in whole.content.decode()
    change(record)
    changed = client.post(reverse("check_record"), {"text": json.dumps(record)})
    assert changed.status_code == 422
    assert "does not hold" in changed.content.decode()


def test_exchanged_names_need_no_key_to_be_found(record: dict[str, Any]) -> None:
    del record["signature"]
    verify(read(json.dumps(record)))
    exchange_names(record)
    with pytest.raises(BadRecord, match="players are"):
        verify(read(json.dumps(record)))


def test_of_a_running_game_those_who_joined_are_those_who_play(client: Client) -> None:
    game = stored_game(people("yasmin", "omar"), until=6)
    record = client.get(reverse("record", args=[game.public_id])).json()
    verify(read(json.dumps(record)))
    record["fairness"]["joined"][0] = "somebody"
    with pytest.raises(BadRecord, match="joined"):
        verify(read(json.dumps(record)))


def test_records_from_before_stay_valid(
    record: dict[str, Any], key: Path, tmp_path: Path, client: Client
) -> None:
    del record["signature"], record["fairness"]["joined"]
    assert verified(record, tmp_path, "--key", str(key)).strip().endswith("not signed")
    page = client.post(reverse("check_record"), {"text": json.dumps(record)})
    assert page.status_code == 200
    assert "not signed" in page.content.decode()


def test_the_signature_of_another_site_is_not_ours_to_check(
    record: dict[str, Any], tmp_path: Path, client: Client
) -> None:
    other = tmp_path / "other.pem"
    other.write_text(as_pem(public_key_of(new_private_key())))
    assert "FAILED" in verified(record, tmp_path, "--key", str(other))
    record["signature"]["key"] = "of another site"
    page = client.post(reverse("check_record"), {"text": json.dumps(record)})
    assert "Another site signed it" in page.content.decode()


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("signature", "x"),
        ("signature", {"key": "k"}),
        ("signature", {"key": "k", "ed25519": "zz"}),
        ("signature", {"key": 3, "ed25519": "0" * 128}),
        ("joined", "x"),
        ("joined", ["yasmin"]),
        ("joined", [1, 2, 3]),
    ],
)
def test_odd_signatures_and_names_are_refused(
    record: dict[str, Any], member: str, value: object
) -> None:
    (record if member == "signature" else record["fairness"])[member] = value
    with pytest.raises(BadRecord):
        verify(read(json.dumps(record)))


def test_a_file_without_key_is_told(record: dict[str, Any], tmp_path: Path) -> None:
    for content in ("nonsense", ""):
        (tmp_path / "bad.pem").write_text(content)
        with pytest.raises(CommandError, match="no key"):
            call_command("verify", "--key", str(tmp_path / "bad.pem"), "-")
    assert isinstance(from_pem(as_pem(public_key_of(new_private_key())).encode()), Ed25519PublicKey)
