"""What this machine carries: for whoever has to choose one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.management.sizing import hosts as machines
from games.management.sizing import load

POLLED_EVERY = 2
"""Seconds between two questions of an open page."""

WARM_UP = 2
LONGEST_WAIT = 900
OWED_MAIL = (
    "SELECT count(*) FROM games_notice "
    "WHERE state IN ('queued', 'sending') AND due_at < now() + interval '1 minute'"
)
OWED_BY_BOTS = "SELECT count(*) FROM games_game WHERE bot_due_at IS NOT NULL"


@dataclass
class Size:
    players: int
    running: int
    finished: int

    def __str__(self) -> str:
        return f"{self.players:,} players, {self.running:,} running, {self.finished:,} finished"

    def tenth(self) -> Size:
        return Size(self.players // 10, self.running // 10, self.finished // 10)


@dataclass
class Measured:
    """One column of the table: what is measured, in words and as it is shown."""

    rows: dict[str, str] = field(default_factory=dict)


class Command(BaseCommand):
    help = (
        "Fill a PostgreSQL of its own with players and games, start all roles of Souk on one or "
        "several hosts, put them under load, and print a table for the README. Needs the "
        "packages that make test installs."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--players", type=int, default=10_000)
        parser.add_argument("--running", type=int, default=50_000, help="games")
        parser.add_argument("--finished", type=int, default=100_000, help="games")
        parser.add_argument("--seconds", type=int, default=30, help="of each kind of load (30)")
        parser.add_argument("--people", type=int, default=8, help="who ask at once (8)")
        parser.add_argument("--mails", type=int, default=1000, help="due at once (1000)")
        parser.add_argument("--bots", type=int, default=10, help="games against them (10)")
        parser.add_argument("--hosts", type=int, default=1, help="web and worker on each (1)")
        parser.add_argument(
            "--growth", action="store_true", help="measure a tenth of the size as well"
        )

    def handle(self, **options: Any) -> None:
        full = Size(options["players"], options["running"], options["finished"])
        least = 4 * options["people"]
        if full.players < 80 or full.running < least or min(options["hosts"], full.finished) < 1:
            raise CommandError(f"At least 80 players, {least} running games, 1 finished, 1 host.")
        columns = {}
        for size in [full.tenth(), full] if options["growth"] else [full]:
            columns[str(size)] = self._measured(size, options).rows
        self._print(columns)

    def _measured(self, size: Size, options: dict[str, Any]) -> Measured:
        from tests import servers

        apart = options["hosts"] > 1 and machines.networks_are_possible()
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="souk-size-")))
            if apart:
                stack.enter_context(machines.bridge())
            at = machines.SERVERS if apart else servers.LOCAL
            database = stack.enter_context(servers.postgres(folder, host=at))
            redis = stack.enter_context(servers.redis(folder, host=at))
            smtp = stack.enter_context(_post_office(at))
            variables = {
                "DJANGO_SETTINGS_MODULE": "marrakech_site.settings",
                "DATABASE_URL": database,
                "REDIS_URL": redis.url,
                "EMAIL_URL": smtp,
                "SECRET_KEY": "for as long as this lasts",
                "SITE_URL": "http://souk.example",
                "LOG_LEVEL": "ERROR",
                # Ten million rows are written by one statement.
                "STATEMENT_TIMEOUT": "0",
                # What is played here is not told; the mails that are measured are.
                "TURN_MAIL_DELAY": "86400",
                "SOUK_DATA": str(folder / "here"),
            }
            site = stack.enter_context(
                machines.hosts(options["hosts"], folder=folder, apart=apart, variables=variables)
            )
            return self._under_load(Town(variables), size, site, options)

    def _under_load(
        self,
        town: Town,
        size: Size,
        site: list[machines.Host],
        options: dict[str, Any],
    ) -> Measured:
        self.stderr.write(f"Settling {size}…")
        start = time.monotonic()
        town("settle", size.players, size.running, size.finished)
        self.stderr.write(f"Settled in {time.monotonic() - start:.0f} seconds.")
        measured = Measured()
        rows = measured.rows
        rows["database, GB"] = f"{town('bytes') / 2**30:.2f}"
        plan = town("plan")
        for host in site:
            host.prepare()
            host.start("web")
        for host in site:
            host.wait_until_served()
        addresses = [host.address for host in site]
        people, seconds = options["people"], options["seconds"]

        def press(asks: Iterator[load.Ask]) -> load.Outcome:
            load.press(addresses, asks, people=people, seconds=WARM_UP)
            outcome = load.press(addresses, asks, people=people, seconds=seconds)
            shares = ", ".join(f"{host} {n:,}" for host, n in sorted(outcome.hosts.items()))
            self.stderr.write(f"  {len(outcome.times):,} answers ({shares})")
            if outcome.failures:
                raise CommandError(f"Not answered as expected: {', '.join(outcome.failures)}")
            return outcome

        polls = press(load.open_pages(plan))
        rows["open pages (each asks every two seconds)"] = f"{polls.rate * POLLED_EVERY:,.0f}"
        pages = press(load.pages(plan))
        rows["pages a second"] = f"{pages.rate:,.0f}"
        rows["a page, median and 95 %, ms"] = _both(pages)
        moves = press(load.moves(plan, people))
        rows["moves a second"] = f"{moves.rate:,.0f}"
        rows["a move, median and 95 %, ms"] = _both(moves)
        rows["mails a second"] = f"{self._mails(town, site, options['mails']):,.0f}"
        taken, spent = town("sweep")
        rows["seats taken by a sweep, a second"] = f"{taken / spent:,.0f}"
        self._bots(town, site[0], options["bots"])
        site[0].start("sweeps")
        for role in machines.ROLES:
            used = [machines.memory(h.processes[role].pid) for h in site if role in h.processes]
            rows[f"memory of {role}, MB"] = ", ".join(f"{each / 2**20:,.0f}" for each in used)
        for server in ("postgres", "redis-server"):
            used = [machines.memory(pid) for pid in machines.servers_called(server)]
            rows[f"memory of {server}, MB"] = f"{sum(used) / 2**20:,.0f}"
        faults = town("verify", *[game["game"] for game in plan])
        if faults:
            game, reasons = next(iter(faults.items()))
            raise CommandError(f"{len(faults)} games do not verify, {game} among them: {reasons}")
        return measured

    def _mails(self, town: Town, site: list[machines.Host], count: int) -> float:
        """How many a second, from the first that is sent to the last."""
        town("owe", count)
        owed = town.number(OWED_MAIL)
        for host in site:
            host.start("worker")
        site[0].start("beat")
        town.wait_until(OWED_MAIL, below=owed)
        start, begun = time.monotonic(), town.number(OWED_MAIL)
        town.wait_until(OWED_MAIL, below=1)
        return begun / (time.monotonic() - start)

    def _bots(self, town: Town, host: machines.Host, count: int) -> None:
        """Have them think, because only then they need their memory."""
        town("bots", count)
        host.start("bots")
        town.wait_until(OWED_BY_BOTS, below=1)

    def _print(self, columns: dict[str, dict[str, str]]) -> None:
        self.stdout.write(f"| what | {' | '.join(columns)} |")
        self.stdout.write(f"|---|{'---|' * len(columns)}")
        for name in next(iter(columns.values())):
            values = " | ".join(rows.get(name, "") for rows in columns.values())
            self.stdout.write(f"| {name} | {values} |")


def _both(outcome: load.Outcome) -> str:
    return f"{outcome.milliseconds(0.5):,.0f}, {outcome.milliseconds(0.95):,.0f}"


class Town:
    """The database of the town; what is done with it is done in another process."""

    def __init__(self, variables: dict[str, str]) -> None:
        self.environment = {**os.environ, **variables}

    def __call__(self, what: str, *arguments: object) -> Any:
        command = [sys.executable, "-m", "games.management.sizing.inside", what]
        printed = subprocess.check_output(  # noqa: S603
            [*command, *map(str, arguments)], env=self.environment, text=True
        )
        return json.loads(printed.splitlines()[-1])

    def number(self, query: str) -> int:
        import psycopg

        with psycopg.connect(self.environment["DATABASE_URL"]) as connection:
            row = connection.execute(query.encode()).fetchone()
            assert row
            return int(row[0])

    def wait_until(self, query: str, *, below: int) -> None:
        until = time.monotonic() + LONGEST_WAIT
        while (left := self.number(query)) >= below:
            if time.monotonic() > until:
                raise CommandError(f"{left:,} are still not done after {LONGEST_WAIT} seconds.")
            time.sleep(0.1)


@contextmanager
def _post_office(host: str) -> Iterator[str]:
    """A mail server that takes everything and keeps nothing."""
    from tests.servers import free_port, wait_for_port

    port = free_port()
    sink = [sys.executable, "-m", "aiosmtpd", "--nosetuid", "--class", "aiosmtpd.handlers.Sink"]
    server = subprocess.Popen([*sink, "--listen", f"0.0.0.0:{port}"])  # noqa: S603
    try:
        wait_for_port(port)
        yield f"smtp://{host}:{port}"
    finally:
        server.terminate()
        server.wait()
