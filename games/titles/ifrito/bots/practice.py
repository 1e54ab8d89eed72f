"""Games of Ifrito to learn from: the positions at the starts of turns, and who won.

There is no luck to be taken out. The first games are those of Merchants, who play a game in the
time that others need for a turn; then those of players who look ahead, as the strong ones do.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from games.titles.compiling import compiled
from games.titles.ifrito.rules import IFRITO
from games.titles.network import Network
from games.titles.training import Lessons, Plan, learned

from .features import describe, width
from .judge import desk, share_wins
from .kernel import ENDED, LENGTH, MOST_ACTIONS, PICKER, TURN, act
from .reading import position
from .search import weigh

WEIGHTS = Path(__file__).parent / "weights"
PLAN = Plan(elder_games=6_000, own_games=100, elder_chunk=1_000, own_chunk=50, repeats=16)
MOST_TURNS = 300
# How many actions ahead the players of own games look, and at how many.
DEPTH, WIDTH = 3, 12
# By how much they misjudge what they see, so that no two games are the same.
CARELESS = 40
LOW63 = (1 << 63) - 1


def train(seats: int, seed: int, plan: Plan, report: Callable[[str], None]) -> Network:
    opening = position(IFRITO.observe(IFRITO.start(seats, {}, ()), 0))

    def played(depth: int) -> Callable[[Network, int, int], Lessons]:
        def play(network: Network, games: int, first: int) -> Lessons:
            rows = games * MOST_TURNS
            lessons = Lessons(
                np.zeros((rows, width(seats)), np.float32),
                np.zeros((rows, seats), np.bool_),
                np.zeros((rows, seats), np.float32),
            )
            count = searchers(opening, seats, depth, games, first, desk(seats), *lessons)
            return Lessons(*(part[:count] for part in lessons))

        return play

    return learned(
        features=width(seats),
        seats=seats,
        seed=seed,
        plan=plan,
        elders=played(1),
        own=played(DEPTH),
        report=report,
    )


@compiled
def mixed(number):
    """A number that looks random, from any other."""
    number = (number + 0x1E3779B97F4A7C15) & LOW63
    number = ((number ^ (number >> 30)) * 0x3F58476D1CE4E5B9) & LOW63
    number = ((number ^ (number >> 27)) * 0x14D049BB133111EB) & LOW63
    return number ^ (number >> 31)


@compiled
def chosen(s, depth, width, random, noise, into, scores):
    """What a player who looks so far ahead does."""
    for index in range(MOST_ACTIONS):
        random = mixed(random)
        noise[index] = random % CARELESS
    count = weigh(s, depth, width, noise, into, scores)
    return into[np.argmax(scores[:count])]


@compiled
def searchers(opening, seats, depth, games, seed, desk, positions, insides, targets):
    """Play so many games; answer how many positions there are in them."""
    s = np.zeros(LENGTH, np.int64)
    noise, into = np.zeros(MOST_ACTIONS, np.int64), np.zeros(MOST_ACTIONS, np.int64)
    scores, wins = np.zeros(MOST_ACTIONS, np.int64), np.zeros(seats)
    movers = np.zeros(MOST_TURNS, np.int64)
    count = 0
    for game in range(games):
        random = mixed(seed + game)
        s[:] = opening
        turn = 0
        while not s[ENDED]:
            if s[PICKER] < 0 and turn < MOST_TURNS:
                describe(s, positions[count + turn], insides[count + turn], desk[2])
                movers[turn] = s[TURN]
                turn += 1
            random = mixed(random)
            act(s, chosen(s, depth, WIDTH, random, noise, into, scores))
        share_wins(s, wins)
        for number in range(turn):
            for place in range(seats):
                targets[count + number, place] = wins[(movers[number] + place) % seats]
        count += turn
    return count
