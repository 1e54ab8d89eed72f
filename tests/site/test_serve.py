"""`make run`, as far as it is our own code: real processes, real signals."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest

from tools import prepared_database as prepared
from tools.local_servers import free_port
from tools.patience import PATIENCE, wait_until

ROOT = Path(__file__).resolve().parents[2]
SERVE = [sys.executable, "manage.py", "serve"]
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
ROLES = ("sweeps", "mail", "bots", "live")


def environment(data: Path, port: int, live: int = 0) -> dict[str, str]:
    own = {"SOUK_DATA": str(data), "PORT": str(port), "LIVE_PORT": str(live)}
    return {**os.environ, "WEB_CONCURRENCY": "1", **own}


@dataclass
class House:
    """A site that is open, and the file that all of it writes its log to."""

    process: subprocess.Popen[bytes]
    data: Path
    port: int

    @property
    def log(self) -> list[dict[str, Any]]:
        written = (self.data / "log").read_text()
        return [json.loads(line) for line in written.splitlines(keepends=True) if line[-1] == "\n"]

    def open_page(self, path: str) -> None:
        urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}").close()

    def close(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE)


@contextmanager
def serving(data: Path, live: int = 0) -> Iterator[House]:
    port = free_port()
    with (data / "log").open("ab") as log:
        process = subprocess.Popen(
            SERVE, cwd=ROOT, env=environment(data, port, live), stdout=log, stderr=log
        )
    house = House(process, data, port)
    try:
        wait_until(lambda: process.poll() is not None or said(house, "souk.serve"))
        assert f"http://127.0.0.1:{port}" in said(house, "souk.serve")[0]["message"]
        yield house
    finally:
        if process.poll() is None:
            house.close()


def said(house: House, logger: str) -> list[dict[str, Any]]:
    return [line for line in house.log if line["logger"] == logger]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One for all tests that leave it open."""
    data = tmp_path_factory.mktemp("house")
    prepared.release(data)
    with serving(data) as site:
        yield site


def health(port: int) -> tuple[int, dict[str, Any]]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz") as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def descendants(pid: int) -> list[int]:
    listing = subprocess.check_output(["ps", "-e", "-o", "pid=,ppid="], text=True)
    parents = [tuple(map(int, line.split())) for line in listing.splitlines()]
    found = [pid]
    for above in found:
        found += [child for child, parent in parents if parent == above]
    return found[1:]


def alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False


def test_serves_beats_and_stops_cleanly_and_keeps_its_data(data_folder: Path) -> None:
    """From an empty folder; the second time at a terminal, where a person is told about it."""
    with serving(data_folder, live=free_port()) as house:
        status, report = health(house.port)
        assert (status, report["database"], report["broker"]) == (200, "ok", "ok")
        wait_until(lambda: all(health(house.port)[1].get(role) == "ok" for role in ROLES))
        children = descendants(house.process.pid)
        assert len(children) >= 6
        assert house.close() == 0
    assert not [pid for pid in children if alive(pid)]
    assert said(house, "souk.serve")[-1]["message"] == "Closing…"

    key = data_folder / "secret-key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    drawn = key.read_text()
    with sqlite3.connect(data_folder / "souk.sqlite3") as database:
        assert database.execute("pragma journal_mode").fetchone() == ("wal",)
        (beats,) = database.execute("select count(*) from games_heartbeat").fetchone()
    assert beats == 4

    shown = b"".join(served_at_a_terminal(data_folder, house.port)).decode()
    assert key.read_text() == drawn
    check_words_for_a_person(shown, house.port)


def check_words_for_a_person(shown: str, port: int) -> None:
    assert f"Souk is open at http://127.0.0.1:{port} " in shown
    assert f"Mail is kept at http://127.0.0.1:{port}/mailbox/" in shown
    requests = [line for line in shown.splitlines() if " GET " in line]
    assert [line.split(" ", 1)[1].rsplit(",")[0] for line in requests] == ["GET /learn/ → 200"]
    assert "{" not in shown, "lines for machines"


def served_at_a_terminal(data: Path, port: int) -> Iterator[bytes]:
    """What a terminal shows of a site that is asked for a page and for its health."""
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        SERVE, cwd=ROOT, env=environment(data, port), stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    try:
        shown = b""
        while b"Mail is kept" not in shown:
            shown += os.read(ours, 4096)
        yield shown
        urllib.request.urlopen(f"http://127.0.0.1:{port}/learn/").close()
        assert health(port)[1]["beat_age_seconds"] is not None, "the second start lost data"
        yield os.read(ours, 4096)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE)
        os.set_blocking(ours, False)
        with suppress(OSError):  # a terminal that nobody writes to any more has no end, but this
            while rest := os.read(ours, 4096):
                yield rest
        os.close(ours)


