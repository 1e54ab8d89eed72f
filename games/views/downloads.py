"""Downloads that are written while they are sent. Each keeps a thread of the server as long as its
reader takes, so only some of the threads are for that, and all others for pages."""

from __future__ import annotations

from collections.abc import Generator
from threading import BoundedSemaphore

AT_ONCE = 2
"""Of the threads of a process, which are four unless the operator says otherwise."""

_free = BoundedSemaphore(AT_ONCE)


class Download:
    """Lines with a thread of their own, until they were read or whoever reads them has gone."""

    def __init__(self, lines: Generator[str]) -> None:
        self._lines = lines
        self._taken = True

    def __iter__(self) -> Download:
        return self

    def __next__(self) -> str:
        return next(self._lines)

    def close(self) -> None:
        if self._taken:
            self._taken = False
            self._lines.close()
            _free.release()

    __del__ = close


def download(lines: Generator[str]) -> Download | None:
    """None where all threads for downloads are taken."""
    return Download(lines) if _free.acquire(blocking=False) else None
