"""Banks, increments and deadlines of seats, and what changes them."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import OperationalError

from games.models import Game, Player, Seat, Vacation
from games.selectors.clock import vacation_left
from games.selectors.stats import profile_of
from games.services import play, rhythm, timeouts, vacation
from games.services.errors import Refused
from tests.people import START, Tables, actor, decide, sweep, take_turn, tell_everybody

HOUR, DAY = timedelta(hours=1), timedelta(days=1)

pytestmark = pytest.mark.both_databases


def fresh(seat: Seat) -> Seat:
    return Seat.objects.get(pk=seat.pk)


def reliability(player: Player) -> int | None:
    return profile_of(player, private_too=True).reliability


@pytest.mark.parametrize(
    ("pace", "increment", "cap"),
    [
        ("brisk", 12 * HOUR, 36 * HOUR),
        ("daily", DAY, 3 * DAY),
        ("steady", 2 * DAY, 6 * DAY),
        ("relaxed", 4 * DAY, 12 * DAY),
        ("slow", 7 * DAY, 21 * DAY),
    ],
)
def test_paces(pace: str, increment: timedelta, cap: timedelta) -> None:
    assert Game.Pace(pace).increment == increment
    assert Game.Pace(pace).cap == cap


def test_the_first_turn_has_the_whole_cap(tables: Tables) -> None:
    game = tables.game()
    assert game.deadline == START + 3 * DAY
    take_turn(game, START + HOUR)
    assert game.deadline == START + HOUR + 3 * DAY


def test_a_turn_adds_the_increment_up_to_the_cap(tables: Tables) -> None:
    game = tables.game()
    slow = take_turn(game, START + 60 * HOUR)
    assert fresh(slow).bank == 36 * HOUR  # 72 − 60 + 24
    quick = take_turn(game, START + 61 * HOUR)
    assert fresh(quick).bank == 72 * HOUR  # never more than the cap
    assert game.to_act_id == slow.pk
    assert game.deadline == START + (61 + 36) * HOUR


def test_the_decisions_of_one_turn_share_one_clock(tables: Tables) -> None:
    game = tables.game()
    before = game.deadline
    seat = decide(game, START + HOUR)
    assert game.to_act_id == seat.pk, "a turn of Marrakech has several decisions"
    assert game.deadline == before
    assert fresh(seat).bank == 3 * DAY
    decide(game, START + 30 * HOUR)
    assert game.to_act_id != seat.pk
    assert fresh(seat).bank == (72 - 30 + 24) * HOUR
    assert fresh(seat).turns == 1


def test_a_game_without_clock_has_no_deadline(tables: Tables) -> None:
    game = tables.game(pace=Game.Pace.NONE)
    seat = take_turn(game, START + 400 * DAY)
    assert game.deadline is None
    assert fresh(seat).bank is None
    assert fresh(seat).turns == 0
    assert sweep(START + 4000 * DAY) == 0


def test_quiet_hours_and_vacations_of_the_one_to_act_move_the_deadline(tables: Tables) -> None:
    nights = {"quiet_from": time(22), "quiet_to": time(8), "time_zone": "Asia/Taipei"}
    one, two = tables.player(**nights), tables.player(**nights)
    game = tables.game([one, two], pace=Game.Pace.BRISK, now=START)
    # 20:00 in Taipei: 2 h, then 14 h a day.
    assert game.deadline == START + 2 * HOUR + 2 * 10 * HOUR + 34 * HOUR + 10 * HOUR


def test_a_change_holds_from_now_on(tables: Tables) -> None:
    game = tables.game()
    player = actor(game).player
    now = START + 10 * HOUR  # 22:00
    rhythm.change_quiet_hours(player=player, quiet=(time(22), time(8)), now=now)
    game.refresh_from_db()
    seat = actor(game)
    assert seat.bank == 62 * HOUR
    # 62 hours at 14 a day from 08:00: four days and six hours.
    assert game.deadline == datetime(2026, 5, 5, 8, tzinfo=UTC) + 4 * DAY + 6 * HOUR
    rhythm.change_quiet_hours(player=player, quiet=None, now=now + 10 * HOUR)
    game.refresh_from_db()
    assert game.deadline == now + 10 * HOUR + 62 * HOUR


def test_moving_to_another_zone_moves_the_quiet_hours(tables: Tables) -> None:
    one = tables.player(quiet_from=time(22), quiet_to=time(8), time_zone="Europe/Warsaw")
    two = tables.player(quiet_from=time(22), quiet_to=time(8), time_zone="Europe/Warsaw")
    game = tables.game([one, two], pace=Game.Pace.BRISK)  # 14:00 in Warsaw
    player = actor(game).player
    now = START + 2 * HOUR
    rhythm.change_time_zone(player=player, time_zone="America/New_York", now=now)
    game.refresh_from_db()
    new_york = ZoneInfo("America/New_York")
    # 10:00 there. 34 hours are left: 12 today, 14 tomorrow, 8 on the day after.
    assert game.deadline == datetime(2026, 5, 6, 16, tzinfo=new_york)


def test_quiet_hours_are_at_most_ten(tables: Tables) -> None:
    player = tables.player()
    for quiet in [(time(20), time(8)), (time(8), time(8))]:
        with pytest.raises(Refused):
            rhythm.change_quiet_hours(player=player, quiet=quiet, now=START)
    player.refresh_from_db()
    assert player.quiet_from is None


def test_a_clock_that_ran_out_is_not_wound_up_by_going_to_bed(tables: Tables) -> None:
    game = tables.game()
    late = START + 3 * DAY + HOUR
    rhythm.change_quiet_hours(
        player=actor(game).player, quiet=(late.time(), (late + 9 * HOUR).time()), now=late
    )
    assert sweep(late) == 1


def test_vacation_stops_all_clocks(tables: Tables) -> None:
    player = tables.player()
    games = [tables.game([player]) for _ in range(4)]
    mine = [game for game in games if actor(game).player_id == player.pk]
    now = START + DAY
    taken = vacation.take_vacation(player=player, start=START, end=now + 10 * DAY, now=now)
    assert taken.start == now, "a vacation never begins in the past"
    for game in games:
        game.refresh_from_db()
        assert game.deadline == START + (13 if game in mine else 3) * DAY
    assert vacation_left(player, now) == 20 * DAY


def test_coming_back_early_gives_days_back(tables: Tables) -> None:
    game = tables.game()
    player = actor(game).player
    taken = vacation.take_vacation(player=player, start=START, end=START + 9 * DAY, now=START)
    vacation.end_vacation(player=player, vacation_id=taken.pk, now=START + 2 * DAY)
    game.refresh_from_db()
    assert game.deadline == START + 5 * DAY
    assert vacation_left(player, START) == 28 * DAY
    later = vacation.take_vacation(
        player=player, start=START + 20 * DAY, end=START + 25 * DAY, now=START + 3 * DAY
    )
    vacation.end_vacation(player=player, vacation_id=later.pk, now=START + 3 * DAY)
    assert not Vacation.objects.filter(pk=later.pk).exists()


def test_nobody_ends_the_vacation_of_another(tables: Tables) -> None:
    player = tables.player()
    taken = vacation.take_vacation(player=player, start=START, end=START + DAY, now=START)
    vacation.end_vacation(player=tables.player(), vacation_id=taken.pk, now=START + HOUR)
    taken.refresh_from_db()
    assert taken.end == START + DAY


def test_thirty_days_a_calendar_year_in_the_own_zone(tables: Tables) -> None:
    player = tables.player(time_zone="Asia/Taipei")
    new_year = datetime(2027, 1, 1, tzinfo=ZoneInfo("Asia/Taipei"))
    for start in (new_year - 60 * DAY, new_year + 60 * DAY):
        vacation.take_vacation(player=player, start=start, end=start + 30 * DAY, now=START)
    for start in (new_year - 20 * DAY, new_year + 20 * DAY):
        with pytest.raises(Refused, match=r"30 days"):
            vacation.take_vacation(player=player, start=start, end=start + HOUR, now=START)
    assert vacation_left(player, new_year) == timedelta()


@pytest.mark.parametrize("hours", [(0, 48), (-24, 1), (47, 72), (24, 25)])
def test_vacations_do_not_overlap(tables: Tables, hours: tuple[int, int]) -> None:
    player = tables.player()
    base = START + 5 * DAY
    vacation.take_vacation(player=player, start=base, end=base + 2 * DAY, now=START)
    start, end = (base + hour * HOUR for hour in hours)
    with pytest.raises(Refused, match="already"):
        vacation.take_vacation(player=player, start=start, end=end, now=START)


def test_a_vacation_in_the_past_or_backwards_is_refused(tables: Tables) -> None:
    player = tables.player()
    with pytest.raises(Refused):
        vacation.take_vacation(player=player, start=START, end=START, now=START)
    with pytest.raises(Refused):
        vacation.take_vacation(player=player, start=START - 9 * DAY, end=START - DAY, now=START)


def test_time_runs_out_whether_or_not_anybody_looks(tables: Tables) -> None:
    game = tables.game(size=3)
    late = actor(game)
    assert sweep(START + 3 * DAY - timedelta(seconds=1)) == 0
    assert sweep(START + 3 * DAY) == 1
    game.refresh_from_db()
    assert fresh(late).left_by == "timeout"
    assert game.status == Game.Status.RUNNING
    assert game.to_act_id != late.pk
    assert game.deadline == START + 6 * DAY
    assert sweep(START + 3 * DAY) == 0
    assert fresh(late).turns == 0


def test_reliability_is_the_share_of_turns_in_time(tables: Tables) -> None:
    game = tables.game()
    first = take_turn(game, START + HOUR)
    second = take_turn(game, START + HOUR)
    take_turn(game, START + HOUR)
    assert sweep(START + 4 * DAY) == 1
    assert reliability(first.player) == 100
    assert reliability(second.player) == 50
    assert reliability(tables.player()) is None


def test_resigning_is_neither_a_turn_in_time_nor_a_lost_one(tables: Tables) -> None:
    game = tables.game()
    seat = actor(game)
    play.resign(game_id=game.pk, player=seat.player, now=START + HOUR)
    game.refresh_from_db()
    assert game.deadline is None
    assert fresh(seat).clock_since is None
    assert reliability(seat.player) is None


def test_vacation_is_spent_before_a_timeout_if_wanted(tables: Tables) -> None:
    game = tables.game()
    seat = actor(game)
    Player.objects.filter(pk=seat.player_id).update(auto_vacation=True)
    for day in range(30):
        now = START + (3 + day) * DAY
        assert sweep(now) == 0
        game.refresh_from_db()
        assert game.deadline == now + DAY
    assert vacation_left(seat.player, START) == timedelta()
    assert sweep(START + 33 * DAY) == 1


def test_automatic_vacation_ends_where_a_planned_one_begins(tables: Tables) -> None:
    game = tables.game()
    player = actor(game).player
    Player.objects.filter(pk=player.pk).update(auto_vacation=True)
    planned = START + 3 * DAY + 5 * HOUR
    vacation.take_vacation(player=player, start=planned, end=planned + 2 * DAY, now=START)
    assert sweep(START + 3 * DAY) == 0
    game.refresh_from_db()
    assert game.deadline == planned + 2 * DAY


def test_one_game_that_cannot_be_handled_does_not_hold_up_the_rest(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, sound = tables.game(), tables.game()
    real = play.time_out

    def fragile(*, game_id: int, now: datetime) -> bool:
        if game_id == broken.pk:
            raise RuntimeError("boom")
        return real(game_id=game_id, now=now)

    monkeypatch.setattr(play, "time_out", fragile)
    assert sweep(START + 3 * DAY) == 1
    sound.refresh_from_db()
    assert sound.status == Game.Status.OVER


def test_a_decade_of_a_slow_game_passes_in_no_time(tables: Tables) -> None:
    """Nothing waits for a clock: only the moments that are given count."""
    game = tables.game(pace=Game.Pace.SLOW)
    now = START
    for _ in range(20):
        now += 6 * DAY
        take_turn(game, now)
        assert game.deadline is not None
        assert game.deadline > now


@pytest.mark.parametrize("gap", [timedelta(), HOUR, 6 * DAY])
def test_the_days_of_two_years_cannot_be_joined(tables: Tables, gap: timedelta) -> None:
    player = tables.player()
    new_year = datetime(2027, 1, 1, tzinfo=UTC)
    with pytest.raises(Refused, match="in a row"):
        vacation.take_vacation(
            player=player, start=new_year - 20 * DAY, end=new_year + 20 * DAY, now=START
        )
    vacation.take_vacation(player=player, start=new_year - 20 * DAY, end=new_year, now=START)
    later = new_year + gap
    with pytest.raises(Refused, match="in a row"):
        vacation.take_vacation(player=player, start=later, end=later + 20 * DAY, now=START)
    vacation.take_vacation(player=player, start=later, end=later + 10 * DAY, now=START)
    vacation.take_vacation(player=player, start=later + 17 * DAY, end=later + 37 * DAY, now=START)


def test_a_move_made_in_a_vacation_ends_it(tables: Tables) -> None:
    player = tables.player()
    games = [tables.game([player]) for _ in range(6)]
    mine = [game for game in games if actor(game).player_id == player.pk]
    vacation.take_vacation(player=player, start=START, end=START + 9 * DAY, now=START)
    decide(mine[0], START + 2 * DAY)
    assert vacation_left(player, START) == 28 * DAY
    for game in mine:
        game.refresh_from_db()
        assert game.deadline == START + 5 * DAY, "all clocks run again"


def test_what_others_do_ends_no_vacation(tables: Tables) -> None:
    player = tables.player()
    games = [tables.game([player]) for _ in range(6)]
    vacation.take_vacation(player=player, start=START, end=START + 9 * DAY, now=START)
    theirs = next(game for game in games if actor(game).player_id != player.pk)
    take_turn(theirs, START + DAY)
    assert vacation_left(player, START) == 21 * DAY


def test_automatic_vacation_and_quiet_hours_hold_a_seat_for_six_weeks_and_no_longer(
    tables: Tables,
) -> None:
    """The worst that somebody can do who moves the quiet hours to the end of each free day."""
    game = tables.game()
    player = actor(game).player
    Player.objects.filter(pk=player.pk).update(auto_vacation=True)
    assert game.deadline
    ran_out = now = game.deadline
    while not sweep(now):
        game.refresh_from_db()
        player.refresh_from_db()
        quiet = (game.deadline.time(), (game.deadline + 10 * HOUR).time())
        rhythm.change_quiet_hours(player=player, quiet=quiet, now=now + HOUR)
        game.refresh_from_db()
        assert game.deadline > now
        now = game.deadline
        assert now - ran_out < 60 * DAY
    assert 30 * DAY <= now - ran_out <= 42.5 * DAY


def test_automatic_vacation_does_not_start_again_with_the_year(tables: Tables) -> None:
    start = datetime(2026, 12, 1, tzinfo=UTC)
    game = tables.game(now=start)
    Player.objects.filter(pk=actor(game).player_id).update(auto_vacation=True)
    now = start + 3 * DAY
    while not sweep(now):
        game.refresh_from_db()
        assert game.deadline
        assert now < game.deadline < start + 60 * DAY
        now = game.deadline
    assert now == start + 33 * DAY


def test_a_host_whose_clock_is_behind_does_not_turn_back_the_time_of_a_game(
    tables: Tables,
) -> None:
    game = tables.game()
    first = take_turn(game, START + 2 * HOUR)
    second = take_turn(game, START + HOUR)
    at = list(game.moves.order_by("number").values_list("at", flat=True))
    assert at == sorted(at)
    assert fresh(first).turn_bank == fresh(second).bank == 3 * DAY
    assert game.deadline == START + 2 * HOUR + 3 * DAY


def test_sweeping_goes_on_whatever_happens(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    class Enough(BaseException):
        pass

    game = tables.game()
    tell_everybody()
    moments = iter([START, START + 3 * DAY])
    rounds: list[float] = []

    def wait(seconds: float) -> None:
        rounds.append(seconds)
        if len(rounds) > 3:
            raise Enough

    def clock() -> datetime:
        if len(rounds) == 1:
            raise OperationalError("the database does not answer")
        return next(moments)

    with pytest.raises(Enough):
        timeouts.keep_sweeping(clock=clock, wait=wait)
    game.refresh_from_db()
    assert game.status == Game.Status.OVER
