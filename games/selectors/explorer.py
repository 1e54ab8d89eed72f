"""The explorer of openings: what people did first, how often, and how it ended for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from games import titles
from games.engine.chance import SEED_BYTES, deal
from games.engine.errors import RulesError
from games.engine.games import ruleset
from games.engine.interface import Chance, Facts, Options
from games.models import Opening
from games.selectors.ratings import BANDS
from games.selectors.shares import Share
from games.titles.places import Points

SHOWN = 60
"""The most usual steps; there are few more in any game."""


@dataclass(frozen=True, slots=True)
class Facet:
    """What the games of the tree are narrowed down to; None is everything."""

    edition: str | None = None
    band: int | None = None
    bots: bool | None = None

    def fits(self, name: str) -> bool:
        edition, band, who = name.split("|")
        return (
            self.edition in (None, edition)
            and self.band in (None, int(band))
            and self.bots in (None, who == "bots")
        )


@dataclass(frozen=True, slots=True)
class Step:
    """Something that was done or rolled next."""

    path: str
    label: str
    seat: int
    share: Share
    percent: int
    """Of all that came to this place."""
    x: str = ""
    y: str = ""
    """Where on the board it happens, if it does; of several at one place, the most usual."""


@dataclass(frozen=True, slots=True)
class Place:
    path: str
    games: int
    way: Sequence[tuple[str, str]]
    """The steps that led here, each with its path."""
    steps: Sequence[Step]
    board: Any
    view_box: str
    editions: Sequence[str]


def place(key: str, size: int, path: str, facet: Facet) -> Place | None:
    """A place of the tree; None where no game came through."""
    tree = Opening.objects.filter(ruleset=key, size=size)
    here = tree.filter(path=path).first()
    if here is None:
        return None
    games = _counted(here.counts, facet)[0]
    after = tree.filter(parent=path).exclude(path="").order_by("-games", "path")[:SHOWN]
    steps = [
        Step(
            path=each.path,
            label=step_in_words(key, _last(each.path)),
            seat=int(_last(each.path)[0]),
            share=Share("", counted[0], counted[1], 1 / size),
            percent=round(100 * counted[0] / games),
        )
        for each in after
        if (counted := _counted(each.counts, facet))[0]
    ]
    steps.sort(key=lambda step: (-step.share.games, step.path))
    walked = path.split("/") if path else []
    seen = _seen(key, size, walked, facet.edition)
    points: Points | None = titles.brings(key, "places", "POINTS")
    return Place(
        path=path,
        games=games,
        way=[
            (step_in_words(key, step), "/".join(walked[: number + 1]))
            for number, step in enumerate(walked)
        ],
        steps=_on_the_board(steps, seen, points) if seen and points else steps,
        board=titles.draw(seen) if seen else None,
        view_box=points.view_box if points else "",
        editions=sorted({name.split("|")[0] for name in here.counts}),
    )


def step_in_words(key: str, step: str) -> str:
    """A step without its seat is an action of the game, or what the die showed."""
    done = step[1:]
    if done.isdigit():
        return _("Roll %(n)s") % {"n": done}
    try:
        return titles.words(key).choice(done, {})
    except (LookupError, RulesError):
        return done


def bands() -> list[str]:
    """The bands of ratings in words, by number."""
    low, middle, high = BANDS
    return [
        _("not certain"),
        _("below %(n)d") % {"n": low},
        f"{low}–{middle - 1}",
        f"{middle}–{high - 1}",
        _("%(n)d and more") % {"n": high},
    ]


def _last(path: str) -> str:
    return path.rpartition("/")[2]


def _counted(counts: Mapping[str, Sequence[int]], facet: Facet) -> tuple[int, int]:
    fitting = [both for name, both in counts.items() if facet.fits(name)]
    return sum(games for games, _won in fitting), sum(won for _games, won in fitting)


def _on_the_board(steps: Sequence[Step], seen: Facts, points: Points) -> list[Step]:
    found: list[Step] = []
    taken: set[tuple[float, float]] = set()
    for step in steps:
        done = _last(step.path)[1:]
        at = None if done.isdigit() else points.at(seen, done)
        if at and at not in taken:
            taken.add(at)
            step = replace(step, x=f"{at[0]:g}", y=f"{at[1]:g}")
        found.append(step)
    return found


def _seen(key: str, size: int, walked: Sequence[str], edition: str | None) -> Facts | None:
    """The position for those who watch, by the first rules that allow the way to it."""
    presets = ruleset(key).presets
    named = presets.get(edition or "")
    wanted: Iterable[Options] = [named] if named else presets.values()
    for options in wanted:
        try:
            state = _walked(key, size, options, walked)
        except RulesError:
            continue
        return ruleset(key).observe(state, None)
    return None


def _walked(key: str, size: int, options: Options, walked: Sequence[str]) -> Any:
    rules = ruleset(key)
    full = rules.options(options)
    piles = deal(bytes(SEED_BYTES), ("word",) * size, rules.decks(size, full))
    state = rules.start(size, full, piles)
    for step in walked:
        seat, done = int(step[0]), step[1:]
        if isinstance(rules.pending(state), Chance):
            state, _facts = rules.land(state, int(done))
        else:
            state, _facts = rules.decide(state, seat, done)
    return state
