"""A decision as numbered places: for pages that are no table, such as those that mail leads to.

A room brings `offer` in `places.py` if its choices lie on the board or take several steps; what
it does not bring is a list of all that is allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from games.engine.interface import Facts
from games.titles import brings, words


@dataclass(frozen=True, slots=True)
class Place:
    """One answer: an `action` that can be played, or what to `choose` for a closer question.

    `x` and `y` are where its number stands in the picture; empty where it stands in the list
    alone.
    """

    label: str
    action: str = ""
    choose: str = ""
    x: str = ""
    y: str = ""


@dataclass(frozen=True, slots=True)
class Offer:
    """All answers to a question; `action` is the one that was chosen so far, if it is whole."""

    heading: str
    """What is asked; empty where the house asks whether to play what was chosen."""
    note: str = ""
    """Why it is asked, or what will come of it."""
    places: Sequence[Place] = ()
    view_box: str = ""
    """Of the picture on which the places have their points."""
    close_up: str = ""
    """The template of that picture, where it is not the board itself."""
    action: str = ""
    chosen: bool = False
    """Something was chosen that can be taken back."""


@dataclass(frozen=True, slots=True)
class Points:
    """Where on the picture of a board an action happens; a room brings `POINTS` in `places.py`
    if its openings can be walked on the board."""

    view_box: str
    at: Callable[[Facts, str], tuple[float, float] | None]
    """For what a spectator sees, and an action: None where it has no place of its own."""


def offer_of(seen: Facts, chosen: str, names: Sequence[str]) -> Offer:
    """What whoever is to act can answer, after having chosen so much."""
    key = seen["game"]
    own = brings(key, "places", "offer")
    if own:
        offer: Offer = own(seen, chosen, names)
        return offer
    speak = words(key)
    return Offer(
        heading="" if chosen in seen["legal"] else speak.task(seen["pending"]["kind"]),
        places=[
            Place(speak.choice(action, seen), action=action)
            for action in speak.in_order(seen["legal"])
        ],
        action=chosen if chosen in seen["legal"] else "",
        chosen=chosen in seen["legal"],
    )
