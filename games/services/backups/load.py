"""Into an empty database, of either kind: the tables of then, the rows of then, then today's.

A backup is loaded into the tables as they were when it was made. Afterwards `migrate` brings
them up to date as it would have done with the database itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.apps.registry import Apps
from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from games.services.backups.dump import CHUNK, FORMAT, tables_of, take_your_time
from games.services.backups.sealing import CannotOpen

DAMAGED = "The backup is damaged or cut off."


class CannotRestore(Exception):
    """Why not, in a sentence for an operator."""


def is_in_use() -> bool:
    """Whether there are players in the database, or tables of somebody else."""
    tables = connection.introspection.table_names()
    if "games_player" not in tables:
        return bool(tables)
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT 1 FROM games_player)")
        return bool(cursor.fetchone()[0])


def read_backup(lines: Iterator[str]) -> dict[str, int]:
    """Replace all that is in the database; how many rows, by table. All of it or nothing."""
    wanted = _migrations(_parsed(next(lines, "")))
    # SQLite changes tables only while nobody checks what points where; that is done at the end.
    connection.disable_constraint_checking()
    try:
        with transaction.atomic():
            take_your_time()
            _drop_everything()
            apps = _tables_of_then(wanted)
            # PostgreSQL checks at once what its migrations touched; rows come in any order.
            connection.check_constraints()
            tables = tables_of(apps)
            counts = _load(lines, {model._meta.label_lower: model for model in tables})
            connection.check_constraints()
            _count_on(tables)
    finally:
        connection.enable_constraint_checking()
    return counts


def _migrations(heading: Any) -> list[tuple[str, str]]:
    """The last migration of each app that the backup was made after."""
    match heading:
        case {"souk-backup": int(version), "migrations": list(applied)}:
            with _understood():
                wanted = {(str(app), str(name)) for app, name in applied}
        case _:
            raise CannotOpen("This is not a backup of Souk.")
    nodes = MigrationLoader(None).graph.node_map
    if version > FORMAT or not wanted.issubset(nodes):
        raise CannotRestore("The backup is of a newer Souk than this: update Souk first.")
    return sorted(
        key
        for key in wanted
        if not any(child.key in wanted and child.key[0] == key[0] for child in nodes[key].children)
    )


def _drop_everything() -> None:
    quote = connection.ops.quote_name
    behind = " CASCADE" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"DROP TABLE {quote(table)}{behind}")


def _tables_of_then(wanted: list[tuple[str, str]]) -> Apps:
    executor = MigrationExecutor(connection)
    executor.migrate(wanted)
    return executor.loader.project_state(wanted).apps


def _load(lines: Iterator[str], tables: dict[str, type[models.Model]]) -> dict[str, int]:
    for model in tables.values():
        # Migrations may have brought rows of their own; the backup has those as they became.
        model._base_manager.all()._raw_delete(connection.alias)
    counts: dict[str, int] = {}
    table: Table | None = None
    for text in lines:
        match _parsed(text):
            case {"table": str(name), "columns": list(columns)}:
                if name not in tables:
                    raise CannotRestore(f"The backup has a table that is not known: {name}.")
                _finish(table, counts)
                table = Table(tables[name], columns)
            case list(row) if table:
                table.add(row)
            case {"end": dict(expected)}:
                _finish(table, counts)
                if counts != expected:
                    break
                return counts
            case _:
                break
    raise CannotOpen(DAMAGED)


class Table:
    """Rows on their way into one table, many at once."""

    def __init__(self, model: type[models.Model], columns: list[str]) -> None:
        self.model, self.count = model, 0
        with _understood():
            self._fields = [model._meta.get_field(name) for name in columns]
        for field in self._fields:
            # Some columns note when a row was written; that was then, and not now.
            for automatic in {"auto_now", "auto_now_add"} & vars(field).keys():
                setattr(field, automatic, False)
        self._rows: list[models.Model] = []

    def add(self, row: list[Any]) -> None:
        with _understood():
            values = {
                field.attname: field.to_python(value)  # type: ignore[union-attr]
                for field, value in zip(self._fields, row, strict=True)
            }
        self._rows.append(self.model(**values))
        if len(self._rows) == CHUNK:
            self.write()

    def write(self) -> None:
        self.model._base_manager.bulk_create(self._rows)
        self.count += len(self._rows)
        self._rows.clear()


def _finish(table: Table | None, counts: dict[str, int]) -> None:
    if table:
        table.write()
        counts[table.model._meta.label_lower] = table.count


def _count_on(tables: list[type[models.Model]]) -> None:
    """New rows get numbers after those that came."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), tables):
            cursor.execute(statement)


def _parsed(text: str) -> Any:
    with _understood():
        return json.loads(text)


@contextmanager
def _understood() -> Iterator[None]:
    """Whatever a line says that makes no sense, it is not what was written there."""
    try:
        yield
    except (ValueError, TypeError, FieldDoesNotExist, ValidationError):
        raise CannotOpen(DAMAGED) from None
