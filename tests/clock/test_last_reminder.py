"""No seat is lost without a word: whatever a player chose, one comes while there is time to act."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db.models import F
from django.test import Client

from games.models import Device, Errand, Game, Notice, Player, Seat
from games.reckon.running_time import after_quiet_hours, moment_after, running
from games.services import clock, rhythm, timeouts
from games.services.moderation import verdicts
from games.services.notices import outbox, queue, subscriptions
from games.services.notices.wishes import GROUPS, Way
from games.services.reach import devices, errands
from tests.moderation.staff import new_moderator
from tests.people import START, Tables, actor
from tests.reach.places import Browser

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
Kind, State = Notice.Kind, Notice.State
PACES = [pace for pace in Game.Pace if pace.cap]
NIGHT = {"quiet_from": time(22), "quiet_to": time(8)}
DAILY = {"mail": "digest", "digest_hour": 8}


def ways(way: str) -> dict[str, dict[str, str]]:
    return {"channels": dict.fromkeys(GROUPS, way)}


@dataclass(frozen=True)
class Choice:
    """What a player wants, and whether that is email, a device, or both."""

    fields: dict[str, Any] = field(default_factory=dict)
    device: bool = False
    mailed: bool = True


CHOICES = {
    "each turn": Choice(),
    "one a day": Choice(DAILY),
    "quiet hours": Choice(NIGHT),
    "one a day, quiet hours": Choice({**DAILY, **NIGHT}),
    "one a day at an hour that is quiet": Choice({**DAILY, **NIGHT, "digest_hour": 3}),
    "devices first": Choice(device=True),
    "devices first, one a day": Choice(DAILY, device=True),
    "devices first, one a day, quiet hours": Choice({**DAILY, **NIGHT}, device=True),
    "devices and mail, one a day": Choice({**DAILY, **ways(Way.BOTH)}, device=True),
    "devices only": Choice({**NIGHT, **ways(Way.PUSH)}, device=True, mailed=False),
}


@dataclass
class Turn:
    """A turn that begins at a moment, and what its player is told from then on."""

    game: Game
    seat: Seat
    mailed: list[datetime] = field(default_factory=list)
    pushed: list[datetime] = field(default_factory=list)

    @property
    def deadline(self) -> datetime:
        assert self.game.deadline
        return self.game.deadline

    def left(self, at: datetime) -> timedelta:
        rhythm = clock.rhythm_of(self.seat.player, since=at)
        return running(rhythm, at, self.deadline)

    def live(self, *, senders: Callable[[datetime], bool] = lambda at: True) -> None:
        """Until the deadline, from one moment at which something is due to the next."""
        met: Counter[datetime] = Counter()
        while (at := _next_due()) and at < self.deadline:
            met[at] += 1
            assert met[at] < 9, f"something is due at {at} for ever"
            before = len(mail.outbox)
            if not senders(at):
                Notice.objects.filter(due_at=at).update(due_at=at + HOUR)
                continue
            outbox.drain(clock=lambda at=at: at)  # type: ignore[misc]
            errands.fan_out(now=at)
            self.mailed += [at] * (len(mail.outbox) - before)
            if Errand.objects.filter(created_at=at).exists():
                self.pushed.append(at)


def _next_due() -> datetime | None:
    queued = Notice.objects.filter(state=State.QUEUED, due_at__isnull=False)
    moments = [*queued.values_list("due_at", flat=True)]
    moments += Notice.objects.filter(push_at__isnull=False).values_list("push_at", flat=True)
    return min((each for each in moments if each), default=None)


def begin(game: Game, now: datetime, bank: timedelta) -> Turn:
    """It is this game's turn again, with so much on the clock."""
    Notice.objects.all().delete()
    mail.outbox.clear()
    seat = actor(game)
    seat.bank = seat.turn_bank = bank
    seat.clock_since = now
    seat.save()
    rhythm = clock.rhythm_of(seat.player, since=now)
    game.acted_at, game.deadline = now, moment_after(rhythm, now, bank)
    game.save()
    queue.turn_passed(game=game, following=seat, rhythm=rhythm, now=now)
    return Turn(game, seat)


