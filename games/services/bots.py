"""Bots at work: what they owe is due in the database, and any worker may pay it.

A decision is worked out outside of any transaction, and played like that of a person: made on
a number of moves, so that it counts once however many workers came to it. This is the only
module that loads the brains, and only when there is something to decide.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import cache
from threading import Thread
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from games.engine.interface import Decide
from games.models import BotLevel, Game, Hint, Player, Seat
from games.selectors.bots import may_have_hints
from games.selectors.position import Position, position
from games.services import bot_seats, play
from games.services.errors import Refused

log = logging.getLogger(__name__)

LEASE = timedelta(seconds=30)
"""How long a worker may be silent before another one decides."""

WHILE_COMPILING = timedelta(seconds=3)
AT_ONCE = 20
Clock = Callable[[], datetime]


def play_due(*, clock: Clock) -> int:
    """Play what bots owe and give the hints asked for, until nothing is due; how many."""
    done = 0
    while due := _claim(Hint.objects.all(), "due_at", clock()) or _claim(
        Game.objects.all(), "bot_due_at", clock()
    ):
        try:
            if isinstance(due, Hint):
                _answer(due, clock)
            else:
                _play(due, clock)
        except Exception:
            # One table that cannot be handled must not keep all others waiting.
            log.exception("%r", due)
        done += 1
    return done


@transaction.atomic
def ask_for_hint(*, game_id: int, player: Player, now: datetime) -> None:
    """Have somebody think about the position; asking again in the same one changes nothing."""
    game = Game.objects.select_for_update().get(pk=game_id)
    seats = list(game.seats.select_related("player"))
    own = next((seat for seat in seats if seat.player_id == player.pk), None)
    if own is None or not may_have_hints(game, seats, own):
        raise Refused(_("Hints are for casual games against bots."))
    if game.to_act_id != own.pk:
        raise Refused(_("It is not your turn to choose."))
    hint = Hint.objects.filter(seat=own).first() or Hint(seat=own)
    if hint.pk and hint.on_move == game.move_count:
        return
    hint.on_move, hint.due_at, hint.answer = game.move_count, now, None
    hint.save()
    bot_seats.wake_on_commit()


def _claim(rows: QuerySet[Any], due: str, now: datetime) -> Any:
    """The longest due row that nobody else takes at this moment, held for the time of a lease."""
    found = rows.filter(**{f"{due}__lte": now}).order_by(due)[:AT_ONCE]
    for row in found:
        same = rows.filter(pk=row.pk, **{due: getattr(row, due)})
        if same.update(**{due: now + LEASE}):
            return row
    return None


def _play(game: Game, clock: Clock) -> None:
    here, on_move, seat = _look(game)
    if seat is None or not seat.decider.bot_level:
        return
    level = seat.decider.bot_level if _somebody_plays(game) else BotLevel.APPRENTICE
    try:
        play.play_move(
            game_id=game.pk,
            player=seat.decider,
            action=_choose(level, game, here, seat, on_move),
            on_move=on_move,
            now=clock(),
        )
    except Refused as refusal:
        # Somebody left, or took the seat back, while the bot was thinking.
        log.info("game %s went on without the bot: %s", game.pk, refusal)


def _somebody_plays(game: Game) -> bool:
    """A person sits here, or may still come back, or people watch; else it is not worth any
    thought."""
    if game.is_exhibition:
        return True
    people = [seat for seat in game.seats.select_related("player") if not seat.player.bot_level]
    return any(not seat.left_by or seat.may_be_taken_back for seat in people)


def _choose(level: str, game: Game, here: Position, seat: Seat, on_move: int) -> str:
    from games import bots

    if level != BotLevel.APPRENTICE and not bots.ready():
        compile_meanwhile()
    observation = here.observe(seat.number)
    legal = observation["legal"]
    seed = _seed(game, on_move)
    if level not in bots.LEVELS.get(game.ruleset, ()):
        log.warning("game %s: there is no %s for %s any more", game.pk, level, game.ruleset)
        return legal[seed % len(legal)]
    try:
        return legal[legal.index(bots.choose(level, observation, seed))]
    except Exception:
        # The others at the table wait: any move is better than none.
        log.exception("the %s cannot decide in game %s on move %s", level, game.pk, on_move)
        return legal[seed % len(legal)]


def _answer(hint: Hint, clock: Clock) -> None:
    from games import bots

    asked = Hint.objects.filter(pk=hint.pk, on_move=hint.on_move)
    if not bots.ready():
        compile_meanwhile()
        asked.update(due_at=clock() + WHILE_COMPILING)
        return
    answer = None
    try:
        here, on_move, seat = _look(hint.seat.game)
        if on_move == hint.on_move and seat is not None and seat.pk == hint.seat_id:
            advice = bots.advice(here.observe(seat.number), _seed(hint.seat.game, on_move))
            answer = advice and advice._asdict()
    finally:
        # Whatever happened, it is not tried again: the player can do without. Not before: as long
        # as it is due, pages go on waiting for it.
        asked.update(due_at=None, answer=answer)


@cache
def compile_meanwhile() -> None:
    """Once a process, beside its work: until this is done a plain player sits in."""
    Thread(target=_compile, name="compile bots", daemon=True).start()


def _compile() -> None:
    from games import bots

    try:
        bots.prepare()
    except Exception:
        log.exception("the bots cannot be compiled; plain players go on sitting in")


def _look(game: Game) -> tuple[Position, int, Seat | None]:
    """The position, the number of moves it comes from, and the seat that is to decide."""
    seats = list(game.seats.select_related("player", "stand_in"))
    moves = list(game.moves.order_by("number"))
    here = position(game, seats, moves)
    pending = here.pending
    acting = pending.seat if isinstance(pending, Decide) else None
    return here, len(moves), next((seat for seat in seats if seat.number == acting), None)


def _seed(game: Game, on_move: int) -> int:
    """Dice of its own for each decision: nothing follows from them about those of the game."""
    return int.from_bytes(salted_hmac("games.bots", f"{game.pk} {on_move}").digest()[:8])
