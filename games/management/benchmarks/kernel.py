"""How fast the kernels of the bots play, on one core."""

from __future__ import annotations

from django.conf import settings

from games import bots
from games.titles import TITLES, has_part, part
from games.titles.promises import KernelSpeed

from .measure import Measurement, rate


def run(repeats: int) -> list[Measurement]:
    bots.keep_compiled_in(settings.DATA / "compiled")
    rooms = [part(key, "bench") for key in TITLES if has_part(key, "bench")]
    return [_measured(room.KERNEL, repeats) for room in rooms if hasattr(room, "KERNEL")]


def _measured(promised: KernelSpeed, repeats: int) -> Measurement:
    return rate(
        promised.games,
        lambda: promised.play(promised.batch),
        count=promised.batch,
        repeats=repeats,
        target=promised.games_a_second,
    )
