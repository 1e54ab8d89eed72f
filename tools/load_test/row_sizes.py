"""What grows with what: the bytes that one more of each thing takes in the database."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from django.apps import apps
from django.db import connection
from django.db.models import Model

from games import models

STATISTICS_MODELS: tuple[type[Model], ...] = (
    *(models.Shelf, models.Tally, models.Rivalry, models.Meeting, models.Rating),
    *(models.RatingChange, models.Standing, models.Sheet, models.Opening, models.Opponent),
)
EACH: dict[str, tuple[type[Model], tuple[type[Model], ...]]] = {
    "player": (models.Player, (models.Player,)),
    "game, with its seats": (models.Game, (models.Game, models.Seat)),
    "move": (models.Move, (models.Move,)),
    "notice, until it is purged": (models.Notice, (models.Notice,)),
    "line of talk": (models.Message, (models.Message,)),
}


class RowSize(NamedTuple):
    """So many of something, and the bytes that each takes, indexes included."""

    what: str
    number: int
    each: int


def database_bytes() -> int:
    if connection.vendor == "sqlite":
        return Path(connection.settings_dict["NAME"]).stat().st_size
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])


def row_sizes() -> list[RowSize]:
    found = [
        _grown(what, counted._default_manager.count(), kept)
        for what, (counted, kept) in EACH.items()
    ]
    over = models.Game.objects.filter(status=models.Game.Status.OVER).count()
    found.append(_grown("finished game, in the books", over, STATISTICS_MODELS))
    counted = {model for _, kept in EACH.values() for model in kept} | set(STATISTICS_MODELS)
    rest = [model for model in apps.get_models() if model not in counted]
    found.append(_grown("everything else, at once", 1, rest))
    return [each for each in found if each.number]


def _grown(what: str, count: int, kept: Sequence[type[Model]]) -> RowSize:
    size = sum(_bytes(model) for model in kept)
    return RowSize(what, count, round(size / count) if count else 0)


def _bytes(model: type[Model]) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_total_relation_size(%s)", [model._meta.db_table])
        return int(cursor.fetchone()[0])
