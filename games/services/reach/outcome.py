"""What came of an errand."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from games.outbound import Answer

TOO_MANY, TOO_LARGE = 429, 413


@dataclass(frozen=True)
class Outcome:
    reason: str
    is_good: bool = False
    again: bool = False
    gone: bool = False
    """Nobody is there any more."""
    is_silent: bool = False
    """Nothing came back at all."""
    status: int = 0
    took_ms: int | None = None
    after: timedelta | None = None


def of(answer: Answer, *, gone: tuple[int, ...] = ()) -> Outcome:
    later = answer.status == 0 or answer.status == TOO_MANY or answer.status >= 500
    return Outcome(
        reason=answer.reason,
        is_good=answer.is_good,
        again=later,
        gone=answer.status in gone,
        is_silent=answer.status == 0,
        status=answer.status,
        took_ms=answer.took_ms,
        after=timedelta(seconds=answer.retry_after) if answer.retry_after else None,
    )
