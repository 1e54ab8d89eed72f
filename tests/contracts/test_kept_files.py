"""Files that people keep: a sealed backup, signed records, and the keys that both rest on.

`kept/` was made by release 0.1 with everything in it; the backup has a row in every table. To add
to it, add files: what is there was given away.
"""

from __future__ import annotations

import hashlib
import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from games.engine.record import read, write
from games.models import SigningKey
from games.services.backups import files
from games.services.backups.sealing import CannotOpen
from games.services.reach import keys
from tests.people import NOON

KEPT = Path(__file__).parent / "kept"
PASSPHRASE = "a carpet of yesterday"
RECORDS = ("marrakech.json", "ifrito.json")
# Of the site that signed the records, and an invented one for push services.
SIGNING_KEY = "697637d842f054d286e3093230b7a7bb8827bfc2d8f4133d9cd24d3c66c31ddb"
PUSH_KEY = "01" * 32
PUSH_POINT = (
    "BG_wO5SSQc4drdQ1GeaWDgqFtBppoFwygQOqK84VlMoWPE91OlW_AdxT9sCwx-7ni0DG_30lqW4igrmJzvccFEo"
)
# Of all lines of the backup.
SHA_256 = "87b5578dd58ba34d29307fea74209ee84e6d298b3720df9376fec4220993ebe4"
SUMMARIES = {
    "marrakech.json": "2 players, 10 moves, over (last_player), won by seat 1",
    "ifrito.json": "2 players, 10 moves, over (last_player), won by seat 0",
}


def test_a_sealed_backup_opens_with_its_passphrase() -> None:
    assert (KEPT / "sealed.backup").read_bytes().startswith(b"souk-sealed-1\n")
    with files.reading(str(KEPT / "sealed.backup"), lambda: PASSPHRASE) as lines:
        text = "".join(lines)
    assert hashlib.sha256(text.encode()).hexdigest() == SHA_256
    first, *_, last = text.splitlines()
    heading = json.loads(first)
    assert heading["souk-backup"] == 1
    assert ["games", "0025_performances"] in heading["migrations"]
    assert json.loads(last)["end"]["games.move"] == 2114


def test_a_sealed_backup_does_not_open_with_another() -> None:
    with (
        pytest.raises(CannotOpen),
        files.reading(str(KEPT / "sealed.backup"), lambda: "a carpet of today") as lines,
    ):
        list(lines)


@pytest.mark.parametrize("name", RECORDS)
def test_a_stored_record_verifies(name: str) -> None:
    out = StringIO()
    call_command("verify", str(KEPT / name), key=str(KEPT / "key.pem"), stdout=out)
    game = name.removesuffix(".json")
    assert f"ok: {game}, {SUMMARIES[name]}, chance checked, signature checked" in out.getvalue()


@pytest.mark.parametrize("name", RECORDS)
def test_a_changed_record_does_not_verify(name: str, tmp_path: Path) -> None:
    changed = tmp_path / name
    changed.write_text((KEPT / name).read_text().replace('"Wei"', '"Wej"'))
    with pytest.raises(CommandError):
        call_command("verify", str(changed), key=str(KEPT / "key.pem"), stdout=StringIO())


@pytest.mark.parametrize("name", RECORDS)
def test_a_stored_record_is_written_again_as_it_was(name: str) -> None:
    """Names, order and form of all fields: signatures are over the text."""
    text = (KEPT / name).read_text().strip()
    assert write(read(text)) == text


@pytest.mark.django_db
def test_the_site_knows_a_record_of_its_own(client: Client) -> None:
    SigningKey.objects.create(name="records", private=bytes.fromhex(SIGNING_KEY), made_at=NOON)
    assert client.get("/records/key.pem").content == (KEPT / "key.pem").read_bytes()
    text = (KEPT / "marrakech.json").read_text()
    page = client.post("/records/check/", {"text": text})
    assert page.status_code == 200
    assert b"Souk signed it: nobody has changed a name" in page.content
    forged = client.post("/records/check/", {"text": text.replace('"Wei"', '"Wej"')})
    assert forged.status_code == 422
    assert b"Souk never signed it so" in forged.content
    assert SigningKey.objects.count() == 1


@pytest.mark.django_db
def test_push_services_know_the_site_by_the_stored_key() -> None:
    """A browser that subscribed with one key hears nothing that is signed with another."""
    SigningKey.objects.create(name="push", private=bytes.fromhex(PUSH_KEY), made_at=NOON)
    assert keys.public_key(now=NOON) == PUSH_POINT
    assert SigningKey.objects.count() == 1
