"""An address as a picture that the camera of a phone reads."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import segno

QUIET = 4
"""So many light modules around the code, as the standard asks."""


@dataclass(frozen=True, slots=True)
class Code:
    """A square of modules: the dark ones as the path of a drawing."""

    side: int
    dark: str


@lru_cache(maxsize=200)
def code_of(text: str) -> Code:
    rows = [bytes(row) for row in segno.make_qr(text, error="m").matrix]
    runs = (
        f"M{start + QUIET} {y + QUIET}h{end - start}v1h{start - end}z"
        for y, row in enumerate(rows)
        for start, end in _dark_runs(row)
    )
    return Code(len(rows) + 2 * QUIET, "".join(runs))


def _dark_runs(row: bytes) -> list[tuple[int, int]]:
    """Where dark modules begin and end."""
    padded = b"\0" + row + b"\0"
    edges = [at for at in range(len(row) + 1) if padded[at] != padded[at + 1]]
    return list(zip(edges[::2], edges[1::2], strict=True))
