"""Players as others see them."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Lower

from games.models import Block, Game, Player, Seat
from games.reckon.likeness import likeness


def find_player(name: str) -> Player | None:
    """By name, whatever the case of its letters."""
    return find_players([name]).get(name)


def find_players(names: Collection[str]) -> dict[str, Player]:
    """The players there are, by the name they were asked for; one query."""
    # PostgreSQL refuses to be asked for a NUL, and nobody is called so.
    names = [name for name in names if "\0" not in name]
    # The database folds both sides, in the way the constraint on names does.
    wanted = Q(pk__in=[])
    for name in names:
        wanted |= Q(folded=Lower(Value(name)))
    found = list(Player.objects.alias(folded=Lower("username")).filter(wanted))
    by_folded = {player.username.casefold(): player for player in found}
    return {name: by_folded[name.casefold()] for name in names if name.casefold() in by_folded}


def others_who_look_like(name: str, besides: Player) -> QuerySet[Player]:
    """Whose name, or shown name, could be mistaken for this one."""
    seen = likeness(name)
    same = Q(likeness=seen) | Q(folded__in={seen, name.casefold()})
    others = Player.objects.alias(folded=Lower("username")).filter(same)
    return others.exclude(pk=besides.pk)


def is_shown_name(name: str) -> bool:
    """Whether somebody shows a name that could be mistaken for this one."""
    return Player.objects.filter(likeness=likeness(name)).exists()


def games_in_play(player: Player) -> int:
    """How many public games this player is in the middle of."""
    return Seat.objects.filter(
        player=player,
        ended_at=None,
        game__status=Game.Status.RUNNING,
        game__visibility=Game.Visibility.PUBLIC,
    ).count()


def has_blocked(blocker: Player, blocked: Player) -> bool:
    return Block.objects.filter(blocker=blocker, blocked=blocked).exists()
