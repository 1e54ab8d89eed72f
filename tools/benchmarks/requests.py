"""How much more than bare Django a page and a move take, side by side on one server."""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tools.benchmarks.gunicorn_server import BARE_INSERT, Server, run_server
from tools.benchmarks.measure import Measurement, run_child

if TYPE_CHECKING:
    from games.models import Game, Player

Times = dict[str, tuple[list[float], list[float]]]

PAGE, MOVE = 2.0, 3.0
"""How many times as long as the bare view of the same number of queries."""

INSERT = 20 / 1.8
"""How many times as long as one bare insert a move may take."""

LINES, PLAYED, LISTED = 20, 40, 6
WARM = 3


def run(repeats: int) -> list[Measurement]:
    from tools import local_servers

    found = _compared("SQLite", run_child(__name__, str(repeats)))
    with tempfile.TemporaryDirectory() as folder, local_servers.postgres(Path(folder)) as url:
        found += _compared("PostgreSQL", run_child(__name__, str(repeats), DATABASE_URL=url))
    return found


def _compared(database: str, measured: Times) -> list[Measurement]:
    found = []
    for name, (ours, bare) in measured.items():
        medians = statistics.median(ours), statistics.median(bare)
        target = INSERT if "insert" in name else MOVE if "move" in name else PAGE
        found.append(
            Measurement(
                f"{database}, {name}: {medians[0]:.1f} ms, bare {medians[1]:.1f} ms",
                "times as long",
                # Each beside the one that ran next to it: others may be at work too.
                statistics.median(a / b for a, b in zip(ours, bare, strict=True)),
                min(ours) / min(bare),
                target,
                False,
            )
        )
    return found


@dataclass
class PlayedSite:
    """Games in play, and the sessions of those who play them."""

    players: list[Player]
    sessions: dict[int, str]
    games: dict[str, Game]
    now: datetime


def build() -> PlayedSite:
    from django.conf import settings
    from django.test import Client
    from django.utils import timezone

    from games.services import table_talk
    from games.titles import TITLES
    from tools.sample_games import new_players, open_game, play_on, started_game

    now = timezone.now()
    players = new_players(4)
    sessions = {}
    for player in players:
        client = Client()
        client.force_login(player, backend=settings.AUTHENTICATION_BACKENDS[-1])
        sessions[player.pk] = client.cookies[settings.SESSION_COOKIE_NAME].value
    games = {}
    for key, title in TITLES.items():
        size = max(title.rules.seat_counts)
        for number in range(LISTED):
            game = started_game(players[:size], now=now, ruleset=key)
            play_on(game, PLAYED if number else 2, now=now, pick=1)
            for line in range(LINES if not number else 0):
                said = {"game": game, "player": players[line % size], "text": f"Line {line}"}
                table_talk.post_message(**said, now=now)  # type: ignore[arg-type]
            games[f"{key} {number}"] = game
        for player in players:
            open_game(player, size, now=now, ruleset=key)
    return PlayedSite(players, sessions, games, now)


def measure(repeats: int) -> Times:
    """For each name: the milliseconds of each of ours, and of the bare one next to it."""
    from games.titles import TITLES

    site = build()
    with run_server() as server:
        found = _pages(site, server, repeats)
        for key in TITLES:
            found |= _moves(site, server, key, repeats)
    return found


def _pages(site: PlayedSite, server: Server, repeats: int) -> Times:
    from games.titles import TITLES

    addresses = {"home": ("/", "/bare/"), "lobby": ("/games/", "/bare/games/")}
    for key in TITLES:
        address = site.games[f"{key} 1"].get_absolute_url()
        addresses[f"table of {key}"] = address, f"/bare{address}"
    session = site.sessions[site.players[0].pk]
    found: Times = {}
    for name, pair in addresses.items():
        found[name] = [], []
        for _ in range(WARM + repeats):
            for times, address in zip(found[name], pair, strict=True):
                times.append(server.milliseconds(session, address))
    return {name: (ours[WARM:], bare[WARM:]) for name, (ours, bare) in found.items()}


def _moves(site: PlayedSite, server: Server, key: str, repeats: int) -> Times:
    """Each on another position, which nobody has seen before."""
    from games.selectors.table import see_table
    from tools.sample_games import started_game, whose_turn

    game = site.games[f"{key} 0"]
    twin, other = (started_game(site.players[:2], now=site.now) for _ in range(2))
    ours, beside, inserts = [], [], []
    for number in range(1, WARM + 2 * repeats + 1):
        game.refresh_from_db()
        mover = whose_turn(game)
        action = see_table(game, mover).observation["legal"][-1]
        on = str(game.move_count)
        data = {"action": action, "on": on, "since": on}
        post = partial(server.milliseconds, site.sessions[mover.pk])
        ours.append(post(f"{game.get_absolute_url()}move/", data))
        beside.append(post(f"/bare{twin.get_absolute_url()}move/", {}))
        inserts.append(post(f"{BARE_INSERT}{other.pk}/{number}/", {}))
    return {
        f"move of {key}": (ours[WARM:], beside[WARM:]),
        f"move of {key} by a bare insert": (ours[WARM:], inserts[WARM:]),
    }


if __name__ == "__main__":
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    sys.stdout.write(json.dumps(measure(int(sys.argv[1]))))
