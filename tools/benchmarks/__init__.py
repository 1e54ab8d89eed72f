"""The benchmarks by name. A new one is a module with `run(repeats)` and a line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tools.benchmarks import (
    archive_download,
    bots,
    deadlines,
    email,
    engine,
    live_streams,
    pages,
    requests,
)
from tools.benchmarks.measure import Measurement

BENCHMARKS: Mapping[str, Callable[[int], list[Measurement]]] = {
    "engine": engine.run,
    "evaluator": bots.run_evaluators,
    "export": archive_download.run,
    "kernel": bots.run_compiled_rules,
    "live": live_streams.run,
    "mail": email.run,
    "pages": pages.run,
    "requests": requests.run,
    "sweep": deadlines.run,
}
