"""What happens becomes rows of the outbox, in the transaction in which it happens."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from games import workers
from games.models import Game, Invitation, Message, Notice, Player, Puzzle, Seat, Vacation
from games.reckon.running_time import Rhythm, before_quiet_hours, moment_after
from games.selectors.access import kept_apart_from
from games.selectors.accounts import is_confirmed
from games.selectors.silence import SILENT_AFTER
from games.services import limits
from games.services.clock import left_of, nights_of, rhythm_of
from games.services.errors import Refused
from games.services.notices.wishes import (
    ABOUT_A_TURN,
    REMINDERS,
    WITHOUT_CLOCK,
    Delivery,
    Way,
    by_push,
    delivery,
    next_digest,
    out_of_quiet_hours,
    push_time,
    soon,
    way_of,
)

Kind, State = Notice.Kind, Notice.State
UNSENT = (State.QUEUED, State.SENDING)
UNTOLD = (*UNSENT, State.ELSEWHERE)
CHAT_MAILS_AN_HOUR = 20
"""To one player; more wait and go out as one."""
HOUR = timedelta(hours=1)

WHAT_IS_LEFT = {Kind.HALF: 1 / 2, Kind.LAST: 1 / 5}
LONGEST_LAST_CALL, SHORTEST_LAST_CALL = timedelta(hours=12), HOUR
"""What is left when the last reminder goes out by itself to a reader of daily emails."""
AHEAD_OF_QUIET_HOURS = timedelta(minutes=10)


def turn_passed(
    *, game: Game, following: Seat | None, rhythm: Rhythm | None, now: datetime
) -> None:
    """Whoever is to act now will hear of it, whoever was need not any more.

    `rhythm` is that of the clock of the following seat, if it runs.
    """
    Notice.objects.filter(game=game, kind__in=ABOUT_A_TURN, state__in=UNTOLD).update(
        state=State.WITHDRAWN, push_at=None
    )
    if following:
        if rhythm:
            reminders = _reminders(game, following, rhythm, now)
        else:
            reminders = _reminders_without_clock(game, following, now)
        _queue(Kind.TURN, [following], game, now, beside=reminders)


def turn_waits(*, game: Game, seat: Seat, now: datetime) -> None:
    """A turn that began without anybody being told is told now."""
    _queue(Kind.TURN, [seat], game, now)


def turn_goes_on(*, game: Game, seat: Seat, now: datetime) -> None:
    """The player is at the table, in the middle of the turn: the mail can wait again."""
    Notice.objects.filter(
        game=game,
        player=seat.player,
        kind=Kind.TURN,
        state=State.QUEUED,
        due_at__isnull=False,
    ).update(due_at=soon(seat.player, Kind.TURN, now))
    if game.pace == Game.Pace.NONE and _keeps_people_waiting(game, seat):
        set_reminders_without_clock(game, seat, now)


def first_turn_seen(*, seat: Seat) -> None:
    """Before the first move the number of moves that were seen cannot say whether somebody has
    looked; so whoever was told on a device, and looks, gets no mail from here on."""
    if by_push(seat.player, seat, Kind.TURN) and way_of(seat.player, Kind.TURN) == Way.UNLESS:
        Notice.objects.filter(
            game=seat.game_id,
            player=seat.player,
            kind=Kind.TURN,
            move_number=0,
            state=State.QUEUED,
            push_at=None,
        ).update(state=State.WITHDRAWN)


def game_started(*, game: Game, seats: Iterable[Seat], now: datetime) -> None:
    """For all but the one to act first, whose turn mail says it."""
    _withdraw(game, Kind.INVITATION)
    _queue(Kind.STARTED, [seat for seat in seats if seat.pk != game.to_act_id], game, now)


def game_over(*, game: Game, seats: Iterable[Seat], mover: Seat, now: datetime) -> None:
    """For all but the one whose move ended it."""
    _queue(Kind.OVER, [seat for seat in seats if seat.pk != mover.pk], game, now)


def seat_lost(*, game: Game, seat: Seat, now: datetime) -> None:
    _queue(Kind.SEAT_LOST, [seat], game, now)


def vacation_spent(*, vacation: Vacation, game: Game, seat: Seat, now: datetime) -> None:
    """A day of automatic vacation saved the seat in this game."""
    _write([(seat.player, seat)], Kind.VACATION, game, vacation.pk, now)


def declined(*, invitation: Invitation, now: datetime) -> None:
    """For the player who invited."""
    game = invitation.game
    _withdraw(game, Kind.INVITATION, invitation.player)
    _write([(game.creator, None)], Kind.DECLINED, game, invitation.pk, now)


def invitations_expired(*, game: Game, now: datetime) -> None:
    """For the player who invited, once for all who did not answer."""
    _withdraw(game, Kind.INVITATION)
    _write([(game.creator, None)], Kind.EXPIRED, game, int(now.timestamp()) // 60, now)


def invited(*, game: Game, players: Iterable[Player], now: datetime) -> None:
    _write([(player, None) for player in players], Kind.INVITATION, game, game.move_count, now)


def puzzle_chosen(*, puzzle: Puzzle, now: datetime) -> None:
    """For all who want one a day."""
    readers = Player.objects.filter(puzzle_mail=True, is_active=True)
    _write([(player, None) for player in readers], Kind.PUZZLE, None, puzzle.pk, now)


def message_posted(*, message: Message, now: datetime) -> None:
    """For all who want to hear its author. A mail tells all lines until it goes out, so one that
    is still queued will tell this line, too; it is locked, and no sender takes it meanwhile."""
    game = message.game
    others = game.seats.select_related("player").exclude(player=message.player)
    others = others.exclude(player__in=kept_apart_from(message.player))
    queued = Notice.objects.filter(game=game, kind=Kind.MESSAGE, state=State.QUEUED)
    told = set(queued.select_for_update().values_list("player", flat=True))
    readers = [(seat.player, seat) for seat in others if seat.player_id not in told]
    _write(readers, Kind.MESSAGE, game, message.pk, now)
    mailed = Notice.objects.filter(kind=Kind.MESSAGE, created_at__gt=now - HOUR)
    for player, _seat in readers:
        if mailed.filter(player=player).count() > CHAT_MAILS_AN_HOUR:
            patient = queued.filter(player=player, due_at__isnull=False)
            patient.update(due_at=out_of_quiet_hours(player, now + HOUR))


@transaction.atomic
def send_test(*, player: Player, now: datetime, network: str = "") -> None:
    """Ask for a mail that shows whether the address works."""
    if not is_confirmed(player):
        raise Refused(_("Confirm your e-mail address first."))
    address = player.email.lower()
    limits.spend("test", now=now, sender=player.pk, address=address, network=network)
    number = Notice.objects.filter(player=player, kind=Kind.ADDRESS).count()
    _write([(player, None)], Kind.ADDRESS, None, number, now)


def set_reminders(game: Game, seat: Seat, rhythm: Rhythm, now: datetime) -> None:
    """Two reminders, at the moments at which half and a fifth of the turn's time are left."""
    unsent = Notice.objects.filter(
        game=game,
        player=seat.player,
        kind__in=REMINDERS,
        state__in=[State.QUEUED, State.ELSEWHERE],
    )
    # A device may have shown it already; an email that waits has said nothing yet.
    overdue = unsent.filter(kind=Kind.LAST).exclude(state=State.ELSEWHERE, push_at=None).exists()
    unsent.delete()
    _create(_reminders(game, seat, rhythm, now, overdue=overdue))


