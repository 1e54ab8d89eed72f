"""What a game of Marrakech remembers from one decision to the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from games.engine.errors import BadOptions
from games.engine.interface import Options, Pile

PURSE = 30
COLOURS: Mapping[int, tuple[tuple[str, ...], ...]] = {
    2: (("red", "amber"), ("blue", "green")),
    3: (("red",), ("blue",), ("amber",)),
    4: (("red",), ("blue",), ("amber",), ("green",)),
}
# How many rugs of each colour there are.
RUGS = {2: 12, 3: 15, 4: 12}

# What happens next. The first four are decisions of the mover.
TURN = "turn"  # turning before: turn Assam or leave him, then the die falls
ROLL = "roll"  # turning after: no choice, the die falls
LAY = "lay"
FACE = "face"  # turning after: the quarter turn, left or right, that ends the turn
FALL = "fall"  # the die is in the air
OVER = "over"


@dataclass(frozen=True, slots=True)
class Setup:
    """What is settled before the first turn."""

    colours: tuple[tuple[str, ...], ...]
    """Of each seat."""
    palette: tuple[str, ...]
    """All colours of the game; their order numbers the fields, which are the lanes of a state."""
    owners: tuple[int, ...]
    """Of each field, the seat."""
    rugs: int
    """How many rugs each seat starts with."""
    piles: tuple[Pile, ...]
    """With two players, the top rug first; as far as known where a record hides the rest."""
    insolvent_out: bool
    turn_after: bool
    cover_own: bool

    @property
    def seats(self) -> int:
        return len(self.colours)

    def owned(self, seat: int) -> range:
        """The fields of this seat's colours."""
        each = len(self.colours[seat])
        return range(seat * each, seat * each + each)


class State(NamedTuple):
    """A named tuple, because it is the frozen value that is cheapest to copy with a change."""

    setup: Setup
    phase: str
    mover: int
    assam: int
    """His pose; see the geometry."""
    roll: int
    """The number of the chance event of the next roll."""
    dirhams: tuple[int, ...]
    rugs: tuple[int, ...]
    """Rugs not yet laid, by seat."""
    shown: int
    """The squares where each field's colour shows, a lane for each."""
    whole: int
    """The spots of the rugs of which both halves show."""
    laid: tuple[tuple[int, int], ...]
    """Every rug laid, in order: its spot and its field."""
    gone: tuple[int, ...]
    """The seats that are out, in the order in which they went."""


def decks(seats: int) -> tuple[Pile, ...]:
    """Two players mix their two colours in a pile; more players have nothing to shuffle."""
    colours = COLOURS[seats]
    if len(colours[0]) == 1:
        return ()
    return tuple(tuple(colour for colour in own for _ in range(RUGS[seats])) for own in colours)


def set_up(seats: int, options: Options, piles: tuple[Pile, ...]) -> Setup:
    """The setup for these checked options; a pile may be known only in part, from the top."""
    expected = decks(seats)
    if len(piles) != len(expected):
        raise BadOptions(f"{len(piles)} piles were dealt, expected {len(expected)}")
    for seat, (pile, deck) in enumerate(zip(piles, expected, strict=True)):
        if not pile:
            raise BadOptions(f"the pile of seat {seat} has no top rug, expected one")
        for colour in pile:
            if pile.count(colour) > deck.count(colour):
                raise BadOptions(
                    f"the pile of seat {seat} has {pile.count(colour)} rugs of {colour!r}, "
                    f"expected at most {deck.count(colour)}"
                )
    colours = COLOURS[seats]
    return Setup(
        colours=colours,
        palette=tuple(colour for own in colours for colour in own),
        owners=tuple(seat for seat, own in enumerate(colours) for _ in own),
        rugs=RUGS[seats] * len(colours[0]),
        piles=tuple(tuple(pile) for pile in piles),
        insolvent_out=options["insolvency"] == "out",
        turn_after=options["turning"] == "after",
        cover_own=options["cover_own"],
    )
