"""Queries that are written once: for most pages Django takes longer to write the SQL of a query
than the database takes to answer it.

    @prepared
    def _seats_of() -> QuerySet[Seat]:
        return Seat.objects.select_related("player").filter(game=Given("game"))

    seats = _seats_of(game=game.pk)

What is given by name fills a gap of the SQL and cannot change its shape: it is never None, and
never a list. What does change the shape, such as the page of a list, is given by position.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import lru_cache, wraps
from typing import Any, TypeVar

from django.core.exceptions import EmptyResultSet
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Expression, Field, QuerySet
from django.db.models.sql import Query
from django.db.models.sql.compiler import SQLCompiler

Found = TypeVar("Found")

KEPT = 200
"""Shapes of one query."""


class Given(Expression):
    """A gap in a prepared query; a field, if there is one, says how its value is written."""

    def __init__(self, name: str, field: Field[Any, Any] | None = None) -> None:
        super().__init__(output_field=field)
        self.name, self.kind = name, field

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> Any:
        return "%s", [self]

    def filled(self, given: dict[str, Any], connection: BaseDatabaseWrapper) -> Any:
        value = given[self.name]
        return self.kind.get_db_prep_value(value, connection) if self.kind else value


def prepared(build: Callable[..., QuerySet[Any, Found]]) -> Callable[..., list[Found]]:
    """Run the query that the function builds; it is built and written once for each shape."""

    @lru_cache(maxsize=KEPT)
    def known(vendor: str, *shape: Any) -> tuple[Any, Any, _Written] | None:
        queryset = build(*shape)
        query = queryset.query.chain(_Prepared)
        try:
            return queryset, query, _Written(query)
        except EmptyResultSet:
            return None

    @wraps(build)
    def run(*shape: Any, **given: Any) -> list[Found]:
        ready = known(connections[DEFAULT_DB_ALIAS].vendor, *shape)
        if ready is None:
            return []
        queryset, query, written = ready
        # Threads share what is known, so each runs a copy.
        asked = copy(query)
        asked.compiled = written.with_gaps_filled(given)
        return list(queryset._iterable_class(QuerySet(queryset.model, asked)))

    return run


class _Prepared(Query):
    compiled: _Written

    def get_compiler(self, *args: Any, **kwargs: Any) -> _Written:
        return self.compiled


class _Written(SQLCompiler):
    """A compiler that is done: SQLite and PostgreSQL both read by Django's plain one."""

    def __init__(self, query: Query) -> None:
        super().__init__(query, connections[DEFAULT_DB_ALIAS], DEFAULT_DB_ALIAS)
        self.given: dict[str, Any] = {}
        self.sql, self.values = super().as_sql()
        columns = [column for column, *_ in self.select[: self.col_count]]
        self.converters = super().get_converters(columns)

    def with_gaps_filled(self, given: dict[str, Any]) -> _Written:
        filled = copy(self)
        filled.connection = connections[DEFAULT_DB_ALIAS]
        filled.given = given
        return filled

    def as_sql(self, *args: Any, **kwargs: Any) -> tuple[str, tuple[Any, ...]]:
        return self.sql, tuple(
            value.filled(self.given, self.connection) if isinstance(value, Given) else value
            for value in self.values
        )

    def get_converters(self, expressions: Any) -> Any:
        return self.converters
