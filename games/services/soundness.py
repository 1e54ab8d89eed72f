"""Whether everything that is kept beside the moves fits them: clocks, bots' turns, notices.

`faults` names what does not; `repair` writes what follows from moves and rules. Where our own
fault stopped a clock, nobody pays for it with time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from games.engine.interface import Over
from games.models import Game, Move, Notice, Seat
from games.reckon.running_time import moment_after
from games.selectors.derived import (
    Outcome,
    Unsound,
    faults_of,
    games_to_check,
    outcome,
    seats_to_check,
)
from games.services import clock, play
from games.services.notices import queue
from games.services.notices.wishes import REMINDERS, Delivery, delivery

Kind, State = Notice.Kind, Notice.State

UNSWEPT_AFTER = timedelta(hours=1)
NOTHING = timedelta()


def games(**which: Any) -> Iterator[Game]:
    """All that have started, or those of them."""
    return games_to_check(**which)


def faults(game: Game, *, now: datetime) -> list[str]:
    """All that does not fit, in words for an operator."""
    seats, moves = list(game.seats.all()), list(game.moves.all())
    try:
        found = faults_of(game, seats, moves)
        follows = outcome(game, seats, moves)
    except Unsound as error:
        return [str(error)]
    found += _faults_of_clocks(game, seats, follows, now)
    if not found:
        # Who is told of what depends on the rest.
        found += _faults_of_notices(game, seats, follows, now)
    return found


@transaction.atomic
def repair(*, game_id: int, now: datetime) -> None:
    """Write what follows from the moves. A game whose moves are wrong stays as it is."""
    game = Game.objects.select_for_update().get(pk=game_id)
    seats, moves = list(seats_to_check().filter(game=game)), list(game.moves.order_by("number"))
    try:
        follows = outcome(game, seats, moves)
    except Unsound:
        return
    _repair_columns(game, seats, moves, follows)
    _repair_clocks(game, seats, follows, now)
    game.save()
    acting = _acting(seats, follows)
    if acting and not acting.decider.bot_level:
        _repair_notices(game, acting, follows, now)


def _acting(seats: Sequence[Seat], follows: Outcome) -> Seat | None:
    return next((seat for seat in seats if seat.number == follows.acting), None)


def _faults_of_clocks(
    game: Game, seats: Sequence[Seat], follows: Outcome, now: datetime
) -> Iterator[str]:
    acting = _acting(seats, follows) if follows.acting is not None else None
    for_bot = acting is not None and bool(acting.decider.bot_level)
    if for_bot != (game.bot_due_at is not None):
        expected = "a moment, a bot is to act" if for_bot else "none"
        yield f"bot_due_at is {game.bot_due_at}, expected {expected}"
    pace = Game.Pace(game.pace)
    runs = acting if pace.cap is not None and not for_bot else None
    for seat in seats:
        yield from _faults_of_bank(seat, runs, pace, follows)
    if runs is None:
        if game.deadline is not None:
            yield f"deadline is {game.deadline}, expected none"
        return
    if runs.clock_since is None or runs.bank is None or runs.turn_bank is None:
        yield f"the clock of seat {runs.number} stands still, expected it to run"
        return
    yield from _faults_of_running(runs, follows)
    if game.deadline is not None and game.deadline <= now:
        # It counts no more, the next sweep deals with it.
        if now - game.deadline > UNSWEPT_AFTER:
            yield f"deadline is {game.deadline}, expected somebody to sweep"
        return
    due = _deadline(runs)
    if game.deadline != due:
        yield f"deadline is {game.deadline}, expected {due}"


def _faults_of_bank(
    seat: Seat, runs: Seat | None, pace: Game.Pace, follows: Outcome
) -> Iterator[str]:
    """Of any seat, whether or not its clock runs."""
    name = f"seat {seat.number}"
    assert seat.number is not None
    if seat.clock_since is not None and (runs is None or seat.pk != runs.pk):
        yield f"clock_since of {name} is {seat.clock_since}, expected none"
    if pace.cap is None:
        if seat.bank is not None:
            yield f"bank of {name} is {seat.bank}, expected none"
        return
    granted = seat.granted or NOTHING
    if seat.bank is not None and not NOTHING <= seat.bank <= pace.cap + granted:
        yield f"bank of {name} is {seat.bank}, expected no more than {pace.cap + granted}"
    elif (known := follows.banks.get(seat.number)) is not None:
        running = runs is not None and seat.pk == runs.pk
        stands = seat.turn_bank if running else seat.bank
        untouched = stands is None and known == pace.cap and not running
        if stands != known + granted and not untouched:
            yield f"bank of {name} is {stands}, expected {known + granted}"


def _faults_of_running(seat: Seat, follows: Outcome) -> Iterator[str]:
    """Since the turn began, the clock may have been set again, and cannot have gained."""
    assert seat.clock_since is not None
    assert seat.bank is not None
    assert seat.turn_bank is not None
    elapsed = seat.clock_since - follows.turn_at
    if elapsed < NOTHING:
        yield (
            f"clock_since of seat {seat.number} is {seat.clock_since}, "
            f"expected no sooner than {follows.turn_at}"
        )
    elif not seat.turn_bank - elapsed <= seat.bank <= seat.turn_bank:
        yield (
            f"bank of seat {seat.number} is {seat.bank}, expected what is left of {seat.turn_bank}"
        )


def _deadline(seat: Seat) -> datetime:
    assert seat.clock_since is not None
    assert seat.bank is not None
    rhythm = clock.rhythm_of(seat.player, since=seat.clock_since)
    return moment_after(rhythm, seat.clock_since, seat.bank)


def _faults_of_notices(
    game: Game, seats: Sequence[Seat], follows: Outcome, now: datetime
) -> Iterator[str]:
    seat = _acting(seats, follows)
    if seat is None or seat.decider.bot_level:
        return
    if _wants(seat, Kind.TURN) and not _written(game, seat, follows, [Kind.TURN]):
        yield f"seat {seat.number} is to act, and no notice says so"
    if seat.clock_since is None or _written(game, seat, follows, REMINDERS):
        return
    if any(_wants(seat, kind) for kind in _to_come(seat, now)):
        yield f"seat {seat.number} has no reminder"


def _wants(seat: Seat, kind: str) -> bool:
    return delivery(seat.player, seat, kind) is not Delivery.NEVER


def _written(game: Game, seat: Seat, follows: Outcome, kinds: Sequence[str]) -> bool:
    """Whether there is a row, sent or not, about this turn."""
    return Notice.objects.filter(
        game=game, player=seat.player, kind__in=kinds, move_number__gte=follows.turn_from
    ).exists()


def _to_come(seat: Seat, now: datetime) -> list[str]:
    """The reminders whose moments are still ahead."""
    assert seat.clock_since is not None
    assert seat.turn_bank is not None
    left = clock.left_of(seat, clock.rhythm_of(seat.player, since=seat.clock_since), now)
    return [
        kind
        for kind in queue.WHAT_IS_LEFT
        if left > queue.left_at(kind, seat, delivery(seat.player, seat, kind))
    ]


def _repair_columns(
    game: Game, seats: Sequence[Seat], moves: Sequence[Move], follows: Outcome
) -> None:
    for seat in seats:
        assert seat.number is not None
        seat.left_by = follows.left_by.get(seat.number, "")
        seat.place = follows.places.get(seat.number)
    Seat.objects.bulk_update(seats, ["left_by", "place"])
    game.move_count = len(moves)
    game.to_act = _acting(seats, follows)
    game.to_act_kind = follows.kind
    game.status = follows.status
    game.sight = follows.sight
    game.result = None
    last = moves[-1].at if moves else follows.turn_at
    if game.annulled_at:
        return
    if isinstance(follows.pending, Over):
        ended = game.ended_at if game.ended_at and game.ended_at >= last else last
        play.end(game, seats, follows.pending, now=ended)
    else:
        game.ended_at = None


def _repair_clocks(game: Game, seats: Sequence[Seat], follows: Outcome, now: datetime) -> None:
    pace = Game.Pace(game.pace)
    acting = _acting(seats, follows)
    for_bot = acting is not None and bool(acting.decider.bot_level)
    game.bot_due_at = (game.bot_due_at or now) if for_bot else None
    runs = acting if pace.cap is not None and not for_bot else None
    for seat in seats:
        if runs is None or seat.pk != runs.pk:
            seat.clock_since = seat.granted = None
            seat.bank = _bank(seat, pace, follows)
    if runs is None:
        game.deadline = None
    elif any(_faults_of_clocks(game, seats, follows, now)):
        _run_again(runs, pace, follows, now)
        game.deadline = _deadline(runs)
    Seat.objects.bulk_update(seats, ["bank", "turn_bank", "clock_since", "granted"])


def _bank(seat: Seat, pace: Game.Pace, follows: Outcome) -> timedelta | None:
    assert seat.number is not None
    if pace.cap is None:
        return None
    if (known := follows.banks.get(seat.number)) is not None:
        return known
    return seat.bank if seat.bank is None else min(max(seat.bank, NOTHING), pace.cap)


def _run_again(seat: Seat, pace: Game.Pace, follows: Outcome, now: datetime) -> None:
    """The clock of whoever is to act: as it ran, if that is known; otherwise from now on."""
    sound = not any(_faults_of_bank(seat, seat, pace, follows)) and (
        seat.clock_since is not None
        and seat.bank is not None
        and seat.turn_bank is not None
        and not any(_faults_of_running(seat, follows))
    )
    if sound and _deadline(seat) > now:
        return
    assert pace.cap is not None
    seat.turn_bank = _bank(seat, pace, follows) or pace.cap
    seat.bank, seat.clock_since, seat.granted = seat.turn_bank, now, None


def _repair_notices(game: Game, seat: Seat, follows: Outcome, now: datetime) -> None:
    if _wants(seat, Kind.TURN) and not _written(game, seat, follows, [Kind.TURN]):
        queue.turn_waits(game=game, seat=seat, now=now)
    if seat.clock_since and not _written(game, seat, follows, REMINDERS):
        rhythm = clock.rhythm_of(seat.player, since=seat.clock_since)
        queue.set_reminders(game, seat, rhythm, now)
