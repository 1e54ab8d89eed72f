"""How large does the tree of openings get?"""

from __future__ import annotations

import json
import random
from typing import Any

from games.engine.games import RULESETS
from games.engine.interface import Chance, Decide, Ruleset

from .measure import Measurement

GAMES = 200_000
MOST = 120_000
"""Places of the tree, with that many games."""


def run(repeats: int) -> list[Measurement]:
    """Of players who choose at random: nobody spreads wider than they do."""
    from games import titles
    from games.services.openings import InMemory, Line, Tree, facet

    kinds = [(rules, size) for rules in RULESETS.values() for size in rules.seat_counts]
    # Not for secrets: the same games each time.
    rng = random.Random(GAMES)  # noqa: S311
    found, total, weight = [], 0, 0
    for rules, size in kinds:
        title = titles.find(rules.key)
        tree = Tree(rules.key, size, InMemory())
        presets = list(rules.presets)
        for _ in range(GAMES // len(kinds)):
            edition = rng.choice(presets)
            path = beginning(rules, size, edition, title.opening if title else 0, rng)
            of = facet(edition, rng.randrange(5), bots=rng.random() < 0.3)
            tree.enter(Line(path, of, frozenset({rng.randrange(size)})))
        total += len(tree.places)
        weight += sum(
            len(place.path) + len(json.dumps(place.counts)) for place in tree.places.values()
        )
        most = max(place.path.count("/") + 1 for place in tree.places.values())
        found.append(f"{rules.key} for {size}: {len(tree.places):,}, {most} deep")
    name = f"{GAMES:,} games, {weight / 1e6:.1f} MB of paths and counts ({'; '.join(found)})"
    return [Measurement(name, "places", total, total, MOST, False)]


def beginning(rules: Ruleset[Any], size: int, edition: str, moves: int, rng: random.Random) -> str:
    """The path of the first moves of a game, as the books know it."""
    options = rules.options(rules.presets[edition])
    piles = tuple(tuple(rng.sample(deck, len(deck))) for deck in rules.decks(size, options))
    state = rules.start(size, options, piles)
    steps: list[str] = []
    seat = 0
    while True:
        pending = rules.pending(state)
        if isinstance(pending, Chance):
            face = rng.choice(pending.faces)
            steps.append(f"{seat}{face}")
            state, _ = rules.land(state, face)
        elif moves and isinstance(pending, Decide):
            seat, moves = pending.seat, moves - 1
            action = rng.choice(rules.legal(state))
            steps.append(f"{seat}{action}")
            state, _ = rules.decide(state, seat, action)
        else:
            return "/".join(steps)
