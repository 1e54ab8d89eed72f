"""Signed addresses in mail: each is good for one thing and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.conf import settings
from django.core import signing
from django.urls import reverse

from games.languages import for_everybody
from games.models import Game, Invitation, Player, Puzzle, Seat

DECISION = "souk.decision"
INVITATION = "souk.invitation"
PUZZLE = "souk.puzzle"
UNSUBSCRIBE = "souk.unsubscribe"
PUZZLES = -1
"""Stands where else the seat does whose mail is turned off."""


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
    """Leave to turn off the mail of a player: all of it, that about one game, or puzzles."""

    player: Player
    seat: Seat | None
    puzzles: bool = False


def absolute(path: str) -> str:
    return f"{settings.SITE_URL}{for_everybody(path)}"


def decision_url(seat: Seat, game: Game) -> str:
    return absolute(path_of_decision(seat, game))


def path_of_decision(seat: Seat, game: Game) -> str:
    token = signing.dumps([seat.pk, game.move_count], salt=DECISION)
    return reverse("decision", args=[token])


def with_action(url: str, action: str) -> str:
    """The same page, with one of the answers offered."""
    return f"{url}?{urlencode({'play': action})}"


def invitation_url(invitation: Invitation, answer: str) -> str:
    """Where the one who was invited accepts or declines, with this answer offered first."""
    token = signing.dumps([invitation.pk, invitation.player_id], salt=INVITATION)
    return f"{absolute(reverse('invitation', args=[token]))}?{urlencode({'answer': answer})}"


def read_invitation(token: str) -> Invitation:
    invitation_id, player_id = _read(token, INVITATION)
    asked = Invitation.objects.select_related("game__creator", "player")
    found = asked.filter(pk=invitation_id, player=player_id).first()
    if found is None or not found.player.is_active:
        raise BadLink
    return found


def puzzle_url(puzzle: Puzzle, player: Player) -> str:
    """Where this player answers without signing in."""
    token = signing.dumps([puzzle.pk, player.pk], salt=PUZZLE)
    return absolute(reverse("puzzle_by_mail", args=[token]))


def read_puzzle(token: str) -> tuple[int, Player]:
    """The key of the puzzle, and who answers."""
    puzzle_id, player_id = _read(token, PUZZLE)
    player = Player.objects.filter(pk=player_id, is_active=True).first()
    if player is None:
        raise BadLink
    return puzzle_id, player


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


def no_puzzles_url(player: Player) -> str:
    token = signing.dumps([player.pk, PUZZLES], salt=UNSUBSCRIBE)
    return absolute(reverse("unsubscribe", args=[token]))


def read_unsubscription(token: str) -> Unsubscription:
    player_id, seat_id = _read(token, UNSUBSCRIBE)
    player = Player.objects.filter(pk=player_id).first()
    if player and seat_id == PUZZLES:
        return Unsubscription(player, None, puzzles=True)
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
