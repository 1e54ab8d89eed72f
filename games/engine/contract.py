"""Whether an observation keeps to what pages rely on; see `Observation` in the interface."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .interface import Facts, Observation, Ruleset, S, SeenPlayer


def faults_of_observation(rules: Ruleset[S], state: S, viewer: int | None) -> Iterator[str]:
    """What is wrong with the observation of this state, each fault in half a sentence."""
    seen = rules.observe(state, viewer)
    missing = sorted(Observation.__required_keys__ - seen.keys())
    if missing:
        yield f"it does not say {', '.join(missing)}"
        return
    expected: dict[str, Any] = {
        "game": rules.key,
        "viewer": viewer,
        "seats": len(seen["players"]),
        "pending": rules.pending(state).seen(),
        "legal": list(rules.legal(state)),
    }
    for name, value in expected.items():
        if seen[name] != value:
            yield f"{name} is {seen[name]!r}, expected {value!r}"
    if not isinstance(seen["options"], dict):
        yield f"options is {seen['options']!r}, expected a dict"
    for seat, player in enumerate(seen["players"]):
        yield from _faults_of_player(rules, player, seat, len(seen["players"]))


def _faults_of_player(rules: Ruleset[Any], player: Facts, seat: int, seats: int) -> Iterator[str]:
    missing = sorted(SeenPlayer.__required_keys__ - player.keys())
    if missing:
        yield f"player {seat} does not say {', '.join(missing)}"
        return
    expected = {"seat": seat, "colours": list(rules.colours(seats)[seat])}
    for name, value in expected.items():
        if player[name] != value:
            yield f"{name} of player {seat} is {player[name]!r}, expected {value!r}"
    if not isinstance(player["in"], bool):
        yield f"in of player {seat} is {player['in']!r}, expected True or False"
