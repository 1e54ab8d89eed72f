"""Marrakech: the scenes of its tutorial."""

from __future__ import annotations

from games.titles.teaching import Example, Scene

_TWO_FIELDS = (
    "turn:S=1 lay:c3c4 turn:S=1 lay:e2f2 turn:R=1 lay:b2b3 turn:R=2 lay:c5c6 turn:R=2 lay:e3f3"
)

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
        Example(f"{_TWO_FIELDS} turn:L=1 lay:e6e7 turn:L=1"),
        decisions=1,
        others="turn:R=4 lay:b6b7",
    ),
)
