"""Keeping apart: no challenges, no shared open games, no chat."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Block, Game, Player, Seat
from games.selectors.access import seated
from games.services.errors import Refused
from games.services.seating import release_seat


@transaction.atomic
def block_player(*, blocker: Player, blocked: Player, now: datetime) -> None:
    if blocker.pk == blocked.pk:
        raise Refused(_("You cannot block yourself."))
    Block.objects.get_or_create(blocker=blocker, blocked=blocked, defaults={"at": now})
    _part_in_open_games(blocker, blocked)


@transaction.atomic
def unblock_player(*, blocker: Player, blocked: Player) -> None:
    Block.objects.filter(blocker=blocker, blocked=blocked).delete()


def _part_in_open_games(blocker: Player, blocked: Player) -> None:
    """One of the two gives up the seat where they would start a game together."""
    pair = {blocker.pk: blocker, blocked.pk: blocked}
    theirs = Seat.objects.filter(player__in=pair, game__status=Game.Status.OPEN).values("game")
    for game in Game.objects.select_for_update().filter(pk__in=theirs).order_by("pk"):
        # Read again under the lock: the game may have started meanwhile.
        if game.status != Game.Status.OPEN:
            continue
        staying = seated(game) & pair.keys()
        if len(staying) == 2:
            leaver = blocked if game.creator_id == blocker.pk else blocker
            release_seat(game, leaver)
            staying.remove(leaver.pk)
        if staying:
            game.invitations.filter(player__in=pair.keys() - staying).delete()
