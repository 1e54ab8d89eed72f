"""A new release comes while people play: old and new processes answer side by side, and nobody
sees an error or a page without its files."""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import cycle
from pathlib import Path
from threading import Event, Lock, Thread
from urllib.parse import urlencode

from games.engine import record
from games.engine.games import ruleset
from games.engine.interface import Decide
from tests import environment
from tools.local_servers import free_port, wait_for_port
from tools.patience import PATIENCE, wait_until

ROOT = Path(environment.ROOT)
CHANGED = Path("games/static/games/css/frame.css")
ASSET = re.compile(r'(?:href|src)="(/static/[^"]+)"')
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
PAUSE = 0.2
"""Seconds between two moves, so that a game lasts as long as the release takes, and that those
who look on leave the machine to those who answer."""

RELEASE = """
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
call_command("collectstatic", interactive=False, verbosity=0)
"""
SIT_DOWN = """
import json
from tools.sessions import session_key
from tests.people import new_players, started_game
from django.utils import timezone
players = new_players(2)
game = started_game(players, now=timezone.now())
seats = game.seats.order_by("number").select_related("player")
cookies = [session_key(seat.player) for seat in seats]
print(json.dumps({"game": game.public_id, "cookies": cookies}))
"""


def variables(data: Path, release: str, **own: str) -> dict[str, str]:
    names = {"SOUK_DATA": str(data), "RELEASE": release, "LOG_LEVEL": "ERROR"}
    names["DJANGO_SETTINGS_MODULE"] = "marrakech_site.settings"
    return {**os.environ, **names, "WEB_CONCURRENCY": "1", **own}


@contextmanager
def web(code: Path, data: Path, release: str, port: int) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", "--config", "python:marrakech_site.gunicorn"],
        cwd=code,
        env=variables(data, release, PORT=str(port)),
    )
    try:
        wait_for_port(port)
        yield process
    finally:
        process.terminate()
        process.wait(PATIENCE)


