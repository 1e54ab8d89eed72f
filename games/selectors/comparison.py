"""Two players side by side, in one game of the house."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.models import Player
from games.selectors.playing import BoardMap, Playing, playing
from games.selectors.ratings import Known, known_ratings, shown_rating
from games.selectors.shares import Share
from games.selectors.sheets import Feat, feats_of, play_counts


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two, by public games."""

    player: Player
    rating: int | None
    reach: int
    share: Share
    playing: Playing | None
    feats: Sequence[Feat]


@dataclass(frozen=True, slots=True)
class Line:
    """Something that both have, or one of them has."""

    label: str
    values: Sequence[Feat | None]


def sides(players: Sequence[Player], ruleset: str) -> list[Side]:
    ratings = known_ratings(players, private_too=False)
    return [_side(player, ruleset, ratings.get((player.pk, ruleset))) for player in players]


def _side(player: Player, ruleset: str, rated: Known | None) -> Side:
    counts = play_counts(player, ruleset, private_too=False)
    return Side(
        player=player,
        rating=shown_rating(rated.mu) if rated else None,
        reach=shown_rating(2 * rated.sigma) if rated else 0,
        share=Share(str(player), counts.get("games", 0), counts.get("won", 0)),
        playing=playing(ruleset, counts),
        feats=feats_of(player, ruleset),
    )


def lines(both: Sequence[Side]) -> list[Line]:
    """The records of both, each in one line."""
    labels = {feat.name: feat.label for side in both for feat in side.feats}
    held = [{feat.name: feat for feat in side.feats} for side in both]
    return [Line(label, [own.get(name) for own in held]) for name, label in labels.items()]


@dataclass(frozen=True, slots=True)
class Pair:
    """The same map of both, or of the one who has played."""

    label: str
    boards: Sequence[tuple[Player, BoardMap]]


def pairs(both: Sequence[Side]) -> list[Pair]:
    played = [(side.player, side.playing.maps) for side in both if side.playing]
    players = [player for player, _maps in played]
    return [
        Pair(boards[0].label, list(zip(players, boards, strict=True)))
        for boards in zip(*(maps for _player, maps in played), strict=True)
    ]
