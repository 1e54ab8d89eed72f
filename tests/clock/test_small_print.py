"""What is easily lost about time: days that are spent twice, deadlines and reminders that stay."""

from __future__ import annotations

from datetime import time, timedelta
from itertools import pairwise

import pytest
from django.utils import timezone

from games.models import Game, Message, Notice, Player, Seat, Vacation
from games.selectors.clock import VACATION_A_YEAR, vacation_left, vacation_spent
from games.services import grace, play, rhythm, soundness, stand_ins, vacation
from games.services.moderation import verdicts
from tests.moderation.staff import new_moderator
from tests.people import START, Tables, actor, decide, legal, signed_in, sweep, take_turn

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
Kind, State = Notice.Kind, Notice.State

pytestmark = pytest.mark.both_databases


def reminders(player: Player) -> list[tuple[str, object]]:
    found = Notice.objects.filter(player=player, kind__in=[Kind.HALF, Kind.LAST])
    queued = found.filter(state=State.QUEUED).order_by("due_at")
    return list(queued.values_list("kind", "due_at"))


def all_sound(game: Game) -> None:
    (found,) = soundness.games(pk=game.pk)
    assert soundness.faults(found, now=START) == []


def test_automatic_days_beside_a_planned_vacation_are_each_spent_once(tables: Tables) -> None:
    game = tables.game()
    player = actor(game).player
    Player.objects.filter(pk=player.pk).update(auto_vacation=True)
    planned = START + 3 * DAY + 5 * HOUR
    vacation.take_vacation(player=player, start=planned, end=planned + 2 * DAY, now=START)
    now = START + 3 * DAY
    for _ in range(60):
        if sweep(now):
            break
        game.refresh_from_db()
        assert game.deadline is not None
        now = game.deadline
    spans = list(Vacation.objects.filter(player=player).values_list("start", "end"))
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    total = sum((end - start for start, end in spans), timedelta())
    assert total == vacation_spent(player, 2026) == VACATION_A_YEAR
    assert now == START + 3 * DAY + VACATION_A_YEAR, "and not an hour more"


@pytest.mark.parametrize("wish", [{"auto_vacation": False}, {"suspended_at": START}])
def test_no_day_is_spent_for_who_does_not_want_it_or_may_not_play(
    tables: Tables, wish: dict[str, object]
) -> None:
    game = tables.game()
    Player.objects.update(**{"auto_vacation": True, **wish})
    assert not vacation.spend_a_day(game_id=game.pk, now=START + 3 * DAY)
    assert not Vacation.objects.exists()


def test_no_day_is_spent_before_the_time_is_up(tables: Tables) -> None:
    game = tables.game()
    Player.objects.update(auto_vacation=True)
    assert not vacation.spend_a_day(game_id=game.pk, now=START + 3 * DAY - HOUR)
    assert vacation.spend_a_day(game_id=game.pk, now=START + 3 * DAY)
    assert not vacation.spend_a_day(game_id=game.pk, now=START + 3 * DAY), "it is saved already"
    assert [each.automatic for each in Vacation.objects.all()] == [True]


def test_whoever_comes_back_with_a_move_is_answered_with_the_deadline_that_holds(
    tables: Tables,
) -> None:
    player = tables.player()
    games = [tables.game([player]) for _ in range(6)]
    mine = next(game for game in games if actor(game).player_id == player.pk)
    vacation.take_vacation(player=player, start=START, end=START + 9 * DAY, now=START)
    mine.refresh_from_db()
    assert mine.deadline == START + 12 * DAY
    seat = actor(mine)
    course = play.play_move(
        game_id=mine.pk, player=player, action="turn:L", on_move=0, now=START + 2 * DAY
    )
    assert course.game.to_act_id == seat.pk, "in the middle of the turn"
    assert course.game.deadline == START + 5 * DAY
    stored = Game.objects.get(pk=mine.pk)
    assert stored.deadline == course.game.deadline
    ended = Vacation.objects.get(player=player)
    assert ended.end == START + 2 * DAY


def test_a_vacation_that_has_not_begun_is_given_back_whole(tables: Tables) -> None:
    player = tables.player()
    later = vacation.take_vacation(
        player=player, start=START + 2 * DAY, end=START + 4 * DAY, now=START
    )
    vacation.end_vacation(player=player, vacation_id=later.pk, now=START + DAY)
    assert not Vacation.objects.exists()
    past = vacation.take_vacation(player=player, start=START, end=START + 2 * DAY, now=START)
    vacation.end_vacation(player=player, vacation_id=past.pk, now=START + 3 * DAY)
    assert vacation_left(player, START) == VACATION_A_YEAR - 2 * DAY, "what is over stays taken"


