"""Seats that bots decide for: who the bots are, and when one of them is due."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from itertools import count as counting

from django.db import transaction

from games import workers
from games.models import BotLevel, Game, Player, Seat


def bots_of(level: BotLevel, number: int, *, besides: Collection[int] = ()) -> list[Player]:
    """So many different bots of a level, other than those; made the first time they are needed."""
    found: list[Player] = []
    for order in counting(1):
        if len(found) == number:
            break
        bot = _bot(level, order)
        if bot and bot.pk not in besides:
            found.append(bot)
    return found


def hand_over(*, game: Game, previous: Seat | None, following: Seat | None, now: datetime) -> None:
    """Note whether a bot is to act; the caller holds the lock of the game
    and saves it and the seat."""
    game.bot_due_at = None
    if following is None or not following.decider.bot_level:
        return
    if following.stand_in and (previous is None or previous.pk != following.pk):
        following.stand_in_turns += 1
    # Those who watch an exhibition want to see each move.
    pause = timedelta(seconds=game.exhibition or 0)
    game.bot_due_at = now + pause
    if not pause:
        wake_on_commit()


def wake_on_commit() -> None:
    """Have bots decide at once; without a broker the next sweep does it."""
    transaction.on_commit(_wake, robust=True)


def _wake() -> None:
    workers.wake(workers.BOTS, expires=60)


def _bot(level: BotLevel, order: int) -> Player | None:
    """The bot of this name; None where a person had the name before there were bots."""
    name = level.value.title() + (f"-{order}" if order > 1 else "")
    bot, _ = Player.objects.get_or_create(
        username=name, defaults={"bot_level": level, "password": "!"}
    )
    return bot if bot.bot_level == level else None