def table_for(tables: Tables, pace: str, choice: Choice) -> Game:
    players = [tables.player(**choice.fields) for _ in range(2)]
    game = tables.game(players, pace=pace)
    if choice.device:
        for player in players:
            Device.objects.create(
                player=player,
                endpoint=f"https://push.example/{player.pk}",
                p256dh="x",
                auth="y",
                made_at=START,
            )
        Player.objects.update(has_device=True)
    return game


@pytest.mark.parametrize("chosen", CHOICES)
@pytest.mark.parametrize("pace", PACES)
def test_whatever_was_chosen_a_last_word_comes_while_there_is_time(
    tables: Tables, pace: Game.Pace, chosen: str
) -> None:
    game = table_for(tables, pace, CHOICES[chosen])
    for hour in range(24):
        is_told_in_time(game, pace, chosen, START.replace(hour=hour))


def is_told_in_time(game: Game, pace: Game.Pace, chosen: str, start: datetime) -> None:
    choice = CHOICES[chosen]
    assert pace.increment
    turn = begin(game, start, pace.increment + HOUR / 2)
    turn.live()
    told = turn.mailed if choice.mailed else turn.pushed
    said = f"{pace}, {chosen}, from {start}: {told} before {turn.deadline}"
    assert told, said
    assert bool(turn.mailed) == choice.mailed, said
    assert bool(turn.pushed) == choice.device, said
    assert turn.seat.turn_bank
    fifth = turn.seat.turn_bank / 5
    longest = min(fifth, 12 * HOUR) if choice.fields.get("mail") == "digest" else fifth
    # What is due within the hour goes along with what is due.
    assert HOUR <= turn.left(told[-1]) <= longest + HOUR, said
    awake = clock.nights_of(turn.seat.player)
    assert all(after_quiet_hours(awake, at) == at for at in told), said


@pytest.mark.parametrize("zone", ["Europe/Warsaw", "Australia/Lord_Howe", "Asia/Kathmandu"])
@pytest.mark.parametrize("chosen", ["one a day", "one a day, quiet hours", "devices only"])
def test_so_it_does_in_other_zones_and_where_the_clocks_change(
    tables: Tables, chosen: str, zone: str
) -> None:
    game = table_for(tables, Game.Pace.BRISK, CHOICES[chosen])
    Player.objects.update(time_zone=zone)
    for month, day in ((3, 29), (4, 5), (10, 4)):
        for hour in range(-36, 24, 5):
            start = START.replace(month=month, day=day, hour=0) + hour * HOUR
            is_told_in_time(game, Game.Pace.BRISK, chosen, start)


def test_at_a_fast_table_one_email_a_day_is_not_too_late(tables: Tables) -> None:
    game = table_for(tables, Game.Pace.BRISK, CHOICES["one a day"])
    turn = begin(game, START.replace(hour=8, minute=5), 12 * HOUR + HOUR / 2)
    turn.live()
    assert turn.mailed == [turn.deadline - 2.5 * HOUR]
    [letter] = mail.outbox
    assert letter.subject.startswith("Your time is running out")


def test_a_daily_email_that_comes_in_time_takes_the_last_reminder_along(tables: Tables) -> None:
    game = table_for(tables, Game.Pace.BRISK, CHOICES["one a day"])
    turn = begin(game, START.replace(hour=20, minute=45), 12 * HOUR + HOUR / 2)
    turn.live()
    assert turn.mailed == [(START + DAY).replace(hour=8)]
    assert [letter.subject for letter in mail.outbox] == ["Your games today"]


@pytest.mark.parametrize("hour", range(24))
def test_quiet_hours_that_do_not_stop_the_clock_yet_are_forestalled(
    tables: Tables, hour: int
) -> None:
    game = table_for(tables, Game.Pace.BRISK, Choice({**DAILY, **NIGHT, "digest_hour": 7}))
    Player.objects.update(quiet_counts_from=START + 3 * DAY)
    turn = begin(game, START.replace(hour=hour), 16 * HOUR)
    turn.live()
    assert turn.mailed
    assert turn.left(turn.mailed[-1]) >= HOUR
    awake = clock.nights_of(turn.seat.player)
    assert all(after_quiet_hours(awake, at) == at for at in turn.mailed)


def refused(player: Player) -> None:
    Player.objects.filter(pk=player.pk).update(refused_address=F("email"))


def unconfirmed(player: Player) -> None:
    EmailAddress.objects.filter(user=player).update(verified=False)


