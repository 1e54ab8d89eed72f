"""Records of one and the same position that look different on paper."""

from __future__ import annotations

import re
from collections.abc import Iterable

from games.engine.chance import RecordedSource
from games.engine.games import ruleset
from games.engine.interface import Decide, play
from games.engine.record import Fairness, Record, RecordedMove, build, read, recorded_facts, write

Deed = tuple[int, str, int | None]
"""A seat, its action, and the face that the die then shows."""


def deeds_of(record: Record) -> list[Deed]:
    return [(move.seat, move.action, move.facts.get("die")) for move in record.moves]


def on_paper(record: Record, deeds: Iterable[Deed]) -> Record:
    """These deeds as a finished game of nobody: dice as one likes, no seed, and all but one give
    up in the end. Read once more, as an upload is."""
    rules, seats = ruleset(record.game), len(record.names)
    state = rules.start(seats, record.rules, record.piles)
    moves: list[RecordedMove] = []

    def go_on(seat: int, action: str, die: int | None = None) -> None:
        nonlocal state
        state, facts = play(rules, state, seat, action, RecordedSource(die))
        moves.append(RecordedMove(len(moves) + 1, seat, action, recorded_facts(rules, facts)))

    for deed in deeds:
        go_on(*deed)
    while isinstance(pending := rules.pending(state), Decide):
        go_on(pending.seat, "resign")
    return read(
        write(
            build(
                rules,
                state,
                id="",
                options=record.rules,
                names=[f"Somebody {seat}" for seat in range(seats)],
                piles=record.piles,
                fairness=Fairness("0" * 64, ("a",) * seats, None),
                moves=moves,
            )
        ).encode()
    )


MIRRORED = str.maketrans({"L": "R", "R": "L"})
TWINS = str.maketrans({"L": "U", "U": "L"} | dict(zip("abcde", "edcba", strict=True)))
ACROSS = str.maketrans({"E": "W", "W": "E"})


def across_the_diagonal(deeds: Iterable[Deed]) -> list[Deed]:
    """A game of Marrakech as in a mirror: columns are rows there. At the start Assam looks
    another way, so his first turn has another name."""
    found = []
    for number, (seat, action, die) in enumerate(deeds):
        kind, _, how = action.partition(":")
        if kind == "lay":
            squares = sorted(
                "abcdefg"[int(how[at + 1]) - 1] + str(ord(how[at]) - 96) for at in (0, 2)
            )
            action = f"lay:{''.join(squares)}"
        elif number == 0:
            action = {"turn:S": "turn:R", "turn:R": "turn:S"}[action]
        else:
            action = f"{kind}:{how.translate(MIRRORED)}"
        found.append((seat, action, die))
    return found


def on_the_other_plane(deeds: Iterable[Deed]) -> list[Deed]:
    """A game of Ifrito with east for west, and above for below."""

    def other(action: str) -> str:
        action = re.sub(r"[LU][a-e][1-5]", lambda cell: cell[0].translate(TWINS), action)
        return re.sub(r"(?<=[@!:])[CNESW]+$", lambda name: name[0].translate(ACROSS), action)

    return [(seat, other(action), die) for seat, action, die in deeds]
