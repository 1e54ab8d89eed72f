"""Proof by exhaustion: wherever Assam stops, there is a legal way to lay a rug.

A spot beside Assam is barred for one reason only: a rug lies on exactly these two
squares and both its halves show. On a square only the top rug shows, so two whole
rugs never share a square: the barred spots are pairwise disjoint. And spots that do
not reach Assam's side have no influence on those that do.

So it is enough to go, for each of the 49 squares, through every set of pairwise
disjoint spots out of the reach of that square: each position there can ever be, in
the play of any number of players, bars one of these sets. (The option to cover own
rugs only takes spots out of the barred set.) Each set is laid out as a real position,
and the engine must find exactly the rest of the reach legal, and the rest not empty.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from games.titles.marrakech.rules import MARRAKECH
from games.titles.marrakech.rules.geometry import NAMES, REACH, SQUARES, Spot
from tests.titles.marrakech.positions import position


def disjoint_sets(spots: tuple[Spot, ...], covered: int = 0) -> Iterator[tuple[Spot, ...]]:
    if not spots:
        yield ()
        return
    first, rest = spots[0], spots[1:]
    yield from disjoint_sets(rest, covered)
    if not first.cover & covered:
        for others in disjoint_sets(rest, covered | first.cover):
            yield (first, *others)


def test_the_sets_are_pairwise_disjoint_and_all_there_are() -> None:
    """Against the slow way, around a corner: every subset, keeping the disjoint ones."""
    reach = REACH[SQUARES[0]]
    subsets = [
        [spot for index, spot in enumerate(reach) if number >> index & 1]
        for number in range(2 ** len(reach))
    ]
    kept = {
        frozenset(spot.action for spot in subset)
        for subset in subsets
        if len({square for spot in subset for square in spot.squares}) == 2 * len(subset)
    }
    found = [frozenset(spot.action for spot in each) for each in disjoint_sets(reach)]
    assert len(found) == len(set(found))
    assert set(found) == kept


@pytest.mark.parametrize("square", SQUARES, ids=NAMES.get)
def test_a_rug_always_fits(square: int) -> None:
    for whole in disjoint_sets(REACH[square]):
        rugs = [f"blue {spot.action.removeprefix('lay:')}" for spot in whole]
        state = position(f"{NAMES[square]} north", rugs=rugs, phase="lay")
        legal = MARRAKECH.legal(state)
        assert legal
        assert set(legal) == {spot.action for spot in REACH[square]} - {
            spot.action for spot in whole
        }
