"""How long tests wait for real processes: as long as it takes, within reason."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 240.0
"""Seconds. Not a measure of speed: what hangs, hangs for ever, and a busy machine is slow."""


def wait_until(condition: Callable[[], object], *, every: float = 0.1) -> None:
    """Real processes take real time; no clock of the game is waited for."""
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(every)
