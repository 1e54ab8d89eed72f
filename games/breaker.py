"""A server that does not answer is left alone for a while.

Whoever waits for a page waits for it once, not each time; meanwhile the caller does without.
"""

from __future__ import annotations

from time import monotonic


class Breaker:
    def __init__(self, pause: float) -> None:
        self._pause = pause
        self._closed_from = 0.0

    @property
    def is_open(self) -> bool:
        """Whether it is too early to ask again."""
        return monotonic() < self._closed_from

    def open(self) -> None:
        self._closed_from = monotonic() + self._pause

    def close(self) -> None:
        self._closed_from = 0.0
