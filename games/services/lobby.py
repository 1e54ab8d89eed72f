"""How a game comes to be: opened, joined, left, called off, and started by its last player.

Every writer locks the row of the game first, so that two of them never see the same free
seat. An invitation holds a seat until it is declined.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games import bell
from games.models import BotLevel, Game, Invitation, Player
from games.selectors.access import STARTED, keeps_apart, seated
from games.selectors.empty_seats import unanswered
from games.services import limits, seating, terms
from games.services.bot_seats import bots_of
from games.services.errors import Refused
from games.services.luck import Word
from games.services.notices import queue

MAX_OPEN_GAMES = 20
NO_LONGER_OPEN = gettext_lazy("This game is no longer open.")


@transaction.atomic
def create_game(
    *,
    creator: Player,
    ruleset: str,
    size: int,
    options: Mapping[str, Any],
    edition: str,
    pace: str,
    visibility: str,
    rated: bool,
    invited: Sequence[Player],
    entropy: str,
    now: datetime,
    on_timeout: str = Game.OnTimeout.LEAVE,
    fill_level: str = "",
    drawn_word: str = "",
    ticket: str = "",
    network: str = "",
) -> Game:
    """Open a game; `network` is where a browser asked for it, `ticket` the commitment that its
    form carried, and `drawn_word` what the browser drew."""
    check_account(creator, now)
    title = terms.checked_title(ruleset, size)
    chosen = terms.checked_options(title.rules, options)
    terms.check_terms(pace=pace, visibility=visibility, rated=rated)
    terms.check_bots(title, on_timeout=on_timeout, fill_level=fill_level, rated=rated)
    word = terms.checked_word(entropy, drawn_word)
    _check_invited(creator, invited, size=size, visibility=visibility, now=now)
    check_open_games(creator)
    _spend_creation(creator, invited, network=network, now=now)
    return seating.open_table(
        creator=creator,
        invited=invited,
        word=word,
        ticket=ticket,
        now=now,
        ruleset=title.key,
        size=size,
        options=chosen,
        edition=terms.checked_edition(title.rules, chosen, edition),
        pace=pace,
        visibility=visibility,
        rated=rated,
        on_timeout=on_timeout,
        fill_level=fill_level,
    )


@transaction.atomic
def play_against_bots(
    *,
    player: Player,
    ruleset: str,
    opponents: int,
    level: str,
    now: datetime,
    edition: str = "",
    entropy: str = "",
    drawn_word: str = "",
    ticket: str = "",
    network: str = "",
) -> Game:
    """A casual game without clock that starts at once; for guests too."""
    title = terms.checked_title(ruleset, opponents + 1)
    options = dict(title.rules.presets.get(edition) or title.rules.options({}))
    terms.check_level(title, level)
    terms.check_bots(title, on_timeout=Game.OnTimeout.LEAVE, fill_level=level, rated=False)
    game = seating.open_table(
        creator=player,
        invited=(),
        word=terms.checked_word(entropy, drawn_word),
        ticket=ticket,
        now=now,
        ruleset=title.key,
        size=opponents + 1,
        options=options,
        edition=terms.checked_edition(title.rules, options, edition),
        pace=Game.Pace.NONE,
        visibility=Game.Visibility.LINK,
        rated=False,
        fill_level=level,
    )
    return fill_with_bots(game_id=game.pk, player=player, now=now, network=network)


@transaction.atomic
def fill_with_bots(*, game_id: int, player: Player, now: datetime, network: str = "") -> Game:
    """Start without waiting any longer: bots take the empty seats, as the terms allow."""
    game = seating.locked(game_id)
    if game.creator_id != player.pk:
        raise Refused(_("Only the player who opened a game can start it with bots."))
    check_open(game)
    if not game.fill_level:
        raise Refused(_("No bots may join this game."))
    terms.check_level(terms.checked_title(game.ruleset, game.size), game.fill_level)
    players = seated(game)
    bots = bots_of(BotLevel(game.fill_level), game.size - len(players), besides=players)
    seating.sit_bots(game, bots, taken=len(players), network=network, now=now)
    return game


@transaction.atomic
def join_game(
    *, game_id: int, player: Player, entropy: str, now: datetime, drawn_word: str = ""
) -> Game:
    """Take a free seat; the last one starts the game. Joining twice is joining once."""
    word = terms.checked_word(entropy, drawn_word)
    return _join(seating.locked(game_id), player, word=word, now=now)


def _join(game: Game, player: Player, *, word: Word, now: datetime) -> Game:
    players = seated(game)
    if player.pk in players:
        return game
    check_account(player, now)
    check_open(game)
    if game.expires_at and game.expires_at <= now:
        raise Refused(NO_LONGER_OPEN)
    terms.checked_title(game.ruleset, game.size)
    invitation = game.invitations.filter(player=player).first()
    _check_welcome(game, players, invitation)
    if keeps_apart(player, players):
        raise Refused(_("You and somebody at this table do not play together."))
    if invitation and invitation.declined_at:
        invitation.declined_at = None
        invitation.save(update_fields=["declined_at"])
    seating.sit(game, player, joined=len(players), word=word, now=now)
    if len(players) + 1 == game.size:
        seating.start(game, now)
    else:
        bell.game_changed(game)
    return game


@transaction.atomic
def leave_game(*, game_id: int, player: Player, now: datetime) -> None:
    game = seating.locked(game_id)
    if player.pk not in seated(game):
        raise Refused(_("You have no seat at this table."))
    check_open(game)
    if game.creator_id == player.pk:
        raise Refused(_("You opened this game: cancel it instead of leaving it."))
    seating.release_seat(game, player)


@transaction.atomic
def cancel_game(*, game_id: int, player: Player, now: datetime) -> None:
    game = seating.locked(game_id)
    if game.creator_id != player.pk:
        raise Refused(_("Only the player who opened a game can cancel it."))
    if game.status != Game.Status.EXPIRED:
        check_open(game)
    game.status = Game.Status.CANCELLED
    game.save(update_fields=["status"])
    bell.game_changed(game)


@transaction.atomic
def decline_invitation(*, game_id: int, player: Player, now: datetime) -> None:
    game = seating.locked(game_id)
    invitation = game.invitations.filter(player=player).first()
    if invitation is None:
        raise Refused(_("You are not invited to this game."))
    check_open(game)
    if player.pk in seated(game):
        raise Refused(_("You have a seat at this table: leave it instead."))
    if invitation.declined_at is None:
        invitation.declined_at = now
        invitation.save(update_fields=["declined_at"])
        queue.declined(invitation=invitation, now=now)
        bell.game_changed(game)


@transaction.atomic
def rematch(
    *,
    game_id: int,
    player: Player,
    now: datetime,
    entropy: str = "",
    drawn_word: str = "",
    ticket: str = "",
    network: str = "",
) -> Game:
    """The same table once more: the first who asks opens it, the others' click joins it."""
    word = terms.checked_word(entropy, drawn_word)
    game = seating.locked(game_id)
    partners = [
        seat.player
        for seat in game.seats.select_related("player").order_by("number")
        if seat.player_id != player.pk
    ]
    if len(partners) == game.size:
        raise Refused(_("Only the players of this game can ask for a rematch."))
    if game.status != Game.Status.OVER:
        raise Refused(_("A rematch is for a game that is over."))
    asked = Game.objects.filter(rematch_of=game).first()
    if asked and asked.status == Game.Status.OPEN and asked.expires_at and asked.expires_at > now:
        return _join(seating.locked(asked.pk), player, word=word, now=now)
    if asked and asked.status in STARTED:
        return asked
    if asked:
        Game.objects.filter(pk=asked.pk).update(rematch_of=None)
    title = terms.checked_title(game.ruleset, game.size)
    bots = [partner for partner in partners if partner.bot_level]
    for bot in bots:
        terms.check_level(title, bot.bot_level)
    people = [partner for partner in partners if not partner.bot_level]
    seats = game.size - len(bots)
    _check_invited(player, people, size=seats, visibility=game.visibility, now=now)
    check_open_games(player)
    _spend_creation(player, people, network=network, now=now)
    again = seating.open_table(
        creator=player,
        invited=people,
        word=word,
        ticket=ticket,
        now=now,
        ruleset=game.ruleset,
        size=game.size,
        options=game.options,
        edition=game.edition,
        pace=game.pace,
        visibility=game.visibility,
        rated=game.rated,
        on_timeout=game.on_timeout,
        fill_level=game.fill_level,
        rematch_of=game,
    )
    seating.sit_bots(again, bots, taken=1, network=network, now=now)
    return again


