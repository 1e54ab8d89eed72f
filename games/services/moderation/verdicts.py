"""What is done to games: time is granted, a game is adjudicated, or annulled.

A game is its moves, and stays so: whoever is taken from the table leaves by a move that the
engine knows and the record shows. Only an annulment is a fact of its own.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Act, Game, Message, Player, Seat
from games.services import clock, play, stats
from games.services.errors import Refused
from games.services.locks import again_on_deadlock
from games.services.moderation import log
from games.services.notices import queue
from games.services.play import LockedGame

Kind, Event = Act.Kind, Message.Event
LONGEST = timedelta(days=30)


@again_on_deadlock
@transaction.atomic
def grant_time(
    *, moderator: Player, game_id: int, more: timedelta, reason: str, now: datetime
) -> Act:
    """Whoever is to act has more time for this turn, and no more than that: none of it is kept."""
    locked = _locked(moderator, game_id, now)
    game, seat = locked.game, _acting(locked)
    if seat is None or game.deadline is None or seat.clock_since is None:
        raise Refused(_("No clock runs in this game."))
    if not timedelta() < more <= LONGEST:
        raise Refused(_("Grant between an hour and 30 days."))
    assert seat.turn_bank is not None
    rhythm = clock.rhythm_of(seat.player, since=seat.clock_since)
    left = clock.left_of(seat, rhythm, now) + more
    seat.turn_bank += more
    seat.granted = (seat.granted or timedelta()) + more
    seat.save(update_fields=["turn_bank", "granted"])
    game.deadline = clock.set_again(seat, left=left, rhythm=rhythm, now=now)
    game.save(update_fields=["deadline"])
    queue.time_granted(game=game, seat=seat, rhythm=rhythm, now=now)
    act = _act(Kind.TIME, moderator, game, reason, now, player=seat.player)
    act.granted = more
    return _tell(act, locked, Event.TIME, about=seat.player)


@again_on_deadlock
@transaction.atomic
def remove(*, moderator: Player, game_id: int, player: Player, reason: str, now: datetime) -> Act:
    """Take somebody from the table: the others play on, or the last of them has won."""
    locked = _locked(moderator, game_id, now)
    seat = _seat_of(locked, player)
    play.remove(locked, seat, now=now)
    act = _act(Kind.REMOVE, moderator, locked.game, reason, now, player=player)
    return _tell(act, locked, Event.REMOVED, about=player)


@again_on_deadlock
@transaction.atomic
def award(*, moderator: Player, game_id: int, player: Player, reason: str, now: datetime) -> Act:
    """Somebody has won: all others leave, whoever is behind first."""
    locked = _locked(moderator, game_id, now)
    _seat_of(locked, player)
    for loser in _from_behind(locked):
        if loser.player_id != player.pk:
            # Each move is made on what the one before has left.
            locked = play.lock(game_id, now)
            play.remove(locked, _seat_of(locked, loser.player), now=now)
    act = _act(Kind.AWARD, moderator, locked.game, reason, now, player=player)
    return _tell(act, locked, Event.AWARDED, about=player)


@again_on_deadlock
@transaction.atomic
def annul(*, moderator: Player, game_id: int, reason: str, now: datetime) -> Act:
    """It counts for nobody: no result, no rating, no numbers. Its moves can still be seen."""
    locked = play.lock(game_id, now)
    game = locked.game
    log.must_be_no_party(moderator, game)
    if game.status not in (Game.Status.RUNNING, Game.Status.OVER):
        raise Refused(_("Only a game that has started can be annulled."))
    game.annulled_at = log.now_or_later(game, now)
    if game.status == Game.Status.RUNNING:
        _stop(locked)
    game.status, game.result = Game.Status.ANNULLED, None
    game.save()
    Seat.objects.filter(game=game).update(place=None)
    stats.leave_out_annulled()
    act = _act(Kind.ANNUL, moderator, game, reason, now)
    return _tell(act, locked, Event.ANNULLED, about=game.creator)


def _stop(locked: LockedGame) -> None:
    """Nobody is to act any more, and no clock shows what the last turn took."""
    game, seat = locked.game, _acting(locked)
    assert game.annulled_at is not None
    queue.turn_passed(game=game, following=None, rhythm=None, now=game.annulled_at)
    if seat and seat.clock_since:
        assert seat.turn_bank is not None
        seat.bank = seat.turn_bank - (seat.granted or timedelta())
        seat.clock_since = seat.granted = None
        seat.save(update_fields=["bank", "clock_since", "granted"])
    game.to_act, game.to_act_kind, game.deadline, game.bot_due_at = None, "", None, None
    game.sight = ""


def _locked(moderator: Player, game_id: int, now: datetime) -> LockedGame:
    locked = play.lock(game_id, now)
    log.must_be_no_party(moderator, locked.game)
    if locked.game.status != Game.Status.RUNNING:
        raise Refused(_("That is for a game that runs."))
    return locked


def _acting(locked: LockedGame) -> Seat | None:
    return next((seat for seat in locked.seats if seat.pk == locked.game.to_act_id), None)


def _seat_of(locked: LockedGame, player: Player) -> Seat:
    for seat in locked.seats:
        if seat.player_id == player.pk and (not seat.left_by or seat.stand_in_id):
            return seat
    raise Refused(_("%(name)s plays no more at this table.") % {"name": player})


def _from_behind(locked: LockedGame) -> list[Seat]:
    """Those who still play, by what counts most in the game at this moment."""
    end = locked.course().end
    inside = {player["seat"] for player in end.observe(None)["players"] if player["in"]}
    counts = next(iter(end.rules.counts(end.state).values()), ())
    staying = [seat for seat in locked.seats if seat.number in inside]
    return sorted(staying, key=lambda seat: counts[seat.number or 0] if counts else 0)


def _act(
    kind: Act.Kind,
    moderator: Player,
    game: Game,
    reason: str,
    now: datetime,
    *,
    player: Player | None = None,
) -> Act:
    at = log.now_or_later(game, now)
    return Act(kind=kind, actor=moderator, game=game, player=player, reason=reason, at=at)


def _tell(act: Act, locked: LockedGame, event: Message.Event, *, about: Player) -> Act:
    log.write(act, tell=[seat.player for seat in locked.seats])
    log.announce(act, event, about=about)
    return act
