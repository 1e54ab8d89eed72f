"""Pages of long lists. One row more is read than shown: it tells whether there is another page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Listing(Generic[T]):
    """One page of a list, and whether there is more."""

    rows: Sequence[T]
    page: int
    more: bool


def span(page: int, size: int) -> tuple[int, int]:
    """From which row to which one is read."""
    start = (page - 1) * size
    return start, start + size + 1


def listed(read: Sequence[T], size: int, page: int = 1) -> Listing[T]:
    return Listing(read[:size], page, len(read) > size)