def expire_open_games(*, now: datetime) -> int:
    """A join that holds the row is waited for, and what it started is spared."""
    due = Game.objects.filter(status=Game.Status.OPEN, expires_at__lte=now)
    invited = list(due.filter(invitations__declined_at=None, invitations__isnull=False).distinct())
    expired = due.exclude(pk__in=[game.pk for game in invited]).update(status=Game.Status.EXPIRED)
    return expired + sum(_expire(game, now) for game in invited)


@transaction.atomic
def _expire(game: Game, now: datetime) -> bool:
    """A game with invitations; the player who invited is told of those that nobody answered."""
    due = Game.objects.filter(pk=game.pk, status=Game.Status.OPEN, expires_at__lte=now)
    if not due.update(status=Game.Status.EXPIRED):
        return False
    if unanswered(game).exists():
        queue.invitations_expired(game=game, now=now)
    bell.game_changed(game)
    return True


def check_account(player: Player, now: datetime) -> None:
    if player.is_guest:
        raise Refused(_("Guests play against bots. Sign up to play with people."))
    if player.is_suspended(now):
        raise Refused(_("Your account is suspended: you cannot play at present."))


def _check_invited(
    creator: Player, invited: Sequence[Player], *, size: int, visibility: str, now: datetime
) -> None:
    guests = {player.pk for player in invited}
    if creator.pk in guests:
        raise Refused(_("You have a seat already: invite others."))
    if len(guests) < len(invited):
        raise Refused(_("A player can be invited only once."))
    for player in invited:
        check_guest(creator, player, now)
    wanted = size - 1
    if len(guests) > wanted or (visibility == Game.Visibility.NAMED and len(guests) < wanted):
        raise Refused(
            ngettext(
                "Name %(wanted)d player: that is how many seats are left beside yours.",
                "Name %(wanted)d players: that is how many seats are left beside yours.",
                wanted,
            )
            % {"wanted": wanted}
        )


