"""What pages and mails need to know about an account, and all of it for its owner."""

from __future__ import annotations

import zoneinfo
from functools import cache
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db.models import Q

from games.models import (
    Act,
    Block,
    Game,
    Invitation,
    Message,
    Move,
    Notice,
    Player,
    Report,
    Seat,
    Vacation,
)

NOT_PLACES = {"Factory", "localtime", "posixrules"}


def owner_of(email: str) -> Player | None:
    """The player who proved to read this address. A mere claim to it counts for nothing."""
    address = (
        EmailAddress.objects.select_related("user")
        .filter(email=email.lower(), verified=True, user__is_active=True)
        .first()
    )
    return address.user if address else None


def address_is_taken(email: str, *, by_other_than: int | None) -> bool:
    proven = EmailAddress.objects.filter(email=email.lower(), verified=True)
    return proven.exclude(user_id=by_other_than).exists()


def is_confirmed(player: Player) -> bool:
    """Whether the player proved to read the address that mail goes to."""
    proven = EmailAddress.objects.filter(user=player, verified=True, email__iexact=player.email)
    return bool(player.email) and proven.exists()


@cache
def time_zones() -> frozenset[str]:
    return frozenset(zoneinfo.available_timezones() - NOT_PLACES)


def everything_about(player: Player) -> dict[str, Any]:
    """All that is stored about a player, for that player: nobody else's address, no seeds."""
    seats = list(
        Seat.objects.filter(player=player).select_related("game").order_by("game__created_at")
    )
    return {
        "account": {
            "name": player.username,
            "display_name": player.display_name,
            "joined": player.date_joined,
            "last_sign_in": player.last_login,
            "invited_by": str(player.invited_by) if player.invited_by else None,
        },
        "invited_players": list(
            player.invited_players.order_by("pk").values_list("username", flat=True)
        ),
        "addresses": list(
            EmailAddress.objects.filter(user=player).values("email", "verified", "primary")
        ),
        "settings": {
            "language": player.language,
            "time_zone": player.time_zone,
            "theme": player.theme,
            "confirm_moves": player.confirm_moves,
            "moves_on": player.moves_on,
            "lessons": player.lessons,
            "mail": player.mail,
            "digest_hour": player.digest_hour,
            "reminders": player.reminders,
            "puzzle_mail": player.puzzle_mail,
            "channels": player.channels or {},
            "has_device": player.has_device,
            "has_webhook": player.has_webhook,
            "quiet_from": player.quiet_from,
            "quiet_to": player.quiet_to,
            "auto_vacation": player.auto_vacation,
            "refused_address": player.refused_address,
            "refused_reason": player.refused_reason,
            "refused_at": player.refused_at,
        },
        "moderation": {
            "muted_until": player.muted_until,
            "suspended_at": player.suspended_at,
            "suspended_until": player.suspended_until,
            "moderated_at": player.moderated_at,
            "acts": list(
                Act.objects.filter(player=player)
                .order_by("at", "pk")
                .values("kind", "reason", "until", "was", "at")
            ),
            "reports": list(
                Report.objects.filter(reporter=player)
                .order_by("at", "pk")
                .values("player__username", "text", "at")
            ),
        },
        "second_factor": list(
            Authenticator.objects.filter(user=player).values("type", "created_at", "last_used_at")
        ),
        "vacations": list(
            Vacation.objects.filter(player=player).values("start", "end", "automatic")
        ),
        "notices": [
            {"game": game, "kind": kind, "state": state, "created": created, "sent": sent}
            for game, kind, state, created, sent in Notice.objects.filter(player=player)
            .order_by("created_at", "pk")
            .values_list("game__public_id", "kind", "state", "created_at", "sent_at")
        ],
        "puzzles": list(
            player.puzzle_answers.order_by("at").values("puzzle__day", "action", "is_solved", "at")
        ),
        "devices": list(player.devices.values("name", "endpoint", "made_at", "reached_at")),
        "webhooks": list(player.webhooks.values("url", "format", "mentions", "made_at")),
        "sign_ins": list(
            UserSession.objects.filter(user=player)
            .order_by("created_at")
            .values("created_at", "last_seen_at", "ip", "user_agent")
        ),
        "games": _games(seats),
        "messages": [
            {"game": game, "at": at, "text": text}
            for game, at, text in Message.objects.filter(
                player=player, event="", hidden_at=None
            ).values_list("game__public_id", "at", "text")
        ],
        "blocked": [
            {"player": name, "at": at}
            for name, at in Block.objects.filter(blocker=player)
            .order_by("at")
            .values_list("blocked__username", "at")
        ],
        "invitations": [
            {"game": game, "from": inviter, "to": invited, "at": at, "declined_at": declined_at}
            for game, inviter, invited, at, declined_at in Invitation.objects.filter(
                Q(player=player) | Q(game__creator=player)
            )
            .order_by("at")
            .values_list(
                "game__public_id",
                "game__creator__username",
                "player__username",
                "at",
                "declined_at",
            )
        ],
    }


def _games(seats: list[Seat]) -> list[dict[str, Any]]:
    numbers = {seat.game_id: seat.number for seat in seats}
    own_moves: dict[int, list[dict[str, Any]]] = {}
    for game_id, seat, number, action, at in (
        Move.objects.filter(game_id__in=numbers)
        .order_by("game_id", "number")
        .values_list("game_id", "seat", "number", "action", "at")
    ):
        if seat == numbers[game_id]:
            own_moves.setdefault(game_id, []).append({"number": number, "action": action, "at": at})
    return [_game(seat, seat.game, own_moves.get(seat.game_id, [])) for seat in seats]


def _game(seat: Seat, game: Game, moves: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "game": game.public_id,
        "rules": game.ruleset,
        "options": game.options,
        "edition": game.edition,
        "players": game.size,
        "pace": game.pace,
        "visibility": game.visibility,
        "rated": game.rated,
        "status": game.status,
        "created": game.created_at,
        "started": game.started_at,
        "ended": game.ended_at,
        "created_by_me": game.creator_id == seat.player_id,
        "my_seat": seat.number,
        "my_place": seat.place,
        "my_lucky_word": seat.entropy,
        "my_lucky_word_was": seat.word_origin,
        "joined": seat.joined_at,
        "left_by": seat.left_by,
        "notes": seat.notes,
        "moves": moves,
    }
