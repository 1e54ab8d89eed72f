"""What the judge of Ifrito looks at before a turn: whole numbers of each seat.

Threats are what could be captured with the very next action, whoever's turn that is.
"""

from __future__ import annotations

from games.titles.compiling import compiled
from games.titles.ifrito.rules.rules import CARPETS_TO_WIN, PRISON_TO_WIN

from .kernel import (
    CAPTURED,
    CUSHIONS,
    EACH,
    HAND,
    LEFT,
    NEED,
    PLACE,
    PRISON,
    SEATED,
    SEATED_COUNT,
    SEATS,
)
from .search import freedom, standing

(
    ALWAYS,
    STANDING,
    IMPRISONED,
    IMPRISONED_SQUARED,
    ONE_CARPET,
    TWO_CARPETS,
    IN_HAND,
    ARMED,
    ABOARD,
    MOST_ABOARD,
    FREEDOM,
    STUCK,
    CHANGING_PLANES,
    PREYS,
    MOST_TO_TAKE,
    TAKES_THE_WIN,
    HUNTED,
    MOST_TO_LOSE,
    LOSES_THE_GAME,
    WEAKER_NEARBY,
    STRONGER_NEARBY,
) = range(21)
FEATURES = 21


@compiled
def describe(s, seat, x):
    """Write the features of a seat at the beginning of a turn."""
    in_hand = aboard = most = free = stuck = changing = 0
    for carpet in range(seat * s[EACH], (seat + 1) * s[EACH]):
        if s[PLACE + carpet] == HAND:
            in_hand += 1
            continue
        seated = s[SEATED + carpet]
        aboard += SEATED_COUNT[seated]
        most = max(most, SEATED_COUNT[seated])
        changing += seated & 1
        cells = freedom(s, carpet)
        free += cells
        stuck += cells == 0
    preys = take = hunted = lose = weaker = stronger = wins = loses = 0
    for other in range(s[SEATS]):
        if other == seat or s[LEFT + other]:
            continue
        found, prize, near = threats(s, seat, other)
        preys += found
        weaker += near
        take = max(take, prize)
        wins |= decides(s, seat, found, prize)
        found, prize, near = threats(s, other, seat)
        hunted += found
        stronger += near
        lose = max(lose, prize)
        loses |= decides(s, other, found, prize)
    x[ALWAYS] = 1
    x[STANDING] = standing(s, seat)
    x[IMPRISONED] = s[PRISON + seat]
    x[IMPRISONED_SQUARED] = s[PRISON + seat] * s[PRISON + seat]
    x[ONE_CARPET] = s[CAPTURED + seat] == 1
    x[TWO_CARPETS] = s[CAPTURED + seat] == 2
    x[IN_HAND] = in_hand
    x[ARMED] = in_hand == 0
    x[ABOARD] = aboard
    x[MOST_ABOARD] = most
    x[FREEDOM] = free
    x[STUCK] = stuck
    x[CHANGING_PLANES] = changing
    x[PREYS] = preys
    x[MOST_TO_TAKE] = take
    x[TAKES_THE_WIN] = wins
    x[HUNTED] = hunted
    x[MOST_TO_LOSE] = lose
    x[LOSES_THE_GAME] = loses
    x[WEAKER_NEARBY] = weaker
    x[STRONGER_NEARBY] = stronger


@compiled
def threats(s, hunter, prey):
    """What one seat could capture from another next: how many carpets, and the most genies on one
    of them; and how often one of its carpets that is strong enough is only a direction short."""
    found = prize = near = 0
    armed = True
    for carpet in range(hunter * s[EACH], (hunter + 1) * s[EACH]):
        armed &= s[PLACE + carpet] >= 0
    for other in range(prey * s[EACH], (prey + 1) * s[EACH]):
        genies = SEATED_COUNT[s[SEATED + other]]
        if s[PLACE + other] < 0 or genies == 0:
            continue
        caught = False
        for carpet in range(hunter * s[EACH], (hunter + 1) * s[EACH]):
            if s[PLACE + carpet] < 0 or SEATED_COUNT[s[SEATED + carpet]] < genies:
                continue
            need = NEED[s[PLACE + carpet], s[PLACE + other]]
            if need >> CUSHIONS:
                continue
            if armed and not need & ~s[SEATED + carpet]:
                caught = True
            else:
                near += 1
        if caught:
            found += 1
            prize = max(prize, genies)
    return found, prize, near


@compiled
def decides(s, hunter, found, prize):
    """Whether such a capture wins the game."""
    if found == 0:
        return 0
    last = s[CAPTURED + hunter] == CARPETS_TO_WIN - 1
    return 1 if last or s[PRISON + hunter] + prize >= PRISON_TO_WIN else 0
