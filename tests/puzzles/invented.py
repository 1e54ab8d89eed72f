"""Puzzles out of thin air: decisions in which one choice is said to be clearly the best."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from games.engine.games import ruleset
from games.models import Game, Puzzle, Reckoning
from games.reckon.judged.moments import Moment
from games.reckon.judged.shares import POINT, whole
from games.reckon.judged.trials import Option
from games.selectors.course import course_of
from tests.people import NOON

TODAY = NOON.date()


def choices(game: Game, number: int) -> Sequence[str]:
    step = course_of(game).played[number - 1]
    return ruleset(game.ruleset).legal(step.before)


def clear_moment(game: Game, number: int, *, best: str = "", lead: int = 10) -> Moment:
    """At this move one choice, the last if none is named, is worth so many points more."""
    step = course_of(game).played[number - 1]
    legal = choices(game, number)
    best = best or legal[-1]
    even = list(whole([1] * game.size))
    ahead = list(even)
    ahead[step.seat] += lead * POINT
    ahead[(step.seat + 1) % game.size] -= lead * POINT
    options = [Option(each, tuple(even)) for each in legal if each != best][:5]
    if step.action not in {best, *(each.action for each in options)}:
        options.append(Option(step.action, tuple(even)))
    return Moment(
        step.seat, step.action, best, (Option(best, tuple(ahead)), *options), is_free=True, error=0
    )


def clear_reckoning(game: Game, *numbers: int, **columns: Any) -> Reckoning:
    """A full reckoning of which these moves promise a puzzle."""
    moments = [
        clear_moment(game, number, lead=10 if number in numbers else 0).as_json()
        for number, _step in enumerate(course_of(game).played, start=1)
    ]
    how: dict[str, Any] = {"state": "done", "version": "1.test", "seed": 1, "asked_at": NOON}
    return Reckoning.objects.create(game=game, moments=moments, **{**how, **columns})


def puzzle_of(game: Game, number: int, *, day: date = TODAY, best: str = "") -> Puzzle:
    return Puzzle.objects.create(
        day=day,
        game=game,
        number=number,
        moment=clear_moment(game, number, best=best).as_json(),
        lead=10 * POINT,
        error=POINT // 4,
    )


def move_with_choices(game: Game) -> int:
    """One in the middle with many choices."""
    return next(
        number
        for number in range(9, game.move_count)
        if len(choices(game, number)) > 3 and ":" in choices(game, number)[0]
    )
