"""A database that release 0.1 wrote, with data in it, is one of today after `migrate`.

The stored databases were filled through the services of release 0.1: both games in all sizes and
editions, at every stage; bots, stand-ins, guests, a deleted account, mail in every state. Beside
them stand the records that release 0.1 handed out for their games.
"""

from __future__ import annotations

import gzip
import json
import subprocess
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.operate.site_of import NOTE_BOARDS, command, proven_records
from tools import local_servers as servers

HERE = Path(__file__).parent


@pytest.fixture(params=["sqlite", "postgres"])
def release_0_1(request: pytest.FixtureRequest, data_folder: Path) -> dict[str, str]:
    """The variables of a site that still has the database of release 0.1."""
    if request.param == "sqlite":
        stored = gzip.decompress((HERE / "souk-0.1.sqlite3.gz").read_bytes())
        (data_folder / "souk.sqlite3").write_bytes(stored)
        return {}
    server = request.getfixturevalue("postgres_url")
    url = f"{server}_of_release_0_1"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CREATE DATABASE souk_of_release_0_1")
    binaries = servers.postgres_binaries()
    assert binaries
    subprocess.run(
        [binaries / "psql", "--quiet", "--set", "ON_ERROR_STOP=1", url],
        input=gzip.decompress((HERE / "souk-0.1.sql.gz").read_bytes()),
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return {"DATABASE_URL": url}


def test_every_game_of_release_0_1_verifies_after_the_upgrade(
    request: pytest.FixtureRequest, release_0_1: dict[str, str], data_folder: Path
) -> None:
    database = request.node.callspec.params["release_0_1"]
    stored = gzip.decompress((HERE / f"records-{database}.jsonl.gz").read_bytes())
    as_it_was = [json.loads(line) for line in stored.splitlines()]

    command("migrate", "--verbosity", "0", data=data_folder, **release_0_1)
    command("recompute_statistics", "--rebuild", data=data_folder, **release_0_1)

    command("migrate", "--check", data=data_folder, **release_0_1)
    found = proven_records(data=data_folder, before=NOTE_BOARDS, **release_0_1)
    as_it_is = map(json.loads, found)
    assert [
        in_words_of(was, now) for was, now in zip(as_it_was, as_it_is, strict=True)
    ] == as_it_was


def in_words_of(was: Any, now: Any) -> Any:
    """What a record says now, without what release 0.1 did not say yet."""
    if isinstance(was, dict) and isinstance(now, dict):
        return {name: in_words_of(was[name], now[name]) for name in was if name in now}
    if isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        return [in_words_of(one, other) for one, other in zip(was, now, strict=True)]
    return now
