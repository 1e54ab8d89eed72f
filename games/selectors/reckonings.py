"""Finished games as a judge looks at them, and what was found so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from games import titles
from games.engine.games import ruleset
from games.engine.interface import Over, Played, Ruleset
from games.engine.record import Record, read
from games.models import Game, Reckoning
from games.reckon.judged import reckoning
from games.reckon.judged.moments import from_json
from games.reckon.judged.shares import won
from games.selectors.course import course_of
from games.selectors.position import OPENING, sight_of
from games.selectors.records import replay_of


def is_judged(key: str) -> bool:
    """Whether there is a judge for this game; does not load it."""
    title = titles.find(key)
    return title is not None and title.is_judged


def reckoning_of(game: Game) -> Reckoning | None:
    return Reckoning.objects.filter(game=game).first()


def reckoning_of_record(digest: str) -> Reckoning | None:
    return Reckoning.objects.filter(digest=digest).first()


@dataclass(frozen=True)
class Judged:
    """A game that is over, with all its moves."""

    rules: Ruleset[Any]
    seats: int
    steps: Sequence[Played]


def judged(row: Reckoning) -> Judged:
    if row.game is not None:
        return Judged(ruleset(row.game.ruleset), row.game.size, course_of(row.game).played)
    record = read(row.record.encode())
    return Judged(ruleset(record.game), len(record.names), steps_of(record))


def steps_of(record: Record) -> list[Played]:
    return [
        Played(step.move.seat, step.move.action, step.before, step.after, step.facts)
        for step in replay_of(record).steps
    ]


def reckoned(row: Reckoning, ranking: Sequence[Sequence[int]], seats: int) -> reckoning.Reckoning:
    """What follows from the stored values."""
    return reckoning.Reckoning(tuple(map(from_json, row.moments)), won(ranking, seats))


def runs_here(record: Record) -> bool:
    """Whether one of the record's boards is that of a game that is being played here, by whomever:
    what people see of it tells, not the way that led there. Asked of all games at once, so it
    costs the same however many there are."""
    rules = ruleset(record.game)
    seen = {
        sight_of(rules, step.after)
        for step in steps_of(record)[OPENING - 1 :]
        if not isinstance(rules.pending(step.after), Over)
    }
    running = Game.objects.filter(
        status=Game.Status.RUNNING, ruleset=record.game, size=len(record.names)
    )
    known = Q(commitment=record.fairness.commitment) | ~Q(sight="") & Q(sight__in=seen)
    return running.filter(known).exists()
