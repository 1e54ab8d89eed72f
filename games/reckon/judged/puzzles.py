"""Which decisions make a puzzle: one choice is clearly better than all others, and that is sure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .moments import Moment
from .shares import POINT, standard_error
from .trials import MOST, Option, Sample

CLEAR = 4 * POINT
STANDARD_ERRORS = 4
RIVALS = 3
"""So many of the next best choices are tried out against the best."""
TRIALS = 256
FRESH = 2 * MOST
"""The number of the first continuation that no reckoning has seen."""


@dataclass(frozen=True, slots=True)
class Lead:
    """By how much the best is ahead of another choice, in millionths, and how sure that is."""

    gap: int
    error: int

    @property
    def is_clear(self) -> bool:
        return self.gap >= max(CLEAR, STANDARD_ERRORS * self.error)


def is_promising(moment: Moment) -> bool:
    """Whether the reckoning alone speaks for a puzzle."""
    if not moment.is_free or moment.error is None or len(moment.options) < 2:
        return False
    second = max(each.shares[moment.seat] for each in _others(moment))
    return moment.before[moment.seat] - second >= CLEAR


def proven(moment: Moment, sample: Sample) -> Lead | None:
    """The lead over the second best by continuations of its own; None where it is not clear."""
    order = sorted(_others(moment), key=lambda each: -each.shares[moment.seat])
    best = [outcome[moment.seat] for outcome in sample(moment.best, FRESH, TRIALS)]
    leads = []
    for rival in order[:RIVALS]:
        other = [outcome[moment.seat] for outcome in sample(rival.action, FRESH, TRIALS)]
        gaps = [one - two for one, two in zip(best, other, strict=True)]
        leads.append(Lead(sum(gaps) // len(gaps), standard_error(gaps)))
    return min(leads, key=lambda each: each.gap) if all(each.is_clear for each in leads) else None


def streak(solved: Iterable[bool | None]) -> int:
    """How many puzzles in a row, from the latest on; the latest may still wait for its answer
    (None). Any other that was missed ends it."""
    found = list(solved)
    if found[:1] == [None]:
        found = found[1:]
    return next((place for place, each in enumerate(found) if not each), len(found))


def _others(moment: Moment) -> list[Option]:
    return [each for each in moment.options if each.action != moment.best]