def time_granted(*, game: Game, seat: Seat, rhythm: Rhythm, now: datetime) -> None:
    """The clock is set back; reminders that went out before come again when it has run down."""
    again = [notice.kind for notice in _reminders(game, seat, rhythm, now)]
    sent = Notice.objects.filter(game=game, player=seat.player, kind__in=again)
    sent.filter(state=State.SENT, move_number=game.move_count).delete()
    set_reminders(game, seat, rhythm, now)


def set_reminders_without_clock(game: Game, seat: Seat, now: datetime) -> None:
    """The reminders of a turn in a game without a clock, counted from the last move on."""
    unsent = Notice.objects.filter(
        game=game,
        player=seat.player,
        kind__in=WITHOUT_CLOCK,
        state__in=[State.QUEUED, State.ELSEWHERE],
    )
    overdue = set(unsent.filter(state=State.QUEUED, due_at=None).values_list("kind", flat=True))
    unsent.delete()
    _create(_reminders_without_clock(game, seat, now, overdue))


def left_at(kind: str, seat: Seat, wish: Delivery) -> timedelta:
    """How much of the turn's time is left when a reminder of this kind is due."""
    assert seat.turn_bank is not None
    left = seat.turn_bank * WHAT_IS_LEFT[Kind(kind)]
    if kind == Kind.LAST and wish is Delivery.DIGEST:
        return max(min(left, LONGEST_LAST_CALL), SHORTEST_LAST_CALL)
    return left


