"""Finished games as a judge looks at them, and what was found so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

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


def runs_here(rules: Ruleset[Any], steps: Sequence[Played]) -> bool:
    """Whether one of these boards is that of a game that is being played here, by whomever: what
    people see of it tells, not the way that led there. Asked of all games at once, so it costs the
    same however many there are."""
    late = _boards(rules, steps)[OPENING - 1 :]
    return _running(rules).filter(move_count__gte=OPENING, sight__in=late).exists()


def shows_a_running_game(record: Record) -> bool:
    """The same of a record from outside. It may also be known by what was published of the seed or,
    in an opening that many games have, by the names of its players."""
    rules, steps = ruleset(record.game), steps_of(record)
    running = _running(rules)
    of_them = running.filter(sight__in=_boards(rules, steps))
    for name in record.names:
        of_them = of_them.filter(
            Q(seats__player__display_name=name) | Q(seats__player__username=name)
        )
    return (
        runs_here(rules, steps)
        or running.filter(commitment=record.fairness.commitment).exists()
        or of_them.exists()
    )


def is_held_back(row: Reckoning) -> bool:
    """Whether it has to wait until a game that is being played here has gone on. What was said of
    a game of the house before that stays; a record may have been brought in time."""
    if row.game is None:
        return shows_a_running_game(read(row.record.encode()))
    if row.moments:
        return False
    game = judged(row)
    return runs_here(game.rules, game.steps)


def _boards(rules: Ruleset[Any], steps: Sequence[Played]) -> list[str]:
    return [
        sight_of(rules, step.after)
        for step in steps
        if not isinstance(rules.pending(step.after), Over)
    ]


def _running(rules: Ruleset[Any]) -> QuerySet[Game]:
    return Game.objects.filter(status=Game.Status.RUNNING, ruleset=rules.key)
