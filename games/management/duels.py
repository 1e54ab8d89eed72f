"""Games of bots against bots, through the same doors as live ones: an observation in, an action
out."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

from games import bots
from games.engine.chance import SEED_BYTES, SeededSource, deal
from games.engine.games import ruleset
from games.engine.interface import Decide, Options, Over, play


@dataclass(frozen=True, slots=True)
class Duel:
    """What is played; the first bot changes its seat from game to game."""

    game: str
    lineup: tuple[str, ...]
    options: Options
    seed: int


@dataclass(slots=True)
class Tally:
    """What became of one place in the line-up."""

    wins: float = 0.0
    squared: float = 0.0
    """The sum of the squares of the wins: a shared one is less than one."""
    decisions: int = 0
    seconds: float = 0.0
    """The processor's time for them."""
    longest: float = 0.0

    def add(self, other: Tally) -> None:
        self.wins += other.wins
        self.squared += other.squared
        self.decisions += other.decisions
        self.seconds += other.seconds
        self.longest = max(self.longest, other.longest)

    def decided(self, seconds: float) -> None:
        self.decisions += 1
        self.seconds += seconds
        self.longest = max(self.longest, seconds)

    def won(self, share: float) -> None:
        self.wins += share
        self.squared += share * share


@dataclass(slots=True)
class Score:
    games: int
    tallies: list[Tally]

    @classmethod
    def zero(cls, places: int) -> Score:
        return cls(0, [Tally() for _ in range(places)])

    def add(self, other: Score) -> None:
        self.games += other.games
        for mine, theirs in zip(self.tallies, other.tallies, strict=True):
            mine.add(theirs)

    def share(self, place: int) -> tuple[float, float]:
        """The share of the wins, and half the width of its 95 % interval."""
        tally = self.tallies[place]
        share = tally.wins / self.games
        variance = max(0.0, tally.squared / self.games - share * share)
        return share, 1.96 * (variance / self.games) ** 0.5


def lineup(names: Sequence[str], players: int) -> tuple[str, ...]:
    """The bots in order; the last of them fills the table."""
    return (*names, *[names[-1]] * (players - len(names)))


def play_duel(duel: Duel, number: int) -> Score:
    """One game, the same for the same number whoever plays it when."""
    rules, seats = ruleset(duel.game), len(duel.lineup)
    rng = random.Random(f"{duel.seed} {number // seats}")  # noqa: S311
    secret, words = rng.randbytes(SEED_BYTES), ("arena",) * seats
    state = rules.start(seats, duel.options, deal(secret, words, rules.decks(seats, duel.options)))
    source = SeededSource(secret, words)
    places = [(seat + number) % seats for seat in range(seats)]
    score, moves = Score.zero(seats), 0
    while isinstance(pending := rules.pending(state), Decide):
        place = places[pending.seat]
        seed = f"{duel.seed} {number} {moves}".encode()
        seen = rules.observe(state, pending.seat)
        begun = time.thread_time()
        action = bots.choose(duel.lineup[place], seen, seed)
        taken = time.thread_time() - begun
        if len(seen["legal"]) > 1:
            score.tallies[place].decided(taken)
        state, _ = play(rules, state, pending.seat, action, source)
        moves += 1
    assert isinstance(pending, Over)
    winners = pending.ranking[0]
    for seat in winners:
        score.tallies[places[seat]].won(1 / len(winners))
    score.games = 1
    return score
