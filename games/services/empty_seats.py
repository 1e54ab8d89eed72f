"""What the player who opened a game does about seats that invited players did not take.

A game that expired is opened again by it. Invitations that nobody answered hold no seat then.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games import bell
from games.models import BotLevel, Game, Invitation, Player
from games.selectors.access import keeps_apart, seated
from games.selectors.empty_seats import OPEN_AGAIN_FOR, unanswered
from games.services import lobby, seating, terms
from games.services.bot_seats import bots_of
from games.services.errors import Refused
from games.services.notices import queue


@transaction.atomic
def open_to_all(*, game_id: int, player: Player, now: datetime) -> Game:
    """Anyone can take the seats that are free."""
    game = _reopened(game_id, player, now)
    game.visibility = Game.Visibility.PUBLIC
    game.save(update_fields=["visibility"])
    bell.game_changed(game)
    return game


@transaction.atomic
def invite_another(
    *, game_id: int, player: Player, invited: Player, now: datetime, network: str = ""
) -> Game:
    """Ask one more player to take a seat that is free."""
    game = _reopened(game_id, player, now)
    players = seated(game)
    if invited.pk in players:
        raise Refused(_("%(name)s has a seat at this table already.") % {"name": invited})
    lobby.check_guest(player, invited, now)
    if keeps_apart(invited, players):
        raise Refused(
            _("%(name)s and somebody at this table do not play together.") % {"name": invited}
        )
    if _free(game) < 1:
        raise Refused(_("No seat is free at this table."))
    if game.invitations.filter(player=invited).exists():
        raise Refused(_("%(name)s was invited to this game already.") % {"name": invited})
    lobby.spend_invitation(player, invited, network=network, now=now)
    Invitation.objects.create(game=game, player=invited, at=now)
    queue.invited(game=game, players=[invited], now=now)
    bell.game_changed(game)
    return game


@transaction.atomic
def fill_a_seat(*, game_id: int, player: Player, now: datetime, network: str = "") -> Game:
    """A bot takes one seat that is free; the game starts if that was the last one."""
    game = _reopened(game_id, player, now)
    title = terms.checked_title(game.ruleset, game.size)
    players = seated(game)
    if not title.bot_levels:
        raise Refused(terms.NO_SUCH_BOTS)
    if _free(game) < 1:
        raise Refused(_("No seat is free at this table."))
    if game.rated and len(players) > 1:
        raise Refused(_("A game with bots is always casual, and others joined a rated one."))
    game.fill_level = game.fill_level or title.bot_levels[0]
    game.rated = False
    game.save(update_fields=["fill_level", "rated"])
    bots = bots_of(BotLevel(game.fill_level), 1, besides=players)
    seating.sit_bots(game, bots, taken=len(players), network=network, now=now)
    bell.game_changed(game)
    return game


def _reopened(game_id: int, player: Player, now: datetime) -> Game:
    """The game, locked and open."""
    game = seating.locked(game_id)
    if game.creator_id != player.pk:
        raise Refused(_("Only the player who opened a game can decide who takes its empty seats."))
    lobby.check_account(player, now)
    expired = game.status == Game.Status.EXPIRED and game.expires_at
    if not expired:
        lobby.check_open(game)
        return game
    assert game.expires_at
    if game.expires_at + OPEN_AGAIN_FOR <= now:
        raise Refused(lobby.NO_LONGER_OPEN)
    lobby.check_open_games(player)
    unanswered(game).delete()
    game.status, game.expires_at = Game.Status.OPEN, now + seating.OPEN_FOR
    game.save(update_fields=["status", "expires_at"])
    return game


def _free(game: Game) -> int:
    """Seats that nobody sits on and no invitation holds."""
    return game.size - game.seats.count() - unanswered(game).count()
