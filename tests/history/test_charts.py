"""Charts and the test of the dice: numbers with known answers."""

from __future__ import annotations

import math
import random

import pytest

from games.charts.plots import Series, area_chart, bar_chart, line_chart
from games.charts.shades import calendar, heat_map
from games.reckon.fairness import ALARM, Bet, bet_against
from games.reckon.intervals import wilson
from games.reckon.leads import leads


def test_a_line_goes_from_edge_to_edge_and_highest_is_on_top() -> None:
    chart = line_chart([Series("Omar", "red", [0, 5, 10])], marked=1)
    (line,) = chart.lines
    assert line.points == f"{chart.left},{chart.bottom} 163,50 {chart.right},{chart.top}"
    assert (line.value, line.x, line.y) == (5, "163", "50")
    assert chart.mark == "163"
    assert [level.value for level in chart.levels] == [0, 5, 10]


def test_lines_share_one_scale_and_rest_without_points() -> None:
    chart = line_chart([Series("a", "red", [30] * 5), Series("b", "blue", [30, 30, 20, 20, 40])])
    flat, other = chart.lines
    assert len(flat.points.split()) == 2
    assert len(other.points.split()) == 5
    assert flat.points.split()[0] == other.points.split()[0]
    assert (flat.value, other.value, chart.mark) == (30, 40, "")


@pytest.mark.parametrize("values", [[7], [7, 7, 7], [0, 0], [-3, 4], [1.5, 2.25]])
def test_any_numbers_can_be_drawn(values: list[float]) -> None:
    chart = line_chart([Series("a", "red", values)])
    heights = [float(point.split(",")[1]) for point in chart.lines[0].points.split()]
    assert all(float(chart.top) <= height <= float(chart.bottom) for height in heights)
    levels = [level.value for level in chart.levels]
    assert levels[0] <= min(values) <= max(values) <= levels[-1]
    assert levels[1] - levels[0] == levels[2] - levels[1]


def test_of_signs_that_would_touch_the_weightiest_is_written() -> None:
    halves = [Series(name, "red", [0.5] * 61) for name in "ab"]
    chart = area_chart(halves, signs={20: "??", 21: "?", 19: "?!", 22: "?"})
    assert [(slot.step, slot.sign) for slot in chart.slots if slot.sign and not slot.crowded] == [
        (20, "??"),
        (22, "?"),
    ]
    assert [slot.step for slot in chart.slots if slot.crowded] == [19, 21]


def test_bars_stand_on_the_floor_in_proportion() -> None:
    chart = bar_chart([("1", 10, "ten"), ("2", 5, "five"), ("3", 0, "none")])
    first, second, third = chart.bars
    assert float(first.height) == pytest.approx(2 * float(second.height), abs=0.1)
    assert third.height == "0"
    for bar in chart.bars:
        assert float(bar.y) + float(bar.height) == pytest.approx(float(chart.floor), abs=0.11)
        assert bar.expected == ""


def test_what_was_expected_is_a_line_across_the_bar() -> None:
    chart = bar_chart([("1", 8, ""), ("2", 10, "")], expected=[8, 20])
    assert chart.bars[0].expected == chart.bars[0].y
    assert float(chart.bars[1].expected) < float(chart.bars[1].y)


def test_the_line_of_what_was_expected_strikes_no_label_through() -> None:
    for bar in bar_chart([("1", 8, ""), ("2", 10, "")], expected=[9, 4]).bars:
        assert float(bar.above) < min(float(bar.y), float(bar.expected))


def test_no_bars_at_all_is_no_trouble() -> None:
    assert bar_chart([]).bars == ()
    assert bar_chart([("1", 0, "0")]).bars[0].height == "0"


FAIR = (1 / 6, 2 / 6, 2 / 6, 1 / 6)


