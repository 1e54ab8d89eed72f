"""The embedded default as a stranger meets it: real processes, no account, a bot that answers."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path

from tests.servers import free_port
from tests.site.test_serve import ROOT, environment, serving

PATIENCE = 90  # the brains may have to be compiled first
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


def test_a_web_process_never_loads_what_must_be_compiled(data_folder: Path) -> None:
    question = (
        "import sys, marrakech_site.wsgi, marrakech_site.urls, games.urls, games.tasks;"
        "print([name for name in ('numba', 'games.bots') if name in sys.modules])"
    )
    answer = subprocess.run(
        [sys.executable, "-c", question],
        cwd=ROOT,
        env=environment(data_folder, free_port()),
        capture_output=True,
        text=True,
        check=True,
    )
    assert answer.stdout.strip() == "[]"


class Browser:
    def __init__(self, port: int) -> None:
        self.root = f"http://127.0.0.1:{port}"
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self.address = self.page = ""

    def open(self, path: str, form: dict[str, str] | None = None) -> None:
        data = urllib.parse.urlencode(form).encode() if form else None
        with self.opener.open(self.root + path, data, timeout=30) as answer:
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


def test_a_bot_answers(data_folder: Path) -> None:
    port = free_port()
    with serving(data_folder, port):
        browser = Browser(port)
        browser.open("/")
        browser.submit("/play/", game="marrakech", opponents="1", level="apprentice")
        table = browser.address
        assert table.startswith("/g/")
        until = time.monotonic() + PATIENCE
        while ask(data_folder, ANSWERS)[1] < 3:
            assert time.monotonic() < until, "no bot answers"
            level, moves = ask(data_folder, TO_ACT)
            if level:
                time.sleep(0.2)
                continue
            browser.open(table)
            choice = re.search(r'(?:value="|choose=)(turn:S|lay:\w+)"', browser.page)
            assert choice
            browser.submit(f"{table}move/", action=choice[1], on=str(moves))
