"""The shape of a record: its parts as values, and the strict reader of its text.

The text may come from anywhere. Nothing but `BadRecord` may leave `read`, whatever
the text is, and a `Record` that leaves it has the right types throughout, except for
the facts of its moves and its result: those are compared with the engine's own.
"""

from __future__ import annotations

import json
import re
import reprlib
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn

from .chance import SEED_BYTES
from .errors import BadRecord, RulesError
from .games import ruleset
from .interface import Facts, Options, Pile, Ruleset

FORMAT = "souk-record/1"

LONGEST_TEXT = 200
LONGEST_ACTION = 40
ENTROPY = re.compile(r"[A-Za-z0-9-]{1,32}")
HASH = re.compile(r"[0-9a-f]{64}")
SIGNATURE = re.compile(r"[0-9a-f]{128}")
SEED = re.compile(rf"[0-9a-f]{{{2 * SEED_BYTES}}}")
INSTANT = re.compile(
    r"([0-9]{4})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
    r"T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z"
)
# Control characters and halves of surrogate pairs: no database and no terminal wants them.
UNPRINTABLE = ("Cc", "Cs")
MOVE_KEYS = frozenset(("n", "seat", "action"))
# Beside the facts that the ruleset lists.
MOVE_EXTRAS = frozenset(("at", "legal"))


@dataclass(frozen=True, slots=True)
class Fairness:
    commitment: str
    entropy: tuple[str, ...]
    """In order of joining."""
    seed: bytes | None = None
    joined: tuple[str, ...] | None = None
    """The names of the players, in the same order."""


class Signature(NamedTuple):
    """By the site that wrote the record: the name of its key, and the bytes in hexadecimal."""

    key: str
    ed25519: str


class RecordedMove(NamedTuple):
    n: int
    seat: int
    action: str
    facts: Facts
    at: str | None = None
    legal: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Record:
    game: str
    id: str
    rules: Options
    names: tuple[str, ...]
    """In seat order; the colours follow from the game."""
    piles: tuple[Pile, ...]
    fairness: Fairness
    moves: tuple[RecordedMove, ...]
    result: Mapping[str, Any] | None
    signature: Signature | None = None


def read(text: str | bytes) -> Record:
    """The record that the text is, or `BadRecord`."""
    data = _object(
        _parsed(text),
        "the record",
        ("format", "game", "id", "rules", "players", "fairness", "moves"),
        ("piles", "result", "signature"),
    )
    if data["format"] != FORMAT:
        _refuse("format", data["format"], repr(FORMAT))
    rules = _game(data["game"])
    names = _players(data["players"], rules)
    record = Record(
        game=rules.key,
        id=_text(data["id"], "id"),
        rules=_rules(data["rules"], rules),
        names=names,
        piles=tuple(_texts(pile, "piles") for pile in _list(data.get("piles", []), "piles")),
        fairness=_fairness(data["fairness"], len(names)),
        moves=_moves(data["moves"], rules),
        result=_result(data),
        signature=_signature(data),
    )
    if record.result is None and record.fairness.seed is not None:
        raise BadRecord("fairness: a seed stands there, expected none before the game is over")
    return record


_repr = reprlib.Repr()
_repr.maxlevel = 3
_repr.maxstring = _repr.maxother = _repr.maxlong = 60
_repr.maxlist = _repr.maxtuple = 15


def shown(value: object) -> str:
    """A value for a message: never long, and printable whatever it is."""
    return "nothing" if value is None else _repr.repr(value)


def clipped(error: RulesError) -> str:
    return str(error)[:500]


def _refuse(where: str, stands: object, expected: str) -> NoReturn:
    raise BadRecord(f"{where} is {shown(stands)}, expected {expected}")


def _parsed(text: str | bytes) -> object:
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        return json.loads(
            text, object_pairs_hook=_unique, parse_float=_no_number, parse_constant=_no_number
        )
    except UnicodeDecodeError as error:
        raise BadRecord(f"the text is not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise BadRecord(
            f"the text is not JSON at line {error.lineno}, column {error.colno}: {error.msg}"
        ) from None
    except RecursionError:
        raise BadRecord("the text is nested too deeply") from None
    except BadRecord:
        raise
    except ValueError:
        raise BadRecord("the text has a number of too many digits") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for key, value in pairs:
        if key in data:
            raise BadRecord(f"the key {shown(key)} stands twice in one object, expected once")
        data[key] = value
    return data


def _no_number(text: str) -> NoReturn:
    raise BadRecord(f"the number {shown(text)} stands there, expected whole numbers only")


def _object(
    value: object, where: str, required: Iterable[str], optional: Iterable[str] = ()
) -> dict[str, Any]:
    if type(value) is not dict:
        _refuse(where, value, "an object")
    for key in required:
        if key not in value:
            raise BadRecord(f"{where} has no {key!r}, expected one")
    for key in value:
        if key not in required and key not in optional:
            raise BadRecord(f"{where} has {shown(key)}, expected no such key")
    return value


def _list(value: object, where: str) -> list[Any]:
    if type(value) is not list:
        _refuse(where, value, "a list")
    return value


def _text(value: object, where: str, longest: int = LONGEST_TEXT) -> str:
    if type(value) is not str:
        _refuse(where, value, "text")
    if len(value) > longest:
        _refuse(where, value, f"at most {longest} characters")
    if not value.isprintable() and any(unicodedata.category(each) in UNPRINTABLE for each in value):
        _refuse(where, value, "text without control characters")
    return value


