"""Nobody loses a seat without having been told that it was their turn."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from games.models import Breaker, Game, Notice, Player, Seat
from games.services import table_talk, timeouts
from games.services.notices import outbox
from tests.notices.post_office import PostOffice
from tests.people import START, Tables, actor, take_turn

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
Kind, State = Notice.Kind, Notice.State

pytestmark = pytest.mark.both_databases


def drain(now: datetime) -> None:
    outbox.drain(clock=lambda: now)


def drain_hourly(*, until: datetime) -> datetime:
    now = START
    while now < until:
        drain(now)
        now += HOUR
    return now


def keeps_the_seat(seat: Seat, now: datetime) -> bool:
    timeouts.sweep_deadlines(now=now)
    return not Seat.objects.get(pk=seat.pk).left_by


@pytest.fixture
def game(tables: Tables) -> Game:
    """The second turn of a daily game: three days are on the clock."""
    game = tables.game()
    take_turn(game, START)
    return game


def test_after_an_outage_of_beat_the_clock_waits_for_the_first_mail(game: Game) -> None:
    late = actor(game)
    back = START + 4 * DAY
    assert keeps_the_seat(late, back), "the sweep may come before the sender"
    drain(back + MINUTE)
    game.refresh_from_db()
    assert game.deadline == back + DAY, "half a turn, at most a day"
    assert keeps_the_seat(late, back + DAY), "a day after the mail, not after the sweep"
    assert keeps_the_seat(late, back + DAY)
    assert not keeps_the_seat(late, back + DAY + MINUTE)


def test_in_a_long_outage_of_mail_it_waits_and_waits(game: Game, post_office: PostOffice) -> None:
    late = actor(game)
    post_office.close()
    now = START
    while now < START + 10 * DAY:
        drain(now)
        assert keeps_the_seat(late, now)
        now += 6 * HOUR
    post_office.open()
    drain(now)
    assert post_office.letters
    told = now
    assert keeps_the_seat(late, told + DAY - MINUTE)
    assert not keeps_the_seat(late, told + DAY)


def test_a_storm_of_refusals_is_an_outage_too(game: Game, post_office: PostOffice) -> None:
    late = actor(game)
    post_office.at_rcpt = "554 5.7.1 Relay access denied"
    now = drain_hourly(until=START + 4 * DAY)
    assert Breaker.objects.get().held_until
    assert keeps_the_seat(late, now)


def test_who_was_told_in_time_loses_the_seat_in_time(game: Game) -> None:
    late = actor(game)
    drain(START + 3 * MINUTE)
    assert keeps_the_seat(late, START + 3 * DAY - MINUTE)
    assert not keeps_the_seat(late, START + 3 * DAY)


def test_who_looked_at_the_table_knows_without_a_mail(game: Game) -> None:
    late = actor(game)
    table_talk.look(seat=late, move_count=game.move_count)
    assert not keeps_the_seat(late, START + 3 * DAY)


def test_who_wants_no_mail_needs_none(tables: Tables) -> None:
    game = tables.game([tables.player(mail="none"), tables.player(mail="none")])
    take_turn(game, START)
    assert not keeps_the_seat(actor(game), START + 3 * DAY)


def test_an_address_that_works_for_nobody_stops_no_game(
    game: Game, post_office: PostOffice
) -> None:
    late = actor(game)
    post_office.at_rcpt = "550 5.1.1 unknown"
    drain(START + 3 * MINUTE)
    assert Player.objects.get(pk=late.player_id).address_refused
    assert not keeps_the_seat(late, START + 3 * DAY)


def test_a_mailbox_that_refuses_for_days_stops_no_game(game: Game, post_office: PostOffice) -> None:
    late = actor(game)
    post_office.at_rcpt = "452 4.2.2 mailbox full"
    drain_hourly(until=START + 3 * DAY)
    assert not keeps_the_seat(late, START + 3 * DAY)


def test_whoever_wants_one_mail_a_day_is_told_by_that(tables: Tables) -> None:
    game = tables.game([tables.player(mail="digest"), tables.player(mail="digest")])
    take_turn(game, START)
    late = actor(game)
    assert keeps_the_seat(late, START + 4 * DAY), "no daily mail came at all"
    drain(START + 4 * DAY)
    assert not keeps_the_seat(late, START + 5 * DAY)


def test_a_daily_mail_that_comes_as_it_should_is_not_late(tables: Tables) -> None:
    game = tables.game(
        [tables.player(mail="digest"), tables.player(mail="digest")], pace=Game.Pace.DAILY
    )
    take_turn(game, START)
    late = actor(game)
    for days in range(1, 3):
        drain(START.replace(hour=8) + days * DAY)
    assert not keeps_the_seat(late, START + 3 * DAY)
