"""Towns of players about whom everything is known, to try out what grows from reckonings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from games.reckon.judged import company
from games.reckon.judged.shares import WHOLE
from tools.bots import tools_of
from tools.bots.measured_games import SimulatedResults, SimulatedTables

NOBODY = -1
ERROR_RATES = 0.02, 0.4
"""Of players in a town with friends in it."""


@dataclass(frozen=True)
class SimulatedCommunity:
    """So many players; each plays once a round, at tables drawn by lot."""

    key: str
    seats: int
    players: int

    def tables(self, rounds: int, random: np.random.Generator) -> np.ndarray:
        """By game and seat, who sits there."""
        drawn = [random.permutation(self.players) for _ in range(rounds)]
        return np.concatenate(drawn).reshape(-1, self.seats)

    def played(
        self,
        tables: np.ndarray,
        slips: np.ndarray,
        seed: int,
        friends: np.ndarray | None = None,
        bent: float = 0.0,
    ) -> SimulatedResults:
        """What came of it; `slips` are by player, `friends` by game and seat."""
        nobody = np.full(tables.shape, NOBODY)
        found: SimulatedResults = tools_of(self.key, "simulated_players").simulate(
            SimulatedTables(slips[tables], nobody if friends is None else friends, bent), seed
        )
        return found


@dataclass(frozen=True)
class DetectionResult:
    """What was found in a town with friends in it."""

    friends: int
    found: int
    honest: int
    accused: int


def measure_detection(
    town: SimulatedCommunity, friends: int, games: int, bent: float, seed: int
) -> DetectionResult:
    """The first so many pairs of players favour each other whenever they meet, which is exactly
    so many times; all others meet about as often."""
    random = np.random.default_rng(seed)
    pairs = [(2 * pair, 2 * pair + 1) for pair in range(friends)]
    tables = _meetings(town, pairs, games, random)
    slips = random.uniform(*ERROR_RATES, town.players)
    favours = town.played(tables, slips, seed, _friends_at(tables, pairs), bent).favours
    nothing = [[0] * town.seats] * town.seats
    known = company.pairs(
        company.Sitting(who, given, nothing)
        for who, given in zip(
            tables.tolist(), np.rint(favours * WHOLE).astype(int).tolist(), strict=True
        )
    )
    accused = {pair.players for pair in company.discovered(known)}
    return DetectionResult(
        friends=friends,
        found=len(accused & set(pairs)),
        honest=len(known) - friends,
        accused=len(accused - set(pairs)),
    )


def _meetings(
    town: SimulatedCommunity,
    pairs: Sequence[tuple[int, int]],
    games: int,
    random: np.random.Generator,
) -> np.ndarray:
    """Rounds in which everybody meets everybody else about so often, without tables at which
    friends meet; and those at which they do, with others whom the lot brings there."""
    tables = town.tables(games * (town.players - 1) // (town.seats - 1), random)
    tables = tables[~np.any([_both_at(tables, pair) for pair in pairs], axis=0)]
    for pair in pairs:
        others = [player for player in range(town.players) if player not in pair]
        guests = [random.choice(others, town.seats - 2, replace=False) for _ in range(games)]
        meant = [random.permutation([*pair, *each]) for each in guests]
        tables = np.concatenate((tables, meant))
    return random.permutation(tables)


def _friends_at(tables: np.ndarray, pairs: Sequence[tuple[int, int]]) -> np.ndarray:
    """By game and seat, the seat of a friend."""
    found = np.full(tables.shape, NOBODY)
    for pair in pairs:
        games = np.flatnonzero(_both_at(tables, pair))
        one, other = ((tables[games] == player).argmax(axis=1) for player in pair)
        found[games, one], found[games, other] = other, one
    return found


def _both_at(tables: np.ndarray, pair: tuple[int, int]) -> np.ndarray:
    one, other = ((tables == player).any(axis=1) for player in pair)
    both: np.ndarray = one & other
    return both
