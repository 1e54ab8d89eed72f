"""A backup of one database becomes another, of either kind, and nothing is lost on the way."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from threading import Thread
from typing import Any

import psycopg
import pytest
from django.db import connection

from games.models import Player
from games.services.backups import files, load, sealing
from games.services.backups.dump import one_moment
from games.services.backups.sealing import CannotOpen
from tests import environment
from tests.operate.every_table import FOLLOWING
from tests.operate.site_of import NOTE_BOARDS, command, manage, proven_records
from tests.people import new_player
from tools.patience import PATIENCE

RELEASE_0_1 = Path(environment.ROOT) / "tests" / "upgrade" / "souk-0.1.sqlite3.gz"
UP_TO_DATE = """
from io import StringIO
from django.core.management import call_command
call_command("migrate", verbosity=0)
call_command("recompute_statistics", rebuild=True, stdout=StringIO())

"""
STARTED_GAMES = """
from games.engine.record import write
from games.models import Game
from games.selectors.records import record_of
started = Game.objects.filter(status__in=("running", "over")).order_by("pk")
print("\\n".join(write(record_of(game)) for game in started))

"""
FILL = "from tests.operate.every_table import fill; fill()"
PASSPHRASE = {"BACKUP_PASSPHRASE": "a camel through the eye of a needle"}


@pytest.fixture(scope="module")
def up_to_date(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("lived-in")
    (data / "souk.sqlite3").write_bytes(gzip.decompress(RELEASE_0_1.read_bytes()))
    command("shell", "--no-imports", data=data, text=UP_TO_DATE + NOTE_BOARDS + FILL)
    return data / "souk.sqlite3"


@pytest.fixture
def lived_in(up_to_date: Path, data_folder: Path) -> Path:
    """A data folder with games in every state and rows in every table, up to date."""
    shutil.copy(up_to_date, data_folder)
    return data_folder


@pytest.fixture
def empty_postgres(postgres_url: str) -> str:
    with psycopg.connect(postgres_url, autocommit=True) as server:
        server.execute("DROP DATABASE IF EXISTS souk_restored")
        server.execute("CREATE DATABASE souk_restored")
    return f"{postgres_url}_restored"


def refusal(*arguments: str, data: Path, **variables: str) -> str:
    done = manage(*arguments, data=data, **variables)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    return done.stderr


def everything_in(data: Path) -> list[str]:
    with closing(sqlite3.connect(data / "souk.sqlite3")) as database:
        return list(database.iterdump())


def rows(name: str, passphrase: str = "") -> list[Any]:
    with files.reading(name, lambda: passphrase) as lines:
        return [json.loads(line) for line in lines][1:]


NEW_NUMBERS = """
from django.db import transaction
from games.models import Player
with transaction.atomic():
    known = set(Player.objects.values_list("pk", flat=True))
    somebody = Player.objects.create(username="new")
    assert somebody.pk > max(known), "new rows get new numbers"
    transaction.set_rollback(True)
"""


def test_from_sqlite_to_postgresql_and_back(
    lived_in: Path, tmp_path: Path, empty_postgres: str
) -> None:
    first, second, third = (str(tmp_path / name) for name in ("first", "second", "third"))
    server = {"DATABASE_URL": empty_postgres}
    other = tmp_path / "other"
    as_it_was = proven_records(data=lived_in)
    assert len(as_it_was) == 38

    command("backup", first, data=lived_in, **PASSPHRASE)
    command("restore", first, data=other, **server, **PASSPHRASE)
    assert proven_records(data=other, before=NEW_NUMBERS, **server) == as_it_was
    command("backup", second, data=other, **server)
    command("restore", second, data=other)
    command("shell", "--no-imports", data=other, text=NEW_NUMBERS)
    command("backup", third, data=other)

    kept = rows(first, PASSPHRASE["BACKUP_PASSPHRASE"])
    assert rows(second) == rows(third) == kept, "every row of every table, and so every game"
    empty = {table for table, count in kept[-1]["end"].items() if not count}
    assert empty == FOLLOWING, "there is something in each that does not follow"


def test_a_sealed_backup_of_release_0_1_is_restored(data_folder: Path) -> None:
    """Made once and kept as it was, with a row in every table of then."""
    kept = Path(environment.ROOT) / "tests" / "contracts" / "kept" / "sealed.backup"
    passphrase = {"BACKUP_PASSPHRASE": "a carpet of yesterday"}
    said = command("restore", str(kept), data=data_folder, **passphrase)
    assert said.startswith("6,821 rows restored, among them 48 games and 2,114 moves.")
    records = command("shell", "--no-imports", data=data_folder, text=STARTED_GAMES).strip()
    assert len(records.splitlines()) == 38
    digest = hashlib.sha256(records.encode()).hexdigest()
    assert digest == "9ff3896e6f2b6051b3eaddfd3e082a2d6779d57648bb2baa37987f08fd54599b"


def test_an_older_backup_is_brought_up_to_date(data_folder: Path, tmp_path: Path) -> None:
    (data_folder / "souk.sqlite3").write_bytes(gzip.decompress(RELEASE_0_1.read_bytes()))
    made = """
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone
from games.services.backups.dump import write_backup
from games.services.backups.files import writing
then = MigrationLoader(connection)
with writing("FILE", None) as lines:
    apps = then.project_state(list(then.applied_migrations)).apps
    write_backup(lines, apps=apps, now=timezone.now())

