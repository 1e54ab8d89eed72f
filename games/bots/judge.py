"""The judge's door: what an observation is worth to every seat, whatever the game.

Pure and without chance: the same observation has the same answers on every machine for as long as
the version is the same. Asking loads compiled code, so only workers and commands ask.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.titles import TITLES, part
from games.titles.judging import Face, Prospect, Shares

Observation = Mapping[str, Any]


def is_judged(game: str) -> bool:
    return game in TITLES and TITLES[game].is_judged


def version(game: str, seats: int) -> str:
    """Stands for the weights and for how they are used."""
    return str(part(game, "bots.prospects").version(seats))


def shares(observation: Observation) -> Shares:
    """The win share of every seat where somebody is to decide: before a roll as the network says,
    else after the best action."""
    found: Shares = part(observation["game"], "bots.prospects").shares(observation)
    return found


def actions(
    observation: Observation, *, careful: bool = False, thorough: bool = False
) -> list[Prospect]:
    """The actions, the best for who decides first, with everybody's shares after each.

    By the network alone in a moment; with care a little further ahead, as far as a whole game can
    be looked at; thoroughly as far as the Grand Vizier sees. An action that a thorough search
    does not look at may be missing.
    """
    room = part(observation["game"], "bots.prospects")
    found: list[Prospect] = room.actions(observation, thorough=thorough, **_care(room, careful))
    return found


def faces(observation: Observation, action: str, *, careful: bool = False) -> list[Face]:
    """What each value of the die brings after this action; nothing where no die falls."""
    room = part(observation["game"], "bots.prospects")
    found: list[Face] = room.faces(observation, action, **_care(room, careful))
    return found


def _care(room: Any, careful: bool) -> dict[str, bool]:
    """Only a room that says how far it looks with care is asked to."""
    return {"careful": True} if careful and hasattr(room, "CAREFUL") else {}


def trials(
    observation: Observation, action: str, *, seed: int, first: int, count: int
) -> list[tuple[int, ...]]:
    """What so many continuations of this action come to for every seat, in millionths of a win,
    without the luck in them: they are judged after a while. The same seed and numbers meet the
    same chance."""
    room = part(observation["game"], "bots.prospects")
    found: list[tuple[int, ...]] = room.trials(observation, action, seed, first, count)
    return found
