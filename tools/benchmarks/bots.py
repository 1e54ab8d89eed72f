"""How fast the compiled rules of the bots play, and how many positions evaluators value, on one
core."""

from __future__ import annotations

from django.conf import settings

from games import bots
from games.titles import TITLES
from tools.benchmarks.measure import Measurement, rate
from tools.bots import has_tools, tools_of
from tools.bots.speed_targets import CompiledSpeedTarget

POSITIONS = 20_000


def run_compiled_rules(repeats: int) -> list[Measurement]:
    bots.keep_compiled_in(settings.DATA / "compiled")
    able = [tools_of(key, "speed_targets") for key in TITLES if has_tools(key, "speed_targets")]
    return [_measured(each.COMPILED, repeats) for each in able if hasattr(each, "COMPILED")]


def _measured(target: CompiledSpeedTarget, repeats: int) -> Measurement:
    return rate(
        target.games,
        lambda: target.play(target.batch),
        count=target.batch,
        repeats=repeats,
        target=target.games_a_second,
    )


def run_evaluators(repeats: int) -> list[Measurement]:
    bots.keep_compiled_in(settings.DATA / "compiled")
    return [
        rate(
            f"positions of {title.key} for {seats} players, evaluated",
            tools_of(title.key, "measured_games").evaluation_workload(seats, POSITIONS),
            count=POSITIONS,
            repeats=repeats,
            target=600_000,
        )
        for title in TITLES.values()
        if has_tools(title.key, "measured_games")
        for seats in title.rules.seat_counts
    ]