""".replace("FILE", str(tmp_path / "old"))
    command("shell", "--no-imports", data=data_folder, text=made)
    command("restore", str(tmp_path / "old"), data=tmp_path / "new")
    check = UP_TO_DATE.replace("verbosity=0", "check_unapplied=True, verbosity=0")
    assert len(proven_records(data=tmp_path / "new", before=check + NOTE_BOARDS)) == 38


def test_a_restore_that_is_refused_changes_nothing(lived_in: Path, tmp_path: Path) -> None:
    file, harmed = tmp_path / "file", tmp_path / "harmed"
    command("backup", str(file), data=lived_in)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "--replace" in refusal("restore", str(file), data=lived_in)
    with closing(sqlite3.connect(tmp_path / "souk.sqlite3")) as database:
        database.execute("CREATE TABLE camels (name TEXT)")
    assert "something else" in refusal("restore", str(file), data=tmp_path)

    lines = gzip.decompress(file.read_bytes()).decode().rstrip("\n").split("\n")
    heading = json.loads(lines[0])
    heading["migrations"].append(["games", "9999_flying"])
    a_row_less = gzip.compress("\n".join([*lines[:-2], lines[-1]]).encode())
    a_newer_one = gzip.compress("\n".join([json.dumps(heading), *lines[1:]]).encode())
    before = everything_in(lived_in)
    for complaint, content in {
        "damaged or cut off": a_row_less,
        "The file is damaged": file.read_bytes()[:-1000],
        "newer Souk": a_newer_one,
    }.items():
        harmed.write_bytes(content)
        refused = refusal("restore", "--replace", str(harmed), data=lived_in)
        assert complaint in refused
        assert "Nothing was changed." in refused
    assert everything_in(lived_in) == before


@pytest.mark.parametrize(
    ("columns", "row"),
    [
        (["carpet"], ["red"]),
        (["username", "email"], ["yasmin"]),
        (["date_joined"], ["yesterday"]),
        (["date_joined"], [["yesterday"]]),
    ],
)
def test_a_row_that_makes_no_sense_is_damage(columns: list[str], row: list[Any]) -> None:
    with pytest.raises(CannotOpen, match="damaged"):
        load.Table(Player, columns).add(row)


def test_a_backup_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    assert "cannot be written" in refusal("backup", str(tmp_path / "a" / "b"), data=tmp_path)
    assert "cannot be read" in refusal("backup", str(tmp_path / "file"), data=tmp_path)
    assert not list(tmp_path.glob("file*"))


@pytest.mark.parametrize("passphrase", [None, "sesame"])
def test_lines_that_are_written_are_read(
    tmp_path: Path, passphrase: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sealing, "COST", 2**4)
    file = tmp_path / "file"
    with files.writing(str(file), passphrase) as lines:
        lines.write("one\ntwo\n")
    assert (b"souk-sealed" in file.read_bytes()) == bool(passphrase)
    with files.reading(str(file), lambda: passphrase or pytest.fail("nobody asks")) as read:
        assert list(read) == ["one\n", "two\n"]
    for content in (file.read_bytes()[:-9], b"", b"text", file.read_bytes()[:20]):
        file.write_bytes(content)
        with pytest.raises(CannotOpen), files.reading(str(file), lambda: "sesame") as read:
            list(read)


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_a_backup_is_of_one_moment_and_nobody_waits_for_it() -> None:
    new_player("Yasmin")

    def meanwhile() -> None:
        new_player("Omar")
        connection.close()

    with one_moment():
        assert Player.objects.count() == 1
        somebody = Thread(target=meanwhile)
        somebody.start()
        somebody.join(PATIENCE)
        assert not somebody.is_alive(), "somebody had to wait for the backup"
        assert Player.objects.count() == 1
    assert Player.objects.count() == 2


class TestSealing:
    @pytest.fixture(autouse=True)
    def cheap(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sealing, "COST", 2**4)
        monkeypatch.setattr(sealing, "PIECE", 64)

    def sealed(self, text: bytes) -> bytes:
        file = io.BytesIO()
        with sealing.SealingWriter(file, "sesame") as writer:
            for start in range(0, len(text), 50):
                writer.write(text[start : start + 50])
        return file.getvalue()

    def opened(self, file: bytes, passphrase: str = "sesame") -> bytes:
        assert file.startswith(sealing.MAGIC)
        reader = sealing.OpeningReader(io.BytesIO(file[len(sealing.MAGIC) :]), passphrase)
        return io.BufferedReader(reader).read()

    @pytest.mark.parametrize("length", [0, 1, 63, 64, 65, 128, 1000])
    def test_what_was_sealed_comes_out(self, length: int) -> None:
        text = bytes(number % 251 for number in range(length))
        assert self.opened(self.sealed(text)) == text
        assert length < 8 or text[:8] not in self.sealed(text)

    def test_two_seals_of_one_text_have_nothing_in_common(self) -> None:
        one, other = (self.sealed(bytes(64))[len(sealing.MAGIC) :] for _ in range(2))
        assert not [place for place in range(len(one) - 8) if one[place : place + 8] in other]

    @pytest.mark.parametrize("harm", ["flip", "cut a piece", "cut a byte", "swap", "other word"])
    def test_any_harm_is_noticed(self, harm: str) -> None:
        file = bytearray(self.sealed(bytes(range(200))))
        start, piece = len(sealing.MAGIC) + 23, 64 + 16
        match harm:
            case "flip":
                file[start + 100] ^= 1
            case "cut a piece":
                del file[start + 2 * piece :]
            case "cut a byte":
                del file[-1]
            case "swap":
                first, second = file[start : start + piece], file[start + piece : start + 2 * piece]
                file[start : start + 2 * piece] = second + first
        with pytest.raises(sealing.CannotOpen):
            self.opened(bytes(file), "other" if harm == "other word" else "sesame")