def test_reminders_move_with_granted_time(tables: Tables) -> None:
    game, zahra = tables.game(), new_moderator()
    seat = actor(game)
    assert reminders(seat.player) == [
        (Kind.HALF, START + 36 * HOUR),
        (Kind.LAST, START + 72 * HOUR * 4 / 5),
    ]
    verdicts.grant_time(
        moderator=zahra, game_id=game.pk, more=DAY, reason="A storm.", now=START + 12 * HOUR
    )
    game.refresh_from_db()
    assert game.deadline == START + 4 * DAY
    assert reminders(seat.player) == [
        (Kind.HALF, START + 48 * HOUR),
        (Kind.LAST, START + 96 * HOUR * 4 / 5),
    ]
    granted = Seat.objects.get(pk=seat.pk)
    assert (granted.granted, granted.turn_bank, granted.bank) == (DAY, 4 * DAY, 84 * HOUR)
    assert Message.objects.get(game=game).event == Message.Event.TIME
    all_sound(game)
    take_turn(game, START + 13 * HOUR)
    played = Seat.objects.get(pk=seat.pk)
    assert (played.granted, played.bank) == (None, 3 * DAY), "none of it is kept beyond the cap"
    all_sound(game)


def test_deadline_and_reminders_move_with_quiet_hours(tables: Tables) -> None:
    game = tables.game()
    player = actor(game).player
    rhythm.change_quiet_hours(player=player, quiet=(time(22), time(6)), now=START)
    game.refresh_from_db()
    # Sixteen hours of each day count.
    assert game.deadline == START + 4 * DAY + 8 * HOUR
    assert [kind for kind, _ in reminders(player)] == [Kind.HALF, Kind.LAST]
    assert reminders(player)[0][1] == START + 2 * DAY + 4 * HOUR


def test_reminders_wait_for_the_end_of_a_vacation(tables: Tables) -> None:
    player = actor(tables.game()).player
    vacation.take_vacation(player=player, start=START, end=START + 2 * DAY, now=START)
    assert reminders(player) == [
        (Kind.HALF, START + 2 * DAY + 36 * HOUR),
        (Kind.LAST, START + 2 * DAY + 72 * HOUR * 4 / 5),
    ]


def test_grace_sets_the_reminders_again(tables: Tables) -> None:
    game = tables.game()
    player = actor(game).player
    Notice.objects.filter(player=player, kind__in=[Kind.HALF, Kind.LAST]).delete()
    late = START + 3 * DAY
    assert grace.give_grace(game_id=game.pk, now=late), "no mail went out at all"
    game.refresh_from_db()
    assert game.deadline == late + DAY
    assert reminders(player) == [(Kind.LAST, late + DAY - 72 * HOUR / 5)]
    assert not grace.give_grace(game_id=game.pk, now=late), "the deadline is ahead"


def test_who_takes_a_seat_back_has_one_increment_and_everybody_is_told(tables: Tables) -> None:
    game = tables.game(on_timeout=Game.OnTimeout.BOT)
    seat = actor(game)
    assert sweep(START + 3 * DAY) == 1
    taken = Seat.objects.get(pk=seat.pk)
    assert taken.stand_in is not None
    assert (taken.left_by, taken.clock_since) == ("timeout", None)
    stand_ins.take_back(game_id=game.pk, player=seat.player, now=START + 3 * DAY + HOUR)
    game.refresh_from_db()
    back = Seat.objects.get(pk=seat.pk)
    assert (back.stand_in, back.left_by, back.bank) == (None, "", DAY)
    assert game.deadline == START + 4 * DAY + HOUR
    assert game.bot_due_at is None
    events = Message.objects.filter(game=game).order_by("pk").values_list("event", flat=True)
    assert list(events) == ["taken_over", "taken_back"]
    all_sound(game)


def test_who_takes_a_seat_back_between_two_turns_has_one_increment_too(tables: Tables) -> None:
    game = tables.game(on_timeout=Game.OnTimeout.BOT)
    seat = actor(game)
    assert sweep(START + 3 * DAY) == 1
    while actor(game).pk == seat.pk:
        played = actor(game)
        play.play_move(
            game_id=game.pk,
            player=played.decider,
            action=legal(game)[0],
            on_move=game.move_count,
            now=START + 3 * DAY,
        )
    stand_ins.take_back(game_id=game.pk, player=seat.player, now=START + 3 * DAY + HOUR)
    back = Seat.objects.get(pk=seat.pk)
    assert (back.stand_in, back.left_by, back.bank) == (None, "", DAY)
    all_sound(Game.objects.get(pk=game.pk))


def test_a_browser_says_where_it_is_once_and_deadlines_follow(tables: Tables) -> None:
    player = tables.player(quiet_from=time(22), quiet_to=time(6))
    browser = signed_in(player)
    browser.cookies["tz"] = "Asia/Taipei"
    browser.get("/")
    browser.cookies["tz"] = "Europe/Warsaw"
    browser.get("/")
    assert Player.objects.get(pk=player.pk).time_zone == "Asia/Taipei"
    assert timezone.get_current_timezone_name() == "UTC", "nobody else's request is in that zone"


def test_a_decision_in_the_middle_of_a_turn_leaves_the_clock_alone(tables: Tables) -> None:
    game = tables.game()
    before = Seat.objects.get(pk=actor(game).pk)
    decide(game, START + 5 * HOUR)
    after = Seat.objects.get(pk=before.pk)
    assert (after.bank, after.clock_since, after.turns) == (before.bank, before.clock_since, 0)
    game.refresh_from_db()
    assert (game.deadline, game.acted_at) == (START + 3 * DAY, START + 5 * HOUR)
