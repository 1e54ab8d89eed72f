"""The mathematics of a reckoning, with judges that say anything: its laws hold exactly."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.reckon.judged import trials
from games.reckon.judged.moments import Face, Mark, Moment, Roll, from_json
from games.reckon.judged.reckoning import Reckoning, luck_of
from games.reckon.judged.shares import (
    POINT,
    WHOLE,
    Shares,
    apportioned,
    mean,
    standard_error,
    whole,
    won,
)
from games.reckon.judged.trials import Option

SEATS = st.integers(2, 4)


def shares(seats: int) -> st.SearchStrategy[Shares]:
    parts = st.lists(st.integers(0, 1000), min_size=seats, max_size=seats).filter(any)
    return parts.map(lambda found: apportioned([part * WHOLE for part in found], sum(found)))


@st.composite
def moments(draw: st.DrawFn, seats: int) -> Moment:
    names = draw(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=4, unique=True))
    options = tuple(Option(name, draw(shares(seats))) for name in names)
    roll = None
    if draw(st.booleans()):
        values = draw(st.lists(st.integers(1, 8), min_size=1, max_size=5, unique=True))
        faces = tuple(Face(each, draw(st.integers(1, 3)), draw(shares(seats))) for each in values)
        roll = Roll(draw(st.sampled_from(values)), faces)
    return Moment(
        seat=draw(st.integers(0, seats - 1)),
        played=draw(st.sampled_from(names)),
        best=draw(st.sampled_from(names)),
        options=options,
        is_free=len(names) > 1,
        error=draw(st.none() | st.integers(0, 3 * POINT)),
        roll=roll,
    )


@st.composite
def reckonings(draw: st.DrawFn) -> Reckoning:
    seats = draw(SEATS)
    first = draw(st.lists(st.integers(0, seats - 1), min_size=1, unique=True))
    played = draw(st.lists(moments(seats), min_size=1, max_size=8))
    return Reckoning(tuple(played), won([first], seats))


@given(reckonings())
def test_the_result_is_start_luck_gifts_and_residual(reckoning: Reckoning) -> None:
    for seat in reckoning.seats:
        given = sum(row[seat] for row in reckoning.gifts)
        assert reckoning.gain[seat] == reckoning.luck[seat] + given + reckoning.residual[seat]


@given(reckonings())
def test_what_one_gets_others_lose(reckoning: Reckoning) -> None:
    assert sum(reckoning.gain) == sum(reckoning.luck) == sum(reckoning.residual) == 0
    assert all(sum(row) == 0 for row in reckoning.gifts)


@given(reckonings())
def test_luck_averages_to_nothing_over_the_sides_of_the_die(reckoning: Reckoning) -> None:
    for roll in filter(None, (moment.roll for moment in reckoning.moments)):
        for seat in reckoning.seats:
            by_face = (
                face.sides * luck_of(Roll(face.value, roll.faces))[seat] for face in roll.faces
            )
            assert sum(by_face, Fraction()) == 0


@given(reckonings())
def test_what_is_stored_says_the_same(reckoning: Reckoning) -> None:
    for moment in reckoning.moments:
        assert from_json(json.loads(json.dumps(moment.as_json()))) == moment


@given(st.lists(st.floats(0, 1), min_size=2, max_size=4).filter(lambda parts: sum(parts) > 0.01))
def test_shares_sum_to_one_win(parts: list[float]) -> None:
    found = whole(parts)
    assert sum(found) == WHOLE
    for share, part in zip(found, parts, strict=True):
        assert abs(share - part / sum(parts) * WHOLE) < 2


def test_who_shares_the_first_place_shares_the_win() -> None:
    assert won([[1], [0]], 2) == (0, WHOLE)
    assert won([[0, 1, 3], [2]], 4) == (333_334, 333_333, 0, 333_333)


def test_the_standard_error_of_known_numbers() -> None:
    assert standard_error([5, 5, 5]) == 0
    assert standard_error([0, 200] * 50) == pytest.approx(10.05, abs=1)


def lost(points: float, error: int | None = 0, *, free: bool = True) -> Moment:
    loss = round(points * POINT)
    options = (Option("best", (WHOLE, 0)), Option("played", (WHOLE - loss, loss)))
    return Moment(0, "played", "best", options, is_free=free, error=error)


@pytest.mark.parametrize(
    ("points", "mark"),
    [(0, None), (1.99, None), (2, Mark.DUBIOUS), (4, Mark.MISTAKE), (7.9, Mark.MISTAKE), (8, "??")],
)
def test_marks_stand_at_two_four_and_eight_points(points: float, mark: Mark | None) -> None:
    assert lost(points).mark == mark


def test_nobody_is_blamed_within_two_standard_errors() -> None:
    assert lost(8, 4 * POINT).mark is None
    assert lost(8, 4 * POINT - 1).mark == "??"
    assert lost(8, None).mark is None
    assert lost(8, free=False).mark is None


def test_error_rates_count_free_decisions_only() -> None:
    found = Reckoning((lost(3), lost(1), lost(9, free=False)), (0, WHOLE))
    assert found.error_rates == [2 * POINT, None]


def test_one_blunder_that_decided_the_game_is_named() -> None:
    found = Reckoning((lost(1), lost(60), lost(2)), (0, WHOLE))
    assert found.decisive == 2
    assert Reckoning((lost(1), lost(3)), (0, WHOLE)).decisive is None
    assert Reckoning((lost(60), lost(31)), (0, WHOLE)).decisive is None, "one of two"


def rolled(value: int) -> Moment:
    faces = (Face(1, 1, (300_000, 700_000)), Face(2, 5, (900_000, 100_000)))
    option = Option("roll", (800_000, 200_000))
    return Moment(0, "roll", "roll", (option,), is_free=False, roll=Roll(value, faces))


def test_the_luckiest_and_the_unluckiest_roll_and_the_turning_point() -> None:
    found = Reckoning((rolled(2), rolled(1)), (0, WHOLE))
    assert (found.luckiest, found.unluckiest, found.turning_point) == (1, 2, 2)
    assert found.luck == (-400_000, 400_000)
    quiet = Reckoning((lost(0),), (WHOLE, 0))
    assert (quiet.luckiest, quiet.unluckiest, quiet.turning_point) == (None, None, None)


def options_of(**values: int) -> list[Option]:
    found = [
        Option(name, (points * POINT, WHOLE - points * POINT)) for name, points in values.items()
    ]
    return sorted(found, key=lambda each: -each.shares[0])


def sampled(scatter: int, **values: int) -> trials.Sample:
    """Continuations that scatter evenly around the true values."""

    def sample(action: str, first: int, count: int) -> list[tuple[int, int]]:
        own = [
            values[action] * POINT + (scatter if (number + first) % 2 else -scatter) * POINT
            for number in range(count)
        ]
        return [(value, WHOLE - value) for value in own]

    return sample


def test_what_is_far_behind_is_not_tried() -> None:
    found = trials.weighed("a", 0, options_of(a=50, b=40), sampled(1, a=50, b=40))
    assert (found.best, found.trials, found.error) == ("a", 0, 0)


def test_trials_correct_the_first_look() -> None:
    found = trials.weighed("a", 0, options_of(a=50, b=49, c=48), sampled(1, a=40, b=41, c=44))
    assert found.best == "c"
    assert found.options[0] == Option("c", (44 * POINT, 56 * POINT))
    assert found.spread <= trials.SURE


def test_trials_go_on_until_it_is_sure_enough_or_enough_is_enough() -> None:
    few = trials.weighed("a", 0, options_of(a=50, b=49), sampled(2, a=50, b=49))
    more = trials.weighed("a", 0, options_of(a=50, b=49), sampled(5, a=50, b=49))
    most = trials.weighed("a", 0, options_of(a=50, b=49), sampled(90, a=50, b=49))
    assert few.trials < more.trials < most.trials == 2 * trials.CHOOSING + trials.MOST
    assert few.spread <= trials.SURE
    assert more.spread <= trials.SURE < most.spread


def test_the_best_is_valued_on_other_trials_than_it_was_chosen_on() -> None:
    def sample(action: str, first: int, count: int) -> list[tuple[int, int]]:
        # In the first half b happens to look better than it is.
        value = {"a": 50, "b": 60 if first < trials.CHOOSING else 45}[action] * POINT
        return [(value, WHOLE - value)] * count

    found = trials.weighed("a", 0, options_of(a=50, b=49), sample)
    assert found.best == "b"
    assert {each.action: each.shares[0] for each in found.options} == {
        "a": 50 * POINT,
        "b": 45 * POINT,
    }


def test_the_mean_sums_to_one_win_though_outcomes_were_rounded() -> None:
    assert sum(mean([(333_333, 333_333, 333_333), (1_100_000, -50_000, -50_001)])) == WHOLE