def test_the_bet_starts_with_one_and_is_fair_at_every_roll() -> None:
    """Whatever was rolled so far, a fair die is expected to leave it worth what it is."""
    assert bet_against((0, 0, 0, 0), FAIR).log == pytest.approx(0)
    for counts in ((0, 0, 0, 0), (3, 1, 4, 1), (100, 20, 30, 7)):
        now = bet_against(counts, FAIR).worth
        later = [
            bet_against([n + (face == rolled) for face, n in enumerate(counts)], FAIR).worth
            for rolled in range(4)
        ]
        expected = sum(share * worth for share, worth in zip(FAIR, later, strict=True))
        assert expected == pytest.approx(now, rel=1e-9)


def test_fair_dice_are_left_in_peace_however_often_one_looks() -> None:
    rng = random.Random(4)
    for _ in range(20):
        counts = [0, 0, 0, 0]
        for _ in range(500):
            counts[rng.choice((0, 1, 1, 2, 2, 3))] += 1
            assert not bet_against(counts, FAIR).alarms


def test_loaded_dice_are_found_and_several_bets_are_corrected_for() -> None:
    loaded = bet_against((2000, 2000, 1000, 1000), FAIR)
    assert loaded.alarms
    assert loaded.worth > ALARM
    assert bet_against((10**9, 0, 0, 0), FAIR).alarms, "beyond all numbers"
    at_the_edge = Bet(math.log(ALARM) + 0.5)
    assert at_the_edge.alarms
    assert not Bet(at_the_edge.log, at_once=4).alarms


# From the formula as Wilson printed it, reckoned by hand for z = 1.96.
@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [
        (3, 5, 0.2307, 0.8824),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (50, 100, 0.4038, 0.5962),
        (1, 1000, 0.000177, 0.005643),
        (0, 0, 0.0, 1.0),
    ],
)
def test_the_interval_of_a_share(won: int, games: int, low: float, high: float) -> None:
    assert wilson(won, games) == pytest.approx((low, high), abs=6e-5)


def test_a_map_is_darkest_where_there_is_most() -> None:
    found = heat_map([[["a1", "b1", "c1"]]], {"a1": 12, "b1": 1})
    assert [(cell.value, cell.shade) for cell in found.planes[0][0]] == [(12, 6), (1, 1), (0, 0)]
    assert (found.total, found.in_thousands) == (13, False)


def test_a_map_shows_where_there_is_more_than_everywhere() -> None:
    (row,) = heat_map([[["a1", "b1", "c1"]]], {"a1": 160, "b1": 150, "c1": 200}).planes[0]
    assert [cell.shade for cell in row] == [2, 1, 6]
    (row,) = heat_map([[["a1", "b1"]]], {"a1": 7, "b1": 7}).planes[0]
    assert [cell.shade for cell in row] == [1, 1]


def test_a_map_of_many_games_counts_in_thousands() -> None:
    found = heat_map([[["a1", "b1"]]], {"a1": 225_374, "b1": 499})
    assert [(cell.value, cell.shown) for cell in found.planes[0][0]] == [(225_374, 225), (499, 0)]
    assert found.in_thousands


def test_a_calendar_has_every_day_in_weeks_from_monday() -> None:
    months = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    # 2026 began with a Thursday.
    found = calendar(3, months, {0: 2, 364: 1})
    assert len(found.days) == 365
    assert (found.days[0].x, found.days[0].y, found.days[0].shade) == ("0", "42", 6)
    assert (found.days[4].x, found.days[4].y) == ("10", "12")
    assert [day.month for day in (found.days[0], found.days[31], found.days[-1])] == [1, 2, 12]


def test_who_was_ahead_and_from_how_far_behind_the_winner_came() -> None:
    counts = [(0, 0), (3, 0), (3, 3), (3, 5), (6, 5), (2, 8), (9, 8)]
    told = leads(counts, (0,))
    assert (told.changes, told.ahead, told.margin, told.comeback) == (4, (3, 2), 1, 6)
    assert leads([(0, 0), (4, 4)], (0, 1)).margin == 0
