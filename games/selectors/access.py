"""Who may look at which game, and who keeps apart from whom: the one place that says so."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet

from games import titles
from games.models import Block, Game, Player, Seat
from games.selectors.prepared import Given

Viewer = Player | AnonymousUser | None
STARTED = (Game.Status.RUNNING, Game.Status.OVER, Game.Status.ANNULLED)


def may_see(game: Game, player: Viewer) -> bool:
    """Public games are for everybody, games by link for whoever has the address, and games
    of named players for those alone. People who keep apart do not see each other's open games.
    What was played by rules that the house no longer has cannot be shown to anybody.
    """
    if titles.find(game.ruleset) is None:
        return False
    named = game.visibility == Game.Visibility.NAMED
    still_open = game.status == Game.Status.OPEN
    started = game.status in STARTED
    if not named and not still_open:
        return True
    if not isinstance(player, Player):
        return not named
    if player.pk in seated(game):
        return True
    if named and started:
        # Who was asked but did not come has no part in it, whoever sat down instead.
        return False
    if named and not game.invitations.filter(player=player).exists():
        return False
    return not (still_open and keeps_apart(player, seated(game)))


def may_moderate(player: Viewer) -> bool:
    """Staff who were given leave to; asked of everybody, so it costs only them a query."""
    return isinstance(player, Player) and player.is_staff and player.has_perm("games.moderate")


def seated(game: Game) -> set[int]:
    """The players of this game; costs nothing where the seats are prefetched."""
    return {seat.player_id for seat in game.seats.all()}


def keeps_apart(player: Player, others: Collection[int]) -> bool:
    """Whether there is a block between this player and one of the others, whoever made it."""
    return Block.objects.filter(
        Q(blocker=player, blocked__in=others) | Q(blocked=player, blocker__in=others)
    ).exists()


def kept_apart_from(player: Player) -> QuerySet[Player]:
    """Everybody that a block stands between, whoever made it."""
    return Player.objects.filter(
        Q(blocks_made__blocked=player) | Q(blocks_received__blocker=player)
    )


def without_kept_apart(games: QuerySet[Game], player: Viewer | Given) -> QuerySet[Game]:
    """Only games where this player would meet nobody that a block stands between."""
    if not isinstance(player, Player | Given):
        return games
    seats = Seat.objects.filter(game=OuterRef("pk"))
    return games.exclude(
        Exists(seats.filter(player__blocks_made__blocked=player))
        | Exists(seats.filter(player__blocks_received__blocker=player))
    )
