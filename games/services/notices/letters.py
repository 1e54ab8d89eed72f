"""A notice becomes a letter: in the reader's language and time, as plain text and as HTML."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.utils import parseaddr
from functools import lru_cache
from html import unescape
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string, select_template
from django.utils import timezone, translation
from django.utils.html import strip_tags

from games.models import Game, Notice, Player, Seat
from games.selectors import words
from games.selectors.clock import zone_of
from games.selectors.table import Table, see_table
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
        context = _context(notice, now, enclosed)
        context["opening"] = _plain_sentence("games/mail/_opening.txt", context)
        context["until"] = _plain_sentence("games/mail/_until.txt", context)
        return _message(notice, context)


def _context(notice: Notice, now: datetime, enclosed: Sequence[Notice]) -> dict[str, Any]:
    player, game = notice.player, notice.game
    context: dict[str, Any] = {
        "notice": notice,
        "player": player,
        "now": now,
        "site": settings.SITE_URL,
        "language": translation.get_language(),
        "settings_url": absolute("/settings/"),
        "off_url": unsubscribe_url(player),
    }
    if notice.kind == Kind.DIGEST:
        context["entries"] = [_entry(each) for each in enclosed]
    if game is None:
        return context
    if game.started_at:
        table = see_table(game, player)
        seats = [place.seat for place in table.places]
        context |= _position(table)
    else:
        seats = list(game.seats.all())
    context |= _about(game, player, seats)
    own = next((seat for seat in seats if seat.player_id == player.pk), None)
    if own:
        context["game_off_url"] = unsubscribe_url(player, own)
    if notice.kind == Kind.MESSAGE:
        context["lines"] = _lines(notice)
    return context


def _about(game: Game, reader: Player, seats: Sequence[Seat]) -> dict[str, Any]:
    others = [str(seat.player) for seat in seats if seat.player_id != reader.pk]
    return {
        "game": game,
        "own": next((seat for seat in seats if seat.player_id == reader.pk), None),
        "name": _name(game.ruleset, translation.get_language()),
        "others": ", ".join(others) or str(game.creator),
        "url": absolute(game.get_absolute_url()),
    }


def _position(table: Table) -> dict[str, Any]:
    own = table.own_seat
    last_own = max(
        (move.number for move in table.moves if own and move.seat == own.number), default=0
    )
    return {
        "table": table,
        "story": [
            (table.names[turn.seat], _plain(words.sentence(table.game, table.names, turn)))
            for turn in table.turns_since(last_own)
        ],
        "description": words.position_in_words(table.observation, table.names),
        "picture": picture_part(table),
        "picture_url": f"cid:{CONTENT_ID}",
        "choices": _choices(table),
    }


def _choices(table: Table) -> list[Choice]:
    """The decision as buttons, if it is the reader's and has few answers."""
    legal = table.observation["legal"]
    if not table.may_act or len(legal) > FEW or table.own_seat is None:
        return []
    url = decision_url(table.own_seat, table.game)
    return [Choice(choice_label(table, action), with_action(url, action)) for action in legal]


def choice_label(table: Table, action: str) -> str:
    """What a button says; a game without words of its own shows its notation."""
    forecast = table.observation.get("forecast") or {}
    way = json.dumps(forecast.get(action))
    return _label(table.game.ruleset, action, way, translation.get_language())


@lru_cache(maxsize=4096)
def _label(ruleset: str, action: str, way: str, language: str) -> str:
    """Remembered, because there are only so many ways and prices."""
    template = select_template([f"games/{ruleset}/_choice.txt", "games/mail/_choice.txt"])
    return unescape(template.render({"action": action, "way": json.loads(way)})).strip()


@lru_cache(maxsize=64)
def _name(ruleset: str, language: str) -> str:
    return render_to_string(f"games/{ruleset}/_name.txt").strip()


def _entry(notice: Notice) -> dict[str, Any]:
    game = notice.game
    assert game
    about = _about(game, notice.player, list(game.seats.all()))
    return {"notice": notice, "kind": notice.kind, **about}


def _lines(notice: Notice) -> list[str]:
    """What was said since the player last heard of the chat."""
    assert notice.game
    said = notice.game.messages.filter(at__gte=notice.created_at, event="")
    said = said.exclude(player=notice.player)
    return [str(line) for line in said.select_related("player").order_by("id")[:20]]


def _plain_sentence(template: str, context: dict[str, Any]) -> str:
    """For the text and, where it is escaped, for the HTML: what is stripped is not marked safe."""
    return render_to_string(template, context).strip()


def _plain(html: str) -> str:
    return unescape(strip_tags(html))


def _message(notice: Notice, context: dict[str, Any]) -> Letter:
    subject = render_to_string("games/mail/subject.txt", context)
    message = Letter(
        subject=" ".join(unescape(subject).split()),
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
