"""What pages know about bots: where hints are given, and what became of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games import titles
from games.models import BotLevel, Game, Hint, Seat
from games.selectors.table import Table


def may_have_hints(game: Game, seats: Sequence[Seat], own: Seat) -> bool:
    """Only where nobody could mind: in a casual game with bots alone."""
    title = titles.find(game.ruleset)
    others = [seat for seat in seats if seat.pk != own.pk]
    return (
        game.status == Game.Status.RUNNING
        and not game.rated
        and title is not None
        and BotLevel.VIZIER in title.bot_levels
        and all(seat.player.bot_level for seat in others)
    )


def hint_at(table: Table) -> dict[str, Any]:
    """What a page shows of hints: whether there are any here, and the one for this position."""
    own, game = table.own_seat, table.game
    seats = [place.seat for place in table.places]
    choice = table.may_act and len(table.observation["legal"]) > 1
    offered = own is not None and choice and may_have_hints(game, seats, own)
    asked = Hint.objects.filter(seat=own, on_move=len(table.moves)).first() if offered else None
    return {"table": table, "game": game, "offered": offered, "hint": asked}
