"""All rows of one moment, however much is played meanwhile."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import IO, Any

from django.apps.registry import Apps
from django.conf import settings
from django.db import connection, models, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.utils.duration import duration_iso_string

FORMAT = 1
CHUNK = 2000


def tables_of(apps: Apps) -> list[type[models.Model]]:
    """Every table that is ours to keep, those between two others among them."""
    found = apps.get_models(include_auto_created=True)
    return [model for model in found if model._meta.managed and not model._meta.proxy]


def write_backup(file: IO[str], *, apps: Apps, now: datetime) -> dict[str, int]:
    """Write all of it; how many rows, by table."""
    with one_moment():
        applied = sorted(MigrationRecorder(connection).applied_migrations())
        _write(
            file,
            {
                "souk-backup": FORMAT,
                "at": now.isoformat(),
                "release": settings.RELEASE,
                "migrations": applied,
            },
        )
        counts = {model._meta.label_lower: _write_table(file, model) for model in tables_of(apps)}
    _write(file, {"end": counts})
    return counts


@contextmanager
def one_moment() -> Iterator[None]:
    """A transaction that sees the database as it is now, and keeps nobody from writing."""
    sqlite = connection.vendor == "sqlite"
    mode = getattr(connection, "transaction_mode", None)
    try:
        if sqlite:
            connection.transaction_mode = "DEFERRED"  # type: ignore[attr-defined]
        with transaction.atomic():
            if not sqlite:
                with connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
                take_your_time()
            yield
    finally:
        if sqlite:
            connection.transaction_mode = mode  # type: ignore[attr-defined]


def take_your_time() -> None:
    """The limits that protect pages are not for whole tables; until the end of the transaction."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL statement_timeout = 0")


def _write_table(file: IO[str], model: type[models.Model]) -> int:
    columns = [field.attname for field in model._meta.concrete_fields]
    _write(file, {"table": model._meta.label_lower, "columns": columns})
    rows = model._base_manager.order_by("pk").values_list(*columns)
    count = 0
    for row in rows.iterator(CHUNK):
        _write(file, row)
        count += 1
    return count


def _write(file: IO[str], line: Any) -> None:
    file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":"), default=_plain) + "\n")


def _plain(value: Any) -> str:
    """What JSON does not know, exactly and as the fields of Django read it."""
    match value:
        case datetime() | date() | time():
            return value.isoformat()
        case timedelta():
            return duration_iso_string(value)
        case bytes() | memoryview():
            return base64.b64encode(value).decode()
        case Decimal():
            return str(value)
    raise TypeError(f"{type(value).__name__} cannot be kept in a backup")
