"""Games of bots against bots, through the same doors as live ones: an observation in, an action
out."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

from games import bots
from games.bots import judge
from games.engine.games import ruleset
from games.engine.interface import Decide, Over, play
from games.titles.judging import Face
from tools.bots.lineups import Lineup, start_game


@dataclass(frozen=True, slots=True)
class Match:
    """What is played; the first bot changes its seat from game to game."""

    lineup: Lineup
    seed: int
    without_luck: bool = False
    """Whether the judge values the dice."""


@dataclass(slots=True)
class PlaceResult:
    """What became of one place in the line-up."""

    wins: float = 0.0
    squared: float = 0.0
    """The sum of the squares of the wins: a shared one is less than one."""
    decisions: int = 0
    seconds: float = 0.0
    """The processor's time for them."""
    longest: float = 0.0
    fair: float = 0.0
    """The wins without what the dice gave, as the judge values that."""
    fair_squared: float = 0.0

    def add(self, other: PlaceResult) -> None:
        self.wins += other.wins
        self.squared += other.squared
        self.decisions += other.decisions
        self.seconds += other.seconds
        self.longest = max(self.longest, other.longest)
        self.fair += other.fair
        self.fair_squared += other.fair_squared

    def decided(self, seconds: float) -> None:
        self.decisions += 1
        self.seconds += seconds
        self.longest = max(self.longest, seconds)

    def won(self, share: float, luck: float) -> None:
        self.wins += share
        self.squared += share * share
        self.fair += share - luck
        self.fair_squared += (share - luck) ** 2


@dataclass(slots=True)
class MatchScore:
    games: int
    tallies: list[PlaceResult]

    @classmethod
    def zero(cls, places: int) -> MatchScore:
        return cls(0, [PlaceResult() for _ in range(places)])

    def add(self, other: MatchScore) -> None:
        self.games += other.games
        for mine, theirs in zip(self.tallies, other.tallies, strict=True):
            mine.add(theirs)

    def share(self, place: int) -> tuple[float, float]:
        """The share of the wins, and half the width of its 95 % interval."""
        return self._mean(self.tallies[place].wins, self.tallies[place].squared)

    def fair_share(self, place: int) -> tuple[float, float]:
        """The same without luck: on average it is nothing, so this is as true, and surer."""
        return self._mean(self.tallies[place].fair, self.tallies[place].fair_squared)

    def _mean(self, total: float, squared: float) -> tuple[float, float]:
        mean = total / self.games
        variance = max(0.0, squared / self.games - mean * mean)
        return mean, 1.96 * (variance / self.games) ** 0.5


def play_match_game(duel: Match, number: int) -> MatchScore:
    """One game, the same for the same number whoever plays it when."""
    rules, seats = ruleset(duel.lineup.game), len(duel.lineup.bots)
    rng = random.Random(f"{duel.seed} {number // seats}")
    state, source = start_game(duel.lineup, rng)
    places = [(seat + number) % seats for seat in range(seats)]
    score, moves, luck = MatchScore.zero(seats), 0, [0.0] * seats
    while isinstance(pending := rules.pending(state), Decide):
        place = places[pending.seat]
        seed = f"{duel.seed} {number} {moves}".encode()
        seen = rules.observe(state, pending.seat)
        begun = time.thread_time()
        action = bots.choose(duel.lineup.bots[place], seen, seed)
        taken = time.thread_time() - begun
        if len(seen["legal"]) > 1:
            score.tallies[place].decided(taken)
        state, facts = play(rules, state, pending.seat, action, source)
        if duel.without_luck and "die" in facts:
            _add_luck(luck, judge.faces(seen, action, careful=True), facts["die"])
        moves += 1
    assert isinstance(pending, Over)
    winners = pending.ranking[0]
    for seat, place in enumerate(places):
        score.tallies[place].won(1 / len(winners) if seat in winners else 0.0, luck[seat])
    score.games = 1
    return score


def _add_luck(luck: list[float], faces: Sequence[Face], fell: int) -> None:
    """What the face that fell brought every seat, against the mean of the die."""
    sides = sum(face.sides for face in faces)
    came = next(face.shares for face in faces if face.value == fell)
    for seat, share in enumerate(came):
        mean = sum(face.sides * face.shares[seat] for face in faces) / sides
        luck[seat] += share - mean
