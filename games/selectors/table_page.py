"""All that the page of a table shows, gathered before it is rendered.

The games come from `selectors.table.find_game`, or from a move that was made in one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString
from django.utils.timezone import localtime

from games.models import Game, Hint, Player
from games.moments import moment
from games.selectors import words
from games.selectors.bots import hint_at, hints_offered
from games.selectors.counting import Counting, counting_of
from games.selectors.curves import Curve, curves
from games.selectors.table import Table, chat, stamp


@dataclass(frozen=True)
class ToldTurn:
    """A turn in the list of moves, and the move that its position comes after."""

    last: int
    told: SafeString


@dataclass(frozen=True)
class Line:
    """What somebody said in the chat, at a moment in the time of the reader."""

    name: str
    mine: bool
    at: str
    moment: str
    text: str
    event: str


@dataclass(frozen=True)
class Rematch:
    """The same game once more, opened by one of its players."""

    public_id: str
    status: str
    creator: Player | None


@dataclass(frozen=True)
class TablePage:
    """What the parts of the page are made of; moves after `known` are new to the reader."""

    table: Table
    game: Game
    known: int | None
    url: str
    board: Any
    description: Sequence[str]
    curves: Sequence[Curve]
    direct: bool
    """A tap plays at once, without a question."""
    stamp: str
    since: int
    missed: Sequence[words.Turn]
    """What happened since the reader last looked, which was after move `since`."""
    keep: str
    may_talk: bool
    hints_offered: bool
    hint: Hint | None
    told: bool
    rematch: Rematch | None
    counting: Counting | None

    turns: Sequence[ToldTurn]
    """The latest first."""

    lines: Sequence[Line] = ()
    news: Sequence[words.Turn] = ()
    """Read aloud, to those who do not see the board change."""
    meanwhile: Sequence[words.Turn] = ()
    refusal: Exception | None = None
    acted: bool = False


def table_page(
    table: Table,
    viewer: Player | None,
    *,
    known: int | None = None,
    since: int | None = None,
    **more: Any,
) -> TablePage:
    """`since` is what the page says it has shown; without it, what the seat remembers."""
    game, own, total = table.game, table.own_seat, len(table.moves)
    if since is None:
        since = own.seen_moves if own else total
    since = min(since, total)
    missed = table.news_since(since) if own else []
    return TablePage(
        table=table,
        game=game,
        known=known,
        url=game.get_absolute_url(),
        board=table.board(seen=known),
        description=words.position_in_words(table.observation, table.names).splitlines(),
        curves=curves(table),
        direct=viewer is not None and not viewer.confirm_moves,
        stamp=stamp(game.public_id, total, getattr(game, "last_line", None)),
        since=since,
        missed=missed,
        keep=f"&since={since}" if missed and not table.is_current else "",
        may_talk=own is not None,
        hints_offered=hints_offered(table),
        hint=hint_at(table),
        told=getattr(game, "told", False),
        counting=counting_of(game),
        rematch=_rematch(table),
        turns=tuple(
            ToldTurn(turn.last, words.told(game, table.names, turn))
            for turn in reversed(table.turns)
        ),
        **more,
    )


def chat_lines(game: Game, viewer: Player | None) -> tuple[Line, ...]:
    return tuple(
        Line(
            name=str(line.player),
            mine=viewer is not None and line.player_id == viewer.pk,
            at=localtime(line.at).isoformat(),
            moment=moment(line.at, "time"),
            text=line.text,
            event=line.event,
        )
        for line in chat(game, viewer)
    )


def _rematch(table: Table) -> Rematch | None:
    found = vars(table.game)
    if not found.get("again"):
        return None
    players = (sitter.seat.player for sitter in table.sitters)
    creator = next((player for player in players if player.pk == found["again_by"]), None)
    return Rematch(found["again"], found["again_status"], creator)
