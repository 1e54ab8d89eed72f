"""How long tests wait for real processes: as long as it takes, within reason."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

CALM = 20.0
"""Seconds on a machine that does nothing else. Not a measure of speed: what hangs, hangs for ever,
and a test should soon say so."""
BUSY = os.getloadavg()[0] / (os.cpu_count() or 1)
PATIENCE = CALM * min(max(BUSY, 1.0), 4.0)
"""A busy machine is slow, and gets more."""


def wait_until(condition: Callable[[], object], *, every: float = 0.1) -> None:
    """Real processes take real time; no clock of the game is waited for."""
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(every)
