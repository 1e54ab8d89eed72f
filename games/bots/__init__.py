"""Players without a body: an observation in, an action out.

A bot sees what its seat may see and draws its chances from a seed, so that the same observation
and seed give the same action for ever. All but the Apprentice need compiled code: until
`prepare` has run once for this folder of compiled code, a plain player sits in for them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

from games.titles import TITLES, part

from . import judge, readiness
from .readiness import keep_compiled_in, ready

__all__ = [
    "COMPILED",
    "LEVELS",
    "YARDSTICKS",
    "Advice",
    "advice",
    "choose",
    "keep_compiled_in",
    "prepare",
    "ready",
]

Observation = Mapping[str, Any]

LEVELS: Mapping[str, tuple[str, ...]] = {
    key: title.bot_levels for key, title in TITLES.items() if title.bot_levels
}
# Not for people to play with: what the levels are measured against.
YARDSTICKS = ("greedy", "random")
COMPILED = frozenset(("merchant", "vizier", "grand-vizier"))


class Advice(NamedTuple):
    """What the Vizier would do, and how much better it is than the next best.

    In the unit that the game's own search counts in; 0 without a choice. Where the game has a
    judge, also the win share after it and after the best of all other choices, in points.
    """

    action: str
    gain: float
    share: float | None = None
    other: float | None = None


def choose(level: str, observation: Observation, seed: bytes | int) -> str:
    """The action of a bot whose seat is to decide."""
    legal, game = observation["legal"], observation["game"]
    if level not in (*LEVELS.get(game, ()), *YARDSTICKS):
        raise ValueError(f"{game} has no bot {level!r}")
    if len(legal) == 1:
        return str(legal[0])
    if level in COMPILED:
        if not ready():
            return _plain(game, "greedy")(observation, _source(seed))
        if level == "vizier":
            return str(_compiled(game).weighed(observation, _number(seed))[0][0])
        player = getattr(_compiled(game), level.replace("-", "_"))
        return str(player(observation, _number(seed)))
    return _plain(game, level)(observation, _source(seed))


def advice(observation: Observation, seed: bytes | int = 0) -> Advice | None:
    """“What would the Vizier do?”; None while that is not compiled."""
    legal = observation["legal"]
    if len(legal) == 1:
        return Advice(str(legal[0]), 0.0)
    if not ready():
        return None
    (action, best), (_, second), *_ = _compiled(observation["game"]).weighed(
        observation, _number(seed)
    )
    # Chances to win come first, so that the next best may promise a little more.
    return Advice(action, max(0.0, best - second), *_win_shares(observation, action))


def _win_shares(observation: Observation, action: str) -> tuple[float, float] | tuple[()]:
    """Of whoever decides: after this action, and after the best of the others. Nothing where the
    judge would rather do something else: that is no reason to follow the advice."""
    if not judge.is_judged(observation["game"]):
        return ()
    seat = observation["pending"]["seat"]
    found = {each.action: 100 * each.shares[seat] for each in judge.actions(observation)}
    if action not in found or len(found) < 2:
        return ()
    share, other = found.pop(action), max(found.values())
    return (share, other) if share >= other else ()


def prepare() -> None:
    """Compile what is not compiled yet, and load it. Takes about a minute the first time."""
    with nullcontext() if ready() else readiness.compiling():
        for game, levels in LEVELS.items():
            if COMPILED.intersection(levels):
                _compiled(game).warm_up()


def _plain(game: str, name: str) -> Callable[[Observation, Random], str]:
    chosen: Callable[[Observation, Random], str] = getattr(part(game, "bots.plain"), name)
    return chosen


def _compiled(game: str) -> ModuleType:
    """Imports Numba, which a web process never should."""
    return part(game, "bots.levels")


def _number(seed: bytes | int) -> int:
    """A seed for compiled code: 62 bits of whatever was given."""
    given = seed if isinstance(seed, bytes) else str(seed).encode()
    return int.from_bytes(hashlib.sha256(given).digest()[:8], "big") >> 2


def _source(seed: bytes | int) -> Random:
    return Random(_number(seed))  # noqa: S311
