"""Questions to a state: what is owed, what is barred, who is ahead."""

from __future__ import annotations

from games.engine.interface import LAST_PLAYER, Over

from .geometry import BOARD, EVERY_LANE, LANE, REACH, region
from .state import State


def field(state: State, number: int) -> int:
    """The squares where this colour shows."""
    return state.shown >> LANE * number & BOARD


def due(state: State, square: int) -> tuple[int, int] | None:
    """To whom the mover owes for standing here, and how much; None where nothing is owed."""
    here = state.shown >> square & EVERY_LANE
    if not here:
        return None
    number = here.bit_length() // LANE
    owner = state.setup.owners[number]
    if owner == state.mover or owner in state.gone:
        return None
    return owner, region(square, field(state, number)).bit_count()


def barred_spots(state: State) -> int:
    """The spots of whole rugs, which the mover may not cover."""
    barred = state.whole
    if state.setup.cover_own:
        own = sum(field(state, number) for number in state.setup.owned(state.mover))
        for spot in REACH[state.assam // 4]:
            if spot.cover & own == spot.cover:
                barred &= ~spot.bit
    return barred


def next_rug(state: State, seat: int) -> int:
    """The field of the rug that this seat, which has one, lays next."""
    setup = state.setup
    if not setup.piles:
        return seat
    return setup.palette.index(setup.piles[seat][setup.rugs - state.rugs[seat]])


def squares(state: State, seat: int) -> int:
    """The squares where this seat's colours show; the rugs of whoever is out count for nobody."""
    if seat in state.gone:
        return 0
    return sum(field(state, number).bit_count() for number in state.setup.owned(seat))


def points(state: State, seat: int) -> int:
    return squares(state, seat) + state.dirhams[seat]


def outcome(state: State) -> Over:
    seats = range(state.setup.seats)
    scores = [(points(state, seat), state.dirhams[seat]) for seat in seats]
    inside = [seat for seat in seats if seat not in state.gone]
    ranking = [
        tuple(seat for seat in inside if scores[seat] == score)
        for score in sorted({scores[seat] for seat in inside}, reverse=True)
    ]
    ranking += [(seat,) for seat in reversed(state.gone)]
    return Over(
        reason=LAST_PLAYER if len(inside) == 1 else "rugs",
        ranking=tuple(ranking),
        tallies={"points": tuple(score for score, _ in scores), "dirhams": state.dirhams},
    )
