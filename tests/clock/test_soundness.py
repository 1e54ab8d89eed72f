"""`verify --all` sees clocks, bots' turns, notices and status; `--repair` sets them right."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import time, timedelta

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from games.models import BotLevel, Game, Notice, Seat
from games.selectors.position import OPENING
from games.services import bot_seats, play, rhythm, vacation
from games.services.notices import subscriptions
from tests.people import Tables, actor, decide, new_players, started_game, sweep, take_turn

pytestmark = pytest.mark.both_databases

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def verify(*more: str) -> str:
    out = io.StringIO()
    try:
        call_command("verify", "--all", *more, stdout=out)
    except CommandError:
        pytest.fail(out.getvalue())
    return out.getvalue()


def found() -> str:
    out = io.StringIO()
    with pytest.raises(CommandError):
        call_command("verify", "--all", stdout=out)
    return out.getvalue()


@pytest.fixture
def game(tables: Tables) -> Game:
    """On the clock, some turns old."""
    now = timezone.now() - 2 * DAY
    game = tables.game(now=now)
    for hours in (1, 20, 21):
        take_turn(game, now + hours * HOUR)
    assert verify()
    return game


@pytest.fixture
def with_bot(tables: Tables, game: Game) -> Game:
    """A bot is to act."""
    person, bot = tables.player(), bot_seats.bots_of(BotLevel.MERCHANT, 1)[0]
    waiting = started_game([person, bot], now=timezone.now(), pace=Game.Pace.NONE)
    if actor(waiting).player_id == person.pk:
        take_turn(waiting, timezone.now())
    assert waiting.bot_due_at
    assert verify()
    return waiting


def acting(game: Game, **change: object) -> None:
    Seat.objects.filter(pk=actor(game).pk).update(**change)


def waiting(game: Game, **change: object) -> None:
    game.seats.exclude(pk=actor(game).pk).update(**change)


def columns(game: Game, **change: object) -> None:
    Game.objects.filter(pk=game.pk).update(**change)


SOON = timezone.now() + DAY
FAULTS: dict[str, tuple[Callable[[Game], object], str]] = {
    "no deadline": (lambda game: columns(game, deadline=None), "deadline is None"),
    "a later deadline": (lambda game: columns(game, deadline=SOON + 30 * DAY), "deadline is"),
    "a sooner deadline": (lambda game: columns(game, deadline=SOON), "deadline is"),
    "an old deadline": (lambda game: columns(game, deadline=SOON - 2 * DAY), "deadline is"),
    "a clock stands": (lambda game: acting(game, clock_since=None), "stands still"),
    "two clocks run": (lambda game: waiting(game, clock_since=SOON), "clock_since of seat"),
    "a clock runs too long": (
        lambda game: acting(game, clock_since=SOON - 30 * DAY),
        "clock_since of seat",
    ),
    "time out of nothing": (lambda game: waiting(game, bank=20 * DAY), "bank of seat"),
    "a little more time": (lambda game: waiting(game, bank=DAY), "bank of seat"),
    "time below nothing": (lambda game: waiting(game, bank=-DAY), "bank of seat"),
    "less time in this turn": (lambda game: acting(game, bank=HOUR), "bank of seat"),
    "less time as it began": (
        lambda game: acting(game, turn_bank=HOUR, bank=HOUR),
        "bank of seat",
    ),
    "no time at all": (lambda game: acting(game, bank=None), "stands still"),
    "a bot that is none": (lambda game: columns(game, bot_due_at=SOON), "bot_due_at is"),
    "no notice": (lambda game: game.notices.filter(kind="turn").delete(), "no notice"),
    "no reminder": (
        lambda game: game.notices.filter(kind__in=["half", "last"]).delete(),
        "no reminder",
    ),
    "not begun": (
        lambda game: columns(game, status=Game.Status.OPEN, to_act=None),
        "status is 'open'",
    ),
    "cancelled": (
        lambda game: columns(game, status=Game.Status.CANCELLED, to_act=None),
        "status is 'cancelled'",
    ),
    "over": (lambda game: columns(game, status=Game.Status.OVER, to_act=None), "status is 'over'"),
    "nobody to act": (lambda game: columns(game, to_act=None), "to_act is None"),
    "moves not counted": (lambda game: columns(game, move_count=1), "move_count is 1"),
    "a seat that was not left": (lambda game: waiting(game, left_by="resign"), "left_by of seat"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_found_and_repaired(game: Game, fault: str) -> None:
    put, word = FAULTS[fault]
    put(game)
    assert word in found()
    assert "repaired as far as it follows" in verify("--repair")
    assert "everything derived follows" in verify()
    game.refresh_from_db()
    assert game.status == Game.Status.RUNNING
    assert game.deadline
    assert game.deadline > timezone.now(), "nobody pays for our fault"
    take_turn(game, timezone.now())
    assert verify(), "and the game goes on"


@pytest.mark.parametrize("sight", ["", "ffffffffffffffff"])
def test_a_board_that_cannot_be_found_is_found_and_repaired(game: Game, sight: str) -> None:
    while game.move_count < OPENING:
        take_turn(game, timezone.now())
    known = Game.objects.get(pk=game.pk).sight
    assert known
    columns(game, sight=sight)
    assert f"sight is '{sight}', expected '{known}'" in found()
    verify("--repair")
    assert Game.objects.get(pk=game.pk).sight == known


def test_what_is_repaired_is_what_was_there(game: Game) -> None:
    before = rows(game)
    waiting(game, bank=HOUR, clock_since=SOON)
    columns(game, deadline=SOON, status=Game.Status.OPEN, to_act=None, bot_due_at=SOON)
    verify("--repair")
    assert rows(game) == before


def rows(game: Game) -> object:
    own = Game.objects.filter(pk=game.pk).values()
    return list(own), list(Seat.objects.filter(game=game).order_by("pk").values())


def test_a_bot_that_nobody_wakes_is_found_and_woken(with_bot: Game) -> None:
    columns(with_bot, bot_due_at=None)
    assert "bot_due_at is None" in found()
    verify("--repair")
    with_bot.refresh_from_db()
    assert with_bot.bot_due_at


def test_a_game_without_clock_has_no_deadline(tables: Tables) -> None:
    game = tables.game(pace=Game.Pace.NONE, now=timezone.now())
    columns(game, deadline=SOON)
    assert "deadline is" in found()
    verify("--repair")
    game.refresh_from_db()
    assert game.deadline is None


def test_a_finished_game_that_says_it_runs_is_found_and_ended(tables: Tables) -> None:
    one, two = new_players(2)
    game = started_game([one, two], now=timezone.now())
    play.resign(game_id=game.pk, player=one, now=timezone.now())
    assert verify()
    game.refresh_from_db()
    result, ended = game.result, game.ended_at
    columns(game, status=Game.Status.RUNNING, result=None, deadline=SOON)
    assert "status is 'running'" in found()
    verify("--repair")
    game.refresh_from_db()
    assert (game.status, game.result, game.ended_at) == ("over", result, ended)
    assert game.deadline is None


def test_everything_that_may_happen_to_a_clock_is_sound(tables: Tables) -> None:
    """The control: changes of rhythm, vacations and stand-ins leave no fault behind."""
    now = timezone.now() - 2 * DAY
    game = tables.game(now=now)
    other = tables.game(now=now, size=3)
    for step in range(1, 8):
        now += 6 * HOUR
        player = actor(game).player
        match step % 4:
            case 0:
                rhythm.change_quiet_hours(player=player, quiet=(time(22), time(7)), now=now)
            case 1:
                rhythm.change_time_zone(player=player, time_zone="Asia/Taipei", now=now)
            case 2:
                vacation.take_vacation(player=player, start=now, end=now + 3 * HOUR, now=now)
            case 3:
                rhythm.change_quiet_hours(player=player, quiet=None, now=now)
        assert verify()
        decide(game, now + HOUR)
        take_turn(other, now + HOUR)
        assert verify()
    assert sweep(now + 30 * DAY) >= 1


def test_a_notice_is_missed_by_nobody_who_wants_none(tables: Tables) -> None:
    one, two = tables.player(mail="none"), tables.player(mail="none")
    tables.game([one, two], now=timezone.now())
    Notice.objects.all().delete()
    assert verify(), "no mail means no reminders either"
    for player in (one, two):
        subscriptions.change_wishes(
            player=player, mail="each", digest_hour=8, reminders=True, now=timezone.now()
        )
    assert verify(), "who wants mail again is told what waits"
