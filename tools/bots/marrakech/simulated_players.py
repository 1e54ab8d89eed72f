"""Games of Marrakech among players of known strength, some of whom may favour somebody.

All of them go by the network; a player of some slip plays a random action so often. What the judge
says of such games is what a reckoning is made of, so that whatever grows from reckonings can be
tried on players about whom everything is known.
"""

from __future__ import annotations

import numpy as np

from games.titles.compiling import compiled
from games.titles.marrakech.bots.features import DISTINCT
from games.titles.marrakech.bots.habits import WAYS
from games.titles.marrakech.bots.judge import (
    after_lay,
    desk,
    faced,
    judged,
    laid,
    rolled,
    turned_best,
)
from games.titles.marrakech.bots.kernel import (
    FACE,
    LAY,
    LENGTH,
    MOVER,
    OVER,
    PHASE,
    TURN,
    below,
    face_away,
    lay,
    mixed,
    share_wins,
    spots,
    walk,
)
from games.titles.marrakech.bots.prospects import network
from games.titles.marrakech.bots.tables import FACE_OF_SIDE, MOST_SPOTS, SIDES
from tools.bots.marrakech.self_play import random_setup
from tools.bots.measured_games import SimulatedResults, SimulatedTables

THOUSAND = 1000
NOBODY = -1


def simulate(tables: SimulatedTables, seed: int) -> SimulatedResults:
    """What came of these tables, and what the judge says of it."""
    games, seats = tables.error_rates.shape
    wins, luck, start = (np.zeros((games, seats)) for _ in range(3))
    favours = np.zeros((games, seats, seats))
    play_simulated_players(
        tuple(network(seats)),
        np.rint(tables.error_rates * THOUSAND).astype(np.int64),
        tables.friends.astype(np.int64),
        round(tables.collusion_rate * THOUSAND),
        seed << 24,
        desk(seats),
        wins,
        luck,
        start,
        favours,
    )
    return SimulatedResults(wins, luck, start, favours)


@compiled
def play_simulated_players(network, slips, friends, bent, seed, desk, wins, luck, start, favours):
    """Play one game for each row; slips and what is bent are in thousandths."""
    games, seats = slips.shape
    s = np.zeros(LENGTH, np.int64)
    faces, best, found = np.zeros((DISTINCT, seats)), np.zeros(seats), np.zeros(seats)
    options, values = np.zeros(MOST_SPOTS, np.int64), np.zeros((MOST_SPOTS, seats))
    for game in range(games):
        random = mixed(seed + game)
        random_setup(s, seats, random)
        judged(network, s, desk, start[game])
        while s[PHASE] != OVER:
            me, phase = s[MOVER], s[PHASE]
            random = mixed(random)
            strays = below(random, THOUSAND) < slips[game, me]
            random = mixed(random)
            friend = friends[game, me] if below(random, THOUSAND) < bent else NOBODY
            strays = strays or friend != NOBODY
            random = mixed(random)
            if phase == LAY:
                spot = laid(network, s, desk, best)
                if strays:
                    count = spots(s, options)
                    for index in range(count):
                        after_lay(network, s, options[index], desk, values[index])
                    chosen = random_or_partner_choice(values, count, friend, random)
                    count_beneficiaries(values, count, me, chosen, favours[game, me])
                    spot = options[chosen]
                lay(s, spot)
            elif phase == FACE:
                face_away(s, faced(network, s, desk, best))
            else:
                quarters = turned_best(network, s, desk, faces, found)
                if phase == TURN and strays:
                    for index in range(WAYS):
                        rolled(network, s, index - 1, desk, faces, values[index])
                    chosen = random_or_partner_choice(values, WAYS, friend, random)
                    count_beneficiaries(values, WAYS, me, chosen, favours[game, me])
                    quarters = chosen - 1
                    rolled(network, s, quarters, desk, faces, found)
                random = mixed(random)
                face = below(random, SIDES)
                luck[game] += faces[FACE_OF_SIDE[face]] - found
                walk(s, quarters, face)
        share_wins(s, wins[game])


@compiled
def random_or_partner_choice(values, count, friend, random):
    """Which choice: a friend's favourite, or any."""
    if friend == NOBODY:
        return below(random, count)
    return np.argmax(values[:count, friend])


@compiled
def count_beneficiaries(values, count, me, chosen, favours):
    """Count whose favourite it was, unless it was one's own: see `reckon.judged.company`."""
    if values[chosen, me] == values[:count, me].max():
        return
    for seat in range(favours.size):
        share = values[chosen, seat]
        if seat != me and share == values[:count, seat].max():
            favours[seat] += (values[:count, seat] < share).sum() / count
