"""What pages know about bots: where hints are given, and what became of one."""

from __future__ import annotations

from collections.abc import Sequence

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


def hints_offered(table: Table) -> bool:
    """Whether the viewer may ask what to do here."""
    own = table.own_seat
    if own is None or not table.may_act or len(table.observation["legal"]) < 2:
        return False
    return may_have_hints(table.game, [sitter.seat for sitter in table.sitters], own)


def hint_at(table: Table) -> Hint | None:
    """The one that the viewer asked for in this position."""
    hint: Hint | None = getattr(table.own_seat, "hint", None)
    return hint if hint and hint.on_move == len(table.moves) else None