def _texts(value: object, where: str) -> tuple[str, ...]:
    return tuple([_text(each, where, LONGEST_ACTION) for each in _list(value, where)])


def _whole(value: object, where: str) -> int:
    if type(value) is not int:
        _refuse(where, value, "a whole number")
    return value


def _matching(value: object, where: str, pattern: re.Pattern[str], expected: str) -> str:
    if type(value) is not str or not pattern.fullmatch(value):
        _refuse(where, value, expected)
    return value


def _game(value: object) -> Ruleset[Any]:
    try:
        return ruleset(_text(value, "game"))
    except RulesError as error:
        raise BadRecord(f"game: {clipped(error)}") from None


def _rules(value: object, rules: Ruleset[Any]) -> Options:
    given = _object(value, "rules", (), value if type(value) is dict else ())
    for name, choice in given.items():
        if type(choice) not in (str, bool, int):
            _refuse(f"rules: {shown(name)}", choice, "text or true or false")
    try:
        complete = rules.options(given)
    except RulesError as error:
        raise BadRecord(f"rules: {clipped(error)}") from None
    for name in complete:
        if name not in given:
            raise BadRecord(f"rules has no {name!r}, expected one")
    return complete


def _players(value: object, rules: Ruleset[Any]) -> tuple[str, ...]:
    players = [
        _object(player, f"player {seat}", ("name", "colours"))
        for seat, player in enumerate(_list(value, "players"))
    ]
    if len(players) not in rules.seat_counts:
        counts = ", ".join(map(str, rules.seat_counts))
        raise BadRecord(f"{len(players)} players stand there, expected one of {counts}")
    for seat, own in enumerate(rules.colours(len(players))):
        colours = _texts(players[seat]["colours"], f"player {seat}: colours")
        if colours != own:
            _refuse(f"player {seat}: colours", colours, shown(own))
    return tuple(_text(each["name"], f"player {seat}: name") for seat, each in enumerate(players))


def _fairness(value: object, seats: int) -> Fairness:
    data = _object(value, "fairness", ("commitment", "entropy"), ("seed", "joined"))
    entropy = tuple(
        _matching(each, "fairness: entropy", ENTROPY, "1 to 32 letters, digits or hyphens")
        for each in _list(data["entropy"], "fairness: entropy")
    )
    if len(entropy) != seats:
        raise BadRecord(f"fairness: {len(entropy)} entropies stand there, expected {seats}")
    seed = None
    if "seed" in data:
        seed = bytes.fromhex(
            _matching(data["seed"], "fairness: seed", SEED, f"{SEED_BYTES} bytes in hexadecimal")
        )
    return Fairness(
        _matching(data["commitment"], "fairness: commitment", HASH, "a SHA-256 in hexadecimal"),
        entropy,
        seed,
        _joined(data["joined"], seats) if "joined" in data else None,
    )


def _joined(value: object, seats: int) -> tuple[str, ...]:
    joined = tuple(_text(each, "fairness: joined") for each in _list(value, "fairness: joined"))
    if len(joined) != seats:
        raise BadRecord(f"fairness: {len(joined)} names have joined, expected {seats}")
    return joined


def _moves(value: object, rules: Ruleset[Any]) -> tuple[RecordedMove, ...]:
    facts = frozenset(rules.recorded)
    moves = []
    for n, each in enumerate(_list(value, "moves"), start=1):
        try:
            moves.append(_move(each, n, facts))
        except BadRecord as error:
            raise BadRecord(f"move {n}: {error}") from None
    return tuple(moves)


def _move(value: object, n: int, facts: frozenset[str]) -> RecordedMove:
    data = _object(value, "the move", MOVE_KEYS, MOVE_EXTRAS | facts)
    if data["n"] != n or type(data["n"]) is not int:
        _refuse("n", data["n"], str(n))
    if "die" in data:
        _whole(data["die"], "die")
    return RecordedMove(
        n=n,
        seat=_whole(data["seat"], "seat"),
        action=_text(data["action"], "action", LONGEST_ACTION),
        facts={key: data[key] for key in data if key in facts},
        at=_instant(data["at"]) if "at" in data else None,
        legal=_texts(data["legal"], "legal") if "legal" in data else None,
    )


def _instant(value: object) -> str:
    expected = "a time such as '2026-11-16T09:30:00Z'"
    text = _matching(value, "at", INSTANT, expected)
    year, month, day = int(text[:4]), int(text[5:7]), int(text[8:10])
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    short = {2: 29 if leap else 28, 4: 30, 6: 30, 9: 30, 11: 30}
    if year == 0 or day > short.get(month, 31):
        _refuse("at", value, expected)
    return text


def _signature(data: Mapping[str, Any]) -> Signature | None:
    if "signature" not in data:
        return None
    given = _object(data["signature"], "signature", ("key", "ed25519"))
    return Signature(
        _text(given["key"], "signature: key"),
        _matching(given["ed25519"], "signature", SIGNATURE, "64 bytes in hexadecimal"),
    )


def signed_part(text: str | bytes) -> bytes:
    """What a signature is over: the record without it, as canonical JSON (RFC 8785). Of a record
    that was read: its numbers are whole ones and its keys plain, so nothing else is to be done."""
    data = _parsed(text)
    if isinstance(data, dict):
        data.pop("signature", None)
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()


def _result(data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    if "result" not in data:
        return None
    if type(data["result"]) is not dict:
        _refuse("result", data["result"], "an object")
    result: Mapping[str, Any] = data["result"]
    return result
