"""Calendar arithmetic of clocks: quiet hours, vacations, summer time."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.reckon.running_time import (
    LONGEST_QUIET,
    SHORTEST_WAKING,
    Rhythm,
    after_quiet_hours,
    moment_after,
    quiet_may_count_from,
    running,
    window_length,
)

WARSAW, TAIPEI = ZoneInfo("Europe/Warsaw"), ZoneInfo("Asia/Taipei")
NEW_YORK, LORD_HOWE = ZoneInfo("America/New_York"), ZoneInfo("Australia/Lord_Howe")
HOUR = timedelta(hours=1)


def local(zone: ZoneInfo, *parts: int) -> datetime:
    return datetime(*parts, tzinfo=zone).astimezone(UTC)  # type: ignore[arg-type, misc]


def test_without_pauses_a_clock_runs_like_any_other() -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    assert running(Rhythm(), start, start + 5 * HOUR) == 5 * HOUR
    assert moment_after(Rhythm(), start, 5 * HOUR) == start + 5 * HOUR


def test_quiet_hours_that_wrap_midnight_stop_the_clock() -> None:
    rhythm = Rhythm(TAIPEI, (time(22), time(8)))
    evening = local(TAIPEI, 2026, 5, 1, 21)
    assert running(rhythm, evening, local(TAIPEI, 2026, 5, 2, 9)) == 2 * HOUR
    assert moment_after(rhythm, evening, 90 * timedelta(minutes=1)) == local(
        TAIPEI, 2026, 5, 2, 8, 30
    )


def test_a_clock_started_in_the_quiet_hours_waits_for_their_end() -> None:
    rhythm = Rhythm(TAIPEI, (time(22), time(8)))
    night = local(TAIPEI, 2026, 5, 2, 3)
    assert moment_after(rhythm, night, HOUR) == local(TAIPEI, 2026, 5, 2, 9)
    assert running(rhythm, night, local(TAIPEI, 2026, 5, 2, 7)) == timedelta()


def test_time_that_is_used_up_at_the_edge_of_a_pause_lasts_to_its_end() -> None:
    rhythm = Rhythm(TAIPEI, (time(22), time(8)))
    assert moment_after(rhythm, local(TAIPEI, 2026, 5, 1, 21), HOUR) == local(TAIPEI, 2026, 5, 2, 8)


@pytest.mark.parametrize(
    ("zone", "day", "hours_awake"),
    [
        # The window 22–08 covers the change at night: the day keeps its 14 waking hours.
        (WARSAW, date(2026, 3, 29), 14),
        (WARSAW, date(2026, 10, 25), 14),
        (NEW_YORK, date(2026, 3, 8), 14),
        (NEW_YORK, date(2026, 11, 1), 14),
        (LORD_HOWE, date(2026, 4, 5), 14),
        (LORD_HOWE, date(2026, 10, 4), 14),
        (TAIPEI, date(2026, 3, 29), 14),
    ],
)
def test_a_night_in_which_the_clocks_change_leaves_the_same_day(
    zone: ZoneInfo, day: date, hours_awake: int
) -> None:
    rhythm = Rhythm(zone, (time(22), time(8)))
    start = datetime.combine(day - timedelta(days=1), time(22), zone).astimezone(UTC)
    end = datetime.combine(day, time(22), zone).astimezone(UTC)
    assert running(rhythm, start, end) == hours_awake * HOUR
    assert moment_after(rhythm, start, HOUR) == datetime.combine(day, time(9), zone)


@pytest.mark.parametrize(
    ("zone", "day", "length"),
    [
        (WARSAW, date(2026, 3, 29), 23 * HOUR),
        (WARSAW, date(2026, 10, 25), 25 * HOUR),
        (LORD_HOWE, date(2026, 4, 5), 24.5 * HOUR),
        (LORD_HOWE, date(2026, 10, 4), 23.5 * HOUR),
    ],
)
def test_a_window_by_day_does_not_hide_the_change_at_night(
    zone: ZoneInfo, day: date, length: timedelta
) -> None:
    rhythm = Rhythm(zone, (time(10), time(16)))
    start = datetime.combine(day, time(0), zone).astimezone(UTC)
    end = datetime.combine(day + timedelta(days=1), time(0), zone).astimezone(UTC)
    assert running(rhythm, start, end) == length - 6 * HOUR


def test_an_edge_that_does_not_exist_is_the_jump_itself() -> None:
    jump = datetime(2026, 3, 29, 1, tzinfo=UTC)  # 02:00 becomes 03:00 in Warsaw
    ends_in_the_gap = Rhythm(WARSAW, (time(22), time(2, 30)))
    assert after_quiet_hours(ends_in_the_gap, jump - HOUR) == jump
    starts_in_the_gap = Rhythm(WARSAW, (time(2, 30), time(8)))
    assert running(starts_in_the_gap, jump - HOUR, jump + HOUR) == HOUR
    inside_the_gap = Rhythm(WARSAW, (time(2, 10), time(2, 50)))
    assert running(inside_the_gap, jump - HOUR, jump + HOUR) == 2 * HOUR


def test_an_edge_that_happens_twice_favours_the_player() -> None:
    first_half_past_two = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    ends_twice = Rhythm(WARSAW, (time(22), time(2, 30)))
    assert after_quiet_hours(ends_twice, first_half_past_two) == first_half_past_two + HOUR
    starts_twice = Rhythm(WARSAW, (time(2, 30), time(8)))
    assert running(starts_twice, first_half_past_two, first_half_past_two + HOUR) == timedelta()


def test_a_half_hour_change_moves_the_edge_by_half_an_hour() -> None:
    rhythm = Rhythm(LORD_HOWE, (time(23), time(6)))
    # 2026-04-05: 02:00 (+11) becomes 01:30 (+10:30).
    assert after_quiet_hours(rhythm, local(LORD_HOWE, 2026, 4, 5, 1)) == datetime(
        2026, 4, 4, 19, 30, tzinfo=UTC
    )


def test_a_day_that_a_country_skipped_is_no_trouble() -> None:
    apia = ZoneInfo("Pacific/Apia")  # there was no 30 December 2011
    rhythm = Rhythm(apia, (time(22), time(8)))
    evening = datetime(2011, 12, 29, 21, tzinfo=apia).astimezone(UTC)
    assert moment_after(rhythm, evening, 2 * HOUR) == datetime(2011, 12, 31, 9, tzinfo=apia)


def test_vacations_and_quiet_hours_that_touch_are_one_pause() -> None:
    rhythm = Rhythm(
        TAIPEI,
        (time(22), time(8)),
        away=((local(TAIPEI, 2026, 5, 2, 4), local(TAIPEI, 2026, 5, 4, 12)),),
    )
    start = local(TAIPEI, 2026, 5, 1, 20)
    assert moment_after(rhythm, start, 3 * HOUR) == local(TAIPEI, 2026, 5, 4, 13)
    assert running(rhythm, start, local(TAIPEI, 2026, 5, 4, 13)) == 3 * HOUR


def test_mail_waits_for_quiet_hours_but_not_for_vacations() -> None:
    rhythm = Rhythm(
        TAIPEI,
        (time(22), time(8)),
        away=((local(TAIPEI, 2026, 5, 1, 0), local(TAIPEI, 2026, 5, 9, 0)),),
    )
    assert after_quiet_hours(rhythm, local(TAIPEI, 2026, 5, 2, 12)) == local(TAIPEI, 2026, 5, 2, 12)
    assert after_quiet_hours(rhythm, local(TAIPEI, 2026, 5, 2, 23)) == local(TAIPEI, 2026, 5, 3, 8)


def test_moving_the_window_on_and_on_gains_nothing() -> None:
    """Whoever moves the quiet hours to "now" all the time still runs out of time."""
    now = datetime(2026, 1, 1, tzinfo=UTC)
    rhythm = Rhythm()
    used = timedelta()
    for _ in range(24 * 7):
        window = now.time(), (now + LONGEST_QUIET).time()
        rhythm = Rhythm(quiet=window, quiet_counts_from=quiet_may_count_from(rhythm, now))
        used += running(rhythm, now, now + HOUR)
        now += HOUR
    assert used >= timedelta(days=7) * (SHORTEST_WAKING / timedelta(days=1)) - LONGEST_QUIET


def test_the_first_window_counts_at_once_and_the_next_after_a_waking_day() -> None:
    now = datetime(2026, 1, 1, 21, tzinfo=UTC)
    assert quiet_may_count_from(Rhythm(), now) is None
    slept = Rhythm(quiet=(time(22), time(8)))
    noon = datetime(2026, 1, 2, 12, tzinfo=UTC)
    assert quiet_may_count_from(slept, noon) == datetime(2026, 1, 2, 22, tzinfo=UTC)


def test_the_length_of_a_window_may_wrap_midnight() -> None:
    assert window_length((time(22), time(8))) == 10 * HOUR
    assert window_length((time(1), time(8, 30))) == 7.5 * HOUR


ZONES = st.sampled_from([WARSAW, TAIPEI, NEW_YORK, LORD_HOWE, ZoneInfo("UTC")])
MOMENTS = st.timedeltas(timedelta(), timedelta(days=2000)).map(
    lambda age: datetime(2024, 1, 1, tzinfo=UTC) + age
)
AMOUNTS = st.timedeltas(timedelta(), timedelta(days=21))


@st.composite
def rhythms(draw: st.DrawFn) -> Rhythm:
    begin = draw(st.times())
    length = draw(st.timedeltas(timedelta(minutes=1), LONGEST_QUIET))
    finish = (datetime.combine(date(2000, 1, 1), begin) + length).time()
    edges = sorted(draw(st.lists(MOMENTS, max_size=6, unique=True)))
    return Rhythm(
        draw(ZONES),
        draw(st.sampled_from([None, (begin, finish)])),
        draw(st.none() | MOMENTS),
        tuple(zip(edges[::2], edges[1::2], strict=False)),
    )


@given(rhythms(), MOMENTS, AMOUNTS)
def test_what_is_advanced_is_what_is_measured(
    rhythm: Rhythm, start: datetime, amount: timedelta
) -> None:
    end = moment_after(rhythm, start, amount)
    assert running(rhythm, start, end) == amount
    just_after = end + timedelta(microseconds=1)
    assert running(rhythm, start, just_after) > amount


@given(rhythms(), MOMENTS, AMOUNTS, AMOUNTS)
def test_running_time_adds_up_and_never_runs_backwards(
    rhythm: Rhythm, start: datetime, one: timedelta, two: timedelta
) -> None:
    middle, end = start + one, start + one + two
    first, second = running(rhythm, start, middle), running(rhythm, middle, end)
    assert timedelta() <= first <= one
    assert first + second == running(rhythm, start, end)
    assert moment_after(rhythm, start, one) <= moment_after(rhythm, start, one + two)
