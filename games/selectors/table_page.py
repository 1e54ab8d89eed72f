"""All that the page of a table shows, gathered before it is rendered.

The games come from `selectors.table.find_game`, or from a move that was made in one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.timezone import localtime

from games.models import Game, Hint, Message, Player
from games.moments import moment
from games.selectors import words
from games.selectors.access import may_moderate
from games.selectors.bots import hint_at, hints_offered
from games.selectors.coaching import Coach, coach_of
from games.selectors.counting import Counting, counting_of
from games.selectors.curves import Curve, curves
from games.selectors.moderation import Told, acts_at
from games.selectors.rules import Edition, edition_of
from games.selectors.table import Table, chat, stamp
from games.selectors.telling import finale, story
from games.selectors.verdict import Verdict, verdict


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
    report: str
    moderate: str
    """Where it is reported or hidden, by those who may."""


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
    careful: bool
    """A tap only chooses what a die decides on: in a game with a clock nothing is taken back."""
    edition: Edition
    """What the game is played by, and where it differs."""
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
    acts: Sequence[Told]
    """What moderators did here, for those who sit here."""
    counting: Counting | None
    coach: Coach | None

    turns: Sequence[ToldTurn]
    """The latest first."""

    verdict: Verdict | None
    story: SafeString | None
    """What the page is to tell before it shows how things stand."""
    is_untold: bool
    """Nothing of that is on the page yet: the reader comes back to it."""
    finale: SafeString | None
    """How the end is counted on the board."""

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
    comes_back = since is None and known is None and table.is_current and not table.chosen
    if since is None:
        since = own.seen_moves if own else total
    since = min(since, total)
    missed = table.news_since(since) if own else []
    hint = hint_at(table)
    ended = verdict(table)
    told = story(table, since if comes_back else table.shown if known is None else known)
    return TablePage(
        table=table,
        game=game,
        known=known,
        url=game.get_absolute_url(),
        board=table.board(advised=hint.answer["action"] if hint and hint.answer else ""),
        description=words.position_in_words(table.observation, table.names).splitlines(),
        curves=curves(table),
        direct=viewer is not None and not viewer.confirm_moves,
        careful=viewer is not None and viewer.confirm_moves and game.pace != Game.Pace.NONE,
        edition=edition_of(game),
        stamp=stamp(
            game.public_id, total, vars(game).get("last_line"), vars(game).get("again_status")
        ),
        since=since,
        missed=missed,
        keep=f"&since={since}" if missed and not table.is_current else "",
        may_talk=own is not None,
        hints_offered=hints_offered(table),
        hint=hint,
        told=getattr(game, "told", False),
        counting=counting_of(game),
        coach=coach_of(table, viewer),
        rematch=_rematch(table),
        acts=acts_at(game, viewer) if own and getattr(game, "moderated", False) else (),
        turns=tuple(
            ToldTurn(turn.last, words.told(game, table.names, turn))
            for turn in reversed(table.turns)
        ),
        verdict=ended,
        finale=finale(table) if ended else None,
        story=told,
        is_untold=bool(told) and comes_back,
        **more,
    )


def chat_lines(game: Game, viewer: Player | None) -> tuple[Line, ...]:
    moderates = may_moderate(viewer)
    return tuple(
        Line(
            name=str(line.player),
            mine=viewer is not None and line.player_id == viewer.pk and not line.event,
            at=localtime(line.at).isoformat(),
            moment=moment(line.at, "time"),
            text=line.text,
            event=line.event,
            report=_address("report_message", line, _may_report(line, viewer)),
            moderate=_address("moderate_message", line, moderates),
        )
        for line in chat(game, viewer)
    )


def _may_report(line: Message, viewer: Player | None) -> bool:
    return viewer is not None and not viewer.is_guest and viewer.pk != line.player_id


def _address(name: str, line: Message, offered: bool) -> str:
    return reverse(name, args=[line.pk]) if offered and not line.event else ""


def _rematch(table: Table) -> Rematch | None:
    found = vars(table.game)
    if not found.get("again"):
        return None
    players = (sitter.seat.player for sitter in table.sitters)
    creator = next((player for player in players if player.pk == found["again_by"]), None)
    return Rematch(found["again"], found["again_status"], creator)
