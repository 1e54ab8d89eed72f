"""Put a whole site under load, to see what a machine carries."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import astuple
from operator import lt
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from tools import processes
from tools.load_test import hosts, http_load, stream_load

if TYPE_CHECKING:
    from tools.load_test.site_data import DataSize

POLLED_EVERY = 2
"""Seconds between two questions of an open page."""

WARM_UP = 2
LONGEST_WAIT = 900


class ResultColumn(dict[str, str]):
    """One column of the table: what is measured, in words and as it is shown. Each is said at
    once, so that a run that is broken off was not for nothing."""

    def __init__(self, say: Callable[[str], object]) -> None:
        self.say = say

    def __setitem__(self, what: str, shown: str) -> None:
        super().__setitem__(what, shown)
        self.say(f"  {what}: {shown}")


class Command(BaseCommand):
    help = (
        "Fill a database of its own with players and games, start all roles of Souk on one or "
        "several hosts, put them under load, and print a table of what they carry. Needs the "
        "packages that make test installs."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--players", type=int, default=10_000)
        parser.add_argument("--running", type=int, default=50_000, help="games")
        parser.add_argument("--finished", type=int, default=100_000, help="games")
        parser.add_argument("--seconds", type=int, default=30, help="of each kind of load (30)")
        parser.add_argument("--people", type=int, default=8, help="who ask at once (8)")
        parser.add_argument("--pages", type=int, default=5000, help="open at once (5000)")
        parser.add_argument("--mails", type=int, default=1000, help="due at once (1000)")
        parser.add_argument("--bots", type=int, default=10, help="games against them (10)")
        where = parser.add_mutually_exclusive_group()
        where.add_argument("--hosts", type=int, default=1, help="web and worker on each (1)")
        where.add_argument(
            "--embedded", action="store_true", help="SQLite, and neither PostgreSQL nor Redis"
        )
        parser.add_argument(
            "--growth",
            action="store_true",
            help="measure a tenth of the size as well",
        )

    def handle(self, **options: Any) -> None:
        from tools.load_test.site_data import DataSize

        full = DataSize(options["players"], options["running"], options["finished"])
        # Nobody may move twice at once, so each who asks has games enough to go on with another.
        least = DataSize(players=80, running=8 * options["people"], finished=1)
        if any(map(lt, astuple(full), astuple(least))):
            raise CommandError(f"At least {least}.")
        counts = ("people", "pages", "mails", "hosts", "seconds")
        if nothing := [f"--{name}" for name in counts if options[name] < 1]:
            raise CommandError(f"At least 1: {', '.join(nothing)}.")
        columns: dict[str, ResultColumn] = {}
        self.grown: list[Any] = []
        for size in [full.tenth(least), full] if options["growth"] else [full]:
            columns[str(size.whole)] = self._measured(size.whole, options)
        self._print(columns)
        if self.grown:
            self._print_growth()

    def _measured(self, size: DataSize, options: dict[str, Any]) -> ResultColumn:
        from tools import local_servers, prepared_database

        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="souk-size-")))
            variables = {
                "DJANGO_SETTINGS_MODULE": "marrakech_site.settings",
                "EMAIL_URL": stack.enter_context(_post_office()),
                "SECRET_KEY": "for as long as this lasts",
                "SITE_URL": "http://souk.example",
                "LOG_LEVEL": "ERROR",
                # A million rows are written by one statement.
                "STATEMENT_TIMEOUT": "0",
                "LIVE_STREAMS": str(options["pages"] + 100),
                "LIVE_STREAMS_OF_ONE": str(options["pages"]),
                # What is played here is not told; the mails that are measured are.
                "TURN_MAIL_DELAY": "86400",
            }
            if not options["embedded"]:
                server = stack.enter_context(local_servers.postgres(folder))
                variables["DATABASE_URL"] = prepared_database.copy_on_server(server, "town")
                variables["REDIS_URL"] = stack.enter_context(local_servers.redis(folder)).url
            site = stack.enter_context(
                hosts.hosts(options["hosts"], folder=folder, variables=variables)
            )
            for host in site:
                host.prepare()
            # On the first host, where the database is if it is a file.
            town = stack.enter_context(DatabaseProcess(site[0].variables))
            return self._under_load(town, size, site, options)

    def _under_load(
        self,
        town: DatabaseProcess,
        size: DataSize,
        site: list[hosts.Host],
        options: dict[str, Any],
    ) -> ResultColumn:
        self.stderr.write(f"Settling {size}…")
        start = time.monotonic()
        town("settle", size.players, size.running, size.finished)
        self.stderr.write(f"Settled in {time.monotonic() - start:.0f} seconds.")
        rows = ResultColumn(self.stderr.write)
        rows["database, GB"] = f"{town('bytes') / 2**30:.2f}"
        self.grown = [] if options["embedded"] else town("growth")
        plan = town("plan")
        for host in site:
            host.start("web")
            host.start("live")
        for host in site:
            host.wait_until_served()
        addresses = [host.address for host in site]
        people, seconds = options["people"], options["seconds"]

        def press(asks: Iterator[http_load.LoadRequest], what: str) -> http_load.LoadResult:
            http_load.run_load(addresses, asks, people=people, seconds=min(WARM_UP, seconds))
            before = _worked(site, "web")
            outcome = http_load.run_load(addresses, asks, people=people, seconds=seconds)
            rows[f"processor for {what}, {_whose('web', options)}, ms"] = _each(
                before, _worked(site, "web"), len(outcome.times)
            )
            shares = ", ".join(f"{host} {n:,}" for host, n in sorted(outcome.hosts.items()))
            self.stderr.write(f"  {len(outcome.times):,} answers ({shares})")
            if outcome.failures:
                raise CommandError(f"Not answered as expected: {', '.join(outcome.failures)}")
            return outcome

        self._open_pages(rows, plan, site, options)
        polls = press(http_load.open_pages(plan), "a question of an open page")
        rows["open pages without streams, each asks every two seconds"] = (
            f"{polls.rate * POLLED_EVERY:,.0f}"
        )
        pages = press(http_load.pages(plan), "a page")
        rows["pages a second"] = f"{pages.rate:,.0f}"
        rows["a page, median and 95 %, ms"] = _both(pages)
        moves = press(http_load.moves(plan, people), "a move")
        rows["moves a second"] = f"{moves.rate:,.0f}"
        rows["a move, median and 95 %, ms"] = _both(moves)
        self._mails(rows, town, site, options)
        taken, spent = town("sweep")
        rows["seats taken by a sweep, a second"] = f"{taken / spent:,.0f}"
        if options["bots"]:
            self._bots(town, site[0], options["bots"])
        site[0].start("sweeps")
        town.wait_until("without sweeps", below=1)
        for role in (role for role in hosts.ROLE_COMMANDS if role != "live"):
            used = [processes.memory(h.processes[role].pid) for h in site if role in h.processes]
            rows[f"memory of {role}, MB"] = ", ".join(f"{each / 2**20:,.0f}" for each in used)
        for server in () if options["embedded"] else ("postgres", "redis-server"):
            used = [processes.memory(pid) for pid in processes.child_processes_named(server)]
            rows[f"memory of {server}, MB"] = f"{sum(used) / 2**20:,.0f}"
        faults = town("verify", *[game["game"] for game in plan])
        if faults:
            game, reasons = next(iter(faults.items()))
            raise CommandError(f"{len(faults)} games do not verify, {game} among them: {reasons}")
        return rows

    def _open_pages(
        self,
        rows: ResultColumn,
        plan: list[dict[str, Any]],
        site: list[hosts.Host],
        options: dict[str, Any],
    ) -> None:
        pids = [host.processes["live"].pid for host in site]
        opened = stream_load.hold_streams(
            [host.live for host in site],
            [game["game"] for game in plan],
            options["pages"],
            options["seconds"],
            memory=lambda: sum(map(processes.memory, pids)),
            processor=lambda: sum(map(processes.processor, pids)),
        )
        held = asyncio.run(opened)
        self.stderr.write(f"  {held.pages:,} streams held on {len(site)} hosts")
        if held.pages < options["pages"]:
            raise CommandError(f"Only {held.pages:,} of {options['pages']:,} pages stayed open.")
        rows["open pages, held as streams"] = f"{held.pages:,}"
        rows["an open page, KiB"] = f"{held.each / 2**10:,.0f}"
        rows["processor for all of them, % of a core"] = f"{100 * held.work:,.1f}"
        rows["memory of live with them, MB"] = f"{held.bytes / 2**20:,.0f}"

    def _mails(
        self,
        rows: ResultColumn,
        town: DatabaseProcess,
        site: list[hosts.Host],
        options: dict[str, Any],
    ) -> None:
        """How many a second, from the first that is sent to the last."""
        if not town("owe", options["mails"]):
            raise CommandError("Nobody is to be told anything.")
        # What falls due later is not waited for: in a large town that never ends.
        soon = int(time.time()) + 60
        owed, earlier = town("owed mail", soon), town("mail sent")
        for host in site:
            host.start("worker")
        site[0].start("beat")
        town.wait_until("owed mail", soon, below=owed)
        before = _worked(site, "worker")
        start, first = time.monotonic(), town("mail sent")
        town.wait_until("owed mail", soon, below=1)
        took, sent = time.monotonic() - start, town("mail sent")
        self.stderr.write(f"  {sent - earlier:,} mails sent")
        if sent == earlier:
            raise CommandError("No mail was sent.")
        rows["mails a second"] = f"{(sent - first) / took:,.0f}"
        rows[f"processor for a mail, {_whose('worker', options)}, ms"] = _each(
            before, _worked(site, "worker"), max(sent - first, 1)
        )

    def _bots(self, town: DatabaseProcess, host: hosts.Host, count: int) -> None:
        """Have them think, because only then they need their memory."""
        town("bots", count)
        host.start("bots")
        town.wait_until("owed by bots", below=1)

    def _print(self, columns: dict[str, ResultColumn]) -> None:
        self.stdout.write(f"| what | {' | '.join(columns)} |")
        self.stdout.write(f"|---|{'---|' * len(columns)}")
        for name in next(iter(columns.values())):
            values = " | ".join(rows.get(name, "") for rows in columns.values())
            self.stdout.write(f"| {name} | {values} |")

    def _print_growth(self) -> None:
        """Of the larger town: how many there are, and what one more takes on disk."""
        self.stdout.write(
            "\n| one more | of which there are | bytes in the database |\n|---|---|---|"
        )
        for what, count, each in self.grown:
            self.stdout.write(f"| {what} | {count:,} | {each:,} |")


def _worked(site: list[hosts.Host], role: str) -> list[float]:
    """Seconds of processor that a role has taken on all hosts, and PostgreSQL for everybody."""
    role_took = sum(processes.processor(host.processes[role].pid) for host in site)
    servers = processes.child_processes_named("postgres")
    return [role_took, sum(map(processes.processor, servers))] if servers else [role_took]


def _whose(role: str, options: dict[str, Any]) -> str:
    return role if options["embedded"] else f"{role} and PostgreSQL"


def _each(before: list[float], after: list[float], count: int) -> str:
    """What one of so many took: the same however busy the machine is otherwise."""
    spent = (1000 * (b - a) / count for a, b in zip(before, after, strict=True))
    return ", ".join(f"{each:,.1f}" for each in spent)


def _both(outcome: http_load.LoadResult) -> str:
    return f"{outcome.milliseconds(0.5):,.0f}, {outcome.milliseconds(0.95):,.0f}"


class DatabaseProcess:
    """The database of the town; what is done with it is done in another process."""

    def __init__(self, variables: dict[str, str]) -> None:
        self.environment = {**os.environ, **variables}

    def __enter__(self) -> DatabaseProcess:
        command = [sys.executable, "-m", "tools.load_test.database_worker"]
        self.inside = subprocess.Popen(
            command,
            env=self.environment,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind:
            self.inside.kill()
        self.inside.communicate()

    def __call__(self, what: str, *arguments: object) -> Any:
        assert self.inside.stdin
        assert self.inside.stdout
        self.inside.stdin.write(json.dumps([what, *map(str, arguments)]) + "\n")
        self.inside.stdin.flush()
        answer = self.inside.stdout.readline()
        if not answer:
            raise CommandError(f"The town fell silent when asked to {what}.")
        return json.loads(answer)

    def wait_until(self, counted: str, *arguments: object, below: int) -> None:
        until = time.monotonic() + LONGEST_WAIT
        while (left := self(counted, *arguments)) >= below:
            if time.monotonic() > until:
                raise CommandError(f"{left:,} are still not done after {LONGEST_WAIT} seconds.")
            time.sleep(0.1)


@contextmanager
def _post_office() -> Iterator[str]:
    """A mail server that takes everything and keeps nothing."""
    from tools.local_servers import LOCAL, free_port, wait_for_port

    port = free_port()
    sink = [sys.executable, "-m", "aiosmtpd", "--nosetuid", "--class", "aiosmtpd.handlers.Sink"]
    server = subprocess.Popen([*sink, "--listen", f"{LOCAL}:{port}"])
    try:
        wait_for_port(port)
        yield f"smtp://{LOCAL}:{port}"
    finally:
        server.terminate()
        server.wait()
