"""The turn passes: the one place where clocks, bots and notices hear of it.

Whatever made it pass (a move, a time-out, a bot that stands in, somebody who comes back), the
same things follow, in the transaction in which it happened.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db.models import F

from games.models import Game, Move, Seat
from games.services import bot_seats, clock
from games.services.notices import queue

PASSED_ON = ["bank", "turn_bank", "clock_since", "turns", "stand_in_turns"]


def hand_over(
    *,
    game: Game,
    previous: Seat | None,
    following: Seat | None,
    now: datetime,
    mover: Seat | None = None,
    move: Move | None = None,
    in_other_hands: bool = False,
) -> None:
    """From the seat that was to act to the one that is; the caller locked the game and saves it.

    `move` is the one that passed the turn, to be saved afterwards.
    `in_other_hands`: the seat may be the same, but somebody else decides for it now.
    """
    same_seat = previous is not None and following is not None and previous.pk == following.pk
    bot_seats.hand_over(game=game, previous=previous, following=following, now=now)
    if same_seat and not in_other_hands:
        if mover and following and mover.pk == following.pk:
            queue.turn_goes_on(game=game, seat=following, now=now)
            if _looks_on(mover, game):
                mover.save(update_fields=["seen_moves"])
        return
    rhythm = clock.hand_over(game=game, previous=previous, following=following, now=now, move=move)
    queue.turn_passed(game=game, following=following, rhythm=rhythm, now=now)
    game.told = False  # type: ignore[attr-defined]  # see selectors.table.games
    touched = {seat.pk: seat for seat in (previous, following) if seat}
    _save(game, touched.values())


def _save(game: Game, seats: Iterable[Seat]) -> None:
    """All of them in one query. What somebody else sees at this moment must not be forgotten."""
    rows = [
        Seat(
            pk=seat.pk,
            seen_moves=seat.seen_moves if _looks_on(seat, game) else F("seen_moves"),
            **{name: getattr(seat, name) for name in PASSED_ON},
        )
        for seat in seats
    ]
    Seat.objects.bulk_update(rows, [*PASSED_ON, "seen_moves"])


def _looks_on(seat: Seat, game: Game) -> bool:
    """Whether its player sees the move that was just made."""
    return seat.seen_moves == game.move_count
