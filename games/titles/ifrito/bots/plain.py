"""Players of Ifrito who need nothing compiled: chance, and the Apprentice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from games.titles.ifrito.rules.geometry import CELL, CUSHION, NEEDS

Observation = Mapping[str, Any]

CAPTURE, ENTER, BOARD, FLY, LEAVE = 6.0, 4.0, 3.0, 1.0, 0.0
DANGER = 3.0
CARELESS = 4.0


def random(seen: Observation, rng: Random) -> str:
    return str(rng.choice(seen["legal"]))


def greedy(seen: Observation, rng: Random) -> str:
    """Takes what can be taken, gathers genies, and stays out of reach."""
    return _best(seen, rng, 0.0)


def apprentice(seen: Observation, rng: Random) -> str:
    """Wants what greedy wants, and misjudges it."""
    return _best(seen, rng, CARELESS)


def _best(seen: Observation, rng: Random, careless: float) -> str:
    judge = _judge(seen)

    def appeal(action: str) -> tuple[float, float]:
        return judge(action) + careless * rng.random(), rng.random()

    return str(max(seen["legal"], key=appeal))


def _judge(seen: Observation) -> Callable[[str], float]:
    me = seen["pending"]["seat"]
    armed = [player["seat"] for player in seen["players"] if player["in"] and not player["hand"]]
    lying = {carpet["cell"]: carpet for carpet in seen["carpets"] if carpet["cell"]}
    hunters = [
        (CELL[cell], sum(CUSHION[name] for name in carpet["cushions"]))
        for cell, carpet in lying.items()
        if carpet["seat"] != me and carpet["seat"] in armed
    ]

    def in_danger(cell: str, genies: int) -> bool:
        return genies > 0 and any(
            aboard.bit_count() >= genies
            and (needed := NEEDS[place].get(CELL[cell])) is not None
            and needed & ~aboard == 0
            for place, aboard in hunters
        )

    def judge(action: str) -> float:
        verb, _, rest = action.partition(":")
        if verb in ("pick", "pass"):
            return 0.0
        if verb == "enter":
            return ENTER - DANGER * in_danger(rest[:3], rest.count("@"))
        start, target, sign = rest[:3], rest[4:7], rest[7:8]
        genies = len(lying[start]["cushions"])
        if verb == "capture":
            return CAPTURE + len(lying[target]["cushions"])
        value = {"@": BOARD, "!": LEAVE}.get(sign, FLY)
        genies += {"@": 1, "!": -1}.get(sign, 0)
        return value - DANGER * in_danger(target, genies)

    return judge
