"""Do pages about the past cost the same however much of it there is?"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from games.engine.games import RULESETS
from tools.benchmarks.measure import Measurement, run_child

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.test import Client

Pages = dict[str, dict[str, list[float]]]

FEW, MANY = 2_000, 200_000
WITH_MOVES, NOTED = 400, 200
"""So many games can be looked back at, and so many were noted and starred by one player."""
MOST = 1.5
"""How many times as long a page may take among a hundred times as many games."""


def run(repeats: int) -> list[Measurement]:
    """The games are played once: PostgreSQL gets a copy of the rows that SQLite has."""
    from tools import local_servers

    with (
        tempfile.TemporaryDirectory() as filled,
        tempfile.TemporaryDirectory() as folder,
        local_servers.postgres(Path(folder)) as url,
    ):
        arguments = str(repeats), filled
        found = [*_compared("SQLite", run_child(__name__, *arguments))]
        measured = run_child(__name__, *arguments, DATABASE_URL=url)
    return [*found, *_compared("PostgreSQL", measured)]


def _compared(database: str, measured: dict[str, Pages]) -> list[Measurement]:
    few, many = measured[str(FEW)], measured[str(MANY)]
    found = []
    for page in few:
        small, large = few[page]["ms"], many[page]["ms"]
        medians = statistics.median(small), statistics.median(large)
        asked = few[page]["queries"][0], many[page]["queries"][0]
        found.append(
            Measurement(
                f"{database}, {page}: {medians[0]:.1f} ms among {FEW:,} games, "
                f"{medians[1]:.1f} ms among {MANY:,}; {asked[0]:g} and {asked[1]:g} queries",
                "times as long",
                # A page that asks more often among more games has failed, however fast.
                medians[1] / medians[0] if asked[0] == asked[1] else float("inf"),
                min(large) / min(small),
                MOST,
                False,
            )
        )
    return found


def measure(repeats: int, filled: Path) -> dict[int, Pages]:
    """For both sizes, for each page: milliseconds of each repeat, and how many queries."""
    sites = {games: FilledSite(games, filled / f"{games}.sqlite3") for games in (FEW, MANY)}
    found: dict[int, Pages] = {games: {} for games in sites}
    for page in sites[FEW].addresses:
        times = {games: list[float]() for games in sites}
        queries = {games: site.queries(page) for games, site in sites.items()}
        # In turn, so that whatever else the machine does slows both down.
        for _ in range(repeats):
            for games, site in sites.items():
                times[games].append(site.milliseconds(page))
        for games in sites:
            found[games][page] = {"ms": times[games], "queries": [queries[games]]}
        few, many = (statistics.median(each) for each in times.values())
        sys.stderr.write(f"  {page}: {few:.1f} and {many:.1f} ms\n")
    return found


class FilledSite:
    """So many games in a database of their own, and the browsers that look at them."""

    def __init__(self, games: int, path: Path) -> None:
        from django.conf import settings
        from django.test import Client

        from games.models import Opening, Player, Sheet, Standing

        self.database = filled_database(games, path)
        backend = settings.AUTHENTICATION_BACKENDS[-1]
        visitor, busy, last = Client(), Client(), Client()
        busy.force_login(Player.objects.get(username="player1"), backend=backend)
        ranked = Standing.objects.filter(ruleset=next(iter(RULESETS)), year=0, size=0, settled=True)
        last.force_login(ranked.select_related("player").order_by("mu")[0].player, backend=backend)
        self.addresses = addresses(visitor, busy, last)
        sys.stderr.write(
            f"  {Opening.objects.count():,} places in the tree of openings, "
            f"{Sheet.objects.count():,} sheets\n"
        )
        self.spent = processor_time()

    def enter(self) -> None:
        """From now on all queries go to this database."""
        from django.db import connections

        connections["default"] = self.database

    def queries(self, page: str) -> int:
        from django.db import connection
        from django.test.utils import CaptureQueriesContext

        self.enter()
        client, address = self.addresses[page]
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address).status_code == 200, address
        return len(queries)

    def milliseconds(self, page: str) -> float:
        self.enter()
        client, address = self.addresses[page]
        start = self.spent()
        client.get(address)
        return 1000 * (self.spent() - start)


def filled_database(games: int, path: Path) -> BaseDatabaseWrapper:
    """With so many games: in this file, or on the server with a copy of what is in it."""
    from django.db import connection

    from tools.bulk_data import copy, fill_database

    sys.stderr.write(f"a {connection.vendor} database with {games:,} finished games\n")
    if connection.vendor == "postgresql":
        return new_database(f"souk_{games}", lambda: copy(path))
    is_new = not path.exists()
    played = lambda: fill_database(games, moves=WITH_MOVES, noted=NOTED)  # noqa: E731
    return new_database(str(path), played if is_new else lambda: None)


def new_database(name: str, fill_it: Callable[[], None]) -> BaseDatabaseWrapper:
    """From now on all queries go to it."""
    from django.core.management import call_command
    from django.db import connection, connections

    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f'CREATE DATABASE "{name}"')
    settings = {**connection.settings_dict, "NAME": name}
    connections["default"] = type(connections["default"])(settings, "default")
    call_command("migrate", verbosity=0)
    fill_it()
    return connections["default"]


def processor_time() -> Callable[[], float]:
    """A clock of the processor's time of this process and of the server that answers it,
    because others may be at work too. Where the system does not tell it, a plain clock."""
    from django.db import connection

    if connection.vendor != "postgresql":
        return time.process_time
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        server = Path(f"/proc/{cursor.fetchone()[0]}/schedstat")
    if not server.exists():
        return time.perf_counter
    return lambda: time.process_time() + int(server.read_text().split()[0]) / 1e9


def addresses(visitor: Client, busy: Client, last: Client) -> dict[str, tuple[Client, str]]:
    """Each page with who asks for it."""
    from games.models import Game, Opening, Shelf
    from games.selectors.archive import Cursor
    from tools.bulk_data import BEGINNING, NOTE

    games = Game.objects.order_by("ended_at")
    deep = games[games.count() // 20]
    assert deep.ended_at
    at = Cursor(deep.ended_at, deep.pk)
    day = deep.ended_at.date()
    # The first game of the house has most editions; the last one ended in most ways.
    first, last_one = next(iter(RULESETS)), list(RULESETS)[-1]
    editions = list(RULESETS[first].presets)
    reason = Shelf.objects.filter(ruleset=last_one).order_by("reason").values_list("reason")[0][0]
    places = Opening.objects.filter(ruleset=first, size=2).exclude(path="")
    step = places.order_by("-games", "path")[0].path
    public = games.filter(visibility="public", players__username="player1")
    # Of a kind and a length that both sites have: what is compared is the past, not the game.
    alike = public.filter(ruleset=first, size=2, moves__isnull=False)
    looked_at = alike.order_by("-move_count", "-ended_at")[0].get_absolute_url()
    archive = {
        "first page": "",
        "deep page": f"at={at}",
        "of one game": f"game={last_one}",
        "for three": "size=3",
        "of an edition": f"edition={first}/{editions[2]}",
        "of an edition nobody plays any more": f"edition={first}/{editions[-1]}",
        "casual": "rated=no",
        "by how it ended": f"reason={last_one}/{reason}",
        "until a day": f"until={day}",
        "from a day": f"since={day}",
        "of a player": "player=player1",
        "of a player, deep page": f"player=player1&at={at}",
        "of two players": "player=player1&opponent=player2",
        "of a player and one of the crowd": "player=player1&opponent=player3",
        "closest": "order=closest",
        "greatest comeback of one game": f"order=comeback&game={first}",
        "highest payment, deep page": f"order=highest&at=o3-{deep.pk}",
        "longest of a player": "order=longest&player=player1",
        "closest of two players": "order=closest&player=player1&opponent=player2",
        "close ones": "close=yes",
        "comebacks of a player": "comeback=yes&player=player1",
        "people only": "who=people",
        "of a year": f"year={day.year}",
        "as a list": "view=list",
        "all at once": f"game={first}&player=player1&opponent=player2&size=3&rated=yes&since={day}",
    }
    return {
        "home": (busy, "/"),
        "home of a visitor": (visitor, "/"),
        **{f"archive, {name}": (visitor, f"/archive/?{query}") for name, query in archive.items()},
        "own archive": (busy, "/archive/mine/"),
        "own archive, deep page": (busy, f"/archive/mine/?at={at}"),
        "own games that began the same way": (
            last,
            f"/archive/mine/?game={first}&size=2&opening={step}",
        ),
        "own archive, starred": (busy, "/archive/mine/?starred=yes"),
        "own archive, in the notes": (busy, f"/archive/mine/?notes={NOTE.split()[0]}"),
        "own archive, from a seat": (busy, f"/archive/mine/?game={first}&size=2&seat=2"),
        "a game afterwards": (visitor, f"{looked_at}story/"),
        "an own game afterwards": (busy, f"{looked_at}story/"),
        "a finished game": (visitor, looked_at),
        "profile of the busiest player": (visitor, "/players/player1/"),
        "own profile of the busiest player": (busy, "/players/player1/"),
        "profile of a rival": (busy, "/players/player2/"),
        "leaderboard": (visitor, f"/leaderboards/{first}/"),
        "leaderboard of this year for three": (
            visitor,
            f"/leaderboards/{first}/?period=year&size=3",
        ),
        "leaderboard with the last row for oneself": (last, f"/leaderboards/{first}/"),
        "numbers": (visitor, "/numbers/"),
        "numbers of a game": (visitor, f"/numbers/{first}/"),
        "numbers of a game for three": (visitor, f"/numbers/{last_one}/?size=3"),
        "numbers of a game by an edition": (visitor, f"/numbers/{first}/?edition={editions[2]}"),
        "openings": (visitor, f"/numbers/{first}/openings/?size=2"),
        "openings, a step on": (visitor, f"/numbers/{first}/openings/?size=2&path={step}"),
        "openings of people alone": (visitor, f"/numbers/{first}/openings/?size=2&who=people"),
        "openings of an edition": (
            visitor,
            f"/numbers/{first}/openings/?size=2&edition={editions[0]}",
        ),
        "openings among certain ratings": (visitor, f"/numbers/{first}/openings/?size=2&band=2"),
        "how somebody plays": (visitor, "/players/player1/style/"),
        "how somebody plays among three": (visitor, "/players/player1/style/?size=3"),
        "when somebody plays": (visitor, "/players/player1/calendar/"),
        "own calendar": (busy, "/players/player1/calendar/"),
        "opponents": (visitor, "/players/player1/opponents/"),
        "opponents by the last game": (visitor, "/players/player1/opponents/?order=last"),
        "own opponents": (busy, "/players/player1/opponents/?order=ahead"),
        "two players side by side": (visitor, "/players/player1/beside/player2/"),
        "a year in carpets": (busy, f"/players/player1/{BEGINNING.year}/"),
        "the picture of a year": (busy, f"/players/player1/{BEGINNING.year}/picture.png"),
        "names that begin so": (visitor, "/archive/names/?player=player1"),
    }


if __name__ == "__main__":
    import django

    django.setup()
    from django.conf import settings as configured
    from django.core.management import call_command

    configured.ALLOWED_HOSTS = ["testserver"]
    call_command("collectstatic", interactive=False, verbosity=0)
    sys.stdout.write(json.dumps(measure(int(sys.argv[1]), Path(sys.argv[2]))))
