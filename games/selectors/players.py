"""Players as others see them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice

from django.db.models import Q, Value
from django.db.models.functions import Lower

from games.models import Block, Game, NameKey, Player, Seat, Tally
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


SUGGESTED = 8
LOOKED_AT = 100
"""So many names that come next in order; whoever wants another one writes another letter."""


def names_like(start: str) -> list[str]:
    """A few players who have finished a public game and whose names begin so."""
    if not start or "\0" in start:
        return []
    # In the order of the constraint on names, so that nobody else is looked at.
    ordered = Player.objects.alias(folded=Lower("username")).order_by("folded")
    next_ones = ordered.filter(folded__gte=Lower(Value(start)), deleted_at=None, is_guest=False)
    named = dict(next_ones.values_list("pk", "username")[:LOOKED_AT])
    begin = start.casefold()
    alike = [pk for pk, name in named.items() if name.casefold().startswith(begin)]
    tallies = Tally.objects.filter(player__in=alike, shelf__public=True)
    played = set(tallies.values_list("player", flat=True))
    return [named[pk] for pk in alike if pk in played][:SUGGESTED]


def is_taken(name: str, besides: Player | None = None) -> bool:
    """Whether somebody has, or shows, a name that could be mistaken for this one."""
    others = NameKey.objects.filter(key=likeness(name))
    return (others.exclude(player=besides) if besides else others).exists()


LOOKED_THROUGH = 1000


def names_without_key() -> Iterator[tuple[Player, str]]:
    """Players, and those of their names whose key somebody else has, or nobody."""
    everybody = Player.objects.order_by("pk").iterator(LOOKED_THROUGH)
    while some := list(islice(everybody, LOOKED_THROUGH)):
        wanted = {player.pk: player.keys_of_names() for player in some}
        rows = NameKey.objects.filter(key__in=set().union(*wanted.values()))
        owners = dict(rows.values_list("key", "player"))
        for player in some:
            without = {key for key in wanted[player.pk] if owners.get(key) != player.pk}
            names = dict.fromkeys((player.username, player.display_name))
            yield from ((player, name) for name in names if likeness(name) in without)


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
