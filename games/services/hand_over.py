"""The turn passes: the one place where clocks, bots and notices hear of it.

Whatever made it pass (a move, a time-out, a bot that stands in, somebody who comes back), the
same things follow, in the transaction in which it happened.
"""

from __future__ import annotations

from datetime import datetime

from django.db.models import Expression, F
from django.db.models.functions import Greatest

from games.models import Game, Move, Seat
from games.selectors.prepared import Given
from games.services import bot_seats, clock
from games.services.notices import queue
from games.services.prepared import Update, any_of, prepared_update, row_by_row

PASSED_ON = [
    *("bank", "turn_bank", "clock_since", "granted", "turns", "stand_in_turns", "seen_moves"),
]


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
    if touched := {seat.pk: seat for seat in (previous, following) if seat}:
        _save(*touched.values())


def _save(*seats: Seat) -> None:
    """All of them in one query."""
    _pass_on(
        len(seats),
        **{f"seat{n}": seat.pk for n, seat in enumerate(seats)},
        **{f"{name}{n}": getattr(seat, name) for n, seat in enumerate(seats) for name in PASSED_ON},
    )


@prepared_update
def _pass_on(seats: int) -> Update:
    keys = [Given(f"seat{n}") for n in range(seats)]
    values: dict[str, Expression] = {}
    for field in (each for each in Seat._meta.fields if each.name in PASSED_ON):
        given = [Given(f"{field.name}{n}", field) for n in range(seats)]
        values[field.name] = row_by_row(field, dict(zip(keys, given, strict=True)))
    # What somebody else sees at this moment must not be forgotten.
    values["seen_moves"] = Greatest(values["seen_moves"], F("seen_moves"))
    return Seat.objects.filter(any_of("pk", keys)), values


def _looks_on(seat: Seat, game: Game) -> bool:
    """Whether its player sees the move that was just made."""
    return seat.seen_moves == game.move_count
