"""Whether dice fall as they should, told so that one may look as often as one likes.

A test that says “one in twenty” is wrong for one look in twenty: who looks every day is sure to
be warned some day. What is reckoned here is a bet against the die that starts with 1 and that
nobody can expect to win from a fair one: over all looks that will ever be taken, it reaches a
million for one fair die in a million at most (Ville's inequality).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

ALARM = 1_000_000
"""What the bet must be worth before anybody is warned: a fair die is accused once in so many."""

CAUTION = 100
"""How near to the fair die the bet looks for unfair ones, as if so many rolls had been seen."""


@dataclass(frozen=True, slots=True)
class Bet:
    """What came of the bet against one die."""

    log: float
    """The natural logarithm of its worth, which may be beyond all numbers."""
    at_once: int = 1
    """So many bets stand side by side: each must be worth so many times more."""

    @property
    def worth(self) -> float:
        return math.exp(min(self.log, 700.0))

    @property
    def alarms(self) -> bool:
        return self.log >= math.log(ALARM) + math.log(self.at_once)


def bet_against(counts: Sequence[int], faces: Sequence[float], at_once: int = 1) -> Bet:
    """The mean, over unfair dice, of how much better they explain these rolls than a fair one;
    `faces` are the shares of the fair die. The order of the rolls makes no difference."""
    priors = [CAUTION * share for share in faces]
    mixed = _log_beta([prior + n for prior, n in zip(priors, counts, strict=True)])
    fair = sum(n * math.log(share) for n, share in zip(counts, faces, strict=True))
    return Bet(mixed - _log_beta(priors) - fair, at_once)


def _log_beta(parts: Sequence[float]) -> float:
    return math.fsum(math.lgamma(part) for part in parts) - math.lgamma(math.fsum(parts))
