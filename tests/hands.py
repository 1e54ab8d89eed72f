"""Many hands at once, each on a connection of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier, Event
from typing import TypeVar

import pytest
from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.models import QuerySet

from games.services.errors import Refused
from tools.patience import PATIENCE, wait_until

T = TypeVar("T")


def at_once(actions: list[Callable[[], T]]) -> list[T | Exception]:
    """Each action in a thread of its own, all let go together; what it returned or raised."""
    gate = Barrier(len(actions))

    def run(action: Callable[[], T]) -> T | Exception:
        try:
            connection.ensure_connection()
            gate.wait(PATIENCE)
            return action()
        except (Refused, IntegrityError, OperationalError) as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(actions)) as pool:
        return list(pool.map(run, actions))


def meanwhile(action: Callable[[], T]) -> T:
    """Somebody else does this, on a connection of their own, while our transaction goes on. On
    SQLite nobody else can write then, so we do it ourselves."""
    if connection.vendor == "sqlite":
        return action()
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(_apart, action).result(PATIENCE)


@contextmanager
def waiting_for_us(action: Callable[[], object]) -> Iterator[None]:
    """Somebody else begins this at the end of our transaction, and goes on after it: whatever
    they read without a lock, they read before we were done."""
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            started = Event()
            yield
            theirs = pool.submit(_apart, action, started)
            assert started.wait(PATIENCE)
            wait_until(lambda: theirs.done() or _somebody_waits(), every=0.02)
        theirs.result(PATIENCE)


def without_row_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """For controls: all queries as they would be if somebody forgot their locks."""
    monkeypatch.setattr(QuerySet, "select_for_update", lambda rows, **_: rows.all())


def _apart(action: Callable[[], T], started: Event | None = None) -> T:
    try:
        connection.ensure_connection()
        if started:
            started.set()
        return action()
    finally:
        connection.close()


def _somebody_waits() -> bool:
    if connection.vendor == "sqlite":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        return bool(cursor.fetchone()[0])
