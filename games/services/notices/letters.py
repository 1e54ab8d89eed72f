"""A notice becomes a letter: in the reader's language and time, as plain text and as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from unicodedata import category

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from games import titles
from games.models import Game, Invitation, Notice, Player, Puzzle, Seat, Vacation
from games.selectors import empty_seats, words
from games.selectors.clock import vacation_left, zone_of
from games.selectors.empty_seats import unanswered
from games.selectors.notices import lines_for
from games.selectors.rules import name_of
from games.selectors.silence import SILENT_AFTER
from games.selectors.table import Table, see_table
from games.sentences import listed
from games.services.notices import wording
from games.services.notices.headers import (
    domain,
    headers,
    list_headers,
    message_name,
    return_address,
)
from games.services.notices.letter import Letter
from games.services.notices.links import (
    absolute,
    decision_url,
    invitation_url,
    no_puzzles_url,
    puzzle_url,
    unsubscribe_url,
    with_action,
)
from games.services.notices.parcels import Parcel
from games.services.notices.picture import picture_part
from games.services.notices.wishes import ABOUT_A_TURN
from games.services.notices.written import Content

Kind = Notice.Kind
FEW = 3
"""So many choices become buttons; more are shown on the page that one button leads to."""

TURNING = frozenset("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Signs that are not seen and change the direction of what follows."""


@dataclass(frozen=True)
class Choice:
    label: str
    url: str


def write(parcel: Parcel, *, now: datetime) -> Letter:
    """The letter that tells all that is in the parcel."""
    if parcel.lead.content:
        return _ready(parcel, Content(**parcel.lead.content))
    player = parcel.lead.reader
    with (
        translation.override(language_of(player)),
        timezone.override(zone_of(player)),
    ):
        return _message(parcel, _context(parcel, now))


def language_of(player: Player) -> str:
    known = player.language in dict(settings.LANGUAGES)
    return player.language if known else settings.LANGUAGE_CODE


def topic_of(notice: Notice, game: Game) -> wording.Topic:
    return _topic(notice, game, list(game.seats.all()))


def choices_of(notice: Notice, game: Game) -> list[Choice]:
    """The reader's decision, if it has few answers."""
    return _choices(see_table(game, notice.reader))


def _ready(parcel: Parcel, content: Content) -> Letter:
    """Written before it was queued, for an address."""
    return _letter(parcel, parcel.lead.address, content, headers(parcel))


def _context(parcel: Parcel, now: datetime) -> dict[str, Any]:
    notice = parcel.lead
    player, game = notice.reader, notice.game
    context: dict[str, Any] = {
        "language": translation.get_language(),
        "settings_url": absolute("/settings/"),
        "off_url": unsubscribe_url(player),
    }
    if parcel.is_list:
        return context | _list(parcel)
    if notice.kind == Kind.PUZZLE:
        return context | _sentences(notice, None) | _puzzle(notice)
    if game is None:
        return context | _sentences(notice, None)
    if game.started_at:
        table = see_table(game, player)
        seats = [sitter.seat for sitter in table.sitters]
        context |= _position(table, now, f"board.{message_name(parcel)}@{domain()}")
    else:
        seats = list(game.seats.all())
    topic = _topic(notice, game, seats)
    context |= _sentences(notice, topic)
    context |= {"game": game, "url": absolute(game.get_absolute_url())}
    context["evidence"] = _evidence(notice, game)
    if topic.own:
        context["game_off_url"] = unsubscribe_url(player, topic.own)
    if notice.kind == Kind.MESSAGE:
        context["lines"] = _lines(notice)
    if notice.kind == Kind.INVITATION:
        context["answers"] = _answers(notice)
    if notice.kind in (Kind.DECLINED, Kind.EXPIRED):
        context["answers"] = _ways_on(game)
    return context


def _puzzle(notice: Notice) -> dict[str, Any]:
    """What can be turned off here is this mail, and no other."""
    return {
        "puzzle_url": _puzzle_url(notice),
        "off_url": no_puzzles_url(notice.reader),
    }


def _puzzle_url(notice: Notice) -> str:
    """Where the reader answers without signing in."""
    puzzle = Puzzle.objects.filter(pk=notice.move_number).first()
    return puzzle_url(puzzle, notice.reader) if puzzle else absolute(reverse("puzzle"))


def _list(parcel: Parcel) -> dict[str, Any]:
    """Several things, each in a line."""
    entries = [_entry(each) for each in parcel.told]
    if parcel.lead.kind == Kind.DIGEST:
        return {"entries": entries, **_sentences(parcel.lead, None)}
    turns = sum(each.kind in ABOUT_A_TURN for each in parcel.told)
    return {
        "entries": entries,
        "subject": wording.subject_of_several(turns),
        "opening": wording.opening_of_several(),
    }


def _topic(notice: Notice, game: Game, seats: Sequence[Seat]) -> wording.Topic:
    own = next((seat for seat in seats if seat.player_id == notice.player_id), None)
    others = [str(seat.player) for seat in seats if seat is not own]
    said = lines_for(notice) if notice.kind == Kind.MESSAGE else ()
    return wording.Topic(
        notice=notice,
        game=game,
        own=own,
        name=name_of(game.ruleset),
        others=listed(others) or str(game.creator),
        authors=listed(dict.fromkeys(str(line.player) for line in said)),
        **_particulars(notice, game),
    )


