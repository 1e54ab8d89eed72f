"""What a judge said of each move of a game, as it is stored: whole numbers and notation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from .shares import POINT, Shares
from .trials import Option


class Mark(StrEnum):
    DUBIOUS = "?!"
    MISTAKE = "?"
    BLUNDER = "??"


MARKS = ((8 * POINT, Mark.BLUNDER), (4 * POINT, Mark.MISTAKE), (2 * POINT, Mark.DUBIOUS))
STANDARD_ERRORS = 2
"""Whoever is blamed lost more than so many of them."""


@dataclass(frozen=True, slots=True)
class Face:
    """A value of the die, on how many of its sides it is, and the shares after it."""

    value: int
    sides: int
    shares: Shares


@dataclass(frozen=True, slots=True)
class Roll:
    value: int
    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """One move: a decision, or somebody leaving, and the roll that followed from it."""

    seat: int
    played: str
    best: str
    options: tuple[Option, ...]
    """The best and the played action among them, with everybody's shares after each."""
    is_free: bool
    """There was something to choose."""
    error: int | None = 0
    """The standard error of the loss; None as long as nobody knows."""
    spread: int = 0
    trials: int = 0
    roll: Roll | None = None
    choices: int = 0
    """How many there were; 0 where an older judge did not say."""
    pleased: tuple[int, ...] = ()
    """By seat: if nothing could have been better for it, how many choices would have been worse,
    else 0. Nothing where the best was played, and of older judges."""

    def shares(self, action: str) -> Shares:
        return next(each.shares for each in self.options if each.action == action)

    @property
    def before(self) -> Shares:
        """What the position was worth to everybody: as after the best action."""
        return self.shares(self.best)

    @property
    def gifts(self) -> Shares:
        """What everybody gained or lost because the best was not played; sums to 0."""
        return minus(self.shares(self.played), self.before)

    @property
    def loss(self) -> int:
        return -self.gifts[self.seat]

    @property
    def mark(self) -> Mark | None:
        if not self.is_free or self.error is None or self.loss <= STANDARD_ERRORS * self.error:
            return None
        return next((mark for least, mark in MARKS if self.loss >= least), None)

    def as_json(self) -> dict[str, Any]:
        stored: dict[str, Any] = {
            "seat": self.seat,
            "played": self.played,
            "best": self.best,
            "options": [[each.action, list(each.shares)] for each in self.options],
            "free": self.is_free,
            "error": self.error,
            "spread": self.spread,
            "trials": self.trials,
            "choices": self.choices,
        }
        if self.pleased:
            stored["pleased"] = list(self.pleased)
        if self.roll:
            faces = [[face.value, face.sides, list(face.shares)] for face in self.roll.faces]
            stored["roll"] = [self.roll.value, faces]
        return stored


def from_json(stored: Mapping[str, Any]) -> Moment:
    roll = None
    if "roll" in stored:
        value, faces = stored["roll"]
        roll = Roll(value, tuple(Face(face, n, tuple(shares)) for face, n, shares in faces))
    return Moment(
        seat=stored["seat"],
        played=stored["played"],
        best=stored["best"],
        options=tuple(Option(action, tuple(shares)) for action, shares in stored["options"]),
        is_free=stored["free"],
        error=stored["error"],
        spread=stored["spread"],
        trials=stored["trials"],
        roll=roll,
        choices=stored.get("choices", 0),
        pleased=tuple(stored.get("pleased", ())),
    )


def minus(one: Shares, other: Shares) -> Shares:
    return tuple(a - b for a, b in zip(one, other, strict=True))
