"""Everything that can point at a player: foreign keys of any table, and columns that hold a
player's name, number or address without one. Tables that come later are found without a word
here."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from itertools import cycle, permutations
from typing import Any

from django.apps import apps
from django.db import IntegrityError, connection, models, transaction

from games.models import Player
from tests.operate.every_table import LETTERS, MOMENT, VALUES

APART: dict[str, dict[str, Any]] = {
    "games.reckoning": {"game_id": None},
    "games.errand": {"webhook_id": None},
    "games.notice": {"address": "", "game_id": None},
    "games.vacation": {"end": MOMENT + timedelta(days=1)},
    "games.seat": {"joined": 3, "number": 3},
    "auth.permission": {"content_type_id": 1},
}
"""Columns of made-up rows that exclude each other."""


def pointers() -> list[models.ForeignKey[Any, Any]]:
    """Every foreign key to a player, those of tables between two others among them."""
    return [
        field
        for model in apps.get_models(include_auto_created=True)
        for field in model._meta.concrete_fields
        if isinstance(field, models.ForeignKey) and field.related_model is Player
    ]


def name_of(field: models.Field[Any, Any]) -> str:
    return f"{field.model._meta.label}.{field.name}"


def pointing_at(player: Player) -> set[str]:
    """The foreign keys of which some row is this player's."""
    return {
        name_of(field)
        for field in pointers()
        if field.model._base_manager.filter(**{field.name: player.pk}).exists()
    }


def point_at(player: Player, others: list[Player]) -> None:
    """A row for each foreign key that has none of this player yet."""
    for field in pointers():
        if name_of(field) not in pointing_at(player):
            _row_about(field, player, others)


def _row_about(field: models.ForeignKey[Any, Any], player: Player, others: list[Player]) -> None:
    """Two players of one row are often not the same, or in the order of their numbers."""
    refused: IntegrityError | None = None
    for order in permutations(others):
        try:
            with transaction.atomic():
                _new_row(field.model, cycle(order), {field.attname: player.pk})
                connection.check_constraints()
            return
        except IntegrityError as error:
            refused = error
    raise AssertionError(f"no row for {name_of(field)}: {refused}")


def _new_row(
    model: type[models.Model], others: Iterator[Player], given: dict[str, Any]
) -> models.Model:
    own = {
        field.attname: _value(field, others)
        for field in model._meta.concrete_fields
        if not isinstance(field, models.AutoField)
    }
    return model._base_manager.create(**{**own, **APART.get(model._meta.label_lower, {}), **given})


def _value(field: models.Field[Any, Any], others: Iterator[Player]) -> Any:
    if isinstance(field, models.ForeignKey):
        if field.related_model is Player:
            return next(others).pk
        model = field.related_model
        row = model._base_manager.order_by("pk").first() or _new_row(model, others, {})
        return row.pk
    for kind, value in VALUES.items():
        if isinstance(field, kind):
            return value
    # Two rows must not have the same key.
    number = field.model._base_manager.count()
    return f"{number}{LETTERS}"[: field.max_length or None]


def mentions(words: list[str]) -> Iterator[str]:
    """The columns of any table in which one of these words stands, in whatever kind of text."""
    for model in apps.get_models(include_auto_created=True):
        for row in model._base_manager.values():
            for column, value in row.items():
                if any(word in str(value).lower() for word in words):
                    yield f"{model._meta.label}.{column}"
