"""How a game ended, for whoever looks at it: who won, by how much, and what comes next."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games import titles
from games.models import BotLevel, Game
from games.selectors.table import Table
from games.sentences import listed


@dataclass(frozen=True)
class Stronger:
    """The same table against bots of the next level."""

    level: str
    name: str
    opponents: int


@dataclass(frozen=True)
class Verdict:
    heading: str
    decided: str
    tone: str
    """The first colour of whoever won."""
    is_won: bool
    stronger: Stronger | None


def verdict(table: Table) -> Verdict | None:
    """Of a game that is over, at its end."""
    over = table.pending
    if over["type"] != "over" or table.game.status != Game.Status.OVER or not table.is_current:
        return None
    words = titles.words(table.game.ruleset)
    own = table.own_seat.number if table.own_seat else None
    winners = over["ranking"][0]
    return Verdict(
        heading=_heading(table, winners, own, words.margin(over)),
        decided=words.decided(over, table.names, own),
        tone=table.observation["players"][winners[0]]["colours"][0],
        is_won=own in winners,
        stronger=_stronger(table),
    )


def _heading(table: Table, winners: list[int], own: int | None, margin: int) -> str:
    others = [table.names[seat] for seat in winners if seat != own]
    if own in winners:
        if not others:
            return _("You won!")
        return _("You won together with %(names)s!") % {"names": listed(others)}
    if len(winners) > 1:
        return _("%(names)s won together") % {"names": listed(others)}
    if margin:
        return _("%(name)s won by %(n)s") % {"name": others[0], "n": margin}
    return _("%(name)s won") % {"name": others[0]}


def _stronger(table: Table) -> Stronger | None:
    others = [sitter.seat.player for sitter in table.sitters if not sitter.own]
    title = titles.find(table.game.ruleset)
    if table.own_seat is None or title is None or not all(each.bot_level for each in others):
        return None
    met = [title.bot_levels.index(p.bot_level) for p in others if p.bot_level in title.bot_levels]
    above = title.bot_levels[max(met, default=-1) + 1 :]
    if not met or not above or not title.is_offered:
        return None
    return Stronger(above[0], str(BotLevel(above[0]).label), len(others))
