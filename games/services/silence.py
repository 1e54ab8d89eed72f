"""A game without a clock goes on without somebody who fell silent: all others agree, or staff."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Game, Player
from games.selectors.silence import silence
from games.services import play
from games.services.errors import Refused
from games.services.locks import again_on_deadlock


@again_on_deadlock
@transaction.atomic
def agree_to_go_on(*, game_id: int, player: Player, now: datetime) -> bool:
    """One more who agrees; whether that was the last one, and the game went on."""
    game = Game.objects.select_for_update().get(pk=game_id)
    found = silence(game, list(game.seats.select_related("player", "stand_in")), now)
    others = found.others if found else ()
    own = next((seat for seat in others if seat.player_id == player.pk), None)
    if found is None or own is None:
        raise Refused(_("This game does not wait for you to agree to anything."))
    own.goes_on_from = game.move_count
    own.save(update_fields=["goes_on_from"])
    if found.missing:
        return False
    play.take_seat_away(game_id=game_id, on_move=game.move_count, now=now)
    return True


def close_silent(*, game_ids: list[int], now: datetime) -> int:
    """The staff does not wait for anybody to agree; in how many games somebody was silent."""
    closed = 0
    for game in Game.objects.filter(pk__in=game_ids):
        if silence(game, list(game.seats.select_related("player", "stand_in")), now):
            play.take_seat_away(game_id=game.pk, on_move=game.move_count, now=now)
            closed += 1
    return closed
