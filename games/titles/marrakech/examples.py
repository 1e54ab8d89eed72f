"""Marrakech: the figures of its rules page."""

from __future__ import annotations

from games.titles.teaching import Example

# Red, blue and amber play; then red has a field of four squares in front of blue.
_FIELD = "turn:S=1 lay:d1d2 turn:L=2 lay:f4f5 turn:S=1 lay:g4g5 turn:R=2 lay:e1f1"
# Blue paid for it and cut it; amber is to lay a rug from e2.
_CUT = f"{_FIELD} turn:R=2 lay:c1d1 turn:R=1"
# Three rounds of a game of three; red is to act.
THREE_ROUNDS = (
    "turn:L=4 lay:f2f3 turn:L=4 lay:g1g2 turn:L=4 lay:c1c2 turn:L=4 lay:d3e3 turn:R=1 lay:c2d2 "
    "turn:S=2 lay:f4g4 turn:L=1 lay:d4e4 turn:L=2 lay:c4c5 turn:R=2 lay:c5c6"
)
# Red has a field of eleven and is to act; blue has one dirham left.
BEFORE_BROKE = (
    f"{THREE_ROUNDS} turn:R=4 lay:g3g4 turn:L=1 lay:f4f5 turn:R=3 lay:d5d6 turn:L=4 lay:d2e2 "
    "turn:S=1 lay:d1e1 turn:L=2 lay:b1b2"
)
# Blue stops on what is a field of twelve by then.
_BROKE = f"{BEFORE_BROKE} turn:L=3 lay:c2c3 turn:L=4"

FIGURES = {
    "setup": Example(
        seats=4,
        seen={
            "assam": {"square": "d4", "facing": "south"},
            "players.0.dirhams": 30,
            "players.3.dirhams": 30,
            "players.0.rugs": {"red": 12},
            "rugs": [],
        },
    ),
    "two": Example(
        seats=2,
        seen={
            "players.0.colours": ["red", "amber"],
            "players.0.rugs": {"red": 12, "amber": 12},
            "players.1.colours": ["blue", "green"],
        },
    ),
    "three": Example(seen={"players.0.rugs": {"red": 15}}),
    "turning": Example(asks=True, legal=("turn:L", "turn:R", "turn:S"), illegal=("turn:B", "roll")),
    "mosaic": Example(
        "turn:S=4",
        facts={"die": 4, "assam": "e1 north", "path": ("d3", "d2", "d1", "e1")},
    ),
    "loop": Example(
        "turn:R=3 lay:a5b5 turn:L=3 lay:a2b2 turn:S=2",
        facts={"die": 2, "assam": "b1 east", "path": ("a1", "b1"), "paid": None},
    ),
    "payment": Example(
        f"{_FIELD} turn:R=2",
        facts={"die": 2, "assam": "e1 west", "paid": {"to": 0, "due": 4, "amount": 4}},
        seen={"players.0.dirhams": 34, "players.1.dirhams": 26},
    ),
    "spots": Example(
        _CUT,
        asks=True,
        seen={"assam.square": "e2", "pending.kind": "lay"},
        legal=("lay:e3e4", "lay:c2d2", "lay:d1d2"),
        illegal=("lay:e1f1", "lay:d2e2", "lay:b4b5"),
    ),
    "on-empty": Example(_CUT, chosen="lay:e3e4", allowed=True),
    "on-half": Example(_CUT, chosen="lay:c2d2", allowed=True),
    "on-halves": Example(_CUT, chosen="lay:d1d2", allowed=True),
    "on-whole": Example(_CUT, chosen="lay:e1f1", allowed=False),
    "on-assam": Example(_CUT, chosen="lay:d2e2", allowed=False),
    "far": Example(_CUT, chosen="lay:b4b5", allowed=False),
    "after": Example(
        "roll=3 lay:d2e2",
        options={"turning": "after"},
        asks=True,
        seen={"assam": {"square": "d1", "facing": "south"}, "pending.kind": "face"},
        legal=("turn:L", "turn:R"),
        illegal=("turn:S", "roll"),
    ),
    "out": Example(
        _BROKE,
        options={"insolvency": "out"},
        facts={"paid": {"to": 0, "due": 12, "amount": 1}, "out": [1]},
        seen={
            "players.1.in": False,
            "players.1.dirhams": 0,
            "players.1.points": 0,
            "players.1.rugs": {"blue": 0},
            "pending.seat": 2,
            "pending.kind": "turn",
        },
    ),
    "play-on": Example(
        _BROKE,
        options={"insolvency": "play_on"},
        facts={"paid": {"to": 0, "due": 12, "amount": 1}, "out": None},
        seen={"players.1.in": True, "players.1.dirhams": 0, "pending.seat": 1},
    ),
    "points": Example(
        _CUT,
        seen={
            "players.0.squares": 3,
            "players.0.dirhams": 34,
            "players.0.points": 37,
            "players.1.squares": 4,
            "players.1.points": 30,
        },
    ),
}
