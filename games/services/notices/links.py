"""Signed addresses in mail: each is good for one thing and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.conf import settings
from django.core import signing
from django.urls import reverse

from games.models import Game, Player, Seat

DECISION = "souk.decision"
UNSUBSCRIBE = "souk.unsubscribe"


class BadLink(Exception):
    """Nobody here signed this."""


@dataclass(frozen=True)
class Decision:
    """Leave to make one decision: the one a seat owes after so many moves of a game."""

    seat: Seat
    on_move: int

    @property
    def is_open(self) -> bool:
        game = self.seat.game
        return game.to_act_id == self.seat.pk and game.move_count == self.on_move


@dataclass(frozen=True)
class Unsubscription:
    """Leave to turn off the mail of a player: all of it, or that about one game."""

    player: Player
    seat: Seat | None


def absolute(path: str) -> str:
    return f"{settings.SITE_URL}{path}"


def decision_url(seat: Seat, game: Game) -> str:
    token = signing.dumps([seat.pk, game.move_count], salt=DECISION)
    return absolute(reverse("decision", args=[token]))


def with_action(url: str, action: str) -> str:
    """The same page, with one of the answers offered."""
    return f"{url}?{urlencode({'play': action})}"


def read_decision(token: str) -> Decision:
    seat_id, on_move = _read(token, DECISION)
    seat = Seat.objects.select_related("game", "player").filter(pk=seat_id).first()
    if seat is None or not seat.player.is_active:
        raise BadLink
    return Decision(seat, on_move)


def calendar_url(player: Player) -> str:
    """The secret address of the player's deadlines; empty before there is one."""
    token = player.calendar_token
    return absolute(reverse("calendar", args=[token])) if token else ""


def unsubscribe_url(player: Player, seat: Seat | None = None) -> str:
    token = signing.dumps([player.pk, seat.pk if seat else None], salt=UNSUBSCRIBE)
    return absolute(reverse("unsubscribe", args=[token]))


def read_unsubscription(token: str) -> Unsubscription:
    player_id, seat_id = _read(token, UNSUBSCRIBE)
    player = Player.objects.filter(pk=player_id).first()
    seat = Seat.objects.select_related("game").filter(pk=seat_id, player=player_id).first()
    if player is None or (seat_id and seat is None):
        raise BadLink
    return Unsubscription(player, seat)


def _read(token: str, salt: str) -> tuple[int, int]:
    try:
        first, second = signing.loads(token, salt=salt)
    except (signing.BadSignature, ValueError) as error:
        raise BadLink from error
    return first, second
