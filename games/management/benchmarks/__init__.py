"""The benchmarks by name. A new one is a module with `run(repeats)` and a line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from . import engine, export, judge, kernel, live, mail, pages, requests, sweep
from .measure import Measurement

BENCHMARKS: Mapping[str, Callable[[int], list[Measurement]]] = {
    "engine": engine.run,
    "export": export.run,
    "judge": judge.run,
    "kernel": kernel.run,
    "live": live.run,
    "mail": mail.run,
    "pages": pages.run,
    "requests": requests.run,
    "sweep": sweep.run,
}