def test_a_log_gets_json_lines_and_nothing_else(house: House) -> None:
    house.open_page("/learn/")
    wait_until(lambda: "learn/" in {line["route"] for line in said(house, "souk.access")})


def test_workers_that_die_are_started_again(house: House) -> None:
    for kind in ("sweeps", "mail"):
        old = workers_of(house.process.pid, kind)[0]
        os.kill(old, signal.SIGKILL)
        wait_until(partial(workers_of, house.process.pid, kind, besides=old))
        assert not alive(old)


def workers_of(pid: int, kind: str, besides: int = 0) -> list[int]:
    found = [child for child in descendants(pid) if kind in command_line(child)]
    return [child for child in found if child != besides and alive(child)]


def command_line(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().split("\0")
    except OSError:
        return []


class Browser:
    def __init__(self, port: int) -> None:
        self.root = f"http://127.0.0.1:{port}"
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self.address = self.page = ""

    def open(self, path: str, form: dict[str, str] | None = None) -> None:
        data = urllib.parse.urlencode(form).encode() if form else None
        with self.opener.open(self.root + path, data, timeout=PATIENCE) as answer:
            self.address = urllib.parse.urlsplit(answer.url).path
            self.page = answer.read().decode()

    def submit(self, path: str, **form: str) -> None:
        token = TOKEN.search(self.page)
        assert token
        self.open(path, {**form, "csrfmiddlewaretoken": token[1]})


def ask(data: Path, question: str) -> tuple[str, int]:
    with sqlite3.connect(data / "souk.sqlite3") as database:
        return database.execute(question).fetchone()


TO_ACT = """
select player.bot_level, game.move_count from games_game game
join games_seat seat on seat.id = game.to_act_id
join games_player player on player.id = seat.player_id
"""
ANSWERS = """
select max(player.bot_level), count(*) from games_move move
join games_seat seat on seat.number = move.seat and seat.game_id = move.game_id
join games_player player on player.id = seat.player_id where player.bot_level != ''
"""


def test_a_bot_answers(house: House) -> None:
    """As a stranger meets it: no account, and real processes."""
    browser = Browser(house.port)
    browser.open("/")
    browser.submit("/play/", game="marrakech", opponents="1", level="apprentice")
    table = browser.address
    assert table.startswith("/g/")
    while ask(house.data, ANSWERS)[1] < 3:
        wait_until(lambda: not ask(house.data, TO_ACT)[0])
        _, moves = ask(house.data, TO_ACT)
        browser.open(table)
        choice = re.search(r'(?:value="|choose=)(turn:S|lay:\w+)"', browser.page)
        assert choice
        browser.submit(f"{table}move/", action=choice[1], on=str(moves))


def test_a_taken_port_gets_one_sentence(data_folder: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        answer = subprocess.run(
            SERVE, cwd=ROOT, env=environment(data_folder, port), capture_output=True, text=True
        )
    assert answer.returncode != 0
    assert f"Port {port} is taken." in answer.stderr
    assert "Traceback" not in answer.stderr


def test_a_data_folder_that_cannot_be_written_gets_one_sentence(tmp_path: Path) -> None:
    obstacle = tmp_path / "file"
    obstacle.touch()
    answer = subprocess.run(
        SERVE, cwd=ROOT, env=environment(obstacle / "data", 1), capture_output=True, text=True
    )
    assert answer.returncode != 0
    assert "cannot be written" in answer.stderr
    assert "Traceback" not in answer.stderr


@pytest.mark.parametrize("target", ["run", "test"])
def test_an_old_python_gets_one_sentence(tmp_path: Path, target: str) -> None:
    old = tmp_path / "python-old"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Python 3.9.2\nexit 1\n')
    old.chmod(0o755)
    (tmp_path / "Makefile").write_text((ROOT / "Makefile").read_text())
    for name in ("requirements.txt", "requirements-dev.txt"):
        (tmp_path / name).touch()
    answer = subprocess.run(
        ["make", f"PYTHON={old}", target], cwd=tmp_path, capture_output=True, text=True
    )
    assert answer.returncode != 0
    assert "Souk needs Python 3.11 or newer; this is Python 3.9.2." in answer.stderr
