"""Records with the games they were set in, as a hall shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.models import Game
from games.selectors.access import Viewer
from games.selectors.gallery import Exhibit, exhibits
from games.selectors.lobby import attach_seats, row_of
from games.selectors.sheets import Feat


@dataclass(frozen=True, slots=True)
class Trophy:
    feat: Feat
    exhibit: Exhibit | None
    """None where the game counts no more, and the books do not know yet."""


def hall(feats: Sequence[Feat], viewer: Viewer) -> list[Trophy]:
    """The games of all records, in two queries."""
    wanted = {feat.game for feat in feats}
    games = Game.objects.filter(public_id__in=wanted, status=Game.Status.OVER)
    rows = [row_of(game, viewer) for game in attach_seats(games)]
    shown = {each.game.public_id: each for each in exhibits(rows)}
    return [Trophy(feat, shown.get(feat.game)) for feat in feats]
