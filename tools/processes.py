"""What processes of Linux use: memory and processor time, with or without their children."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

PROC = Path("/proc")
TICKS = os.sysconf("SC_CLK_TCK")


def children(process: int) -> list[int]:
    tasks = PROC.glob(f"{process}/task/*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def child_processes_named(name: str) -> list[int]:
    """The processes of this name that this process has started."""
    return [pid for pid in children(os.getpid()) if _read(pid, "comm").strip() == name]


def memory(process: int) -> int:
    """Bytes of a process and all that it started; what they share counts once."""
    total = 0
    for pid in _family(process):
        for line in _read(pid, "smaps_rollup").splitlines():
            if line.startswith("Pss:"):
                total += int(line.split()[1]) * 1024
    return total


def processor(process: int) -> float:
    """Seconds that a process and all that it started have worked, with those that ended."""
    stats = (_read(pid, "stat").rpartition(")")[2].split()[11:15] for pid in _family(process))
    return sum(int(ticks) for words in stats for ticks in words) / TICKS


def processor_of_threads(process: int) -> float:
    """The same of one process, to the nanosecond, without threads and children that ended."""
    return sum(int(thread.split()[0]) for thread in _threads(process, "schedstat")) / 1e9


def is_idle(process: int) -> bool:
    """Whether all threads sleep, and none only waits for a processor."""
    return all(thread.rpartition(")")[2].split()[0] == "S" for thread in _threads(process, "stat"))


def _family(process: int) -> Iterator[int]:
    yield process
    for child in children(process):
        yield from _family(child)


def _threads(process: int, file: str) -> Iterator[str]:
    return (path.read_text() for path in PROC.glob(f"{process}/task/*/{file}"))


def _read(process: int, file: str) -> str:
    """Nothing of a process that has ended."""
    try:
        return (PROC / str(process) / file).read_text()
    except OSError:
        return ""
