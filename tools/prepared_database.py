"""What a release makes: databases with all tables and nothing in them, and static files. Made
once, because both take seconds of a processor, and copied for each process of the tests."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg import sql

from tools import local_servers

ROOT = Path(__file__).parent.parent
KEPT = ROOT / ".pytest_cache" / "tables"
TEMPLATE = "souk_tables"


def tables() -> Path:
    """A SQLite file, kept for later runs as long as the migrations are the same."""
    file = KEPT / f"{_migrations()}.sqlite3"
    with _alone():
        if not file.exists():
            with tempfile.TemporaryDirectory(dir=KEPT) as folder:
                _manage("migrate", SOUK_DATA=folder)
                (Path(folder) / "souk.sqlite3").rename(file)
    return file


def static_files() -> Path:
    """A folder, kept for later runs as long as all that is collected is the same."""
    sources = sorted(file for file in (ROOT / "games" / "static").rglob("*") if file.is_file())
    folder = KEPT / f"{_digest([ROOT / 'marrakech_site' / 'assets.py', *sources])}.static"
    with _alone():
        if not folder.exists():
            with tempfile.TemporaryDirectory(dir=KEPT) as data:
                _manage("collectstatic", "--noinput", SOUK_DATA=data)
                (Path(data) / "static").rename(folder)
    return folder


def copy_on_server(url: str, name: str) -> str:
    """A database of that name, on a PostgreSQL that the tests have for themselves; its address."""
    with _alone(), psycopg.connect(url, autocommit=True) as server:
        known = {row[0] for row in server.execute("select datname from pg_database")}
        create = sql.SQL("create database {} template {}")
        if TEMPLATE not in known:
            server.execute(create.format(sql.Identifier(TEMPLATE), sql.Identifier("template0")))
            _fill(_beside(url, TEMPLATE), server.info.server_version)
        if name not in known:
            server.execute(create.format(sql.Identifier(name), sql.Identifier(TEMPLATE)))
    return _beside(url, name)


def copy(file: Path) -> None:
    shutil.copyfile(tables(), file)


def release(folder: Path) -> None:
    """A data folder as a release leaves it, before the first player."""
    copy(folder / "souk.sqlite3")
    shutil.copytree(static_files(), folder / "static")


@contextmanager
def _alone() -> Iterator[None]:
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _beside(url: str, name: str) -> str:
    return f"{url.rpartition('/')[0]}/{name}"


def _fill(url: str, version: int) -> None:
    """By the migrations on the first of all servers, then by what they made there."""
    file = KEPT / f"{_migrations()}.{version}.dump"
    if file.exists():
        local_servers.postgres_tool("pg_restore", "--dbname", url, file)
        return
    _manage("migrate", DATABASE_URL=url)
    local_servers.postgres_tool("pg_dump", "--format", "custom", "--file", f"{file}.part", url)
    Path(f"{file}.part").rename(file)


def _migrations() -> str:
    """What the tables come from: our migrations, and those of the libraries."""
    return _digest(sorted((ROOT / "games" / "migrations").glob("*.py")))


def _digest(ours: list[Path]) -> str:
    """Of files of ours, their names, and whatever the libraries bring."""
    digest = hashlib.sha256((ROOT / "requirements.txt").read_bytes())
    for file in ours:
        digest.update(f"{file.relative_to(ROOT)}\n".encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def _manage(*arguments: str, **surroundings: str) -> None:
    subprocess.run(
        [sys.executable, "manage.py", *arguments, "--verbosity", "0"],
        cwd=ROOT,
        env={**os.environ, "LOG_LEVEL": "ERROR", **surroundings},
        check=True,
    )
