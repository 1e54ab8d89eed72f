"""Many hands at once, each on a connection of its own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

from django.db import IntegrityError, OperationalError, connection

from games.services.errors import Refused
from tests.patience import PATIENCE

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
