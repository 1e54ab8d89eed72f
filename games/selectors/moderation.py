"""What moderators did and what is reported, for those whom it concerns and for moderators."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Act, Game, Message, Player, Report, Seat
from games.moments import moment
from games.selectors.access import may_see
from games.selectors.listings import Listing, listed, span
from games.selectors.table import find_game

Kind = Act.Kind
A_PAGE = 50
NEWS = timedelta(days=14)
"""So long the first page tells what moderators did."""
ON_GAMES = (Kind.TIME, Kind.REMOVE, Kind.AWARD, Kind.ANNUL)
VERDICTS = (Kind.REMOVE, Kind.AWARD, Kind.ANNUL)


@dataclass(frozen=True)
class Told:
    """An act in words for one reader."""

    text: str
    reason: str
    at: datetime


def told(act: Act, reader: Player | None) -> str:
    """A sentence for whoever it was done to, or for somebody else at the table."""
    own = reader is not None and act.player_id == reader.pk
    said = {
        "name": act.player or "",
        "until": moment(act.until, "long day") if act.until else "",
        "hours": _hours(act.granted),
        "was": act.was,
    }
    return (_to_you(act) if own else _about(act)) % said


def _to_you(act: Act) -> str:
    match act.kind:
        case Kind.WARN:
            return _("You have been warned.")
        case Kind.MUTE:
            return _("You cannot write at tables until %(until)s.")
        case Kind.UNMUTE:
            return _("You can write at tables again.")
        case Kind.SUSPEND if act.until:
            return _("Your account is suspended until %(until)s. Your clocks run on.")
        case Kind.SUSPEND:
            return _("Your account is suspended until further notice. Your clocks run on.")
        case Kind.REINSTATE:
            return _("Your account is no longer suspended.")
        case Kind.RENAME:
            return _("You are called %(name)s now; you were called %(was)s.")
        case Kind.TRUST:
            return _("Souk writes to your address again.")
        case Kind.HIDE:
            return _("A message of yours was hidden.")
        case Kind.TIME:
            return _("Your clock got more time: %(hours)s.")
        case Kind.REMOVE:
            return _("You were taken from the table.")
        case Kind.AWARD:
            return _("The game was awarded to you.")
    return _("The game was annulled: it counts for nobody.")


def _about(act: Act) -> str:
    match act.kind:
        case Kind.HIDE:
            return _("A message of %(name)s was hidden.")
        case Kind.TIME:
            return _("The clock of %(name)s got more time: %(hours)s.")
        case Kind.REMOVE:
            return _("%(name)s was taken from the table.")
        case Kind.AWARD:
            return _("The game was awarded to %(name)s.")
    return _("The game was annulled: it counts for nobody.")


def _hours(granted: timedelta | None) -> str:
    hours = int((granted or timedelta()).total_seconds() // 3600)
    return ngettext("%(count)d hour", "%(count)d hours", hours) % {"count": hours}


def acts_on(player: Player, *, since: datetime | None = None) -> list[Told]:
    """What was done to a player or to games of theirs, for that player, the latest first."""
    if player.moderated_at is None or (since and player.moderated_at < since):
        return []
    mine = Act.objects.filter(player=player)
    seats = Seat.objects.filter(player=player).values("game")
    found = mine | Act.objects.filter(game__in=seats, kind__in=ON_GAMES)
    if since:
        found = found.filter(at__gte=since)
    return _read(found.select_related("player").order_by("-at", "-pk")[:A_PAGE], player)


def news_for(player: Player, now: datetime) -> list[Told]:
    return acts_on(player, since=now - NEWS)


def acts_at(game: Game, reader: Player | None) -> list[Told]:
    """What was done at a table, for those who sit there; the reason is theirs to know."""
    found = game.acts.filter(kind__in=(*ON_GAMES, Kind.HIDE))
    return _read(found.select_related("player").order_by("at", "pk"), reader)


def verdicts_on(game: Game) -> list[Told]:
    """What moderators decided instead of the rules; anybody who checks the game should know."""
    found = game.acts.filter(kind__in=VERDICTS).select_related("player")
    return _read(found.order_by("at", "pk"), None)


def _read(acts: Iterable[Act], reader: Player | None) -> list[Told]:
    return [Told(told(act, reader), act.reason, act.at) for act in acts]


def suspension_of(player: Player) -> Act | None:
    """The act that keeps a player out."""
    return player.acts.filter(kind=Kind.SUSPEND).order_by("-at", "-pk").first()


def log(page: int, **which: object) -> Listing[Act]:
    """A page of the log, the latest first."""
    found = Act.objects.filter(**which).select_related("actor", "player", "game", "message")
    start, end = span(page, A_PAGE)
    return listed(list(found.order_by("-at", "-pk")[start:end]), A_PAGE, page)


def open_reports() -> list[Report]:
    found = Report.objects.filter(closed_at=None).select_related(
        "reporter", "player", "message__game"
    )
    return list(found.order_by("-at", "-pk")[:A_PAGE])


def may_read(message: Message, moderator: Player) -> bool:
    """What is said at private tables is for those who sit there, unless one of them reported it."""
    game = find_game(message.game.public_id)
    reported = Report.objects.filter(message=message)
    return (game is not None and may_see(game, moderator)) or reported.exists()


def invited_by(player: Player) -> list[Player]:
    """Those who signed up with this player's invitation to the site, the latest first."""
    return list(player.invited_players.order_by("-date_joined", "-pk")[:A_PAGE])


def find_message(message_id: int) -> Message | None:
    """A line that somebody wrote and that is not hidden."""
    return (
        Message.objects.select_related("game", "player")
        .filter(pk=message_id, event="", hidden_at=None)
        .first()
    )
