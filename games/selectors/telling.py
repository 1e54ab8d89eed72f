"""What happened, told move by move: the positions between as the little that changed.

The same telling serves an open page, a reader who comes back and the replay of a whole game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games import titles
from games.engine.interface import Facts
from games.selectors import words
from games.selectors.table import Table
from games.titles.telling import Piece, Teller, written

MOST_TURNS = 12
"""Whoever was away for longer is told the last ones; the list of moves has them all."""

Counts = Mapping[str, tuple[Any, ...]]


@dataclass(frozen=True)
class Scene:
    """A position as its pieces and its counts by seat."""

    seen: Facts
    pieces: Mapping[str, Piece]
    counts: Counts


def story(table: Table, since: int) -> SafeString | None:
    """The moves after `since`, up to the position that is shown, as JSON; None where there are
    none, or where the game is not told."""
    teller: Teller | None = titles.brings(table.game.ruleset, "story", "TELLER")
    moves = table.moves[since : table.shown]
    if teller is None or not moves or not table.states:
        return None
    late = words.turns(moves)[-MOST_TURNS:]
    return written(_told(table, teller, late[0].first - 1))


def finale(table: Table) -> SafeString | None:
    """How what everybody has is counted on the board, where it is the end that is shown."""
    teller: Teller | None = titles.brings(table.game.ruleset, "story", "TELLER")
    if teller is None or table.pending["type"] != "over":
        return None
    return written(
        [
            {"beats": beats, "crowned": seat in table.pending["ranking"][0]}
            for rank in reversed(table.pending["ranking"])
            for seat in reversed(rank)
            if (beats := teller.finale(table.observation, seat))
        ]
    )


def whole_story(table: Table) -> SafeString | None:
    """The whole game, for replay."""
    teller: Teller | None = titles.brings(table.game.ruleset, "story", "TELLER")
    return written(_told(table, teller, 0)) if teller and table.states else None


def _told(table: Table, teller: Teller, since: int) -> dict[str, Any]:
    before = first = _scene(table, teller, since)
    told = []
    for turn in words.turns(table.moves[since : table.shown]):
        for number, move in enumerate(turn.moves, start=1):
            after = _scene(table, teller, move.number)
            facts = {"action": move.action, "seat": move.seat, **move.facts}
            so_far = words.Turn(turn.seat, turn.moves[:number])
            told.append(
                {
                    "n": move.number,
                    "seat": move.seat,
                    "beats": teller.beats(facts, before.seen, after.seen),
                    "put": [piece.as_list() for piece in _changed(before, after)],
                    "take": [key for key in before.pieces if key not in after.pieces],
                    "counts": _recounted(before.counts, after.counts),
                    "told": table.told(so_far),
                }
            )
            before = after
    return {
        "since": since,
        "pieces": [piece.as_list() for piece in first.pieces.values()],
        "counts": {name: list(values) for name, values in first.counts.items()},
        "moves": told,
        "skip": _("Tap to skip"),
    }


def _scene(table: Table, teller: Teller, number: int) -> Scene:
    state = table.states[number]
    rules = table.position.rules
    seen = rules.observe(state, table.own_seat.number if table.own_seat else None)
    labels = {name: tuple(values) for name, values in teller.labels(seen).items()}
    return Scene(
        seen=seen,
        pieces={piece.key: piece for piece in teller.pieces(seen)},
        counts={**rules.counts(state), **labels},
    )


def _changed(before: Scene, after: Scene) -> Iterable[Piece]:
    return (piece for key, piece in after.pieces.items() if before.pieces.get(key) != piece)


def _recounted(before: Counts, after: Counts) -> dict[str, dict[int, Any]]:
    """By the name of the count, the seats for which it changed."""
    changed = {
        name: {seat: value for seat, value in enumerate(values) if value != before[name][seat]}
        for name, values in after.items()
    }
    return {name: values for name, values in changed.items() if values}
