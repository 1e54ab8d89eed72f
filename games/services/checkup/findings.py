"""What a check-up finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Finding:
    """`fault` needs somebody to act; `advice` is better followed."""

    about: str
    verdict: Literal["ok", "advice", "fault"]
    text: str

    @property
    def is_fault(self) -> bool:
        return self.verdict == "fault"


def ok(about: str, text: str) -> Finding:
    return Finding(about, "ok", text)


def advice(about: str, text: str) -> Finding:
    return Finding(about, "advice", text)


def fault(about: str, text: str) -> Finding:
    return Finding(about, "fault", text)


def first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
