"""A bot plays on for somebody whose time ran out, where the table agreed on that.

The game stays whole: the moves of the stand-in are ordinary moves of the seat. The result of
whoever left is the timeout, unless the seat is taken back in time.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games import bell
from games.engine.interface import TIMEOUT
from games.models import TAKEN_BACK_BEFORE, BotLevel, Game, Message, Player, Seat
from games.services import bot_seats
from games.services.errors import Refused
from games.services.hand_over import hand_over
from games.services.notices import queue
from games.titles import TITLES

LEVEL = BotLevel.MERCHANT
"""Where a game has no such bot, its strongest one."""


def take_over(*, game: Game, seats: Sequence[Seat], late: Seat, now: datetime) -> None:
    """Let a bot decide for the late seat; the caller holds the lock of the game."""
    at_the_table = {seat.decider.pk for seat in seats}
    # Who came back once knows how it goes: a second time is for good.
    again = late.stand_in_since is not None
    late.left_by = TIMEOUT
    late.stand_in = bot_seats.bots_of(_level(game), 1, besides=at_the_table)[0]
    late.stand_in_since = game.move_count
    late.stand_in_turns = TAKEN_BACK_BEFORE if again else 0
    late.save(update_fields=["left_by", "stand_in", "stand_in_since", "stand_in_turns"])
    hand_over(game=game, previous=late, following=late, in_other_hands=True, now=now)
    for seat in seats:
        if seat is late or not seat.left_by:
            queue.seat_lost(game=game, seat=seat, now=now)
    _announce(game, late.player, Message.Event.TAKEN_OVER, now)
    game.save()


@transaction.atomic
def take_back(*, game_id: int, player: Player, now: datetime) -> Game:
    """Sit down again: the bot leaves, and the clock goes on with one increment."""
    game = Game.objects.select_for_update().get(pk=game_id)
    seat = game.seats.select_related("player", "stand_in").filter(player=player).first()
    if seat is None:
        raise Refused(_("You have no seat at this table."))
    if game.status != Game.Status.RUNNING:
        raise Refused(_("This game is over."))
    if seat.stand_in is None:
        return game
    if not seat.may_be_taken_back:
        raise Refused(_("It is too late: the bot plays this seat to the end."))
    seat.stand_in = None
    seat.left_by = ""
    seat.bank = Game.Pace(game.pace).increment
    seat.save(update_fields=["stand_in", "left_by", "bank"])
    _announce(game, player, Message.Event.TAKEN_BACK, now)
    if game.to_act_id == seat.pk:
        hand_over(game=game, previous=seat, following=seat, in_other_hands=True, now=now)
        game.save(update_fields=["bot_due_at", "deadline"])
    return game


def _level(game: Game) -> BotLevel:
    levels = TITLES[game.ruleset].bot_levels
    return LEVEL if LEVEL in levels else BotLevel(levels[-1])


def _announce(game: Game, player: Player, event: Message.Event, now: datetime) -> None:
    Message.objects.create(game=game, player=player, event=event, at=now)
    bell.game_changed(game)
