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


class EndedLink(Exception):
    """Signed, but the player has ended the links in earlier emails; see services.revocation."""

    def __init__(self, player: Player, path: str) -> None:
        super().__init__()
        self.player = player
        self.path = path
        """Where the player does the same, signed in."""


@dataclass(frozen=True)
class Decision:
    """Leave to make one decision: the one a seat owes after so many moves of a game."""

    seat: Seat
    on_move: int
    counter: int = 0
    """Which generation of the player's links it belongs to."""

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


def path_of_decision(seat: Seat, game: Game, *, counter: int | None = None) -> str:
    """Under the player's present counter, or that of the link which leads on to this one."""
    counter = seat.player.link_counter if counter is None else counter
    return reverse("decision", args=[_signed(seat.pk, game.move_count, counter, DECISION)])


def with_action(url: str, action: str) -> str:
    """The same page, with one of the answers offered."""
    return f"{url}?{urlencode({'play': action})}"


def invitation_url(invitation: Invitation, answer: str) -> str:
    """Where the one who was invited accepts or declines, with this answer offered first."""
    player = invitation.player
    token = _signed(invitation.pk, player.pk, player.link_counter, INVITATION)
    return f"{absolute(reverse('invitation', args=[token]))}?{urlencode({'answer': answer})}"


def read_invitation(token: str) -> Invitation:
    invitation_id, player_id, counter = _read(token, INVITATION)
    asked = Invitation.objects.select_related("game__creator", "player")
    found = asked.filter(pk=invitation_id, player=player_id).first()
    if found is None or not found.player.is_active:
        raise BadLink
    _must_be_of_now(found.player, counter, reverse("join", args=[found.game.public_id]))
    return found


def puzzle_url(puzzle: Puzzle, player: Player) -> str:
    """Where this player answers without signing in."""
    token = _signed(puzzle.pk, player.pk, player.link_counter, PUZZLE)
    return absolute(reverse("puzzle_by_mail", args=[token]))


def read_puzzle(token: str) -> tuple[int, Player]:
    """The key of the puzzle, and who answers."""
    puzzle_id, player_id, counter = _read(token, PUZZLE)
    player = Player.objects.filter(pk=player_id, is_active=True).first()
    if player is None:
        raise BadLink
    _must_be_of_now(player, counter, reverse("puzzle"))
    return puzzle_id, player


def read_decision(token: str) -> Decision:
    seat_id, on_move, counter = _read(token, DECISION)
    seat = Seat.objects.select_related("game", "player").filter(pk=seat_id).first()
    if seat is None or not seat.player.is_active:
        raise BadLink
    _must_be_of_now(seat.player, counter, seat.game.get_absolute_url())
    return Decision(seat, on_move, counter)


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
    player_id, seat_id, _counter = _read(token, UNSUBSCRIBE)
    player = Player.objects.filter(pk=player_id).first()
    if player and seat_id == PUZZLES:
        return Unsubscription(player, None, puzzles=True)
    seat = Seat.objects.select_related("game").filter(pk=seat_id, player=player_id).first()
    if player is None or (seat_id and seat is None):
        raise BadLink
    return Unsubscription(player, seat)


def _signed(first: int, second: int, counter: int, salt: str) -> str:
    """Without a counter as long as it is 0, like the links of releases that knew none."""
    return signing.dumps([first, second, *([counter] if counter else [])], salt=salt)


def _read(token: str, salt: str) -> tuple[int, int, int]:
    try:
        first, second, *rest = signing.loads(token, salt=salt)
    except (signing.BadSignature, TypeError, ValueError) as error:
        raise BadLink from error
    return first, second, rest[0] if rest else 0


def _must_be_of_now(player: Player, counter: int, path: str) -> None:
    if counter != player.link_counter:
        raise EndedLink(player, path)
