"""Updates that are written once, as `selectors.prepared` does it for queries.

@prepared_update
def _look() -> Update:
    return Seat.objects.filter(pk=Given("seat")), {"seen_moves": Given("moves")}

_look(seat=seat.pk, moves=12)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, wraps
from typing import Any, cast

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Case, Expression, Field, Q, QuerySet, When
from django.db.models.functions import Cast
from django.db.models.sql import UpdateQuery

from games.selectors.prepared import Given

Update = tuple[QuerySet[Any], dict[str, Any]]
"""The rows, and what is written into their columns."""


def prepared_update(build: Callable[..., Update]) -> Callable[..., int]:
    """Run the update that the function builds; how many rows it found."""

    @lru_cache
    def known(vendor: str, *shape: Any) -> tuple[str, tuple[Any, ...]]:
        rows, values = build(*shape)
        query = cast(UpdateQuery, rows.query.chain(UpdateQuery))
        query.add_update_values(values)
        return query.get_compiler(DEFAULT_DB_ALIAS).as_sql()

    @wraps(build)
    def run(*shape: Any, **given: Any) -> int:
        connection = connections[DEFAULT_DB_ALIAS]
        sql, values = known(connection.vendor, *shape)
        filled = [
            value.filled(given, connection) if isinstance(value, Given) else value
            for value in values
        ]
        with connection.cursor() as cursor:
            cursor.execute(sql, filled)
            return cursor.rowcount

    return run


def row_by_row(field: Field[Any, Any], values: Mapping[Any, Any]) -> Expression:
    """For a column: another value for each row, by its key."""
    case = Case(*(When(pk=key, then=value) for key, value in values.items()), output_field=field)
    casts = connections[DEFAULT_DB_ALIAS].features.requires_casted_case_in_updates
    return Cast(case, field) if casts else case


def any_of(name: str, values: Iterable[Any]) -> Q:
    """For a filter: `name` is one of these, of which there are some, and which may be gaps."""
    named = [(name, value) for value in values]
    assert named, "a filter without values would let everything through"
    return Q(*named, _connector=Q.OR)
