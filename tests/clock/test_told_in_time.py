"""What costs time or a seat is told: a spent day of vacation, and a wait without a clock."""

from __future__ import annotations

from datetime import datetime, time, timedelta

import pytest
from django.core import mail
from django.test import Client

from games.models import Device, Errand, Game, Message, Notice, Player
from games.selectors.silence import SILENT_AFTER
from games.services import lobby
from games.services.notices import outbox, queue, subscriptions
from games.services.reach import errands
from tests.people import START, Tables, actor, decide, sweep, take_turn

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
Kind, State = Notice.Kind, Notice.State

pytestmark = pytest.mark.both_databases


def drain(now: datetime) -> None:
    outbox.drain(clock=lambda: now)


def mails_to(player: Player) -> list[mail.EmailMessage]:
    return [letter for letter in mail.outbox if letter.to == [player.email]]


def device_of(player: Player) -> None:
    Device.objects.create(
        player=player, endpoint="https://push.example/1", p256dh="x", auth="y", made_at=START
    )
    Player.objects.filter(pk=player.pk).update(has_device=True)


def test_a_spent_day_of_vacation_is_mailed_with_the_days_that_are_left(tables: Tables) -> None:
    game = tables.game([tables.player(auto_vacation=True), tables.player(auto_vacation=True)])
    late = actor(game).player
    for days in (3, 4):
        assert sweep(START + days * DAY) == 0
    mail.outbox.clear()
    drain(START + 4 * DAY)
    [letter] = mails_to(late)
    told = Notice.objects.filter(player=late, kind=Kind.VACATION, state=State.SENT)
    assert told.count() == 2, "each day is told"
    Notice.objects.filter(kind=Kind.VACATION).update(state=State.QUEUED, due_at=START + 5 * DAY)
    Notice.objects.filter(kind=Kind.VACATION).latest("pk").delete()
    mail.outbox.clear()
    drain(START + 5 * DAY)
    [letter] = mails_to(late)
    assert letter.subject.startswith("A day of vacation was spent: Marrakech")
    assert "28 days" in letter.body


def test_one_day_saves_all_games_and_is_told_once(tables: Tables) -> None:
    player = tables.player(auto_vacation=True)
    games = [tables.game([player, tables.player()]) for _ in range(2)]
    for game in games:
        if actor(game).player_id != player.pk:
            take_turn(game, START)
    sweep(START + 3 * DAY)
    assert Notice.objects.filter(player=player, kind=Kind.VACATION).count() == 1


def test_a_spent_day_is_shown_at_the_table_and_on_devices(tables: Tables, client: Client) -> None:
    game = tables.game([tables.player(auto_vacation=True), tables.player(auto_vacation=True)])
    late = actor(game).player
    device_of(late)
    sweep(START + 3 * DAY)
    line = Message.objects.get(game=game)
    assert (line.player, line.event) == (late, "vacation")
    assert "spent a day of vacation" in client.get(game.get_absolute_url()).content.decode()
    errands.fan_out(now=START + 3 * DAY)
    assert Errand.objects.filter(kind="vacation", device__player=late).exists()


@pytest.fixture
def waiting(tables: Tables) -> Game:
    """The second turn of a game without a clock, begun at the start."""
    game = tables.game(pace="none")
    take_turn(game, START)
    return game


def test_without_a_clock_three_reminders_come_before_the_others_may_go_on(waiting: Game) -> None:
    player = actor(waiting).player
    for hours in range(0, 24 * 31, 6):
        drain(START + hours * HOUR)
    subjects = [letter.subject.split(":")[0] for letter in mails_to(player)]
    assert subjects == [
        "Your turn",
        "Waiting for you for 3 days",
        "Waiting for you for 7 days",
        "Soon without you",
    ]
    sent = Notice.objects.filter(player=player, kind__in=["after_3", "after_7", "go_on"])
    assert [notice.sent_at for notice in sent.order_by("sent_at")] == [
        START + 3 * DAY,
        START + 7 * DAY,
        START + SILENT_AFTER - 2 * DAY,
    ]


