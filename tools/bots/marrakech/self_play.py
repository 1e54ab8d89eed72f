"""Games of Marrakech to learn from: the positions before each roll, and what became of them.

Players by the network know what every roll was worth to everybody. What they learn from is the
outcome without that luck, which says the same on average and scatters far less, and for a part
what they saw a turn ahead, which does not scatter at all. One game of three is that of Viziers in
a hurry: what becomes of a position is not the same with them, and the judge is to be true of both.
The Grand Vizier has to be true of Viziers alone.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from games.titles.compiling import compiled
from games.titles.marrakech.bots import judgement, search
from games.titles.marrakech.bots.features import DISTINCT, describe, width
from games.titles.marrakech.bots.judge import after_lay, desk, faced, laid, rolled, turned_best
from games.titles.marrakech.bots.kernel import (
    FACE,
    LAY,
    LENGTH,
    MOVER,
    OVER,
    PHASE,
    ROLL,
    below,
    face_away,
    lay,
    mixed,
    share_wins,
    spots,
    walk,
)
from games.titles.marrakech.bots.tables import FACE_OF_SIDE, MAX_ROLLS, MOST_SPOTS, SIDES
from games.titles.network import Network
from tools.bots.marrakech.random_games import start_game
from tools.bots.network_training import (
    TrainingPlan,
    TrainingSamples,
    concatenate_samples,
    train_network,
)

# One decision in so many is a random one, so that the network sees what it would not play.
RANDOM_MOVE_EVERY = 20
# Of what is learned from a position, so much is what the network saw a turn ahead.
LOOKAHEAD_WEIGHT = 0.5
# To so many games of its own comes one of Viziers in a hurry, who look at so many continuations
# of so many rolls.
SELF_PLAY_PER_VIZIER_GAME, PLAYOUTS, ROLLS = 2, 150, 6


# For the judge.
PLAN = TrainingPlan(
    bootstrap_games=100_000,
    self_play_games=40_000,
    self_play_chunk=4_000,
    replay_chunks=10,
    passes_per_chunk=6,
    final_passes=6,
)
# For who sits among Viziers, who look at so many continuations.
PLAN_AMONG_VIZIERS = TrainingPlan(
    bootstrap_games=100_000,
    self_play_games=24_000,
    self_play_chunk=2_400,
    replay_chunks=10,
    passes_per_chunk=8,
    final_passes=8,
)
PLAYOUTS_AMONG_VIZIERS = 300


def train(
    seats: int,
    seed: int,
    plan: TrainingPlan,
    report: Callable[[str], None],
    *,
    among_viziers: bool = False,
) -> Network:
    """A network for this many players, for all options. Among Viziers it learns only from
    games in which one player uses the network against them, and it holds only for such games."""

    def own(network: Network, games: int, first: int) -> TrainingSamples:
        weights = tuple(network)
        if among_viziers:
            table = partial(play_vizier_games, weights, seats, 1, PLAYOUTS_AMONG_VIZIERS)
            return _played(seats, games, partial(table, games, first))
        guests = games // SELF_PLAY_PER_VIZIER_GAME
        table = partial(play_vizier_games, weights, seats, 2, PLAYOUTS)
        return concatenate_samples(
            _played(seats, games, partial(play_network_games, weights, seats, games, first)),
            _played(seats, guests, partial(table, guests, first + games)),
        )

    return train_network(
        features=width(seats),
        seats=seats,
        seed=seed,
        plan=plan,
        bootstrap=lambda _, games, first: _played(
            seats, games, partial(play_merchant_games, seats, games, first)
        ),
        own=own,
        report=report,
    )


def _played(seats: int, games: int, play: Callable[..., int]) -> TrainingSamples:
    rows = games * MAX_ROLLS
    lessons = TrainingSamples(
        np.zeros((rows, width(seats)), np.float32),
        np.zeros((rows, seats), np.bool_),
        np.zeros((rows, seats), np.float32),
    )
    count = play(desk(seats, counts=False), *lessons)
    return TrainingSamples(*(part[:count] for part in lessons))


@compiled
def random_setup(s, seats, random):
    """A table of this size with options by chance; the common ones more often."""
    start_game(s, seats, random & 1, (random >> 8) % 3 == 0, (random >> 16) % 8 == 0, random)


@compiled
def play_merchant_games(seats, games, seed, desk, positions, insides, targets):
    """Play so many games of Merchants; answer how many positions there are in them."""
    s = np.zeros(LENGTH, np.int64)
    count = 0
    wins = np.zeros(seats)
    for game in range(games):
        random = mixed(seed + game)
        random_setup(s, seats, random)
        first = count
        while s[PHASE] != OVER:
            random = mixed(random)
            if s[PHASE] == LAY:
                lay(s, judgement.careful_lay(s, random))
            elif s[PHASE] == FACE:
                face_away(s, judgement.facing(s, random))
            else:
                note_position(s, desk, count, positions, insides, targets)
                count += 1
                quarters = judgement.merchant(s, random)
                random = mixed(random)
                walk(s, quarters, below(random, SIDES))
        wins[:] = 0.0
        share_wins(s, wins)
        write_outcome(wins, first, count, targets)
    return count


@compiled
def note_position(s, desk, count, positions, insides, targets):
    """Write down a position, and for the time being in its target who moves."""
    describe(s, positions[count], insides[count], desk[2])
    targets[count] = 0.0
    targets[count, 0] = s[MOVER]


@compiled
def write_outcome(wins, first, last, targets):
    """Write the outcome, seen from each mover."""
    seats = wins.size
    for row in range(first, last):
        mover = int(targets[row, 0])
        for place in range(seats):
            seat = mover + place if mover + place < seats else mover + place - seats
            targets[row, place] = wins[seat]


@compiled
def play_network_games(network, seats, games, seed, desk, positions, insides, targets):
    """The same with players by the network; targets are free of the luck that came after, and
    mixed with what the network saw a turn ahead."""
    s = np.zeros(LENGTH, np.int64)
    faces, mean = np.zeros((DISTINCT, seats)), np.zeros(seats)
    best, played = np.zeros(seats), np.zeros(seats)
    luck, foreseen = np.zeros((MAX_ROLLS + 1, seats)), np.zeros((MAX_ROLLS, seats))
    options = np.zeros(MOST_SPOTS, np.int64)
    wins = np.zeros(seats)
    movers = np.zeros(MAX_ROLLS, np.int64)
    count = 0
    for game in range(games):
        random = mixed(seed + game)
        random_setup(s, seats, random)
        first, roll = count, 0
        luck[:] = 0.0
        while s[PHASE] != OVER:
            random = mixed(random)
            astray = below(random, RANDOM_MOVE_EVERY) == 0
            random = mixed(random)
            if s[PHASE] == LAY:
                spot = laid(network, s, desk, best)
                if astray:
                    spot = options[below(random, spots(s, options))]
                    after_lay(network, s, spot, desk, played)
                    luck[roll - 1] += played - best
                lay(s, spot)
            elif s[PHASE] == FACE:
                face_away(s, faced(network, s, desk, best))
            else:
                describe(s, positions[count], insides[count], desk[2])
                movers[roll] = s[MOVER]
                quarters = turned_best(network, s, desk, faces, mean)
                foreseen[roll] = mean
                if astray and s[PHASE] == 0:
                    quarters = below(random, 3) - 1
                    best[:] = mean
                    rolled(network, s, quarters, desk, faces, mean)
                    luck[roll] += mean - best
                random = mixed(random)
                face = below(random, SIDES)
                luck[roll] += faces[FACE_OF_SIDE[face]] - mean
                walk(s, quarters, face)
                count += 1
                roll += 1
        wins[:] = 0.0
        share_wins(s, wins)
        for number in range(roll - 1, -1, -1):
            wins -= luck[number]
            for place in range(seats):
                seat = (movers[number] + place) % seats
                value = wins[seat] + LOOKAHEAD_WEIGHT * (foreseen[number, seat] - wins[seat])
                targets[first + number, place] = value
    return count


@compiled
def by_network(network, s, desk, faces, best):
    """The action that the network likes best."""
    if s[PHASE] == LAY:
        return laid(network, s, desk, best)
    if s[PHASE] == FACE:
        return faced(network, s, desk, best)
    return turned_best(network, s, desk, faces, best)


@compiled
def play_vizier_games(
    network, seats, every, playouts, games, seed, desk, positions, insides, targets
):
    """The same with Viziers who look at so many continuations; what they give each other is no luck
    and stays. At one table of `every` one seat goes by the network, as the Grand Vizier does."""
    s = np.zeros(LENGTH, np.int64)
    faces, mean, best = np.zeros((DISTINCT, seats)), np.zeros(seats), np.zeros(seats)
    luck = np.zeros((MAX_ROLLS, seats))
    actions = np.zeros(MOST_SPOTS, np.int64)
    values, margins = np.zeros(MOST_SPOTS), np.zeros(MOST_SPOTS)
    wins = np.zeros(seats)
    movers = np.zeros(MAX_ROLLS, np.int64)
    count = 0
    for game in range(games):
        random = mixed(seed + game)
        random_setup(s, seats, random)
        random = mixed(random)
        host = below(random, every * seats)
        first = count
        while s[PHASE] != OVER:
            random = mixed(random)
            action = 0
            if s[MOVER] == host:
                action = by_network(network, s, desk, faces, best)
            elif s[PHASE] != ROLL:
                search.weigh(s, random, playouts, ROLLS, actions, values, margins)
                action = actions[0]
            if s[PHASE] == LAY:
                lay(s, action)
            elif s[PHASE] == FACE:
                face_away(s, action)
            else:
                describe(s, positions[count], insides[count], desk[2])
                movers[count - first] = s[MOVER]
                rolled(network, s, action, desk, faces, mean)
                random = mixed(random)
                face = below(random, SIDES)
                luck[count - first] = faces[FACE_OF_SIDE[face]] - mean
                walk(s, action, face)
                count += 1
        wins[:] = 0.0
        share_wins(s, wins)
        for row in range(count - 1, first - 1, -1):
            wins -= luck[row - first]
            for place in range(seats):
                targets[row, place] = wins[(movers[row - first] + place) % seats]
    return count
