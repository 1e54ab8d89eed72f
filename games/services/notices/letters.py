"""A notice becomes a letter: in the reader's language and time, as plain text and as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.utils import parseaddr
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone, translation

from games import titles
from games.models import Game, Notice, Seat
from games.selectors import words
from games.selectors.access import kept_apart_from
from games.selectors.accounts import is_confirmed
from games.selectors.clock import zone_of
from games.selectors.rules import name_of
from games.selectors.table import Table, see_table
from games.sentences import listed
from games.services.notices import wording
from games.services.notices.letter import Letter
from games.services.notices.links import (
    absolute,
    decision_url,
    unsubscribe_url,
    with_action,
)
from games.services.notices.picture import CONTENT_ID, picture_part
from games.services.notices.wishes import ABOUT_A_TURN

Kind = Notice.Kind
FEW = 3
"""So many choices become buttons; more are made at the table."""


@dataclass(frozen=True)
class Choice:
    label: str
    url: str


def is_timely(notice: Notice) -> bool:
    """Whether there is still a point in sending it."""
    game = notice.game
    if not is_confirmed(notice.player):
        return False
    if game and notice.kind == Kind.MESSAGE:
        return bool(_lines(notice))
    if game and notice.kind in ABOUT_A_TURN:
        own = (seat for seat in game.seats.all() if seat.player_id == notice.player_id)
        return any(seat.pk == game.to_act_id for seat in own)
    if game and notice.kind == Kind.INVITATION:
        return game.status == Game.Status.OPEN
    return True


def write(notice: Notice, *, now: datetime, enclosed: Sequence[Notice] = ()) -> Letter:
    """The letter; `enclosed` are the notices that a digest is about."""
    player = notice.player
    language = player.language if player.language in dict(settings.LANGUAGES) else None
    with (
        translation.override(language or settings.LANGUAGE_CODE),
        timezone.override(zone_of(player)),
    ):
        return _message(notice, _context(notice, now, enclosed))


def _context(notice: Notice, now: datetime, enclosed: Sequence[Notice]) -> dict[str, Any]:
    player, game = notice.player, notice.game
    context: dict[str, Any] = {
        "language": translation.get_language(),
        "settings_url": absolute("/settings/"),
        "off_url": unsubscribe_url(player),
    }
    if notice.kind == Kind.DIGEST:
        context["entries"] = [_entry(each) for each in enclosed]
    if game is None:
        return context | _sentences(notice, None)
    if game.started_at:
        table = see_table(game, player)
        seats = [place.seat for place in table.places]
        context |= _position(table, now)
    else:
        seats = list(game.seats.all())
    topic = _topic(notice, game, seats)
    context |= _sentences(notice, topic)
    context |= {"game": game, "url": absolute(game.get_absolute_url())}
    if topic.own:
        context["game_off_url"] = unsubscribe_url(player, topic.own)
    if notice.kind == Kind.MESSAGE:
        context["lines"] = _lines(notice)
    return context


def _topic(notice: Notice, game: Game, seats: Sequence[Seat]) -> wording.Topic:
    own = next((seat for seat in seats if seat.player_id == notice.player_id), None)
    others = [str(seat.player) for seat in seats if seat is not own]
    return wording.Topic(
        notice=notice,
        game=game,
        own=own,
        name=name_of(game.ruleset),
        others=listed(others) or str(game.creator),
    )


def _sentences(notice: Notice, topic: wording.Topic | None) -> dict[str, Any]:
    return {"subject": wording.subject(notice, topic), "opening": wording.opening(notice, topic)}


def _position(table: Table, now: datetime) -> dict[str, Any]:
    own = table.own_seat
    last_own = max(
        (move.number for move in table.moves if own and move.seat == own.number), default=0
    )
    return {
        "table": table,
        "story": [
            (table.names[turn.seat], words.deeds(table.game, table.names, turn))
            for turn in table.turns_since(last_own)
        ],
        "description": words.position_in_words(table.observation, table.names),
        "picture": picture_part(table),
        "picture_url": f"cid:{CONTENT_ID}",
        "choices": _choices(table),
        "until": wording.until(table.game, now) if table.may_act else "",
    }


def _choices(table: Table) -> list[Choice]:
    """The decision as buttons, if it is the reader's and has few answers."""
    legal = table.observation["legal"]
    if not table.may_act or len(legal) > FEW or table.own_seat is None:
        return []
    url = decision_url(table.own_seat, table.game)
    return [Choice(choice_label(table, action), with_action(url, action)) for action in legal]


def choice_label(table: Table, action: str) -> str:
    """What a button says."""
    return titles.words(table.game.ruleset).choice(action, table.observation)


def _entry(notice: Notice) -> dict[str, str]:
    game = notice.game
    assert game
    topic = _topic(notice, game, list(game.seats.all()))
    return {"text": wording.entry(topic), "url": absolute(game.get_absolute_url())}


def _lines(notice: Notice) -> list[str]:
    """What was said since the player last heard of the chat."""
    assert notice.game
    said = notice.game.messages.filter(at__gte=notice.created_at, event="")
    said = said.exclude(player=notice.player)
    said = said.exclude(player__in=kept_apart_from(notice.player))
    return [str(line) for line in said.select_related("player").order_by("id")[:20]]


def _message(notice: Notice, context: dict[str, Any]) -> Letter:
    message = Letter(
        # A name may hold a line break, a header must not.
        subject=" ".join(context["subject"].split()),
        body=render_to_string("games/mail/letter.txt", context).strip() + "\n",
        to=[notice.player.email],
        headers=_headers(notice, context["off_url"]),
    )
    message.attach_alternative(render_to_string("games/mail/letter.html", context), "text/html")
    message.picture = context.get("picture")
    return message


def _headers(notice: Notice, off_url: str) -> dict[str, str]:
    domain = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].partition("@")[2]
    headers = {
        # The same for each try, so that a mail program drops a second copy.
        "Message-ID": f"<notice.{notice.pk}@{domain}>",
        "Auto-Submitted": "auto-generated",
        "List-Id": f"Souk <turns.{domain}>",
        "List-Unsubscribe": f"<{off_url}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    if notice.game:
        thread = f"<game.{notice.game.public_id}@{domain}>"
        headers |= {"In-Reply-To": thread, "References": thread}
    return headers
