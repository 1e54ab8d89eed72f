"""How a game is told: what lies on its board, piece by piece, and what happened in a move.

A room brings a `TELLER` in `story.py`. Where it brings none, a position is shown at once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from django.utils.safestring import SafeString, mark_safe

from games.engine.interface import Facts

Beat = dict[str, Any]
"""One thing that is seen to happen, by the name under `do`:

- `die`: the symbol `use` falls large over the board
- `walk`: `piece` goes along `path`
- `light`: the fields `at` light up one by one, and are counted; `counts` are the numbers where they
  are not 1, 2, 3, and `size` is that of a field
- `pass`: `n` coins, or what `use` names, go from the seat `from`, or from `at`, to the seat `to`
- `unroll`: `piece` comes to lie where it is put
- `fly`: `piece` goes to where it is put, be it on another layer
- `hop`: the symbol `use` jumps over `layer` from `from` to `to`, and `grows` from scale to scale
- `puff`: smoke rises at `at` of `layer`
- `fill`: the slots of a `seat` that are named `slot` and full are counted up

A point that does not lie on the layer `light` names its layer last. What looks different until a
later beat comes `as` another piece, and what is gone from here on is named by `take`.
"""


@dataclass(frozen=True, slots=True)
class Piece:
    """Something on the board: in a layer of the drawing, at a place, made of symbols of it.

    A part is the name of a symbol, followed by where it stands in the piece if not in its middle,
    and by `@` and a class if the sheet of the game knows it by one.
    """

    key: str
    layer: str
    at: str
    parts: tuple[str, ...]

    def as_list(self) -> list[Any]:
        return [self.key, self.layer, self.at, *self.parts]


def written(data: Mapping[str, Any] | Sequence[Any]) -> SafeString:
    """As JSON that can stand in a page: nothing in it ends an element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return mark_safe(text)  # noqa: S308 - without what could be markup


class Teller(Protocol):
    def pieces(self, seen: Facts) -> Iterable[Piece]:
        """What lies on the board, each piece over those before it."""
        ...

    def labels(self, seen: Facts) -> Mapping[str, Sequence[str | int]]:
        """What stands beside the names of the players beyond the counts of the rules, by seat."""
        ...

    def finale(self, seen: Facts, seat: int) -> list[Beat]:
        """How the game of one seat is counted when it is over: `light`s and `fill`s."""
        ...

    def beats(self, move: Facts, before: Facts, after: Facts) -> list[Beat]:
        """What is seen to happen in a move; `move` has its `action`, its `seat` and its facts."""
        ...
