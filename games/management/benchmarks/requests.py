"""How much more than bare Django a page and a move take, side by side in one process."""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .child import run_child
from .measure import Measurement

if TYPE_CHECKING:
    from django.test import Client

    from games.models import Game, Player

Times = dict[str, tuple[list[float], list[float]]]

PAGE, MOVE = 2.0, 3.0
"""How many times as long as the bare view of the same number of queries."""

INSERT = 20 / 1.8
"""How many times as long as one bare insert a move may take."""

LINES, PLAYED, LISTED = 20, 40, 6


def run(repeats: int) -> list[Measurement]:
    from tests import servers

    found = _compared("SQLite", run_child(__name__, str(repeats)))
    with tempfile.TemporaryDirectory() as folder, servers.postgres(Path(folder)) as url:
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
class Site:
    """Games in play, and the browsers of those who play them."""

    players: list[Player]
    clients: dict[int, Client]
    plain: Client
    """Without any middleware."""
    games: dict[str, Game]
    now: datetime

    def get(self, player: Player, address: str) -> None:
        assert self.clients[player.pk].get(address).status_code == 200, address

    def post(self, client: Client, address: str, data: dict[str, str]) -> None:
        answer = client.post(address, data, headers={"HX-Request": "true"})
        assert answer.status_code == 200, (address, answer.content.decode())


def build() -> Site:
    from django.conf import settings
    from django.test import Client
    from django.test.utils import override_settings
    from django.utils import timezone

    from games.services import table_talk
    from games.titles import TITLES
    from tests.people import new_players, open_game, play_on, started_game

    now = timezone.now()
    players = new_players(4)
    clients = {player.pk: Client() for player in players}
    for player in players:
        clients[player.pk].force_login(player, backend=settings.AUTHENTICATION_BACKENDS[-1])
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
    plain = Client()
    with override_settings(MIDDLEWARE=[]):
        plain.handler.load_middleware()
    return Site(players, clients, plain, games, now)


def measure(repeats: int) -> Times:
    """For each name: the milliseconds of each of ours, and of the bare one next to it."""
    from games.management.benchmarks.pages import processor_time
    from games.selectors.table import see_table
    from games.titles import TITLES
    from tests.people import started_game, whose_turn

    site, spent = build(), processor_time()
    viewer = site.players[0]

    def milliseconds(work: Callable[[], object]) -> float:
        start = spent()
        work()
        return 1000 * (spent() - start)

    def in_turn(ours: Callable[[], object], other: Callable[[], object]) -> Any:
        ours(), other()
        pairs = [(milliseconds(ours), milliseconds(other)) for _ in range(repeats)]
        return tuple(zip(*pairs, strict=True))

    found: Times = {}
    addresses = {"home": "/", "lobby": "/games/"}
    for key in TITLES:
        addresses[f"table of {key}"] = site.games[f"{key} 1"].get_absolute_url()
    for name, address in addresses.items():
        get = partial(site.get, viewer)
        found[name] = in_turn(partial(get, address), partial(get, f"/bare{address}"))
    for key in TITLES:
        game = site.games[f"{key} 0"]
        twin, other = (started_game(site.players[:2], now=site.now) for _ in range(2))
        ours, beside, inserts = [], [], []
        for number in range(1, 2 * repeats + 1):
            mover = whose_turn(game)
            action = see_table(game, mover).observation["legal"][-1]
            on = str(game.move_count)
            data = {"action": action, "on": on, "since": on}
            post = partial(site.post, site.clients[mover.pk])
            ours.append(milliseconds(partial(post, f"{game.get_absolute_url()}move/", data)))
            beside.append(milliseconds(partial(post, f"/bare{twin.get_absolute_url()}move/", {})))
            row = f"/bare/insert/{other.pk}/{number}/"
            inserts.append(milliseconds(partial(site.post, site.plain, row, {})))
        found[f"move of {key}"] = ours, beside
        found[f"move of {key} by a bare insert"] = ours, inserts
    return found


if __name__ == "__main__":
    import django

    django.setup()
    from django.conf import settings as configured
    from django.core.management import call_command

    configured.ALLOWED_HOSTS = ["testserver"]
    configured.ROOT_URLCONF = "games.management.benchmarks.bare"
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    sys.stdout.write(json.dumps(measure(int(sys.argv[1]))))
