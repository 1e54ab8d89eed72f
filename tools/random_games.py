"""Whole games of uniformly random legal actions, from nothing but a seed."""

from __future__ import annotations

import random
from typing import Any

from games.engine.chance import SEED_BYTES, SeededSource, commitment, deal, seating
from games.engine.interface import RESIGN, TIMEOUT, Decide, Options, Ruleset, play
from games.engine.record import Fairness, Record, RecordedMove, build, recorded_facts


def simulated_game(
    rules: Ruleset[Any],
    *,
    seats: int,
    options: Options,
    seed: str,
    leave: float = 0.0,
    with_legal: bool = False,
) -> Record:
    """One complete game; before each move a seat still in leaves with probability `leave`."""
    # Not for secrets: a simulated game must come out the same for the same seed.
    rng = random.Random(seed)
    secret = rng.randbytes(SEED_BYTES)
    entropy = tuple(f"{rng.getrandbits(32):08x}" for _ in range(seats))
    piles = deal(secret, entropy, rules.decks(seats, options))
    source = SeededSource(secret, entropy)
    state = rules.start(seats, options, piles)
    inside = set(range(seats))
    moves: list[RecordedMove] = []
    while isinstance(pending := rules.pending(state), Decide):
        legal = rules.legal(state)
        if leave and rng.random() < leave:
            seat, action = rng.choice(sorted(inside)), rng.choice((RESIGN, TIMEOUT))
        else:
            seat, action = pending.seat, rng.choice(legal)
        state, facts = play(rules, state, seat, action, source)
        inside.difference_update(facts.get("out", ()))
        moves.append(
            RecordedMove(
                n=len(moves) + 1,
                seat=seat,
                action=action,
                facts=recorded_facts(rules, facts),
                legal=(legal if seat == pending.seat else ()) if with_legal else None,
            )
        )
    return build(
        rules,
        state,
        id="",
        options=options,
        names=[f"Player {joined + 1}" for joined in seating(secret, entropy)],
        piles=piles,
        fairness=Fairness(commitment(secret), entropy, secret),
        moves=moves,
    )
