"""How many positions the judges value, on one core."""

from __future__ import annotations

from django.conf import settings

from games import bots
from games.titles import TITLES, part

from .measure import Measurement, rate

POSITIONS = 20_000


def run(repeats: int) -> list[Measurement]:
    bots.keep_compiled_in(settings.DATA / "compiled")
    return [
        rate(
            f"positions of {title.key} for {seats} players, judged",
            part(title.key, "bots.review").evaluations(seats, POSITIONS),
            count=POSITIONS,
            repeats=repeats,
            target=600_000,
        )
        for title in TITLES.values()
        if title.is_judged
        for seats in title.rules.seat_counts
    ]