def _particulars(notice: Notice, game: Game) -> dict[str, Any]:
    """What only notices of this kind say."""
    match notice.kind:
        case Kind.DECLINED | Kind.EXPIRED:
            asked = unanswered(game)
            if notice.kind == Kind.DECLINED:
                asked = game.invitations.filter(pk=notice.move_number)
            names = [str(each.player) for each in asked.select_related("player").order_by("pk")]
            return {"guests": listed(names)}
        case Kind.GO_ON if game.acted_at:
            return {"until": game.acted_at + SILENT_AFTER}
        case Kind.VACATION:
            spent = Vacation.objects.filter(pk=notice.move_number).first()
            left = vacation_left(notice.reader, notice.created_at)
            end = spent.end if spent else notice.created_at + timedelta(days=1)
            return {"until": end, "left": left}
    return {}


def _sentences(notice: Notice, topic: wording.Topic | None) -> dict[str, Any]:
    return {"subject": wording.subject(notice, topic), "opening": wording.opening(notice, topic)}


def _position(table: Table, now: datetime, content_id: str) -> dict[str, Any]:
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
        "picture": picture_part(table, content_id),
        "picture_url": f"cid:{content_id}",
        "choices": _choices(table),
        "decision_url": _decision_url(table),
        "until": wording.until(table.game, now) if table.may_act else "",
    }


def _choices(table: Table) -> list[Choice]:
    """The decision as buttons, if it is the reader's and has few answers."""
    legal, speak = table.observation["legal"], titles.words(table.game.ruleset)
    url = _decision_url(table)
    if not url or len(legal) > FEW:
        return []
    return [
        Choice(speak.choice(action, table.observation), with_action(url, action))
        for action in speak.in_order(legal)
    ]


def _answers(notice: Notice) -> list[Choice]:
    """To an invitation that still stands."""
    invitations = Invitation.objects.select_related("player")
    asked = invitations.filter(game=notice.game, player=notice.reader).first()
    if asked is None:
        return []
    return [
        Choice(_("Accept"), invitation_url(asked, "accept")),
        Choice(_("Decline"), invitation_url(asked, "decline")),
    ]


def _ways_on(game: Game) -> list[Choice]:
    """What the player who invited can do about an empty seat, on the page of the game."""
    url = f"{absolute(game.get_absolute_url())}#empty-seats"
    return [Choice(label, url) for label in empty_seats.ways_on(game).values()]


def _decision_url(table: Table) -> str:
    """Where the reader decides without signing in; empty where it is not the reader's turn."""
    if not table.may_act or table.own_seat is None:
        return ""
    return decision_url(table.own_seat, table.game)


def _entry(notice: Notice) -> dict[str, Any]:
    if notice.kind == Kind.PUZZLE:
        said = wording.subject(notice, None)
        return {"text": said, "url": _puzzle_url(notice), "lines": []}
    game = notice.game
    assert game
    topic = _topic(notice, game, list(game.seats.all()))
    lines = _lines(notice) if notice.kind == Kind.MESSAGE else []
    return {
        "text": wording.entry(topic),
        "url": absolute(game.get_absolute_url()),
        "lines": lines,
        "evidence": _evidence(notice, game),
    }


def _evidence(notice: Notice, game: Game) -> wording.Evidence | None:
    """In an invitation, and in the first email about the started game: usually that it has started,
    but the email about a turn replaces that one where both go out at the same time."""
    first_news = (Kind.STARTED, *ABOUT_A_TURN)
    if notice.kind in first_news:
        earlier = Notice.objects.filter(player=notice.player, game=game, kind__in=first_news)
        if earlier.filter(state=Notice.State.SENT).exists():
            return None
    elif notice.kind != Kind.INVITATION:
        return None
    return wording.evidence(game)


def _lines(notice: Notice) -> list[str]:
    """What was said since the reader last heard of the chat."""
    return [f"{line.player}: {line.text}" for line in lines_for(notice)]


def _message(parcel: Parcel, context: dict[str, Any]) -> Letter:
    content = Content(
        subject=_in_one_line(context["subject"]),
        text=render_to_string("games/mail/letter.txt", context).strip() + "\n",
        html=render_to_string("games/mail/letter.html", context),
    )
    above = headers(parcel) | list_headers(parcel, context["off_url"])
    letter = _letter(parcel, parcel.lead.reader.email, content, above)
    letter.picture = context.get("picture")
    return letter


def _in_one_line(text: str) -> str:
    """Names are written by people: no line break, and nothing that turns the line around."""
    return " ".join(
        "".join(" " if each.isspace() else each for each in text if _shows(each)).split()
    )


def _shows(character: str) -> bool:
    return character.isspace() or not (category(character) == "Cc" or character in TURNING)


def _letter(parcel: Parcel, address: str, content: Content, above: dict[str, str]) -> Letter:
    letter = Letter(
        subject=content.subject,
        body=content.text,
        from_email=return_address(parcel.lead),
        to=[address],
        reply_to=[settings.REPLY_TO],
        headers=above,
    )
    letter.author = settings.DEFAULT_FROM_EMAIL
    if content.html:
        letter.attach_alternative(content.html, "text/html")
    return letter
