"""How a table is set up: its row, its seats, those who sit down, and the start.

Callers hold the lock of the game.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from games import bell
from games.engine import chance
from games.models import Game, Invitation, Player, Seat
from games.services import commitments, limits, play
from games.services.commitments import Seed
from games.services.errors import Refused
from games.services.luck import FIXED_WORD, Word
from games.services.notices import queue

OPEN_FOR = timedelta(days=14)
MAX_BOT_GAMES = 20


def locked(game_id: int) -> Game:
    return Game.objects.select_for_update().get(pk=game_id)


def open_table(
    *,
    creator: Player,
    invited: Sequence[Player],
    word: Word,
    now: datetime,
    ticket: str = "",
    **terms: Any,
) -> Game:
    """A new game, with the seed of the ticket or, without a ticket, with one drawn only now."""
    seed = commitments.seed_of(ticket, now=now) if ticket else _drawn_seed()
    try:
        with transaction.atomic():
            game = Game.objects.create(
                creator=creator,
                seed=seed.secret,
                commitment=seed.commitment,
                committed_at=seed.committed_at,
                created_at=now,
                expires_at=now + OPEN_FOR,
                **terms,
            )
    except IntegrityError:
        # Another request used the same ticket at the same time: this says which game it opened.
        if ticket:
            commitments.seed_of(ticket, now=now)
        raise
    sit(game, creator, joined=0, word=word, now=now)
    Invitation.objects.bulk_create(
        Invitation(game=game, player=player, at=now) for player in invited
    )
    queue.invited(game=game, players=invited, now=now)
    bell.game_changed(game)
    return game


def _drawn_seed() -> Seed:
    secret = secrets.token_bytes(chance.SEED_BYTES)
    return Seed(secret, chance.commitment(secret), committed_at=None)


def sit(game: Game, player: Player, *, joined: int, word: Word, now: datetime) -> None:
    Seat.objects.create(
        game=game,
        player=player,
        joined=joined,
        entropy=word.text,
        word_origin=word.origin,
        # The release before this one reads no other column.
        word_drawn=word.origin in (Seat.WordOrigin.DRAWN, Seat.WordOrigin.FIXED),
        joined_at=now,
    )


def sit_bots(
    game: Game, bots: Sequence[Player], *, taken: int, network: str, now: datetime
) -> None:
    """The only way of bots to a table of people, and so the place of the one limit for all ways;
    where none sits, see `exhibitions`."""
    if bots:
        _check_bot_games(game.creator)
        limits.spend("bot_game", now=now, sender=game.creator_id, network=network)
    for joined, bot in enumerate(bots, start=taken):
        sit(game, bot, joined=joined, word=FIXED_WORD, now=now)
    if taken + len(bots) == game.size:
        start(game, now)


def _check_bot_games(player: Player) -> None:
    Player.objects.select_for_update().get(pk=player.pk)
    running = player.games_created.filter(status=Game.Status.RUNNING).exclude(fill_level="")
    if running.count() >= MAX_BOT_GAMES:
        raise Refused(
            _("You play %(count)d games against bots: finish or give up one first.")
            % {"count": MAX_BOT_GAMES}
        )


def start(game: Game, now: datetime) -> None:
    seats = list(game.seats.order_by("joined"))
    drawn = chance.seating(bytes(game.seed), [seat.entropy for seat in seats])
    for number, joined in enumerate(drawn):
        seats[joined].number = number
    Seat.objects.bulk_update(seats, ["number"])
    game.status = Game.Status.RUNNING
    game.started_at = now
    game.save(update_fields=["status", "started_at"])
    play.begin(game=game, now=now)


def release_seat(game: Game, player: Player) -> None:
    """Empty a seat of an open game that the caller has locked; those who came later move up."""
    seats = list(game.seats.order_by("joined"))
    given_up = next(seat for seat in seats if seat.player_id == player.pk)
    given_up.delete()
    for seat in seats[given_up.joined + 1 :]:
        seat.joined -= 1
        seat.save(update_fields=["joined"])
    bell.game_changed(game)
