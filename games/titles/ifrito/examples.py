"""Ifrito: the figures of its rules page."""

from __future__ import annotations

from games.titles.teaching import Example

# Red, blue and amber play with two carpets each.
_ENTERED = "enter:Uc1@N enter:Ue5@W enter:La3@E enter:Ue1@NW move:Ue5-Ud5@SW enter:Le3@W"
# Red's carpet on c2 has genies on N and in the middle.
_MIDDLE = f"{_ENTERED} move:Uc1-Uc2@C move:Ud5-Uc4@S move:La3-Lb3@N"
# It stands against a blue carpet with as many genies; blue still has a carpet in hand.
_FACING = f"{_MIDDLE} move:Uc2-Uc3@E"
# Now blue has none in hand, and red is to act.
_READY = f"{_FACING} enter:La5@S move:Lb3-Lb4@S"
_BACK = "enter:Uc1@N enter:Uc5@S enter:La3@E move:Uc1-Uc2@S enter:Ua5@E enter:Le3@W"

FIGURES = {
    "setup": Example(
        seats=2, seen={"players.0.hand": 3, "cells.Ua1.genie": True, "carpets.5.seat": 1}
    ),
    "four": Example(seats=4, seen={"players.3.hand": 2}),
    "entering": Example(
        asks=True,
        legal=("enter:Uc1@N", "enter:Le5@C", "enter:La3@SW"),
        illegal=("enter:Uc3@N", "enter:Ub2@N", "enter:Uc1", "pass"),
    ),
    "entered": Example(
        "enter:Uc1@N",
        facts={"entered.cell": "Uc1", "boarded": "N"},
        seen={"cells.Uc1.genie": False, "carpets.0.cushions": ["N"], "players.0.hand": 1},
    ),
    "boarding": Example(
        "enter:Uc1@N enter:Uc5@S enter:La3@E move:Uc1-Uc2@S",
        facts={"moved": {"carpet": 0, "from": "Uc1", "to": "Uc2"}, "boarded": "S"},
        seen={"carpets.0.cushions": ["N", "S"], "cells.Uc2.genie": False},
    ),
    "leaving": Example(
        f"{_BACK} move:Uc2-Uc1!N",
        facts={"left": "N"},
        seen={"carpets.0.cushions": ["S"], "cells.Uc2.genie": True},
    ),
    "no-exchange": Example(
        _BACK,
        legal=("move:Uc2-Uc1", "move:Uc2-Uc1!N", "move:Uc2-Uc1!S", "move:Uc2-Uc3@E"),
        illegal=("move:Uc2-Uc3", "move:Uc2-Uc3!S", "move:Uc2-Uc3@N", "move:Uc2-Ud2@E"),
    ),
    "ways": Example(
        _READY,
        asks=True,
        tapped="Uc3",
        seen={"carpets.0.cushions": ["C", "E", "N"]},
        legal=("move:Uc3-Ud3@W", "move:Uc3-Lc3@W", "move:Uc3-Ld3@W", "capture:Uc3-Uc4"),
        illegal=("move:Uc3-Ub3@W", "move:Uc3-Lb3@W", "move:Ue1-Le1@N", "move:Uc3-Uc4@W"),
    ),
    "down": Example(
        f"{_READY} move:Uc3-Ld3@W",
        facts={"moved.from": "Uc3", "moved.to": "Ld3", "boarded": "W"},
    ),
    "capture": Example(
        f"{_READY} capture:Uc3-Uc4",
        facts={"captured": {"seat": 1, "carpet": 2, "genies": 3}},
        seen={
            "players.0.prison": 3,
            "players.0.captured": 1,
            "players.1.hand": 1,
            "pending": {"type": "decide", "seat": 1, "kind": "pick"},
        },
        asks=True,
        legal=("pick:C", "pick:E", "pick:N"),
        illegal=("pick:S", "pass"),
    ),
    "picked": Example(
        f"{_READY} capture:Uc3-Uc4 pick:C",
        facts={"taken.cushion": "C", "taken.seat": 0},
        seen={
            "carpets.0.cushions": ["E", "N"],
            "players.0.prison": 3,
            "pending": {"type": "decide", "seat": 1, "kind": "turn"},
        },
    ),
    "in-hand": Example(
        _FACING,
        seen={"pending.seat": 1, "players.1.hand": 1, "carpets.2.cushions": ["S", "SW", "W"]},
        illegal=("capture:Uc4-Uc3",),
    ),
    "fewer": Example(
        f"{_MIDDLE} move:Ue1-Ud2@N move:Uc4-Uc3@E move:Lb3-Lb4@S",
        asks=True,
        tapped="Uc2",
        seen={"carpets.0.cushions": ["C", "N"], "carpets.2.cushions": ["E", "S", "SW", "W"]},
        illegal=("capture:Uc2-Uc3",),
    ),
    "carpets": Example(
        "enter:Uc5@S enter:Le3@E enter:Le5@S enter:Le2@NE enter:Le1@N enter:Ue5@W capture:Le1-Le2 "
        "pick:N enter:La4@SW move:Le5-Le4@C move:Ue5-Ud5@S capture:Le4-Le3 pick:S enter:Ue3@NE "
        "capture:Le3-Ue3",
        seats=2,
        seen={
            "pending.reason": "carpets",
            "pending.ranking": [[0], [1]],
            "players.0.captured": 3,
            "players.0.prison": 3,
        },
    ),
    "genies": Example(
        "enter:Le4@NW enter:Ud1@S enter:La3@SE enter:Ue2@N enter:Uc1@E enter:Ua3@NE "
        "move:Le4-Ld5@SW move:Ua3-Ub4@N move:Ld5-Lc4@C move:Ub4-Ub5@C move:Lc4-Uc4@E "
        "move:Ub5-Lb5@NW capture:Uc4-Lb5 pick:SW enter:La2@W move:La3-Lb2@W move:Ue2-Ue3@NW "
        "move:Lb5-Uc5@SE move:Ue3-Ud4@C move:Uc5-Lc5@S move:Ud4-Ud5@E capture:Lc5-Ud5 pick:NW "
        "enter:Le5@E capture:Lb2-La2",
        seats=2,
        seen={"pending.reason": "genies", "players.0.prison": 9},
    ),
}
