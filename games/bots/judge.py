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


def actions(observation: Observation, *, thorough: bool = False) -> list[Prospect]:
    """The actions, the best for who decides first, with everybody's shares after each.

    By the network alone in a moment; thoroughly as the Grand Vizier weighs them. An action that a
    thorough search does not look at may be missing.
    """
    found: list[Prospect] = part(observation["game"], "bots.prospects").actions(
        observation, thorough=thorough
    )
    return found


def faces(observation: Observation, action: str) -> list[Face]:
    """What each value of the die brings after this action; nothing where no die falls."""
    found: list[Face] = part(observation["game"], "bots.prospects").faces(observation, action)
    return found
