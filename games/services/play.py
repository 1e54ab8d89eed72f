"""Moves: the only writer of `Move` rows and of everything that follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import DateTimeField, QuerySet
from django.utils.translation import gettext as _

from games import bell
from games.engine.errors import BadNotation, NotYourDecision, RulesError
from games.engine.interface import LEAVING, REMOVED, RESIGN, TIMEOUT, Decide, Over, Played
from games.models import Game, Move, Player, Seat
from games.selectors import table as tables
from games.selectors.clock import away_at
from games.selectors.course import Course, course, moves_of
from games.selectors.finished import deserted, places
from games.selectors.position import Position, sight_of, starting_position
from games.selectors.prepared import Given, prepared
from games.services import stand_ins, stats, vacation
from games.services.errors import Refused
from games.services.hand_over import hand_over
from games.services.locks import again_on_deadlock
from games.services.notices import queue

FOLLOWS = [
    *("status", "move_count", "to_act", "to_act_kind", "acted_at", "deadline", "bot_due_at"),
    *("sight", "ended_at", "result", *stats.OF_GAME),
]
"""The columns of a game that follow from its moves."""


class Stale(Refused):
    """The move was made on a position that is no longer the one on the board."""


@dataclass(frozen=True)
class LockedGame:
    """A game whose row is locked, with all that a move and the page after it need."""

    game: Game
    seats: Sequence[Seat]
    moves: Sequence[Move]

    def seat_of(self, player: Player, now: datetime) -> Seat:
        for seat in self.seats:
            if seat.decider.pk == player.pk:
                if seat.decider.is_suspended(now):
                    raise Refused(_("Your account is suspended: you cannot play at present."))
                return seat
            if seat.player_id == player.pk:
                raise Refused(_("Your time ran out, and a bot plays on for you."))
        raise Refused(_("You have no seat at this table."))

    def course(self) -> Course:
        return course(self.game, self.seats, self.moves)


def begin(*, game: Game, now: datetime) -> None:
    """Find out who acts first. Runs in the transaction that gave away the last seat."""
    seats = list(game.seats.select_related("player"))
    _go_on(game, seats, starting_position(game, seats), now=now)
    queue.game_started(game=game, seats=seats, now=now)
    game.save()
    bell.game_changed(game)


def play_move(
    *,
    game_id: int | str,
    player: Player,
    action: str,
    on_move: int,
    now: datetime,
    looks_on: bool = False,
) -> Course:
    """Play a decision that was made when the game had `on_move` moves.

    The game is given by its number or by its address. `looks_on`: the player sits at the table
    and sees what comes of it.
    """
    after, is_away = _decide(game_id, player, action, on_move, now, looks_on)
    if is_away:
        # After the move: this locks all games of the player, in their order.
        vacation.come_back(player=player, now=now)
        after.game.refresh_from_db(fields=["deadline"])
    return after


@again_on_deadlock
@transaction.atomic
def _decide(
    game_id: int | str, player: Player, action: str, on_move: int, now: datetime, looks_on: bool
) -> tuple[Course, bool]:
    """What came of the decision, and whether whoever made it is on vacation."""
    locked = lock(game_id, now)
    seat = locked.seat_of(player, now)
    if _is_repeated(locked, seat, action, on_move):
        return locked.course(), False
    _must_be_running(locked.game)
    if on_move != locked.game.move_count:
        raise Stale(_("The position has changed since you looked. Here is the new one."))
    if action in LEAVING:
        raise Refused(_("That is not a move."))
    after = _append(locked, seat, action, now=now, looks_on=looks_on)
    return after, getattr(seat, "is_away", False)


@again_on_deadlock
@transaction.atomic
def resign(*, game_id: int, player: Player, now: datetime) -> Game:
    """Give up the own seat, whoever is to act; once more changes nothing."""
    locked = lock(game_id, now)
    seat = locked.seat_of(player, now)
    if seat.left_by == RESIGN:
        return locked.game
    _must_be_running(locked.game)
    _append(locked, seat, RESIGN, now=now)
    return locked.game


@again_on_deadlock
@transaction.atomic
def time_out(*, game_id: int, now: datetime) -> bool:
    """What the table agreed on for whoever lets the deadline pass; False if it is not past."""
    locked = lock(game_id, now)
    game = locked.game
    if game.status != Game.Status.RUNNING or game.deadline is None or game.deadline > now:
        return False
    late = next(seat for seat in locked.seats if seat.pk == game.to_act_id)
    if game.on_timeout == Game.OnTimeout.BOT:
        stand_ins.take_over(game=game, seats=locked.seats, late=late, now=now)
    else:
        _append(locked, late, TIMEOUT, now=now)
    return True


@again_on_deadlock
@transaction.atomic
def take_seat_away(*, game_id: int, on_move: int, now: datetime) -> None:
    """The table goes on without whoever is to act and silent, unless there was a move meanwhile."""
    locked = lock(game_id, now)
    if locked.game.status == Game.Status.RUNNING and locked.game.move_count == on_move:
        silent = next(seat for seat in locked.seats if seat.pk == locked.game.to_act_id)
        _append(locked, silent, TIMEOUT, now=now)


def remove(locked: LockedGame, seat: Seat, *, now: datetime) -> None:
    """A moderator takes the seat away; whoever asks for it holds the lock of the game."""
    _append(locked, seat, REMOVED, now=now)


def lock(game_id: int | str, now: datetime) -> LockedGame:
    known_by = "pk" if isinstance(game_id, int) else "public_id"
    found = _locked(known_by, **{known_by: game_id})
    if not found:
        raise Game.DoesNotExist
    (game,) = found
    return LockedGame(game, _seats_at(game=game.pk, now=now), moves_of(game=game.pk))


@prepared
def _locked(known_by: str) -> QuerySet[Game]:
    return tables.games().select_for_update(of=("self",)).filter(**{known_by: Given(known_by)})


@prepared
def _seats_at() -> QuerySet[Seat]:
    away = away_at(Given("now", DateTimeField()))
    return tables.seats().annotate(is_away=away).filter(game=Given("game"))


def _must_be_running(game: Game) -> None:
    if game.status == Game.Status.OPEN:
        raise Refused(_("This game has not started yet."))
    if game.status != Game.Status.RUNNING:
        raise Stale(_("This game is over."))


def _is_repeated(locked: LockedGame, seat: Seat, action: str, on_move: int) -> bool:
    """The same form once more, from a second tap or a second tab: already done."""
    if not 0 <= on_move < len(locked.moves):
        return False
    move = locked.moves[on_move]
    return move.seat == seat.number and move.action == action


def _append(
    locked: LockedGame, seat: Seat, action: str, *, now: datetime, looks_on: bool = False
) -> Course:
    game, before = locked.game, locked.course()
    # Hosts whose clocks differ must not turn back the time of a game.
    now = max(now, game.acted_at or now)
    assert seat.number is not None
    try:
        after, facts = before.end.after(seat.number, action)
    except NotYourDecision:
        raise Refused(_("It is not your turn to choose.")) from None
    except BadNotation:
        raise Refused(_("That is not a move of this game.")) from None
    except RulesError:
        if action in LEAVING:
            raise Refused(_("You are out of this game already.")) from None
        raise Refused(_("The rules do not allow that here.")) from None
    number = game.move_count + 1
    move = Move(game=game, number=number, seat=seat.number, action=action, facts=facts, at=now)
    played = Played(seat.number, action, before.end.state, after.state, facts)
    after_it = before.and_then(move, played)
    game.move_count = number
    if action in LEAVING and not seat.stand_in_id:
        seat.left_by = action
        seat.save(update_fields=["left_by"])
    if looks_on:
        seat.seen_moves = number
    _go_on(game, locked.seats, after, mover=seat, move=move, now=now)
    game.sight = sight(game, after)
    move.save(force_insert=True)
    if action == TIMEOUT:
        queue.seat_lost(game=game, seat=seat, now=now)
    if game.status == Game.Status.OVER:
        stats.count_game(course=after_it)
        queue.game_over(game=game, seats=locked.seats, mover=seat, now=now)
    game.save(update_fields=FOLLOWS)
    bell.game_changed(game, (seat.player_id for seat in locked.seats))
    return after_it


def _go_on(
    game: Game,
    seats: Sequence[Seat],
    after: Position,
    *,
    now: datetime,
    mover: Seat | None = None,
    move: Move | None = None,
) -> None:
    """Write who is to act now, or how the game ended, and pass the turn."""
    pending = after.pending
    previous = next((seat for seat in seats if seat.pk == game.to_act_id), None)
    following = None
    game.acted_at = now
    if isinstance(pending, Decide):
        following = next(seat for seat in seats if seat.number == pending.seat)
        game.to_act = following
        game.to_act_kind = pending.kind
    elif isinstance(pending, Over):
        end(game, seats, pending, now=now)
    hand_over(game=game, previous=previous, following=following, mover=mover, move=move, now=now)


def sight(game: Game, after: Position) -> str:
    """By which a running game is found, from its first move on."""
    is_played = game.status == Game.Status.RUNNING and game.move_count
    return sight_of(after.rules, after.state) if is_played else ""


def end(game: Game, seats: Sequence[Seat], over: Over, *, now: datetime) -> None:
    """The derived columns of a finished game."""
    game.status = Game.Status.OVER
    game.to_act = None
    game.to_act_kind = ""
    game.deadline = None
    game.ended_at = now
    game.result = over.result()
    taken = places(over, deserted(seats))
    for seat in seats:
        assert seat.number is not None
        seat.place = taken[seat.number]
    Seat.objects.bulk_update(seats, ["place"])
