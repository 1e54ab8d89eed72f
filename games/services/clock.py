"""Clocks: each seat has a bank of time that runs only while the seat has to decide.

A turn is all decisions that one seat makes in a row. When it passes to another seat it adds
the pace's increment to the bank, up to a cap; the first turn has the whole cap.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from games.models import Game, Player, Seat, Vacation
from games.reckon.running_time import Rhythm, moment_after, running
from games.selectors.clock import zone_of

NOTHING = timedelta()


def hand_over(*, game: Game, previous: Seat | None, following: Seat | None, now: datetime) -> None:
    """Stop one clock and start another; the caller holds the lock of the game and saves it."""
    cap = Game.Pace(game.pace).cap
    if cap is None:
        return
    if previous:
        _stop(previous, game, now)
    game.deadline = None
    if following and not following.decider.bot_level:
        game.deadline = _start(following, cap, now)


def nights_of(player: Player) -> Rhythm:
    """When the player sleeps, vacations left out."""
    quiet = None
    if player.quiet_from is not None and player.quiet_to is not None:
        quiet = player.quiet_from, player.quiet_to
    return Rhythm(zone_of(player), quiet, player.quiet_counts_from)


def rhythm_of(player: Player, *, since: datetime) -> Rhythm:
    """When the player's clock stands still, from `since` on."""
    away = Vacation.objects.filter(player=player, end__gt=since).order_by("start")
    return replace(nights_of(player), away=tuple(away.values_list("start", "end")))


def left_of(seat: Seat, rhythm: Rhythm, now: datetime) -> timedelta:
    """What the clock of a seat shows now, if it has run in this rhythm since it was last set."""
    assert seat.bank is not None
    if seat.clock_since is None:
        return seat.bank
    return max(seat.bank - running(rhythm, seat.clock_since, now), NOTHING)


def set_again(seat: Seat, *, left: timedelta, rhythm: Rhythm, now: datetime) -> datetime:
    """Let a running clock go on in a changed rhythm; the new deadline."""
    seat.bank, seat.clock_since = left, now
    seat.save(update_fields=["bank", "clock_since"])
    return moment_after(rhythm, now, left)


def _stop(seat: Seat, game: Game, now: datetime) -> None:
    pace = Game.Pace(game.pace)
    if seat.clock_since is None or pace.cap is None or pace.increment is None:
        return
    left = left_of(seat, rhythm_of(seat.player, since=seat.clock_since), now)
    if seat.left_by:
        seat.bank = left
    else:
        seat.bank = min(left + pace.increment, pace.cap)
        seat.turns += 1
    seat.clock_since = None
    seat.save(update_fields=["bank", "clock_since", "turns"])


def _start(seat: Seat, cap: timedelta, now: datetime) -> datetime:
    if seat.bank is None:
        seat.bank = cap
    seat.turn_bank = seat.bank
    seat.clock_since = now
    seat.save(update_fields=["bank", "turn_bank", "clock_since"])
    return moment_after(rhythm_of(seat.player, since=now), now, seat.bank)
