"""Who was ahead in a game, and for how long: from one count of every player after every move."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Leads:
    changes: int
    """How often somebody took the lead from somebody else."""
    ahead: tuple[int, ...]
    """After how many moves each was ahead of everybody else."""
    margin: int
    """By how much the winner was ahead in the end, as far as this count decided."""
    comeback: int
    """How far the winner had once been behind."""


def leader(now: Sequence[int]) -> int | None:
    """Who is ahead of everybody else; None where nobody is alone."""
    most = max(now)
    return now.index(most) if now.count(most) == 1 else None


def leads(counts: Sequence[Sequence[int]], winners: Collection[int]) -> Leads:
    """`counts` are those of all seats, before the first move and after each."""
    ahead = [0] * len(counts[0])
    changes, before = 0, None
    comeback = 0
    for now in counts:
        most, first = max(now), leader(now)
        comeback = max(comeback, min(most - now[seat] for seat in winners))
        if first is not None:
            ahead[first] += 1
            changes += before is not None and before != first
            before = first
    return Leads(changes, tuple(ahead), _margin(counts[-1], winners), comeback)


def _margin(last: Sequence[int], winners: Collection[int]) -> int:
    if len(winners) != 1:
        return 0
    (winner,) = winners
    others = [count for seat, count in enumerate(last) if seat != winner]
    return max(last[winner] - max(others), 0)