def check_guest(creator: Player, player: Player, now: datetime) -> None:
    """Whether this player can be invited."""
    if player.bot_level:
        raise Refused(_("Bots are not invited: let them take the empty seats."))
    if not player.is_active or player.deleted_at or player.is_guest:
        raise Refused(_("%(name)s does not play here any more.") % {"name": player})
    if player.is_suspended(now):
        raise Refused(_("%(name)s cannot play at present.") % {"name": player})
    if keeps_apart(creator, [player.pk]):
        raise Refused(_("You and %(name)s do not play together.") % {"name": player})


def check_open_games(creator: Player) -> None:
    # The row of the creator is the lock: two requests must not both be the twentieth.
    Player.objects.select_for_update().get(pk=creator.pk)
    if creator.games_created.filter(status=Game.Status.OPEN).count() >= MAX_OPEN_GAMES:
        raise Refused(
            _("You have %(count)d open games: wait until one starts, or cancel one.")
            % {"count": MAX_OPEN_GAMES}
        )


def _spend_creation(
    creator: Player, invited: Sequence[Player], *, network: str, now: datetime
) -> None:
    limits.spend("creation", now=now, sender=creator.pk, network=network)
    for player in sorted(invited, key=lambda player: player.pk):
        spend_invitation(creator, player, network=network, now=now)


def spend_invitation(creator: Player, player: Player, *, network: str, now: datetime) -> None:
    limits.spend(
        "invitation",
        now=now,
        sender=creator.pk,
        pair=(creator.pk, player.pk),
        recipient=player.pk,
        address=player.email.lower(),
        network=network,
    )


def check_open(game: Game) -> None:
    if game.status in STARTED:
        raise Refused(_("This game has started already."))
    if game.status != Game.Status.OPEN:
        raise Refused(NO_LONGER_OPEN)


def _check_welcome(game: Game, players: set[int], invitation: Invitation | None) -> None:
    if invitation is None and game.visibility == Game.Visibility.NAMED:
        raise Refused(_("This game is for the players its creator named."))
    if invitation and not invitation.declined_at:
        return
    held = game.invitations.filter(declined_at=None).exclude(player__in=players).count()
    if len(players) + held >= game.size:
        raise Refused(_("The seats that are left are kept for invited players."))