def follow_wishes(*, player: Player, now: datetime) -> None:
    """The player wants mail in another way: what is queued follows."""
    queued = Notice.objects.filter(player=player, state=State.QUEUED)
    queued.filter(kind=Kind.DIGEST).delete()
    seats = {
        seat.game_id: seat for seat in Seat.objects.filter(player=player, game__notices__in=queued)
    }
    waiting = False
    for notice in queued.exclude(kind__in=(*REMINDERS, Kind.ADDRESS)):
        seat = seats.get(notice.game_id) if notice.game_id else None
        match delivery(player, seat, notice.kind):
            case Delivery.NEVER:
                notice.state = State.ELSEWHERE if notice.push_at else State.WITHDRAWN
            case Delivery.DIGEST:
                notice.due_at, waiting = None, True
            case Delivery.SOON:
                notice.due_at = soon(player, notice.kind, now)
        notice.save(update_fields=["state", "due_at"])
    if waiting:
        ensure_digest(player, now)
    renew_reminders(player=player, now=now)


def renew_reminders(*, player: Player, now: datetime) -> None:
    """Those of all turns of the player, as they are wanted now."""
    running = Seat.objects.filter(player=player, clock_since__isnull=False)
    for seat in running.select_related("game", "player"):
        assert seat.clock_since
        seat.player = player
        set_reminders(seat.game, seat, rhythm_of(player, since=seat.clock_since), now)
    without_clock = Game.objects.filter(to_act__player=player, pace=Game.Pace.NONE)
    for game in without_clock.select_related("to_act"):
        assert game.to_act
        game.to_act.player = player
        set_reminders_without_clock(game, game.to_act, now)


def ensure_digest(player: Player, now: datetime) -> None:
    """What waits has a daily mail to wait for."""
    _create([_digest(player, now)])


def wake_senders() -> None:
    """Have due mail sent at once; without a broker the next sweep does it."""
    workers.wake(workers.SENDERS)


def wake_errands() -> None:
    """The same for devices and webhooks."""
    workers.wake(workers.ERRANDS)


def _queue(
    kind: str,
    seats: Iterable[Seat],
    game: Game,
    now: datetime,
    beside: Sequence[Notice] = (),
) -> None:
    _write([(seat.player, seat) for seat in seats], kind, game, game.move_count, now, beside)


def _write(
    readers: Iterable[tuple[Player, Seat | None]],
    kind: str,
    game: Game | None,
    number: int,
    now: datetime,
    beside: Sequence[Notice] = (),
) -> None:
    """All rows at once, together with those `beside` them."""
    rows = [*beside]
    for player, seat in readers:
        push = push_time(player, seat, kind, game, now)
        match delivery(player, seat, kind):
            case Delivery.SOON:
                due = soon(player, kind, now)
                rows.append(_notice(player, kind, game, number, now, due, push))
            case Delivery.DIGEST:
                rows.append(_notice(player, kind, game, number, now, None, push))
                rows.append(_digest(player, now))
            case Delivery.NEVER if push:
                rows.append(_notice(player, kind, game, number, now, None, push, mail=False))
    _create(rows)
    if any(row.due_at and row.due_at <= now for row in rows):
        transaction.on_commit(wake_senders, robust=True)
    if any(row.push_at and row.push_at <= now for row in rows):
        transaction.on_commit(wake_errands, robust=True)


