"""Players of Marrakech who need nothing compiled: two yardsticks and the Apprentice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from games.titles.marrakech.rules.geometry import (
    DIE,
    HEADINGS,
    NUMBERS,
    QUARTERS,
    SPOT_BY_ACTION,
    WALKS,
    pose,
    region,
    turned,
)

Observation = Mapping[str, Any]

# By how many dirhams and squares the Apprentice misjudges an action at most.
CARELESS_TURN, CARELESS_LAY = 3.0, 2.5


def random(seen: Observation, rng: Random) -> str:
    return str(rng.choice(seen["legal"]))


def greedy(seen: Observation, rng: Random) -> str:
    """The lowest expected payment; the largest gain in own minus other visible squares."""
    return _best(seen, rng, 0.0, 0.0)


def apprentice(seen: Observation, rng: Random) -> str:
    """Wants what greedy wants, and misjudges it."""
    return _best(seen, rng, CARELESS_TURN, CARELESS_LAY)


def _best(seen: Observation, rng: Random, careless_turn: float, careless_lay: float) -> str:
    laying = seen["pending"]["kind"] == "lay"
    judge = _gain(seen) if laying else _thrift(seen)
    careless = careless_lay if laying else careless_turn

    def appeal(action: str) -> tuple[float, float]:
        return judge(action) + careless * rng.random(), rng.random()

    return str(max(seen["legal"], key=appeal))


def _thrift(seen: Observation) -> Callable[[str], float]:
    """What a turn saves the mover or, where it is made for the next one, costs that one."""
    if seen["pending"]["kind"] == "face":
        return lambda action: _fare_of_next(seen, action)
    forecast = seen["forecast"]
    return lambda action: -float(forecast[action]["mean"])


def _fare_of_next(seen: Observation, action: str) -> float:
    """What the next player must expect to pay if Assam is turned this way."""
    me, seats = seen["pending"]["seat"], seen["seats"]
    after = [(me + step) % seats for step in range(1, seats)]
    mover = next(seat for seat in after if seen["players"][seat]["in"])
    fields: dict[str, int] = {}
    colour_on: dict[int, str] = {}
    for rug in seen["rugs"]:
        if rug["seat"] != mover and not rug["neutral"]:
            for name in rug["visible"]:
                square = NUMBERS[name]
                fields[rug["colour"]] = fields.get(rug["colour"], 0) | 1 << square
                colour_on[square] = rug["colour"]
    assam = seen["assam"]
    start = pose(NUMBERS[assam["square"]], HEADINGS.index(assam["facing"]))
    ends = [WALKS[turned(start, QUARTERS[action])][face].end // 4 for face in DIE]
    prices = [
        region(end, fields[colour_on[end]]).bit_count() if end in colour_on else 0 for end in ends
    ]
    return sum(prices) / len(DIE)


def _gain(seen: Observation) -> Callable[[str], float]:
    """Own squares won and others' squares covered."""
    me = seen["pending"]["seat"]
    worth = dict.fromkeys(NUMBERS.values(), 1)
    for rug in seen["rugs"]:
        for name in rug["visible"]:
            worth[NUMBERS[name]] = 0 if rug["seat"] == me else 1 if rug["neutral"] else 2
    return lambda action: sum(worth[square] for square in SPOT_BY_ACTION[action].squares)
