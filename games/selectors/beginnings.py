"""Games that began like another one."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

from games.models import Game, Opening, Seat
from games.selectors.archive import began_with


@dataclass(frozen=True, slots=True)
class Beginning:
    """What a game of a player has in common with others of the same player."""

    path: str
    moves: int
    games: int
    """The others."""


def same_beginning(game: Game, seat: Seat) -> Beginning | None:
    """As far into the game as another one of its player went, too; None where none did.

    Of all paths in order, the one that is the same for longest is a neighbour.
    """
    others = Seat.objects.filter(
        player=seat.player_id,
        ended_at__isnull=False,
        tally__shelf__ruleset=game.ruleset,
        tally__shelf__size=game.size,
    ).exclude(game=game)
    before = others.filter(opening__lte=game.opening).order_by("-opening")
    after = others.filter(opening__gte=game.opening).order_by("opening")
    neighbours = [
        opening
        for near in (before, after)
        for opening in near.values_list("opening", flat=True)[:1]
    ]
    path = max((_in_common(game.opening, each) for each in neighbours), key=len, default="")
    if not path:
        return None
    return Beginning(path, _moves(path), others.filter(began_with(path)).count())


def known_path(game: Game) -> str:
    """How far the explorer of openings can follow this game; nothing if not at all."""
    steps = game.opening.split("/")
    ways = ["/".join(steps[: number + 1]) for number in range(len(steps))]
    found = Opening.objects.filter(ruleset=game.ruleset, size=game.size, path__in=ways)
    return max(found.values_list("path", flat=True), key=len, default="")


def _in_common(one: str, other: str) -> str:
    """The steps that both begin with."""
    both = zip(one.split("/"), other.split("/"), strict=False)
    return "/".join(step for step, _ in takewhile(lambda pair: pair[0] == pair[1], both))


def _moves(path: str) -> int:
    """What was rolled is no move of its own."""
    return sum(not step[1:].isdigit() for step in path.split("/"))
