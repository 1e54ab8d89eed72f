"""Games of random legal actions, state by state, for any ruleset."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from games.engine.chance import SEED_BYTES, SeededSource, deal
from games.engine.games import RULESETS
from games.engine.interface import LEAVING, Decide, Facts, Options, Pile, Ruleset, play


class Setting(NamedTuple):
    """A game to be tested: a ruleset with a number of seats and options."""

    rules: Ruleset[Any]
    seats: int
    options: Options


class Played(NamedTuple):
    before: Any
    seat: int
    action: str
    after: Any
    facts: Facts


def _options(rules: Ruleset[Any]) -> list[Options]:
    """The different options of all presets; the default where there are none."""
    different: list[Options] = []
    for options in [rules.options({}), *rules.presets.values()]:
        if options not in different:
            different.append(options)
    return different


SETTINGS = [
    Setting(rules, seats, options)
    for rules in RULESETS.values()
    for seats in rules.seat_counts
    for options in _options(rules)
]


def name(setting: Setting) -> str:
    words = (str(value) for value in setting.options.values())
    return "-".join((setting.rules.key, str(setting.seats), *words))


def dealt(setting: Setting, seed: int) -> tuple[tuple[Pile, ...], SeededSource]:
    secret = random.Random(seed).randbytes(SEED_BYTES)
    words = ("word",) * setting.seats
    decks = setting.rules.decks(setting.seats, setting.options)
    return deal(secret, words, decks), SeededSource(secret, words)


def random_game(setting: Setting, seed: int, leave: float = 0.0) -> Iterator[Played]:
    """Each move of one game; with probability `leave` it is a seat that leaves."""
    rules, seats, options = setting
    rng = random.Random(seed)
    piles, source = dealt(setting, seed)
    state = rules.start(seats, options, piles)
    inside = set(range(seats))
    while isinstance(pending := rules.pending(state), Decide):
        if rng.random() < leave:
            seat, action = rng.choice(sorted(inside)), rng.choice(LEAVING)
        else:
            seat, action = pending.seat, rng.choice(rules.legal(state))
        after, facts = play(rules, state, seat, action, source)
        inside -= set(facts.get("out", ()))
        yield Played(state, seat, action, after, facts)
        state = after
