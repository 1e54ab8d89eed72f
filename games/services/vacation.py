"""Vacations: 30 days a calendar year in which a player's clocks stand still."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from games import bell
from games.models import Game, Message, Player, Vacation
from games.selectors.clock import (
    VACATION_A_YEAR,
    vacation_in_a_row,
    vacation_left,
    vacation_spent,
    years_touched,
)
from games.services.errors import Refused
from games.services.locks import again_on_deadlock
from games.services.notices import queue
from games.services.rhythm import changing

DAY = timedelta(days=1)
FURTHEST = timedelta(days=365)


@again_on_deadlock
def take_vacation(*, player: Player, start: datetime, end: datetime, now: datetime) -> Vacation:
    """Plan a vacation, or start one at once; it never begins in the past."""
    start = max(start, now)
    if end <= start:
        raise Refused(_("A vacation ends after it begins, and not in the past."))
    if start > now + FURTHEST:
        raise Refused(_("Plan your vacation for the coming year."))
    with changing(player, now=now):
        if Vacation.objects.filter(player=player, end__gt=start, start__lt=end).exists():
            raise Refused(_("You have planned a vacation for this time already."))
        vacation = Vacation.objects.create(player=player, start=start, end=end)
        _check_budget(player, vacation)
    return vacation


@again_on_deadlock
def end_vacation(*, player: Player, vacation_id: int, now: datetime) -> None:
    """Come back early, or give up a vacation that has not begun. Once over it stays taken."""
    with changing(player, now=now):
        vacation = Vacation.objects.filter(pk=vacation_id, player=player, end__gt=now).first()
        if vacation is None:
            return
        if vacation.start >= now:
            vacation.delete()
        else:
            vacation.end = now
            vacation.save(update_fields=["end"])


def come_back(*, player: Player, now: datetime) -> None:
    """Who plays is not away: a move made in a vacation ends it."""
    on = Vacation.objects.filter(player=player, start__lte=now, end__gt=now).first()
    if on:
        end_vacation(player=player, vacation_id=on.pk, now=now)


def choose_automatic(*, player: Player, auto_vacation: bool) -> None:
    player.auto_vacation = auto_vacation
    player.save(update_fields=["auto_vacation"])


@again_on_deadlock
def spend_a_day(*, game_id: int, now: datetime) -> bool:
    """Save the seat whose time is up with a day of vacation, if its player wants and has one."""
    game = Game.objects.select_related("to_act__player").get(pk=game_id)
    if game.to_act is None or not game.to_act.player.auto_vacation:
        return False
    player = game.to_act.player
    if player.is_suspended(now):
        return False
    with changing(player, now=now, rescue=True):
        game.refresh_from_db(fields=["to_act", "deadline"])
        late = game.to_act and game.to_act.player_id == player.pk
        if not late or game.deadline is None or game.deadline > now:
            return False
        in_a_row = VACATION_A_YEAR - vacation_in_a_row(player, now, now)
        end = now + min(DAY, vacation_left(player, now), in_a_row)
        if planned := Vacation.objects.filter(player=player, end__gt=now).first():
            end = min(end, planned.start)
        if end <= now:
            return False
        vacation = Vacation.objects.create(player=player, start=now, end=end, automatic=True)
        queue.vacation_spent(vacation=vacation, game=game, seat=game.to_act, now=now)
        Message.objects.create(game=game, player=player, event=Message.Event.VACATION, at=now)
    bell.game_changed(game)
    return True


def _check_budget(player: Player, vacation: Vacation) -> None:
    if vacation_in_a_row(player, vacation.start, vacation.end) > VACATION_A_YEAR:
        raise Refused(
            _("That is more than 30 days of vacation in a row. Play for a week in between.")
        )
    for year in years_touched(player, vacation.start, vacation.end):
        if vacation_spent(player, year) > VACATION_A_YEAR:
            raise Refused(
                _("That is more than the 30 days of vacation that you have in %(year)d.")
                % {"year": year}
            )
