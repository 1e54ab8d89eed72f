"""Marrakech: the scenes of its tutorial."""

from __future__ import annotations

from games.titles.teaching import Example, Scene

from .examples import BEFORE_BROKE, THREE_ROUNDS

_TWO_FIELDS = (
    "turn:S=1 lay:c3c4 turn:S=1 lay:e2f2 turn:R=1 lay:b2b3 turn:R=2 lay:c5c6 turn:R=2 lay:e3f3"
)

SHOWCASE = Example(
    "turn:R=3 lay:b4c4 turn:L=2 lay:b1b2 turn:R=4 lay:c3c4 turn:L=2 lay:c4d4 turn:L=4 lay:b4c4 "
    "turn:L=4 lay:a6b6 turn:L=4 lay:e6f6 turn:S=3 lay:f6f7 turn:S=1 lay:f6g6 turn:R=3 lay:c4d4 "
    "turn:S=2 lay:b4c4 turn:R=4 lay:b6c6 turn:R=1 lay:a6b6 turn:S=2 lay:b6c6 turn:L=1 lay:c6c7 "
    "turn:L=2 lay:e6f6 turn:S=3 lay:f6f7 turn:S=2 lay:g5g6 turn:L=3 lay:d3d4 turn:R=3 lay:f6g6 "
    "turn:S=1 lay:e6f6 turn:R=3 lay:f6g6",
    seats=4,
)
"""A game of four bots, whose last moves play on the first page of the site."""

WINDOW = Example(f"{_TWO_FIELDS} turn:L=1 lay:e6e7 turn:L=1")
"""The position that stands for the game where it is shown small."""

SCENES = (
    Scene("first", Example(), decisions=2, dice=(3,)),
    Scene(
        "edge",
        Example("turn:S=1 lay:c3c4 turn:S=1 lay:e2f2 turn:S=1 lay:c1c2"),
        decisions=2,
        dice=(4,),
    ),
    Scene("prices", Example(f"{_TWO_FIELDS} turn:S=2 lay:g5g6"), decisions=2, dice=(3,)),
    Scene(
        "income",
        WINDOW,
        decisions=1,
        others="turn:R=4 lay:b6b7",
    ),
    Scene("scoring", Example(f"{THREE_ROUNDS} turn:R=4"), decisions=1),
    Scene(
        "broke",
        Example(f"{BEFORE_BROKE} turn:L=3", options={"insolvency": "out"}),
        decisions=1,
        others="turn:L=4",
    ),
    Scene("two", Example(seats=2), decisions=2, dice=(2,)),
)