def unsubscribed(player: Player) -> None:
    seat = Seat.objects.select_related("player").get(player=player)
    subscriptions.turn_off(player=player, seat=seat, now=START)


EXEMPT: dict[str, tuple[dict[str, Any], Callable[[Player], None] | None]] = {
    "no messages at all": ({"mail": "none"}, None),
    "reminders off": ({"reminders": False}, None),
    "reminders not at all": ({"channels": {"reminder": "none"}}, None),
    "no email about this game": ({}, unsubscribed),
    "an address that is refused": ({}, refused),
    "an address that is unconfirmed": ({}, unconfirmed),
}


@pytest.mark.parametrize("why", EXEMPT)
def test_who_wants_or_gets_no_reminder_gets_none(tables: Tables, why: str) -> None:
    fields, change = EXEMPT[why]
    game = table_for(tables, Game.Pace.BRISK, Choice({**DAILY, **fields}))
    if change:
        for seat in game.seats.select_related("player"):
            change(seat.player)
    turn = begin(game, START.replace(hour=9), 12 * HOUR)
    turn.live()
    assert not turn.mailed


def test_a_reminder_that_waits_for_the_daily_email_outlives_a_change_of_hours(
    tables: Tables,
) -> None:
    game = table_for(tables, Game.Pace.DAILY, Choice({**DAILY, "digest_hour": 20}))
    turn = begin(game, START.replace(hour=22), 24 * HOUR)
    now = turn.deadline - 4 * HOUR
    outbox.drain(clock=lambda: now)
    last = Notice.objects.get(kind=Kind.LAST)
    assert (last.state, last.due_at) == (State.QUEUED, None), "the daily email is two hours away"
    mail.outbox.clear()
    rhythm.change_quiet_hours(player=turn.seat.player, quiet=(time(1), time(2)), now=now)
    turn.live()
    assert len(turn.mailed) == 1
    assert Notice.objects.get(kind=Kind.LAST).state == State.SENT


def test_a_daily_reader_with_little_time_has_an_hour_of_it(tables: Tables) -> None:
    game = table_for(tables, Game.Pace.BRISK, CHOICES["one a day"])
    turn = begin(game, START.replace(hour=9), 4.5 * HOUR)
    turn.live()
    assert turn.mailed == [turn.deadline - HOUR]


def keeps_the_seat(seat: Seat, now: datetime) -> bool:
    timeouts.sweep_deadlines(now=now)
    return not Seat.objects.get(pk=seat.pk).left_by


def test_what_our_own_daily_email_delayed_is_given_back(tables: Tables) -> None:
    game = table_for(tables, Game.Pace.BRISK, CHOICES["one a day"])
    turn = begin(game, START.replace(hour=8, minute=5), 12 * HOUR)
    turn.live()
    [told] = turn.mailed
    assert keeps_the_seat(turn.seat, turn.deadline)
    game.refresh_from_db()
    assert game.deadline == told + 6 * HOUR, "half a turn from the first word on"
    assert not keeps_the_seat(turn.seat, game.deadline)


def test_a_daily_email_after_the_deadline_waits_with_the_seat(tables: Tables) -> None:
    choice = Choice({**DAILY, "reminders": False})
    game = table_for(tables, Game.Pace.BRISK, choice)
    turn = begin(game, START.replace(hour=9), 12 * HOUR)
    turn.live()
    assert not turn.mailed
    assert keeps_the_seat(turn.seat, turn.deadline), "nothing was said about this turn"
    morning = (START + DAY).replace(hour=8)
    outbox.drain(clock=lambda: morning)
    assert mail.outbox
    assert keeps_the_seat(turn.seat, morning + 6 * HOUR - MINUTE)
    assert not keeps_the_seat(turn.seat, morning + 6 * HOUR)


def test_who_was_told_on_a_device_in_time_loses_the_seat_in_time(tables: Tables) -> None:
    game = table_for(tables, Game.Pace.BRISK, CHOICES["devices first, one a day"])
    turn = begin(game, START.replace(hour=9), 12 * HOUR)
    turn.live()
    Errand.objects.update(state=State.SENT, sent_at=turn.pushed[0])
    assert not keeps_the_seat(turn.seat, turn.deadline)


