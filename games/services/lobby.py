"""How a game comes to be: opened, joined, left, called off, and started by its last player.

Every writer locks the row of the game first, so that two of them never see the same free
seat. An invitation holds a seat until it is declined.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.engine import chance
from games.engine.errors import BadOptions
from games.engine.interface import Ruleset
from games.models import LUCKY_WORD, BotLevel, Game, Invitation, Player, Seat
from games.selectors.access import keeps_apart, seated
from games.services import limits, play
from games.services.bot_seats import bots_of
from games.services.errors import Refused
from games.services.luck import lucky_word
from games.services.notices import queue
from games.titles.completeness import offered
from games.titles.manifest import CUSTOM, Title

OPEN_FOR = timedelta(days=14)
MAX_OPEN_GAMES = 20
MAX_BOT_GAMES = 20
NO_LONGER_OPEN = gettext_lazy("This game is no longer open.")
NO_SUCH_BOTS = gettext_lazy("There are no such bots.")


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
    network: str = "",
) -> Game:
    """Open a game; `network` is where a browser asked for it."""
    _check_account(creator)
    title = _checked_title(ruleset, size)
    chosen = _checked_options(title.rules, options)
    _check_terms(pace=pace, visibility=visibility, rated=rated)
    _check_bots(title, on_timeout=on_timeout, fill_level=fill_level, rated=rated)
    _check_word(entropy)
    _check_invited(creator, invited, size=size, visibility=visibility)
    _check_open_games(creator)
    _spend_creation(creator, invited, network=network, now=now)
    return _open(
        creator=creator,
        invited=invited,
        entropy=entropy,
        now=now,
        ruleset=title.key,
        size=size,
        options=chosen,
        edition=_checked_edition(title.rules, chosen, edition),
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
    network: str = "",
) -> Game:
    """A casual game without clock that starts at once; for guests too."""
    title = _checked_title(ruleset, opponents + 1)
    options = dict(title.rules.presets.get(edition) or title.rules.options({}))
    _check_level(title, level)
    _check_bots(title, on_timeout=Game.OnTimeout.LEAVE, fill_level=level, rated=False)
    if entropy:
        _check_word(entropy)
    game = _open(
        creator=player,
        invited=(),
        entropy=entropy,
        now=now,
        ruleset=title.key,
        size=opponents + 1,
        options=options,
        edition=_checked_edition(title.rules, options, edition),
        pace=Game.Pace.NONE,
        visibility=Game.Visibility.LINK,
        rated=False,
        fill_level=level,
    )
    return fill_with_bots(game_id=game.pk, player=player, now=now, network=network)


@transaction.atomic
def fill_with_bots(*, game_id: int, player: Player, now: datetime, network: str = "") -> Game:
    """Start without waiting any longer: bots take the empty seats, as the terms allow."""
    game = _locked(game_id)
    if game.creator_id != player.pk:
        raise Refused(_("Only the player who opened a game can start it with bots."))
    _check_open(game)
    if not game.fill_level:
        raise Refused(_("No bots may join this game."))
    _check_level(_checked_title(game.ruleset, game.size), game.fill_level)
    players = seated(game)
    bots = bots_of(BotLevel(game.fill_level), game.size - len(players), besides=players)
    _sit_bots(game, bots, taken=len(players), network=network, now=now)
    return game


@transaction.atomic
def join_game(*, game_id: int, player: Player, entropy: str, now: datetime) -> Game:
    """Take a free seat; the last one starts the game. Joining twice is joining once."""
    _check_word(entropy)
    return _join(_locked(game_id), player, entropy=entropy, now=now)


def _join(game: Game, player: Player, *, entropy: str, now: datetime) -> Game:
    players = seated(game)
    if player.pk in players:
        return game
    _check_account(player)
    _check_open(game)
    if game.expires_at and game.expires_at <= now:
        raise Refused(NO_LONGER_OPEN)
    _checked_title(game.ruleset, game.size)
    invitation = game.invitations.filter(player=player).first()
    _check_welcome(game, players, invitation)
    if keeps_apart(player, players):
        raise Refused(_("You and somebody at this table do not play together."))
    if invitation and invitation.declined_at:
        invitation.declined_at = None
        invitation.save(update_fields=["declined_at"])
    _sit(game, player, joined=len(players), entropy=entropy, now=now)
    if len(players) + 1 == game.size:
        _start(game, now)
    return game


@transaction.atomic
def leave_game(*, game_id: int, player: Player, now: datetime) -> None:
    game = _locked(game_id)
    if player.pk not in seated(game):
        raise Refused(_("You have no seat at this table."))
    _check_open(game)
    if game.creator_id == player.pk:
        raise Refused(_("You opened this game: cancel it instead of leaving it."))
    release_seat(game, player)


@transaction.atomic
def cancel_game(*, game_id: int, player: Player, now: datetime) -> None:
    game = _locked(game_id)
    if game.creator_id != player.pk:
        raise Refused(_("Only the player who opened a game can cancel it."))
    _check_open(game)
    game.status = Game.Status.CANCELLED
    game.save(update_fields=["status"])


@transaction.atomic
def decline_invitation(*, game_id: int, player: Player, now: datetime) -> None:
    game = _locked(game_id)
    invitation = game.invitations.filter(player=player).first()
    if invitation is None:
        raise Refused(_("You are not invited to this game."))
    _check_open(game)
    if player.pk in seated(game):
        raise Refused(_("You have a seat at this table: leave it instead."))
    if invitation.declined_at is None:
        invitation.declined_at = now
        invitation.save(update_fields=["declined_at"])


@transaction.atomic
def rematch(
    *, game_id: int, player: Player, now: datetime, entropy: str = "", network: str = ""
) -> Game:
    """The same table once more: the first who asks opens it, the others' click joins it."""
    if entropy:
        _check_word(entropy)
    game = _locked(game_id)
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
        return _join(_locked(asked.pk), player, entropy=entropy, now=now)
    if asked and asked.status in (Game.Status.RUNNING, Game.Status.OVER):
        return asked
    if asked:
        Game.objects.filter(pk=asked.pk).update(rematch_of=None)
    title = _checked_title(game.ruleset, game.size)
    bots = [partner for partner in partners if partner.bot_level]
    for bot in bots:
        _check_level(title, bot.bot_level)
    people = [partner for partner in partners if not partner.bot_level]
    _check_invited(player, people, size=game.size - len(bots), visibility=game.visibility)
    _check_open_games(player)
    _spend_creation(player, people, network=network, now=now)
    again = _open(
        creator=player,
        invited=people,
        entropy=entropy,
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
    _sit_bots(again, bots, taken=1, network=network, now=now)
    return again


def expire_open_games(*, now: datetime) -> int:
    """One statement: a join that holds the row is waited for, and what it started is spared."""
    due = Game.objects.filter(status=Game.Status.OPEN, expires_at__lte=now)
    return due.update(status=Game.Status.EXPIRED)


def release_seat(game: Game, player: Player) -> None:
    """Empty a seat of an open game that the caller has locked; those who came later move up."""
    seats = list(game.seats.order_by("joined"))
    given_up = next(seat for seat in seats if seat.player_id == player.pk)
    given_up.delete()
    for seat in seats[given_up.joined + 1 :]:
        seat.joined -= 1
        seat.save(update_fields=["joined"])


def _open(
    *, creator: Player, invited: Sequence[Player], entropy: str, now: datetime, **terms: Any
) -> Game:
    seed = secrets.token_bytes(chance.SEED_BYTES)
    game = Game.objects.create(
        creator=creator,
        seed=seed,
        commitment=chance.commitment(seed),
        created_at=now,
        expires_at=now + OPEN_FOR,
        **terms,
    )
    _sit(game, creator, joined=0, entropy=entropy, now=now)
    Invitation.objects.bulk_create(
        Invitation(game=game, player=player, at=now) for player in invited
    )
    queue.invited(game=game, players=invited, now=now)
    return game


def _sit(game: Game, player: Player, *, joined: int, entropy: str, now: datetime) -> None:
    """Whoever brings no word gets one, and the proof says so."""
    Seat.objects.create(
        game=game,
        player=player,
        joined=joined,
        entropy=entropy or lucky_word(),
        word_drawn=not entropy,
        joined_at=now,
    )


def _sit_bots(
    game: Game, bots: Sequence[Player], *, taken: int, network: str, now: datetime
) -> None:
    """The only way of bots to a table, and so the place of the one limit for all ways."""
    if bots:
        _check_bot_games(game.creator)
        limits.spend("bot_game", now=now, sender=game.creator_id, network=network)
    for joined, bot in enumerate(bots, start=taken):
        _sit(game, bot, joined=joined, entropy="", now=now)
    if taken + len(bots) == game.size:
        _start(game, now)


def _start(game: Game, now: datetime) -> None:
    seats = list(game.seats.order_by("joined"))
    drawn = chance.seating(bytes(game.seed), [seat.entropy for seat in seats])
    for number, joined in enumerate(drawn):
        seats[joined].number = number
    Seat.objects.bulk_update(seats, ["number"])
    game.status = Game.Status.RUNNING
    game.started_at = now
    game.save(update_fields=["status", "started_at"])
    play.begin(game=game, now=now)


def _locked(game_id: int) -> Game:
    return Game.objects.select_for_update().get(pk=game_id)


def _checked_title(key: str, size: int) -> Title:
    title = next((each for each in offered() if each.key == key), None)
    if title is None:
        raise Refused(_("This game is not played here."))
    if size not in title.seats:
        raise Refused(_("This game cannot be played by so many."))
    return title


def _checked_options(rules: Ruleset[Any], options: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return dict(rules.options(options))
    except BadOptions:
        raise Refused(_("These rule options do not exist.")) from None


def _checked_edition(rules: Ruleset[Any], options: Mapping[str, Any], wished: str) -> str:
    """Editions that agree on the rules keep the name that was chosen; own rules that are
    those of an edition get its name."""
    if wished in rules.presets:
        if rules.presets[wished] != options:
            raise Refused(_("This edition is played by other rules."))
        return wished
    if wished not in ("", CUSTOM):
        raise Refused(_("This edition does not exist."))
    same = (name for name, preset in rules.presets.items() if preset == options)
    return next(same, CUSTOM)


def _check_terms(*, pace: str, visibility: str, rated: bool) -> None:
    if pace not in Game.Pace.values:
        raise Refused(_("This pace does not exist."))
    if visibility not in Game.Visibility.values:
        raise Refused(_("Choose who can join: everybody, people with the link, or named players."))
    if rated and pace == Game.Pace.NONE:
        raise Refused(_("A game without clock is always casual."))


def _check_account(player: Player) -> None:
    if player.is_guest:
        raise Refused(_("Guests play against bots. Sign up to play with people."))


def _check_bots(title: Title, *, on_timeout: str, fill_level: str, rated: bool) -> None:
    if on_timeout not in Game.OnTimeout.values:
        raise Refused(_("Choose what happens to a seat whose time runs out."))
    if fill_level:
        _check_level(title, fill_level)
    if on_timeout == Game.OnTimeout.BOT and not title.bot_levels:
        raise Refused(NO_SUCH_BOTS)
    if fill_level and rated:
        raise Refused(_("A game with bots is always casual."))


def _check_level(title: Title, level: str) -> None:
    if level not in title.bot_levels:
        raise Refused(NO_SUCH_BOTS)


def _check_word(entropy: str) -> None:
    try:
        LUCKY_WORD(entropy)
    except ValidationError:
        raise Refused(LUCKY_WORD.message) from None


def _check_invited(
    creator: Player, invited: Sequence[Player], *, size: int, visibility: str
) -> None:
    guests = {player.pk for player in invited}
    if creator.pk in guests:
        raise Refused(_("You have a seat already: invite others."))
    if len(guests) < len(invited):
        raise Refused(_("A player can be invited only once."))
    for player in invited:
        if player.bot_level:
            raise Refused(_("Bots are not invited: let them take the empty seats."))
        if not player.is_active or player.deleted_at or player.is_guest:
            raise Refused(_("%(name)s does not play here any more.") % {"name": player})
        if keeps_apart(creator, [player.pk]):
            raise Refused(_("You and %(name)s do not play together.") % {"name": player})
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


def _check_open_games(creator: Player) -> None:
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
        limits.spend(
            "invitation",
            now=now,
            sender=creator.pk,
            pair=(creator.pk, player.pk),
            recipient=player.pk,
            address=player.email.lower(),
            network=network,
        )


def _check_bot_games(player: Player) -> None:
    Player.objects.select_for_update().get(pk=player.pk)
    running = player.games_created.filter(status=Game.Status.RUNNING).exclude(fill_level="")
    if running.count() >= MAX_BOT_GAMES:
        raise Refused(
            _("You play %(count)d games against bots: finish or give up one first.")
            % {"count": MAX_BOT_GAMES}
        )


def _check_open(game: Game) -> None:
    if game.status in (Game.Status.RUNNING, Game.Status.OVER):
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
