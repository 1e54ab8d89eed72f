"""A row in each table that has none, with what is hard to keep: odd letters, bytes, fractions,
moments to the microsecond. Tables that come later are filled without a word here."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django.apps import apps
from django.db import models

from games.services.backups.dump import tables_of

MOMENT = datetime(2026, 7, 1, 12, 0, 0, 123456, tzinfo=UTC)
LETTERS = "żółć\n\"'\\ 《…》\u2028"
VALUES: dict[type[models.Field[Any, Any]], Any] = {
    models.JSONField: {"ż": [1, 0.1, 1e-9, 2**53 + 1, None, True, LETTERS], "a": {"z": 1, "b": 2}},
    models.BinaryField: bytes(range(32)),
    models.DateTimeField: MOMENT,
    models.DateField: MOMENT.date(),
    models.TimeField: MOMENT.time(),
    models.DurationField: timedelta(days=-3, microseconds=7),
    models.FloatField: 0.1 + 0.2,
    models.BooleanField: True,
    models.IntegerField: 3,
    models.GenericIPAddressField: "2001:db8::1",
}
APART: dict[str, dict[str, Any]] = {
    "games.reckoning": {"game_id": None, "seed": 2**62},
    "games.errand": {"webhook_id": None},
    "games.report": {"reporter_id": 2},
}
"""Columns that exclude each other."""
FOLLOWING = {"games.performance"}
"""Books of what was reckoned: one that nobody reckoned would be a fault."""


def fill() -> None:
    for model in tables_of(apps):
        if model._meta.label_lower not in FOLLOWING:
            _row(model)


def _row(model: type[models.Model]) -> models.Model:
    row = model._base_manager.order_by("pk").first()
    if row is None:
        own = {field.attname: _value(field) for field in model._meta.concrete_fields}
        own |= APART.get(model._meta.label_lower, {})
        row = model._base_manager.create(**own)
    return row


def _value(field: models.Field[Any, Any]) -> Any:
    if isinstance(field, models.ForeignKey):
        return _row(field.related_model).pk
    for kind, value in VALUES.items():
        if isinstance(field, kind):
            return value
    return LETTERS[: field.max_length or None]
