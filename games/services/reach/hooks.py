"""The channel of webhooks: Standard Webhooks, and what chats understand.

What is told is written once, when the errand is made, so that every try says the same. Names and
addresses of games that are not public go out with it: the address is that of somebody who sits
at the table, or opened it.
"""

from __future__ import annotations

import hmac
import json
import re
from base64 import b64decode, b64encode
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from typing import Any

from django.utils import timezone, translation
from django.utils.translation import gettext as _

from games import outbound
from games.models import Errand, Notice, Player, Webhook
from games.selectors.accounts import is_confirmed
from games.selectors.clock import zone_of
from games.sentences import paragraph
from games.services.notices import letters, wording
from games.services.notices import written as letters_to
from games.services.notices.links import absolute
from games.services.reach import outcome
from games.services.reach.outcome import Outcome

Kind, Format = Errand.Kind, Webhook.Format
TYPES = {Kind.TURN: "game.turn", Kind.OVER: "game.over", Kind.TEST: "test"}
PREFIX = "whsec_"
GONE = 410
AGENT = "Souk"
TROUBLESOME = re.compile(r"[<>&@]")
"""In the text of a chat: what could be taken for a mention or a link. Chats that understand what
Slack does call everybody by words of their own, and anybody by name."""


def deliver(errand: Errand, *, now: datetime) -> Outcome:
    webhook = errand.webhook
    assert webhook
    body = json.dumps(errand.content, ensure_ascii=False, separators=(",", ":")).encode()
    headers = {"Content-Type": "application/json", "User-Agent": AGENT}
    if webhook.format == Format.STANDARD:
        headers |= signature(webhook.secret, f"msg_{errand.pk}", int(now.timestamp()), body)
    came = outcome.of(outbound.post(webhook.url, body, headers))
    # Whatever else it answers, it may be put right within the day.
    return replace(came, again=not came.is_good and came.status != GONE)


def signature(secret: str, name: str, at: int, body: bytes) -> dict[str, str]:
    key = b64decode(secret.removeprefix(PREFIX))
    signed = hmac.digest(key, f"{name}.{at}.".encode() + body, sha256)
    return {
        "webhook-id": name,
        "webhook-timestamp": str(at),
        "webhook-signature": f"v1,{b64encode(signed).decode()}",
    }


def noted(webhook: Webhook, came: Outcome, *, given_up: bool, now: datetime) -> None:
    """An address that fails for about a day, or says that it is not one, is switched off."""
    hooks = Webhook.objects.filter(pk=webhook.pk)
    if came.is_good:
        hooks.update(last_error="", off_since=None)
        return
    hooks.update(last_error=came.reason[:200])
    if given_up and hooks.filter(off_since=None).update(off_since=now):
        _tell_owner(webhook, came, now)


def written(webhook: Webhook, notice: Notice, *, now: datetime) -> dict[str, Any]:
    """What the webhook is told of a turn, or of the end."""
    game = notice.game
    assert game
    with _in_words_of(webhook.owner):
        topic = letters.topic_of(notice, game)
        url = absolute(game.get_absolute_url())
        if notice.kind == Kind.OVER:
            text = _("The game is over: %(name)s with %(others)s") % _named(topic)
            mention = ""
        else:
            text = _("%(player)s is to move: %(name)s with %(others)s") % {
                **_named(topic),
                "player": str(notice.reader),
            }
            mention = mention_of(webhook, notice.reader)
            text = " · ".join(part for part in (text, wording.until_when(game)) if part)
    if webhook.format != Format.STANDARD:
        return _said(webhook, text, mention, url)
    to_move = None if notice.kind == Kind.OVER else _person(notice.reader)
    return {
        "type": TYPES[Kind(notice.kind)],
        "timestamp": now.isoformat(),
        "data": {
            "game": game.public_id,
            "url": url,
            "title": game.ruleset,
            "moves": game.move_count,
            "players": [_person(seat.player) for seat in game.seats.all()],
            "to_move": to_move,
            "deadline": game.deadline.isoformat() if game.deadline else None,
            "text": text,
        },
    }


def test_words(webhook: Webhook, *, now: datetime) -> dict[str, Any]:
    with _in_words_of(webhook.owner):
        text = _("A test from Souk: turns will be told here.")
    if webhook.format != Format.STANDARD:
        mention = mention_of(webhook, webhook.owner)
        return _said(webhook, text, mention, absolute("/settings/notices/"))
    return {"type": TYPES[Kind.TEST], "timestamp": now.isoformat(), "data": {"text": text}}


def mention_of(webhook: Webhook, player: Player) -> str:
    """As the owner wrote it: a line for each player (`name = 1234`), or one for the owner alone."""
    names = {player.username.lower(), str(player).lower()}
    for line in webhook.mentions.splitlines():
        name, given, mention = line.partition("=")
        if not given and player.pk == webhook.owner_id:
            return _as_mention(webhook.format, name.strip())
        if given and name.strip().lower() in names:
            return _as_mention(webhook.format, mention.strip())
    return ""


def _as_mention(format: str, name: str) -> str:
    if not name or name.startswith(("<@", "@")):
        return name
    if format == Format.DISCORD or re.fullmatch(r"[UW][A-Z0-9]{6,}", name):
        return f"<@{name}>"
    return f"@{name}"


def _said(webhook: Webhook, text: str, mention: str, url: str) -> dict[str, Any]:
    safe = TROUBLESOME.sub(" ", text)
    line = " ".join(part for part in (mention, safe, url) if part)
    if webhook.format == Format.SLACK:
        return {"text": line}
    # Nobody else is called, whatever players call themselves.
    people = re.findall(r"\A<@!?(\d+)>", mention)
    return {"content": line[:1900], "allowed_mentions": {"parse": [], "users": people}}


def _named(topic: wording.Topic) -> dict[str, str]:
    return {"name": topic.name, "others": topic.others}


def _person(player: Player) -> dict[str, str]:
    return {"username": player.username, "name": str(player)}


def _in_words_of(player: Player) -> Any:
    return translation.override(letters.language_of(player))


def _tell_owner(webhook: Webhook, came: Outcome, now: datetime) -> None:
    owner = webhook.owner
    if not is_confirmed(owner):
        return
    with _in_words_of(owner), timezone.override(zone_of(owner)):
        text = paragraph(
            [
                _("One of your webhooks has failed for about a day and is switched off."),
                _("The last answer was: %(reason)s") % {"reason": came.reason},
            ]
        )
        content = letters_to.Content(
            subject=_("A webhook was switched off"),
            text=f"{text}\n\n{absolute('/settings/notices/')}\n",
        )
    letters_to.write_to(address=owner.email, content=content, now=now)
