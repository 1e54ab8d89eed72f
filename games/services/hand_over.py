"""The turn passes: the one place where clocks, bots and notices hear of it.

Whatever made it pass (a move, a time-out, a bot that stands in, somebody who comes back), the
same things follow, in the transaction in which it happened.
"""

from __future__ import annotations

from datetime import datetime

from games.models import Game, Seat
from games.services import bot_seats, clock
from games.services.notices import queue


def hand_over(
    *,
    game: Game,
    previous: Seat | None,
    following: Seat | None,
    now: datetime,
    mover: Seat | None = None,
    in_other_hands: bool = False,
) -> None:
    """From the seat that was to act to the one that is; the caller locked the game and saves it.

    `in_other_hands`: the seat may be the same, but somebody else decides for it now.
    """
    same_seat = previous is not None and following is not None and previous.pk == following.pk
    bot_seats.hand_over(game=game, previous=previous, following=following, now=now)
    if same_seat and not in_other_hands:
        if mover and following and mover.pk == following.pk:
            queue.turn_goes_on(game=game, seat=following, now=now)
        return
    clock.hand_over(game=game, previous=previous, following=following, now=now)
    queue.turn_passed(game=game, following=following, now=now)