def python(program: str, code: Path, data: Path, release: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=code,
        env=variables(data, release),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout


class Proxy:
    """What the proxy of the deploy folder does: takes turns, asks another one while one does not
    answer at all, and sends nobody to one that is about to stop."""

    def __init__(self, ports: list[int]) -> None:
        self.ports, self.turns, self.lock = ports, cycle(range(len(ports))), Lock()
        self.stopping: set[int] = set()

    def get(self, path: str, **headers: str) -> tuple[int, str, int]:
        return self.ask("GET", path, None, headers)

    def post(self, path: str, form: dict[str, str], **headers: str) -> tuple[int, str, int]:
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        return self.ask("POST", path, urlencode(form), headers)

    def ask(
        self, method: str, path: str, body: str | None, headers: dict[str, str]
    ) -> tuple[int, str, int]:
        for _ in range(200):
            with self.lock:
                port = self.ports[next(self.turns)]
            link = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
            try:
                if port in self.stopping:
                    raise ConnectionRefusedError
                link.connect()
            except ConnectionRefusedError:
                Event().wait(0.05)
                continue
            with ExitStack() as stack:
                stack.callback(link.close)
                link.request(method, path, body, headers)
                answer = link.getresponse()
                return answer.status, answer.read().decode(errors="replace"), port
        raise AssertionError("no web process answers")


class Person(Thread):
    """Does the same again and again, until told to stop; whatever goes wrong is kept."""

    def __init__(self, proxy: Proxy) -> None:
        super().__init__(daemon=True)
        self.proxy, self.enough = proxy, Event()
        self.failures: list[str] = []

    def run(self) -> None:
        try:
            while not self.enough.is_set():
                self.once()
        except Exception as error:
            self.failures.append(repr(error))

    def once(self) -> None:
        raise NotImplementedError

    def stop(self) -> None:
        self.enough.set()
        self.join(PATIENCE)
        assert not self.is_alive()


class Visitor(Person):
    """Looks at pages with all that belongs to them."""

    def __init__(self, proxy: Proxy) -> None:
        super().__init__(proxy)
        self.seen: set[tuple[str, int]] = set()

    def once(self) -> None:
        status, body, _ = self.proxy.get("/learn/")
        if status != 200:
            self.failures.append(f"/learn/: {status}")
        for asset in set(ASSET.findall(body)):
            if self.enough.wait(PAUSE / 10):
                return
            status, _, port = self.proxy.get(asset)
            self.seen.add((asset, port))
            if status != 200:
                self.failures.append(f"{asset}: {status} at {port}")


class Players(Person):
    """Two who play: each move is made on a page that one process drew, and taken by another."""

    def __init__(self, proxy: Proxy, game: str, cookies: list[str]) -> None:
        super().__init__(proxy)
        self.table, self.cookies = f"/g/{game}/", cookies
        self.made: list[int] = []
        """The processes that took the moves, in order."""

    def once(self) -> None:
        _, text, _ = self.proxy.get(f"{self.table}record.json")
        found = record.verify(record.read(text))
        if not isinstance(found.pending, Decide):
            self.enough.wait(PAUSE)
            return
        own = self.cookies[found.pending.seat]
        status, page, _ = self.proxy.get(self.table, Cookie=f"sessionid={own}")
        token = TOKEN.search(page)
        assert token, f"the table: {status}"
        form = {
            "csrfmiddlewaretoken": token[1],
            "action": ruleset(found.record.game).legal(found.state)[0],
            "on": str(len(found.record.moves)),
        }
        # The secret of the form is that of the page; browsers have it as a cookie.
        cookie = f"sessionid={own}; csrftoken={token[1]}"
        status, _, port = self.proxy.post(f"{self.table}move/", form, Cookie=cookie)
        if status != 302:
            self.failures.append(f"{form['action']}: {status} at {port}")
        self.made.append(port)
        self.enough.wait(PAUSE)


def test_nobody_notices_a_new_release(tmp_path: Path, migrated_folder: Path) -> None:
    new = tmp_path / "new"
    for name in ("games", "marrakech_site", "templates"):
        shutil.copytree(ROOT / name, new / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "manage.py", new)
    with (new / CHANGED).open("a") as css:
        css.write("\n.of-the-new-release { color: red }\n")
    data, ports = migrated_folder, [free_port(), free_port()]
    seated = python(RELEASE + SIT_DOWN, ROOT, data, "old").splitlines()[-1]
    before = {path.name for path in (data / "static").rglob("*.css")}

    # Whatever goes wrong, people leave before the processes that they ask.
    with ExitStack() as webs, ExitStack() as people:
        olds = [webs.enter_context(web(ROOT, data, "old", port)) for port in ports]
        proxy = Proxy(ports)
        visitor, players = Visitor(proxy), Players(proxy, **json.loads(seated))
        for person in (visitor, players):
            person.start()
            people.callback(person.stop)
        wait_until(partial(all_take_moves, players, 0))
        python(RELEASE, new, data, "new")
        after = {path.name for path in (data / "static").rglob("*.css")}
        (fresh,) = {name for name in after - before if name.startswith("frame.")}
        assert before <= after, "old files are kept"
        for old, port in zip(olds, ports, strict=True):
            proxy.stopping.add(port)
            Event().wait(0.5)
            old.terminate()
            old.wait(PATIENCE)
            webs.enter_context(web(new, data, "new", port))
            moves = len(players.made)
            proxy.stopping.remove(port)
            if port == ports[0]:
                # The other one is still old, and is asked for files that it never heard of; a
                # page of the new one leads to a move that the old one takes.
                wait_until(lambda: asked(visitor, fresh, ports[1]))
                wait_until(partial(all_take_moves, players, moves))
        wait_until(lambda: asked(visitor, fresh, ports[0]))
        wait_until(partial(all_take_moves, players, moves))
        for person in (visitor, players):
            person.stop()
        stale = next(name for name in before if re.fullmatch(r"frame\.[0-9a-f]{12}\.css", name))
        folder = f"/static/{CHANGED.relative_to('games/static').parent}"
        assert proxy.get(f"{folder}/{stale}")[0] == 200, "pages that are open go on"
        _, text, _ = proxy.get(f"{players.table}record.json")
        assert len(record.read(text).moves) == len(players.made), "no move was lost"
    assert visitor.failures == players.failures == []


def all_take_moves(players: Players, since: int) -> bool:
    """Whether each process took a move since so many were made."""
    assert not players.failures
    return set(players.made[since:]) == set(players.proxy.ports)


def asked(visitor: Visitor, name: str, port: int) -> bool:
    assert not visitor.failures
    return any(asset.endswith(name) and at == port for asset, at in list(visitor.seen))
