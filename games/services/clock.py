"""Clocks: each seat has a bank of time that runs only while the seat has to decide.

A turn is all decisions that one seat makes in a row. When it passes to another seat it adds
the pace's increment to the bank, up to a cap; the first turn has the whole cap.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.db.models import DateTimeField, QuerySet

from games.models import Game, Move, Player, Seat, Vacation
from games.reckon.running_time import Rhythm, Span, moment_after, running
from games.selectors.clock import zone_of
from games.selectors.prepared import Given, prepared
from games.services.prepared import any_of

NOTHING = timedelta()


def hand_over(
    *,
    game: Game,
    previous: Seat | None,
    following: Seat | None,
    now: datetime,
    move: Move | None = None,
) -> Rhythm | None:
    """Stop one clock and start another; the caller holds the lock of the game and saves it and
    the seats. Returns the rhythm of the clock that runs now, if one does.

    The move that passed the turn, if one did, keeps how long the clock ran.
    """
    pace = Game.Pace(game.pace)
    if pace.cap is None:
        return None
    stops = previous if previous and previous.clock_since else None
    starts = following if following and not following.decider.bot_level else None
    game.deadline = None
    rhythms = rhythms_of(
        {seat.player_id: seat.player for seat in (stops, starts) if seat},
        since=stops.clock_since if stops and stops.clock_since else now,
    )
    if stops:
        _stop(stops, pace, rhythms[stops.player_id], now, move)
    if starts is None:
        return None
    game.deadline = _start(starts, pace, rhythms[starts.player_id], now)
    return rhythms[starts.player_id]


def nights_of(player: Player) -> Rhythm:
    """When the player sleeps, vacations left out."""
    quiet = None
    if player.quiet_from is not None and player.quiet_to is not None:
        quiet = player.quiet_from, player.quiet_to
    return Rhythm(zone_of(player), quiet, player.quiet_counts_from)


def rhythm_of(player: Player, *, since: datetime) -> Rhythm:
    """When the player's clock stands still, from `since` on."""
    return rhythms_of({player.pk: player}, since=since)[player.pk]


def rhythms_of(players: Mapping[int, Player], *, since: datetime) -> dict[int, Rhythm]:
    """Of several players by their number, in one query."""
    away: dict[int, list[Span]] = {number: [] for number in players}
    given = {f"player{n}": number for n, number in enumerate(players)}
    for number, start, end in _vacations(len(players), **given, since=since) if players else ():
        away[number].append((start, end))
    return {
        number: replace(nights_of(player), away=tuple(away[number]))
        for number, player in players.items()
    }


@prepared
def _vacations(players: int) -> QuerySet[Any, tuple[int, datetime, datetime]]:
    of_them = Vacation.objects.filter(
        any_of("player", (Given(f"player{n}") for n in range(players)))
    )
    coming = of_them.filter(end__gt=Given("since", DateTimeField())).order_by("start")
    return coming.values_list("player", "start", "end")


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


def _stop(seat: Seat, pace: Game.Pace, rhythm: Rhythm, now: datetime, move: Move | None) -> None:
    assert pace.increment is not None
    assert pace.cap is not None
    left = left_of(seat, rhythm, now)
    if move and seat.turn_bank is not None:
        # Without what was granted: so what is left on it follows from the moves alone.
        move.ran = seat.turn_bank - (seat.granted or NOTHING) - left
    if seat.left_by:
        seat.bank = min(left, pace.cap)
    else:
        seat.bank = min(left + pace.increment, pace.cap)
        seat.turns += 1
    seat.clock_since = seat.granted = None


def _start(seat: Seat, pace: Game.Pace, rhythm: Rhythm, now: datetime) -> datetime:
    if seat.bank is None:
        seat.bank = pace.cap
    assert seat.bank is not None
    seat.turn_bank = seat.bank
    seat.clock_since = now
    return moment_after(rhythm, now, seat.bank)
