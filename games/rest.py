"""A server that does not answer is left alone for a while.

Whoever waits for a page waits for it once, not each time; meanwhile the caller does without.
"""

from __future__ import annotations

from time import monotonic


class Rest:
    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._until = 0.0

    @property
    def is_on(self) -> bool:
        """Whether it is too early to ask again."""
        return monotonic() < self._until

    def begin(self) -> None:
        self._until = monotonic() + self._seconds

    def end(self) -> None:
        self._until = 0.0
