"""A finished game in numbers: who was ahead, what stood out, and all counts move by move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from games import titles
from games.engine.interface import Over
from games.models import Game
from games.reckon.leads import leader
from games.selectors.course import Course, course_of
from games.selectors.curves import Curve, draw_curves
from games.selectors.finished import leads_of, main_counts


@dataclass(frozen=True, slots=True)
class Ahead:
    name: str
    tone: str
    moves: int
    percent: int


@dataclass(frozen=True, slots=True)
class Stretch:
    """Moves after which the same one was ahead, or nobody alone; in thousandths of the game."""

    tone: str
    name: str
    x: str
    width: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class StandsOut:
    label: str
    name: str
    value: int
    move: int


@dataclass(frozen=True, slots=True)
class Table:
    """The values behind a curve: a row for each move."""

    curve: Curve
    rows: Sequence[tuple[int, Sequence[int]]]


@dataclass(frozen=True, slots=True)
class Story:
    game: Game
    names: Sequence[str]
    moves: int
    changes: int | None
    """How often the lead changed; None where the count says nothing."""
    margin: int | None
    comeback: int | None
    counted: str
    ahead: Sequence[Ahead]
    level: int
    """After so many moves nobody was ahead alone."""
    ribbon: Sequence[Stretch]
    moments: Sequence[StandsOut]
    tables: Sequence[Table]


def story_of(game: Game) -> Story | None:
    """None for a game that is not over."""
    course = course_of(game)
    over = course.end.pending
    if not isinstance(over, Over):
        return None
    names = [str(seat.player) for seat in course.seats]
    leads = leads_of(course, over)
    tones = [own[0] for own in course.start.rules.colours(game.size)]
    total = len(course.moves)
    words = titles.words(game.ruleset)
    main = next(iter(course.start.rules.counts(course.start.state)), "")
    return Story(
        game=game,
        names=names,
        moves=total,
        changes=leads.changes if leads else None,
        margin=leads.margin if leads else None,
        comeback=leads.comeback if leads else None,
        counted=words.count(main) if main else "",
        ahead=[
            Ahead(name, tone, moves, round(100 * moves / (total + 1)))
            for name, tone, moves in zip(names, tones, leads.ahead, strict=True)
        ]
        if leads
        else (),
        level=total + 1 - sum(leads.ahead) if leads else 0,
        ribbon=_ribbon(course, names, tones) if leads else (),
        moments=_moments(course, names),
        tables=_tables(course, names),
    )


def _ribbon(course: Course, names: Sequence[str], tones: Sequence[str]) -> list[Stretch]:
    leaders = [leader(now) for now in main_counts(course)]
    found, first = [], 0
    for seat, same in groupby(leaders):
        length = len(list(same))
        found.append(
            Stretch(
                tone="" if seat is None else tones[seat],
                name="" if seat is None else names[seat],
                x=f"{1000 * first / len(leaders):.1f}",
                width=f"{1000 * length / len(leaders):.1f}",
                first=first,
                last=first + length - 1,
            )
        )
        first += length
    return found


def _moments(course: Course, names: Sequence[str]) -> list[StandsOut]:
    key = course.game.ruleset
    figuring, words = titles.brings(key, "figures", "FIGURING"), titles.words(key)
    if figuring is None:
        return []
    return [
        StandsOut(words.peak(each.key), names[each.seat], each.value, each.move)
        for each in figuring.moments(course.played)
    ]


def _tables(course: Course, names: Sequence[str]) -> list[Table]:
    key, rules = course.game.ruleset, course.start.rules
    curves = draw_curves(key, names, course.states, len(course.moves))
    counted = [rules.counts(state) for state in course.states]
    return [
        Table(curve, [(number, counts[name]) for number, counts in enumerate(counted)])
        for curve, name in zip(curves, counted[0], strict=True)
    ]