def _reminders(
    game: Game, seat: Seat, rhythm: Rhythm, now: datetime, *, overdue: bool = False
) -> list[Notice]:
    """`overdue`: the last reminder may be due, and has not been sent yet."""
    left = left_of(seat, rhythm, now)
    rows = []
    for kind in WHAT_IS_LEFT:
        wish = delivery(seat.player, seat, kind)
        push = by_push(seat.player, seat, kind)
        until = left - left_at(kind, seat, wish)
        if wish is Delivery.NEVER and not push:
            continue
        if until.total_seconds() > 0:
            due = moment_after(rhythm, now, until)
        elif kind == Kind.LAST and overdue and left:
            due = out_of_quiet_hours(seat.player, now)
        else:
            continue
        if kind == Kind.LAST:
            due = _in_time(due, seat, rhythm, now, left)
        mail = wish is not Delivery.NEVER
        rows.append(
            _notice(
                seat.player,
                kind,
                game,
                game.move_count,
                now,
                due if mail else None,
                due if push else None,
                mail=mail,
            )
        )
    return rows


def _reminders_without_clock(
    game: Game, seat: Seat, now: datetime, overdue: Container[str] = ()
) -> list[Notice]:
    """Before the others may go on without the player of this seat, if there are others.

    `overdue`: those that wait for the daily email.
    """
    if (
        game.pace != Game.Pace.NONE
        or game.acted_at is None
        or not _keeps_people_waiting(game, seat)
    ):
        return []
    rows = []
    for kind, after in WITHOUT_CLOCK.items():
        mail = delivery(seat.player, seat, kind) is not Delivery.NEVER
        push = by_push(seat.player, seat, kind)
        due = game.acted_at + after
        due = out_of_quiet_hours(seat.player, max(due, now) if kind in overdue else due)
        if (mail or push) and now <= due < game.acted_at + SILENT_AFTER:
            rows.append(
                _notice(
                    seat.player,
                    kind,
                    game,
                    game.move_count,
                    now,
                    due if mail else None,
                    due if push else None,
                    mail=mail,
                )
            )
    return rows


def _keeps_people_waiting(game: Game, seat: Seat) -> bool:
    if seat.decider.bot_level or seat.player.is_guest:
        return False
    if not game.fill_level:
        return True
    others = game.seats.exclude(pk=seat.pk)
    return others.filter(player__bot_level="", left_by="").exists()


def _in_time(due: datetime, seat: Seat, rhythm: Rhythm, now: datetime, left: timedelta) -> datetime:
    """Quiet hours that do not stop the clock yet put the last reminder off past the deadline; it
    goes out before them instead."""
    awake = out_of_quiet_hours(seat.player, due)
    if awake == due or awake + SHORTEST_LAST_CALL <= moment_after(rhythm, now, left):
        return due
    evening = before_quiet_hours(nights_of(seat.player), due) - AHEAD_OF_QUIET_HOURS
    return max(evening, now)


def _digest(player: Player, after: datetime) -> Notice:
    """The next daily mail after this moment."""
    due = next_digest(player, after)
    return _notice(player, Kind.DIGEST, None, int(due.timestamp()) // 60, after, due)


def _notice(
    player: Player,
    kind: str,
    game: Game | None,
    number: int,
    now: datetime,
    due: datetime | None,
    push: datetime | None = None,
    *,
    mail: bool = True,
) -> Notice:
    return Notice(
        player=player,
        kind=kind,
        game=game,
        move_number=number,
        created_at=now,
        due_at=due,
        push_at=push,
        state=State.QUEUED if mail else State.ELSEWHERE,
        # Who asked for a test sits there and waits for it.
        urgent=kind == Kind.ADDRESS,
    )


def _create(rows: Sequence[Notice]) -> None:
    # What has been said once about a move is not said again.
    if rows:
        Notice.objects.bulk_create(rows, ignore_conflicts=True)


def _withdraw(game: Game, kind: str, player: Player | None = None) -> None:
    unsent = Notice.objects.filter(game=game, kind=kind, state__in=UNTOLD)
    unsent = unsent.filter(player=player) if player else unsent
    unsent.update(state=State.WITHDRAWN, push_at=None)
