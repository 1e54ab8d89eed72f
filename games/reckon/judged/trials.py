"""Which action was best, and what was lost: by continuations from which luck is subtracted.

The best is chosen on one half of the continuations and valued on the other, or whoever happened
to be lucky would always look best. All actions meet the same chance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .shares import POINT, Shares, mean, standard_error

Outcome = Sequence[int]
"""What a continuation came to for every seat, in millionths."""

Sample = Callable[[str, int, int], Sequence[Outcome]]
"""So many continuations of an action from this number on; the same numbers, the same chance."""

MARGIN = 6 * POINT
"""An action that looks worse than the best by more than this is not the best."""
MOST_ACTIONS = 3
SURE = POINT // 2
"""The standard error that is good enough."""
FEWEST, MOST = 32, 8192
"""Continuations that an action is valued on."""
CHOOSING = 512
"""At most so many are spent on choosing: to value two actions costs less than to choose of four."""


@dataclass(frozen=True, slots=True)
class Option:
    """An action with everybody's shares after it."""

    action: str
    shares: Shares


@dataclass(frozen=True, slots=True)
class Weighed:
    """A decision: the best action, the values of those that were tried, and how sure they are."""

    best: str
    options: tuple[Option, ...]
    error: int
    """The standard error of what was lost."""
    spread: int
    """The larger standard error of the values of the played and the best action."""
    trials: int


def candidates(played: str, seat: int, options: Sequence[Option]) -> list[str]:
    """What might be best, and what was played. Options come with the most promising first."""
    top = options[0].shares[seat]
    close = [each.action for each in options if top - each.shares[seat] <= MARGIN]
    return list(dict.fromkeys((*close[:MOST_ACTIONS], played)))


def weighed(played: str, seat: int, options: Sequence[Option], sample: Sample) -> Weighed:
    """Try out what might be best, until it is sure enough what it and the played action are
    worth. One candidate alone needs no trial."""
    tried = candidates(played, seat, options)
    if len(tried) == 1:
        return Weighed(played, tuple(options), 0, 0, 0)
    choosing: dict[str, list[Outcome]] = {action: [] for action in tried}
    valuing: dict[str, list[Outcome]] = {action: [] for action in tried}
    size = FEWEST
    while True:
        for action in tried:
            _extend(choosing[action], sample, action, 0, min(size, CHOOSING))
        best = max(tried, key=lambda action: mean(choosing[action])[seat])
        for action in (best, played):
            _extend(valuing[action], sample, action, CHOOSING, size)
        spread = max(_error(valuing[action], seat) for action in (best, played))
        if spread <= SURE or size >= MOST:
            break
        size *= 2
    lost = [
        one[seat] - other[seat] for one, other in zip(valuing[best], valuing[played], strict=False)
    ]
    values = {action: mean(valuing[action] or choosing[action]) for action in tried}
    found = [Option(each.action, values.get(each.action, each.shares)) for each in options]
    return Weighed(
        best=best,
        options=tuple(sorted(found, key=lambda each: -each.shares[seat])),
        error=standard_error(lost) if best != played else 0,
        spread=spread,
        trials=sum(map(len, (*choosing.values(), *valuing.values()))),
    )


def _extend(outcomes: list[Outcome], sample: Sample, action: str, first: int, size: int) -> None:
    if len(outcomes) < size:
        outcomes += sample(action, first + len(outcomes), size - len(outcomes))


def _error(outcomes: Sequence[Outcome], seat: int) -> int:
    return standard_error([each[seat] for each in outcomes])
