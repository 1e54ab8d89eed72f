"""How a benchmark measures: the same work several times, and the median of it."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Measurement:
    name: str
    unit: str
    median: float
    best: float
    target: float
    more_is_better: bool

    @property
    def met(self) -> bool:
        if self.more_is_better:
            return self.median >= self.target
        return self.median < self.target


def seconds(work: Callable[[], object], repeats: int) -> list[float]:
    """The processor's time of each run, after one that warms up: others may be at work too."""
    work()
    taken = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return taken


def rate(
    name: str, work: Callable[[], object], *, count: int, repeats: int, target: float
) -> Measurement:
    """Of work that does `count` things: how many a second, at least the target."""
    rates = [count / taken for taken in seconds(work, repeats)]
    return Measurement(name, "per second", statistics.median(rates), max(rates), target, True)


def duration(
    name: str, work: Callable[[], object], *, count: int, repeats: int, target: float
) -> Measurement:
    """Of work that does a thing `count` times: how many milliseconds each, less than the target."""
    times = [1000 * taken / count for taken in seconds(work, repeats)]
    return Measurement(name, "ms", statistics.median(times), min(times), target, False)


def run_child(module: str, *arguments: str, **variables: str) -> Any:
    """Run `module` with an empty data folder; what it prints last is its result."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "marrakech_site.settings",
            "LOG_LEVEL": "CRITICAL",
            "SOUK_DATA": folder,
            **variables,
        }
        # The package has imported the module already; running it anew is what we want.
        quiet = ["-W", "ignore::RuntimeWarning"]
        command = [sys.executable, *quiet, "-m", module, *arguments]
        printed = subprocess.check_output(command, env=environment, text=True)
    return json.loads(printed.splitlines()[-1])
