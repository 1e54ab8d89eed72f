"""Charts and the test of the dice: numbers with known answers."""

from __future__ import annotations

import math

import pytest

from games.charts import Series, bar_chart, line_chart
from games.reckon.fairness import chi_square, upper_gamma
from games.selectors.finished import answer_bucket, bucket_seconds


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


def test_no_bars_at_all_is_no_trouble() -> None:
    assert bar_chart([]).bars == ()
    assert bar_chart([("1", 0, "0")]).bars[0].height == "0"


# From printed tables of the chi-square distribution.
@pytest.mark.parametrize(
    ("statistic", "freedom", "probability"),
    [
        (3.841, 1, 0.05),
        (6.635, 1, 0.01),
        (0.584, 3, 0.9),
        (2.366, 3, 0.5),
        (7.815, 3, 0.05),
        (11.345, 3, 0.01),
        (16.266, 3, 0.001),
        (18.307, 10, 0.05),
        (124.342, 100, 0.05),
    ],
)
def test_the_tail_of_chi_square(statistic: float, freedom: int, probability: float) -> None:
    assert upper_gamma(freedom / 2, statistic / 2) == pytest.approx(probability, rel=2e-3)


def test_the_tail_where_it_has_a_plain_formula() -> None:
    # With two degrees of freedom it is an exponential, on both sides of where methods change.
    for x in (0.01, 0.5, 1.9, 2.1, 10, 50, 300):
        assert upper_gamma(1, x) == pytest.approx(math.exp(-x), rel=1e-10)
    assert upper_gamma(1.5, 0) == 1


def test_dice_that_are_as_expected_and_dice_that_are_not() -> None:
    fair = chi_square([100, 200, 200, 100], [100, 200, 200, 100])
    assert (fair.statistic, fair.freedom, fair.probability) == (0, 3, 1)
    loaded = chi_square([200, 200, 100, 100], [100, 200, 200, 100])
    assert loaded.statistic == 150
    assert loaded.probability < 1e-30


def test_answer_times_fall_into_narrow_buckets() -> None:
    for seconds in (1, 59, 3600, 86_400, 1_000_000):
        middle = bucket_seconds(answer_bucket(seconds))
        assert middle / seconds == pytest.approx(1, abs=0.1)
    assert bucket_seconds(answer_bucket(0)) == 0
