"""What bots lose at their decisions, by continuations to the end of the game.

Two bots may differ by little more than what there is to win: whoever loses next to nothing at a
decision cannot become much stronger. Continuations are played by the judge's own players, with the
luck in them subtracted, and go to the end, so that nobody's guess about a position counts.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, NamedTuple

from games import bots
from games.bots import judge
from games.engine.games import ruleset
from games.engine.interface import Decide, play
from games.reckon.judged.shares import WHOLE
from games.reckon.judged.trials import Outcome

from .lineups import Lineup, seated

RIVALS = 4
"""So many of the actions that look best are tried beside what the bots choose."""


@dataclass(frozen=True, slots=True)
class Study:
    """Which games are played, how many decisions are drawn of each, and how often each action is
    continued there."""

    lineup: Lineup
    seed: int
    decisions: int
    trials: int


class Findings(NamedTuple):
    """What each bot would lose at each of the drawn decisions, in wins; and how many decisions
    with a choice a seat had."""

    losses: list[dict[str, float]]
    choices: float


def look_into(study: Study, number: int) -> Findings:
    """One game, the same for the same number."""
    rng = random.Random(f"{study.seed} {number}")  # noqa: S311
    moments = _played(study, number, rng)
    drawn = rng.sample(moments, min(study.decisions, len(moments)))
    return Findings(
        [_lost(study, seen, rng.randrange(1 << 48)) for seen in drawn],
        len(moments) / len(study.lineup.bots),
    )


def _played(study: Study, number: int, rng: random.Random) -> list[Mapping[str, Any]]:
    """What was seen wherever somebody had a choice."""
    rules, players = ruleset(study.lineup.game), study.lineup.bots
    state, source = seated(study.lineup, rng)
    moments, moves = [], 0
    while isinstance(pending := rules.pending(state), Decide):
        seen = rules.observe(state, pending.seat)
        if len(seen["legal"]) > 1:
            moments.append(seen)
        bot = players[(pending.seat + number) % len(players)]
        action = bots.choose(bot, seen, f"{study.seed} {number} {moves}".encode())
        state, _ = play(rules, state, pending.seat, action, source)
        moves += 1
    return moments


def _lost(study: Study, seen: Mapping[str, Any], seed: int) -> dict[str, float]:
    seat = seen["pending"]["seat"]
    chosen = {bot: bots.choose(bot, seen, str(seed).encode()) for bot in set(study.lineup.bots)}
    rivals = [each.action for each in judge.actions(seen, thorough=True)[:RIVALS]]
    outcomes = {
        action: judge.trials(seen, action, seed=seed, first=0, count=study.trials, to_the_end=True)
        for action in sorted({*rivals, *chosen.values()})
    }
    return {bot: loss(outcomes, action, seat) / WHOLE for bot, action in chosen.items()}


def loss(outcomes: Mapping[str, Sequence[Outcome]], action: str, seat: int) -> float:
    """By how much an action falls short of the best: the best by each half of the continuations,
    valued on the other, or whatever happened to do well would always look best."""
    values = {name: [each[seat] for each in found] for name, found in outcomes.items()}
    half = len(values[action]) // 2
    short = []
    for choosing, valuing in ((slice(half), slice(half, None)), (slice(half, None), slice(half))):
        best = max(values, key=lambda name: fmean(values[name][choosing]))
        short.append(fmean(values[best][valuing]) - fmean(values[action][valuing]))
    return fmean(short)
