"""Replay records and check everything that follows from their moves."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import zip_longest
from pathlib import Path
from typing import IO, Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games.engine.errors import BadRecord
from games.engine.interface import Decide
from games.engine.record import Record, Verified, read, signed_part, verify
from games.models import Game, Reckoning
from games.services import reckonings, soundness, stats
from games.signatures import from_pem, holds


class Command(BaseCommand):
    help = (
        "Verifies records: JSON Lines, or one record a file; with --all every game of the "
        "database: its derived columns, clocks, bots' turns, due notices, and all numbers. "
        "Exits with 1 if any fails."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--key", metavar="FILE", help="the public key (PEM) that signatures must be of"
        )
        parser.add_argument("files", nargs="*", metavar="FILE", help="- is standard input")
        parser.add_argument(
            "--all", action="store_true", help="the games and numbers of the database instead"
        )

        parser.add_argument(
            "--analyses",
            action="store_true",
            help="the stored analyses of the database instead, recomputed to the byte",
        )
        parser.add_argument(
            "--reckoning", action="store_true", help="the former name of --analyses"
        )
        parser.add_argument(
            "--repair",
            action="store_true",
            help="with --all: write what follows from the moves and rules, then verify again",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        analyses = options["analyses"] or options["reckoning"]
        if options["all"] + analyses + bool(options["files"]) != 1:
            raise CommandError("name files to verify, or --all or --analyses for the database")
        if options["repair"] and not options["all"]:
            raise CommandError("--repair is for the database, with --all")
        if analyses:
            self._verify_reckonings()
            return
        if options["all"]:
            if options["repair"]:
                self._repair_games()
            self._verify_database(repair=options["repair"])
            return
        checked = failed = 0
        key = read_key(options["key"])
        for name in options["files"]:
            for place, verdict in verdicts(name, key):
                checked += 1
                if isinstance(verdict, BadRecord):
                    failed += 1
                    self.stdout.write(f"{place}: FAILED: {verdict}")
                else:
                    self.stdout.write(f"{place}: ok: {summary(verdict, key)}")
        if failed:
            raise CommandError(f"{failed} of {checked} failed")

    def _repair_games(self) -> None:
        for game in soundness.games():
            if found := faults_of(game):
                soundness.repair(game_id=game.pk, now=timezone.now())
                for fault in found:
                    self.stdout.write(f"{game.public_id}: repaired as far as it follows: {fault}")

    def _verify_database(self, *, repair: bool) -> None:
        """Everything derived follows from the moves, or is named here."""
        checked = failed = 0
        for game in soundness.games():
            checked += 1
            for fault in faults_of(game):
                failed += 1
                self.stdout.write(f"{game.public_id}: FAILED: {fault}")
        for difference in self._differences(repair) if not failed else ():
            failed += 1
            self.stdout.write(f"numbers: FAILED: {difference}")
        if failed:
            raise CommandError(f"{failed} failures in {checked} games")
        self.stdout.write(f"{checked} games: ok: everything derived follows from the moves")

    def _verify_reckonings(self) -> None:
        """What judges said of finished games follows from the moves and the seed. Of judges that
        are no longer here it is kept, and cannot be recomputed."""
        counted: Counter[str] = Counter()
        done = Reckoning.objects.filter(state=Reckoning.State.DONE).select_related("game")
        for row in done.order_by("pk").iterator(chunk_size=100):
            name = row.game.public_id if row.game else row.digest
            if row.version != reckonings.present_version(row):
                counted["other"] += 1
                self.stdout.write(f"{name}: not recomputable: by version {row.version}")
                continue
            counted["recomputed"] += 1
            for number, (stands, follows) in enumerate(
                zip_longest(row.moments, reckonings.recomputed(row)), start=1
            ):
                if json.dumps(stands, sort_keys=True) != json.dumps(follows, sort_keys=True):
                    counted["failed"] += 1
                    self.stdout.write(f"{name}: FAILED: move {number} is judged otherwise now")
                    break
        if counted["failed"]:
            raise CommandError(f"{counted['failed']} of {counted['recomputed']} failed")
        self.stdout.write(
            f"reckonings: ok: {counted['recomputed']} recomputed, "
            f"{counted['other']} of other versions"
        )

    def _differences(self, repair: bool) -> list[str]:
        found = list(stats.differences(stats.recount()))
        if found and repair:
            count = stats.rebuild()
            self.stdout.write(f"numbers: counted again from {count} finished games")
            return list(stats.differences(stats.recount()))
        return found


def faults_of(game: Game) -> list[str]:
    """Looked at again where something is wrong: a site in use moves on while we read."""
    if not soundness.faults(game, now=timezone.now()):
        return []
    again = soundness.games(pk=game.pk)
    return [fault for each in again for fault in soundness.faults(each, now=timezone.now())]


def read_key(name: str | None) -> Ed25519PublicKey | None:
    try:
        return from_pem(Path(name).read_bytes()) if name else None
    except (OSError, ValueError) as error:
        raise CommandError(f"{name} holds no key to check with: {error}") from None


def verdicts(
    name: str, key: Ed25519PublicKey | None = None
) -> Iterator[tuple[str, Verified | BadRecord]]:
    """For each record of a file: where it stands, and what became of it."""
    shown = "standard input" if name == "-" else name
    count = 0
    try:
        with nullcontext(sys.stdin.buffer) if name == "-" else Path(name).open("rb") as file:
            for line, text in texts(file):
                count += 1
                place = f"{shown}:{line}"
                try:
                    verified = verify(read(text))
                    check_signature(verified.record, text, key)
                    yield place, verified
                except BadRecord as error:
                    yield place, error
    except OSError as error:
        yield shown, BadRecord(f"cannot be read: {error.strerror}")
        return
    if not count:
        yield shown, BadRecord("there is no record, expected at least one")


def check_signature(record: Record, text: bytes, key: Ed25519PublicKey | None) -> None:
    if key and record.signature and not holds(record.signature, key, signed_part(text)):
        raise BadRecord("signature: it is not of this key, or something was changed after it")


def texts(file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """The records' texts with their line numbers: a line each, unless the first line
    opens an object that it does not close; then the whole file is one record."""
    first = True
    for number, line in enumerate(file, start=1):
        stripped = line.strip()
        if not stripped:
            continue
        if first and stripped.startswith(b"{") and not stripped.endswith(b"}"):
            yield number, line + file.read()
            return
        first = False
        yield number, stripped


def summary(verified: Verified, key: Ed25519PublicKey | None = None) -> str:
    record, pending = verified.record, verified.pending
    parts = [f"{record.game}, {len(record.names)} players, {len(record.moves)} moves"]
    if isinstance(pending, Decide):
        parts.append(f"seat {pending.seat} to act")
    elif record.result is not None:
        winners = ", ".join(map(str, record.result["ranking"][0]))
        parts.append(f"over ({record.result['reason']}), won by seat {winners}")
    parts.append("chance checked" if verified.seeded else "no seed to check chance with")
    if record.signature:
        parts.append("signature checked" if key else "signature not checked")
    elif key:
        parts.append("not signed")
    return ", ".join(parts)
