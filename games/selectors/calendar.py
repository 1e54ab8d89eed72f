"""A player's deadlines as an iCalendar file (RFC 5545)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from games.models import Game, Player
from games.selectors.notices import deadlines_of
from games.selectors.rules import name_of
from games.sentences import listed

OCTETS_A_LINE = 75


def calendar(player: Player, now: datetime) -> str:
    known = player.language in dict(settings.LANGUAGES)
    with translation.override(player.language if known else settings.LANGUAGE_CODE):
        name = _("Souk: my deadlines")
        lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Souk//Deadlines//EN"]
        lines += ["CALSCALE:GREGORIAN", f"X-WR-CALNAME:{_text(name)}"]
        for game in deadlines_of(player):
            lines += _event(game, player, now)
        lines.append("END:VCALENDAR")
    return "".join(part for line in lines for part in _folded(line))


def _event(game: Game, player: Player, now: datetime) -> list[str]:
    assert game.deadline is not None
    others = listed(s.player for s in game.seats.all() if s.player_id != player.pk)
    name = name_of(game.ruleset)
    summary = _("Your turn in %(game)s with %(others)s ends") % {"game": name, "others": others}
    domain = settings.SITE_URL.split("//")[1].split(":")[0]
    return [
        "BEGIN:VEVENT",
        f"UID:{game.public_id}-{game.move_count}@{domain}",
        f"DTSTAMP:{_moment(now)}",
        f"DTSTART:{_moment(game.deadline - timedelta(minutes=30))}",
        f"DTEND:{_moment(game.deadline)}",
        f"SUMMARY:{_text(summary)}",
        f"URL:{settings.SITE_URL}{game.get_absolute_url()}",
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
    ]


def _moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _text(value: str) -> str:
    for plain, escaped in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\n", "\\n")):
        value = value.replace(plain, escaped)
    return value


def _folded(line: str) -> Iterator[str]:
    """Lines of at most 75 octets; characters stay whole, and a rest begins with a space."""
    room, part = OCTETS_A_LINE, ""
    for character in line:
        if len((part + character).encode()) > room:
            yield f"{part}\r\n"
            part = " "
        part += character
    yield f"{part}\r\n"
