"""The record of a game: everything that is needed to replay and check it, in one JSON object.

A record is read in two steps. `read` checks its shape and nothing else; `verify`
replays it and compares every derived figure with what the engine computes itself.
Whatever is wrong is a `BadRecord`, whose message names the place, what stands there
and what was expected.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from .chance import RecordedSource, SeededSource, commitment, deal, seating
from .errors import BadRecord, RulesError
from .games import ruleset
from .interface import Decide, Facts, Options, Over, Pending, Pile, Ruleset, S, play
from .record_shape import (
    FORMAT,
    Fairness,
    Record,
    RecordedMove,
    Signature,
    clipped,
    read,
    shown,
    signed_part,
)

__all__ = [
    "FORMAT",
    "Fairness",
    "Record",
    "RecordedMove",
    "Signature",
    "Step",
    "Verified",
    "build",
    "read",
    "recorded_facts",
    "replay",
    "signed_part",
    "valid_prefix",
    "verify",
    "write",
]


class Step(NamedTuple):
    """One move of a replay: what was recorded, and what the engine makes of it."""

    move: RecordedMove
    before: Any
    after: Any
    facts: Facts


@dataclass(frozen=True, slots=True)
class Verified:
    """A record that holds: its last state, what is pending there, and whether the
    seed was there to check every chance outcome."""

    record: Record
    state: Any
    pending: Pending
    seeded: bool


def recorded_facts(rules: Ruleset[S], facts: Facts) -> dict[str, Any]:
    """Of the facts of a move, those that stand in a record."""
    return {name: facts[name] for name in rules.recorded if name in facts}


def build(
    rules: Ruleset[S],
    state: S,
    *,
    id: str,
    options: Options,
    names: Iterable[str],
    piles: tuple[Pile, ...],
    fairness: Fairness,
    moves: Iterable[RecordedMove],
) -> Record:
    """The record of a game that stands at `state`.

    Piles and seed may be given in full at any time: of a running game only what is
    public goes into the record.
    """
    result = _result(rules.pending(state))
    return Record(
        game=rules.key,
        id=id,
        rules=rules.options(options),
        names=tuple(names),
        piles=piles if result else rules.revealed(state),
        fairness=fairness if result else replace(fairness, seed=None),
        moves=tuple(moves),
        result=result,
    )


def write(record: Record) -> str:
    """The record as one line of JSON."""
    fairness: dict[str, Any] = {
        "commitment": record.fairness.commitment,
        "entropy": record.fairness.entropy,
    }
    if record.fairness.joined is not None:
        fairness["joined"] = record.fairness.joined
    if record.fairness.seed is not None:
        fairness["seed"] = record.fairness.seed.hex()
    colours = ruleset(record.game).colours(len(record.names))
    data = {
        "format": FORMAT,
        "game": record.game,
        "id": record.id,
        "rules": record.rules,
        "players": [
            {"name": name, "colours": own} for name, own in zip(record.names, colours, strict=True)
        ],
        "piles": record.piles,
        "fairness": fairness,
        "moves": [_written(move) for move in record.moves],
    }
    if record.result is not None:
        data["result"] = record.result
    if record.signature is not None:
        data["signature"] = record.signature._asdict()
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _written(move: RecordedMove) -> dict[str, Any]:
    data = {"n": move.n, "seat": move.seat, "action": move.action, **move.facts}
    if move.legal is not None:
        data["legal"] = move.legal
    if move.at is not None:
        data["at"] = move.at
    return data


def replay(record: Record) -> Iterator[Step]:
    """Move after move, as far as the record holds; then the error that says where it does not."""
    return _steps(record, _start(record))


def _steps(record: Record, state: Any) -> Iterator[Step]:
    rules = ruleset(record.game)
    seed = record.fairness.seed
    seeded = None if seed is None else SeededSource(seed, record.fairness.entropy)
    for move in record.moves:
        try:
            if move.legal is not None:
                _check_legal(rules, state, move)
            source = seeded or RecordedSource(move.facts.get("die"))
            after, facts = play(rules, state, move.seat, move.action, source)
            _check_facts(move.facts, recorded_facts(rules, facts))
        except RulesError as error:
            raise BadRecord(f"move {move.n}: {clipped(error)}") from None
        yield Step(move, state, after, facts)
        state = after


def valid_prefix(record: Record) -> tuple[tuple[Step, ...], BadRecord | None]:
    """The moves that hold, and the failure that ended them if there was one."""
    steps: list[Step] = []
    try:
        steps.extend(replay(record))
    except BadRecord as failure:
        return tuple(steps), failure
    return tuple(steps), None


def verify(record: Record) -> Verified:
    """Replay the whole record and check all that follows from its moves."""
    rules = ruleset(record.game)
    state = _start(record)
    for step in _steps(record, state):
        state = step.after
    pending = rules.pending(state)
    expected = _result(pending)
    if record.result is not None and isinstance(pending, Decide):
        raise BadRecord(
            "result: the game is not over, "
            f"expected a move of seat {pending.seat} ({pending.kind}) and no result"
        )
    if not same(record.result, expected):
        raise BadRecord(f"result is {shown(record.result)}, expected {shown(expected)}")
    if expected is None and record.piles != rules.revealed(state):
        raise BadRecord(
            "piles: of a running game, expected of each what has been seen: "
            f"{', '.join(str(len(pile)) for pile in rules.revealed(state))} from the top"
        )
    return Verified(record, state, pending, record.fairness.seed is not None)


def _start(record: Record) -> Any:
    """The state before the first move, once seed, commitment and piles fit together."""
    rules = ruleset(record.game)
    seats = len(record.names)
    fairness = record.fairness
    decks = rules.decks(seats, record.rules)
    _check_seating(record)
    if fairness.seed is not None:
        if commitment(fairness.seed) != fairness.commitment:
            raise BadRecord(
                f"fairness: the commitment is {fairness.commitment}, "
                f"expected {commitment(fairness.seed)} from the seed"
            )
        dealt = deal(fairness.seed, fairness.entropy, decks)
        if record.piles != dealt:
            raise BadRecord(f"piles are {shown(record.piles)}, expected {shown(dealt)}")
    elif record.result is not None and list(map(sorted, record.piles)) != list(map(sorted, decks)):
        raise BadRecord("piles: of a finished game, expected all of them")
    try:
        return rules.start(seats, record.rules, record.piles)
    except RulesError as error:
        raise BadRecord(f"piles: {clipped(error)}") from None


def _check_seating(record: Record) -> None:
    """Who sits where follows from who joined when; before the seed is known, at least who."""
    joined, seed = record.fairness.joined, record.fairness.seed
    if joined is None:
        return
    if seed is None:
        if sorted(joined) != sorted(record.names):
            raise BadRecord(f"fairness: {shown(joined)} joined, expected {shown(record.names)}")
        return
    seated = tuple(joined[each] for each in seating(seed, record.fairness.entropy))
    if record.names != seated:
        raise BadRecord(f"players are {shown(record.names)}, expected {shown(seated)}")


def _check_legal(rules: Ruleset[S], state: S, move: RecordedMove) -> None:
    pending = rules.pending(state)
    decides = isinstance(pending, Decide) and pending.seat == move.seat
    expected = rules.legal(state) if decides else ()
    if move.legal != expected:
        raise BadRecord(f"legal is {shown(move.legal)}, expected {shown(expected)}")


def _check_facts(stands: Facts, expected: Facts) -> None:
    if same(stands, expected):
        return
    for name in {**expected, **stands}:
        if name not in stands:
            raise BadRecord(f"{name} is missing, expected {shown(expected[name])}")
        if name not in expected:
            raise BadRecord(f"{name} is {shown(stands[name])}, expected no {name}")
        if not same(stands[name], expected[name]):
            raise BadRecord(f"{name} is {shown(stands[name])}, expected {shown(expected[name])}")


def same(one: Any, other: Any) -> bool:
    """Equal as JSON is equal: unlike `==`, true is not 1."""
    kind = type(one)
    if kind is not type(other):
        return False
    if kind is dict:
        keys = one.keys()
        return keys == other.keys() and all(same(one[key], other[key]) for key in keys)
    if kind is list:
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def _result(pending: Pending) -> dict[str, Any] | None:
    return pending.result() if isinstance(pending, Over) else None