def test_settings_and_table_say_when_the_last_reminder_comes(
    tables: Tables, client: Client
) -> None:
    game = table_for(tables, Game.Pace.BRISK, CHOICES["one a day"])
    client.force_login(actor(game).player)
    for url in ("/settings/", game.get_absolute_url()):
        page = " ".join(client.get(url).content.decode().split())
        assert "the last reminder comes by itself" in page, url


def test_after_the_last_reminder_no_daily_email_says_half_of_the_time_is_left(
    tables: Tables,
) -> None:
    """Both came out of the quiet hours at once, and one was kept for the daily email."""
    quiet = {"quiet_from": time(21), "quiet_to": time(7), "digest_hour": 9}
    game = table_for(tables, Game.Pace.BRISK, Choice({**DAILY, **quiet}))
    Player.objects.update(quiet_counts_from=START + 3 * DAY)
    turn = begin(game, START.replace(hour=8, minute=50), 24.5 * HOUR)
    turn.live()
    morning = START.replace(hour=7) + DAY
    assert turn.mailed == [START.replace(hour=9), morning]


def test_time_that_is_granted_brings_the_last_reminder_again(tables: Tables) -> None:
    game = table_for(tables, Game.Pace.BRISK, CHOICES["each turn"])
    turn = begin(game, START.replace(hour=8), 12 * HOUR)
    turn.live()
    now = turn.deadline - HOUR
    verdicts.grant_time(
        moderator=new_moderator(), game_id=game.pk, more=24 * HOUR, reason="storm", now=now
    )
    game.refresh_from_db()
    del turn.mailed[:]
    turn.live()
    assert turn.deadline - 36 * HOUR / 5 in turn.mailed


def test_a_device_that_is_gone_has_said_nothing(tables: Tables) -> None:
    """Its push service says so only when the last reminder is to be shown."""
    choice = Choice({**DAILY, **ways(Way.PUSH)}, device=True, mailed=False)
    turn = begin(table_for(tables, Game.Pace.BRISK, choice), START.replace(hour=9), 12 * HOUR)
    turn.live()
    assert not turn.mailed
    now = turn.deadline - 2 * HOUR
    device = Device.objects.get(player=turn.seat.player)
    devices.remove(player=turn.seat.player, device_id=device.pk, now=now)
    turn.live()
    assert turn.mailed == [now], "by itself: the daily email would come too late"


def test_a_first_device_gets_the_last_reminder_where_devices_alone_are_told(
    tables: Tables,
) -> None:
    """Until then it was to come by email, which is not wanted any more."""
    game = table_for(tables, Game.Pace.BRISK, Choice(ways(Way.PUSH)))
    turn = begin(game, START.replace(hour=9), 12 * HOUR)
    keys = Browser().keys
    devices.add(
        player=turn.seat.player, endpoint="https://push.example/1", name="Phone", now=START, **keys
    )
    turn.live()
    assert turn.deadline - 12 * HOUR / 5 in turn.pushed


@pytest.mark.parametrize("tried", [True, False])
def test_a_device_that_was_not_told_through_our_fault_saves_the_seat(
    tables: Tables, tried: bool
) -> None:
    """No worker ran, or none that got so far."""
    choice = Choice(ways(Way.PUSH), device=True, mailed=False)
    turn = begin(table_for(tables, Game.Pace.BRISK, choice), START.replace(hour=9), 12 * HOUR)
    if tried:
        errands.fan_out(now=turn.deadline)
    assert keeps_the_seat(turn.seat, turn.deadline)
    errands.fan_out(now=turn.deadline)
    Errand.objects.update(state=State.SENT, sent_at=turn.deadline)
    assert keeps_the_seat(turn.seat, turn.deadline + 6 * HOUR - MINUTE)
    assert not keeps_the_seat(turn.seat, turn.deadline + 6 * HOUR)


def test_a_device_that_refuses_what_it_is_told_saves_no_seat(tables: Tables) -> None:
    choice = Choice(ways(Way.PUSH), device=True, mailed=False)
    turn = begin(table_for(tables, Game.Pace.BRISK, choice), START.replace(hour=9), 12 * HOUR)
    errands.fan_out(now=turn.deadline)
    Errand.objects.update(attempts=3)
    assert not keeps_the_seat(turn.seat, turn.deadline)
