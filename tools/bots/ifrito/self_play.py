"""Games of Ifrito to learn from: the position at the beginning of each turn, and who won.

No die falls, so outcomes are all there is to learn from, and games must differ by what is played:
half of them begin with random actions, which teach nothing themselves. First come games of
Merchants, which are cheap, then those of Viziers in a hurry. In half of these an action now and
then is what the network likes best, so that it learns what it likes too well.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from games.titles.compiling import compiled
from games.titles.ifrito.bots import kernel as k
from games.titles.ifrito.bots.continuing import chosen
from games.titles.ifrito.bots.features import describe, width
from games.titles.ifrito.bots.judge import desk
from games.titles.ifrito.bots.search import MERCHANT, VIZIER
from games.titles.network import Network
from tools.bots.ifrito.played_games import (
    Choose,
    PlayedGame,
    play_game,
    random_player,
    search_player,
)
from tools.bots.network_training import TrainingPlan, TrainingSamples, train_network

PLAN = TrainingPlan(
    bootstrap_games=10_000,
    self_play_games=8_000,
    bootstrap_chunk=10_000,
    passes_per_chunk=4,
    final_passes=12,
)
# Half of the games begin with up to so many random actions.
MAX_RANDOM_MOVES = 12
# Those in a hurry look as far ahead as a Vizier, at so many actions instead of twelve.
FAST_VIZIER_WIDTHS = np.full(VIZIER.size, 2, np.int64)
# One action of so many is the network's, in games in which it may have a say.
SAY = 6
# In one game of so many with more than two players somebody leaves, early or late.
LEAVING, LATEST = 8, 60
MOST_SEED = 1 << 62

PlayerFactory = Callable[[np.random.Generator], Choose]
"""Those who sit down to a game, with their chance."""


def train(seats: int, seed: int, plan: TrainingPlan, report: Callable[[str], None]) -> Network:
    """A network for this many players."""

    def bootstrap(_: Network, games: int, first: int) -> TrainingSamples:
        return training_samples(seats, games, first, lambda rng: search_player(MERCHANT, rng))

    def own(network: Network, games: int, first: int) -> TrainingSamples:
        def seated(rng: np.random.Generator) -> Choose:
            hurried, liked = search_player(FAST_VIZIER_WIDTHS, rng), network_player(network, rng)
            if rng.integers(2):
                return hurried
            return lambda s: hurried(s) if rng.integers(SAY) else liked(s)

        return training_samples(seats, games, first, seated)

    return train_network(
        features=width(seats),
        seats=seats,
        seed=seed,
        plan=plan,
        bootstrap=bootstrap,
        own=own,
        report=report,
    )


def training_samples(seats: int, games: int, first: int, table: PlayerFactory) -> TrainingSamples:
    """What so many games teach."""
    parts = []
    for game in range(games):
        rng = np.random.default_rng(first + game)
        parts.append(
            samples_of_game(
                game_with_random_opening(
                    seats, rng, lambda rng: with_random_leaver(seats, table(rng), rng)
                )
            )
        )
    return TrainingSamples(*map(np.concatenate, zip(*parts, strict=True)))


def with_random_leaver(seats: int, choose: Choose, rng: np.random.Generator) -> Choose:
    """The same players, one of whom may leave the table while another decides."""
    if seats == 2 or rng.integers(LEAVING):
        return choose
    left, leaver = int(rng.integers(LATEST)), int(rng.integers(seats))

    def choose_or_leave(s: np.ndarray) -> int:
        nonlocal left
        left -= 1
        if left < 0 and s[k.PICKER] < 0 and s[k.TURN] != leaver:
            leave(s, leaver)
        return choose(s)

    return choose_or_leave


def leave(s: np.ndarray, seat: int) -> None:
    """The carpets of a seat leave the game with the genies on them."""
    own = np.arange(seat * s[k.EACH], (seat + 1) * s[k.EACH])
    s[k.PLACE + own], s[k.SEATED + own], s[k.LEFT + seat] = k.GONE, 0, 1


def game_with_random_opening(
    seats: int, rng: np.random.Generator, table: PlayerFactory
) -> PlayedGame:
    """A game that begins with random actions or with none, from where those end."""
    wild = max(0, int(rng.integers(-MAX_RANDOM_MOVES, MAX_RANDOM_MOVES + 1)))
    anything, sensible, acted = random_player(rng), table(rng), 0

    def choose(s: np.ndarray) -> int:
        nonlocal acted
        acted += 1
        return anything(s) if acted <= wild else sensible(s)

    course = play_game(seats, choose)
    return PlayedGame(course.turns[wild:], course.wins)


def network_player(network: Network, rng: np.random.Generator) -> Choose:
    """Players who do what the network likes best, and choose by chance among what looks alike."""
    seats, weights = network.b3.size, tuple(network)
    room, found, listed = desk(seats), np.zeros(seats), np.zeros(k.MOST_ACTIONS, np.int64)

    def choose(s: np.ndarray) -> int:
        random = int(rng.integers(MOST_SEED))
        return int(chosen(weights, s, random, room, listed, found)[0])

    return choose


def samples_of_game(course: PlayedGame) -> TrainingSamples:
    """The turns of a game as the judge sees them, with the outcome."""
    turns, seats = course.turns, len(course.wins)
    features = np.zeros((len(turns), width(seats)), np.float32)
    inside = np.zeros((len(turns), seats), np.bool_)
    describe_all(turns, features, inside)
    order = (turns[:, k.TURN, None] + np.arange(seats)) % seats
    return TrainingSamples(features, inside, course.wins[order].astype(np.float32))


@compiled
def describe_all(turns, features, inside):
    for turn in range(turns.shape[0]):
        describe(turns[turn], features[turn], inside[turn])