def test_a_move_withdraws_them_and_a_decision_in_the_turn_puts_them_off(waiting: Game) -> None:
    seat = actor(waiting)
    decide(waiting, START + DAY)
    assert actor(waiting) == seat
    queued = Notice.objects.filter(player=seat.player, state=State.QUEUED)
    assert queued.get(kind="after_3").due_at == START + 4 * DAY
    take_turn(waiting, START + 2 * DAY)
    assert not queued.filter(kind__in=["after_3", "after_7", "go_on"]).exists()


@pytest.mark.parametrize(
    ("fields", "count"),
    [
        ({"mail": "none"}, 0),
        ({"reminders": False}, 0),
        ({"channels": {"reminder": "none"}}, 0),
        ({"mail": "digest"}, 3),
    ],
)
def test_they_come_as_the_player_wants_them(
    tables: Tables, fields: dict[str, object], count: int
) -> None:
    game = tables.game([tables.player(**fields), tables.player(**fields)], pace="none")
    take_turn(game, START)
    drain_until = START + 30 * DAY
    now = START
    while now < drain_until:
        drain(now)
        now += HOUR
    told = Notice.objects.filter(kind__in=["after_3", "after_7", "go_on"], state=State.SENT)
    assert told.count() == count


def test_they_stay_out_of_quiet_hours_and_reach_devices(tables: Tables) -> None:
    quiet = {"quiet_from": time(10), "quiet_to": time(18)}
    game = tables.game([tables.player(**quiet), tables.player(**quiet)], pace="none")
    player = actor(game).player
    device_of(player)
    subscriptions.change_wishes(
        player=Player.objects.get(pk=player.pk),
        mail="each",
        digest_hour=8,
        reminders=True,
        now=START,
    )
    first = Notice.objects.get(player=player, kind="after_3")
    evening = (START + 3 * DAY).replace(hour=18)
    assert (first.due_at, first.push_at) == (evening, evening)


def test_reminders_turned_on_later_come_in_a_game_without_a_clock(tables: Tables) -> None:
    game = tables.game([tables.player(reminders=False) for _ in range(2)], pace="none")
    player = actor(game).player
    subscriptions.change_wishes(
        player=player, mail="each", digest_hour=8, reminders=True, now=START + 4 * DAY
    )
    kinds = Notice.objects.filter(player=player, kind__in=["after_3", "after_7", "go_on"])
    assert set(kinds.values_list("kind", flat=True)) == {"after_7", "go_on"}


def test_nobody_is_reminded_of_a_game_in_which_only_bots_wait(tables: Tables) -> None:
    game = lobby.play_against_bots(
        player=tables.player(), ruleset="marrakech", opponents=1, level="apprentice", now=START
    )
    game.refresh_from_db()
    for seat in game.seats.select_related("player"):
        queue.set_reminders_without_clock(game, seat, START)
    reminders = Notice.objects.filter(kind__in=["after_3", "after_7", "go_on"])
    assert not reminders.exists()
    game = tables.game(pace="none")
    assert reminders.exists()
    Game.objects.filter(pk=game.pk).update(fill_level="apprentice")
    seat = actor(game)
    game.seats.exclude(pk=seat.pk).update(left_by="resign")
    queue.set_reminders_without_clock(game, seat, START)
    assert not reminders.exists(), "a player who left is not reminded"


def test_a_reminder_that_waits_for_the_daily_email_outlives_a_change_of_its_hour(
    tables: Tables,
) -> None:
    daily = {"mail": "digest", "digest_hour": 20}
    game = tables.game([tables.player(**daily) for _ in range(2)], pace="none")
    take_turn(game, START)
    player = actor(game).player
    now = START + SILENT_AFTER - 2 * DAY
    drain(now - 12 * HOUR)
    drain(now)
    subscriptions.change_wishes(
        player=player, mail="digest", digest_hour=21, reminders=True, now=now + HOUR
    )
    mail.outbox.clear()
    for hours in range(2, 12):
        drain(now + hours * HOUR)
    assert len(mails_to(player)) == 1
    assert Notice.objects.get(player=player, kind="go_on").state == State.SENT
