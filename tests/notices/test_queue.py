"""What happens at a table becomes notices: the right ones, once, at the right time."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

import pytest
from django.core import mail
from django.db import transaction

from games.models import Game, Notice, Player, Seat
from games.selectors.notices import lines_for
from games.selectors.table import find_game
from games.services import blocks, lobby, play, rhythm, table_talk, vacation
from games.services.notices import outbox, queue, subscriptions
from tests.people import START, Tables, actor, decide, sweep, take_turn

HOUR, DAY, MINUTE = timedelta(hours=1), timedelta(days=1), timedelta(minutes=1)
Kind, State = Notice.Kind, Notice.State

pytestmark = pytest.mark.both_databases


def queued(player: Player, *kinds: str) -> list[Notice]:
    notices = Notice.objects.filter(player=player, state=State.QUEUED).order_by("due_at")
    return list(notices.filter(kind__in=kinds) if kinds else notices)


def test_the_one_to_act_first_gets_a_turn_mail_and_the_others_a_start(tables: Tables) -> None:
    game = tables.game(size=3)
    first = actor(game)
    for seat in game.seats.select_related("player"):
        kinds = [notice.kind for notice in queued(seat.player)]
        assert kinds == (["turn", "half", "last"] if seat == first else ["started"])


def test_a_turn_mail_waits_a_few_minutes(tables: Tables) -> None:
    game = tables.game()
    [notice] = queued(actor(game).player, Kind.TURN)
    assert notice.due_at == START + 3 * MINUTE


def test_two_reminders_when_half_and_a_fifth_of_the_time_are_left(tables: Tables) -> None:
    game = tables.game()
    half, last = queued(actor(game).player, Kind.HALF, Kind.LAST)
    assert half.due_at == START + 36 * HOUR
    assert last.due_at == START + 72 * HOUR * 4 / 5


def test_a_move_withdraws_what_it_makes_pointless(tables: Tables) -> None:
    game = tables.game()
    mover = take_turn(game, START + MINUTE)
    assert not queued(mover.player, Kind.TURN, Kind.HALF, Kind.LAST)
    assert len(queued(actor(game).player, Kind.TURN, Kind.HALF, Kind.LAST)) == 3


def test_one_mail_a_turn_however_many_decisions_it_has(tables: Tables) -> None:
    game = tables.game()
    seat = decide(game, START + 2 * MINUTE)
    assert game.to_act_id == seat.pk
    [notice] = queued(seat.player, Kind.TURN)
    assert notice.due_at == START + 5 * MINUTE, "whoever is at the table is left alone"
    assert Notice.objects.filter(player=seat.player, kind=Kind.TURN).count() == 1


def test_nothing_is_queued_if_the_move_is_not_made(tables: Tables) -> None:
    game = tables.game()
    before = Notice.objects.count()
    with transaction.atomic():
        take_turn(game, START + MINUTE)
        transaction.set_rollback(True)
    assert Notice.objects.count() == before


def test_a_seat_lost_on_time_is_told_and_the_winner_too(tables: Tables) -> None:
    game = tables.game()
    late = actor(game)
    other = game.seats.select_related("player").exclude(pk=late.pk).get()
    sweep(START + 3 * DAY)
    assert [notice.kind for notice in queued(late.player)] == ["seat_lost"]
    assert [notice.kind for notice in queued(other.player, Kind.OVER)] == ["over"]
    assert not Notice.objects.filter(
        state=State.QUEUED, kind__in=[Kind.TURN, Kind.HALF, Kind.LAST]
    ).exists()


def test_a_resignation_out_of_turn_leaves_the_turn_of_another_alone(tables: Tables) -> None:
    game = tables.game(size=3)
    acting = actor(game)
    leaver = game.seats.select_related("player").exclude(pk=acting.pk).first()
    assert leaver
    play.resign(game_id=game.pk, player=leaver.player, now=START + MINUTE)
    game.refresh_from_db()
    assert game.to_act_id == acting.pk
    [notice] = queued(acting.player, Kind.TURN)
    assert notice.due_at == START + 3 * MINUTE
    assert game.deadline == START + 3 * DAY


def test_an_invitation_is_told_and_withdrawn_when_the_game_starts(tables: Tables) -> None:
    host, guest = tables.player(), tables.player(has_device=True)
    game = lobby.create_game(
        creator=host,
        ruleset="marrakech",
        size=2,
        options={},
        edition="",
        pace="daily",
        visibility="named",
        rated=False,
        invited=[guest],
        entropy="fig",
        now=START,
    )
    assert [(notice.kind, notice.push_at) for notice in queued(guest)] == [("invitation", START)]
    lobby.join_game(game_id=game.pk, player=guest, entropy="fig", now=START)
    assert not queued(guest, Kind.INVITATION)
    assert Notice.objects.get(player=guest, kind=Kind.INVITATION).push_at is None


def say(game: Game, player: Player, text: str, now: datetime = START) -> None:
    table_talk.post_message(game=game, player=player, text=text, now=now)


def lines_mailed_to(player: Player) -> list[str]:
    """What stands after a > in the mails, in order."""
    told = [str(letter.body) for letter in mail.outbox if letter.to == [player.email]]
    return [line[4:] for line in "\n".join(told).splitlines() if line.lstrip().startswith("> ")]


def people(game: Game) -> list[Player]:
    return [seat.player for seat in game.seats.select_related("player").order_by("pk")]


def test_one_mail_tells_all_that_was_said_until_it_goes_out(tables: Tables) -> None:
    game = tables.game(size=3)
    one, *others = people(game)
    for text in ("Hello", "Is anybody here?"):
        say(game, one, text)
    for player in others:
        assert len(queued(player, Kind.MESSAGE)) == 1
    assert not queued(one, Kind.MESSAGE)


def test_every_line_of_the_chat_is_mailed_once(tables: Tables, drain) -> None:
    game = tables.game(pace="none")
    one, two = people(game)
    Notice.objects.all().delete()
    said = []
    for number in range(30):
        said.append(f"line {number}")
        say(game, one, said[-1], START + number * MINUTE)
        drain(START + number * MINUTE)
    drain(START + HOUR)
    told = [line.partition(": ")[2] for line in lines_mailed_to(two)]
    assert told == said
    assert 1 < len(mail.outbox) < 30
    assert not lines_mailed_to(one)


def test_a_line_that_comes_while_a_mail_is_sent_is_in_the_next(tables: Tables, drain) -> None:
    game = tables.game(pace="none")
    one, two = people(game)
    Notice.objects.all().delete()
    say(game, one, "first")
    [claimed] = outbox.claim(now=START + HOUR)
    say(game, one, "second", START + HOUR)
    [following] = queued(two, Kind.MESSAGE)
    assert [line.text for line in lines_for(claimed)] == ["first"]
    assert [line.text for line in lines_for(following)] == ["second"]


@pytest.mark.parametrize("who", ["reader", "author"])
def test_nobody_is_mailed_the_words_of_somebody_blocked(tables: Tables, drain, who: str) -> None:
    game = tables.game(size=3, pace="none")
    one, two, three = people(game)
    Notice.objects.all().delete()
    pair = {"blocker": two, "blocked": one} if who == "reader" else {"blocker": one, "blocked": two}
    blocks.block_player(**pair, now=START)
    say(game, one, "buy my carpets")
    assert not queued(two)
    say(game, three, "good morning")
    drain(START + HOUR)
    assert [line.partition(": ")[2] for line in lines_mailed_to(two)] == ["good morning"]
    assert len(lines_mailed_to(three)) == 1


@pytest.mark.parametrize("wish", ["each", "digest"])
def test_who_blocks_before_the_mail_goes_out_does_not_get_it(
    tables: Tables, drain, wish: str
) -> None:
    game = tables.game([tables.player(mail=wish), tables.player(mail=wish)], pace="none")
    one, two = people(game)
    Notice.objects.all().delete()
    say(game, one, "buy my carpets")
    blocks.block_player(blocker=two, blocked=one, now=START + MINUTE)
    drain(START + 2 * DAY)
    assert mail.outbox == []


def test_quiet_hours_put_mail_off(tables: Tables) -> None:
    quiet = {"quiet_from": time(12), "quiet_to": time(20)}
    game = tables.game([tables.player(**quiet), tables.player(**quiet)])
    [notice] = queued(actor(game).player, Kind.TURN)
    assert notice.due_at == START.replace(hour=20)


def test_reminders_follow_a_changed_rhythm(tables: Tables) -> None:
    game = tables.game()
    player = actor(game).player
    vacation.take_vacation(player=player, start=START, end=START + 10 * DAY, now=START + DAY)
    half, last = queued(player, Kind.HALF, Kind.LAST)
    assert half.due_at == START + 10 * DAY + 12 * HOUR
    assert last.due_at == START + 9 * DAY + 72 * HOUR * 4 / 5
    rhythm.change_quiet_hours(player=player, quiet=None, now=START + 11 * DAY)
    assert [notice.kind for notice in queued(player, Kind.HALF, Kind.LAST)] == ["last"]


@pytest.mark.parametrize(
    ("wish", "reminders", "override", "kinds"),
    [
        ("each", True, "default", {"turn", "half", "last"}),
        ("each", False, "default", {"turn"}),
        ("each", True, "none", set()),
        ("none", True, "default", set()),
        ("none", True, "each", {"turn", "half", "last"}),
        ("digest", True, "each", {"turn", "half", "last"}),
        ("none", False, "default", set()),
        ("none", False, "each", {"turn"}),
        ("digest", False, "each", {"turn"}),
    ],
)
def test_what_players_want_is_what_they_get(
    tables: Tables, wish: str, reminders: bool, override: str, kinds: set[str]
) -> None:
    game = tables.game()
    for _ in range(2):
        take_turn(game, START)
    seat = actor(game)
    subscriptions.change_wishes(
        player=seat.player, mail=wish, digest_hour=8, reminders=reminders, now=START
    )
    subscriptions.change_game_wish(seat=actor(game), mail=override, now=START)
    for _ in range(2):
        take_turn(game, START + MINUTE)
    notices = Notice.objects.filter(
        player=seat.player, state=State.QUEUED, due_at__isnull=False, game=game
    )
    assert {notice.kind for notice in notices} == kinds


def test_changed_wishes_hold_for_what_is_queued(tables: Tables) -> None:
    game = tables.game()
    player = actor(game).player
    subscriptions.turn_off(player=player, seat=None, now=START)
    assert not queued(player)


def test_reminders_that_are_turned_on_come_for_the_turn_that_is_on(tables: Tables) -> None:
    player = tables.player(reminders=False)
    game = tables.game([player, tables.player(reminders=False)])
    acting = actor(game).player
    assert not queued(acting, Kind.HALF, Kind.LAST)
    subscriptions.change_wishes(
        player=acting, mail="each", digest_hour=8, reminders=True, now=START + HOUR
    )
    assert [notice.due_at for notice in queued(acting, Kind.HALF, Kind.LAST)] == [
        START + 36 * HOUR,
        START + 72 * HOUR * 4 / 5,
    ]


def test_the_digest_is_one_mail_at_the_chosen_hour(tables: Tables, drain) -> None:
    player = tables.player(mail="digest", digest_hour=8, time_zone="Asia/Taipei", reminders=False)
    others = [tables.player(mail="none") for _ in range(6)]
    games = [tables.game([player, other]) for other in others]
    waiting = [game for game in games if actor(game).player_id == player.pk]
    for game in games:
        if game not in waiting:
            take_turn(game, START)
    due = datetime(2026, 5, 5, 0, tzinfo=UTC)  # 08:00 in Taipei
    drain(due - MINUTE)
    assert mail.outbox == []
    Notice.objects.filter(kind=Kind.STARTED).delete()
    done = games[0]
    take_turn(done, due - MINUTE)
    drain(due)
    [letter] = mail.outbox
    assert letter.to == [player.email]
    assert str(letter.body).count("Your turn") == 5
    assert done.public_id not in letter.body
    drain(due + DAY)
    assert len(mail.outbox) == 1, "what was told is told"


def test_a_digest_with_nothing_to_tell_is_not_sent(tables: Tables, drain) -> None:
    player = tables.player(mail="digest", reminders=False)
    game = tables.game([player, tables.player(mail="none", reminders=False)])
    if actor(game).player_id != player.pk:
        take_turn(game, START)
    take_turn(game, START + MINUTE)
    Notice.objects.filter(kind=Kind.STARTED).delete()
    drain(START + 2 * DAY)
    assert mail.outbox == []


def test_the_digest_hour_of_a_night_owl_waits_for_the_end_of_quiet_hours(
    tables: Tables,
) -> None:
    player = tables.player(
        mail="digest", digest_hour=3, quiet_from=time(22), quiet_to=time(8), reminders=False
    )
    tables.game([player])
    digest = Notice.objects.get(player=player, kind=Kind.DIGEST)
    assert digest.due_at == datetime(2026, 5, 5, 8, tzinfo=UTC)


def test_from_digest_to_each_and_back(tables: Tables) -> None:
    player = tables.player(mail="digest", reminders=False)
    tables.game([player])
    wish = {"player": player, "digest_hour": 8, "reminders": False, "now": START + HOUR}
    subscriptions.change_wishes(mail="each", **wish)  # type: ignore[arg-type]
    assert all(notice.due_at for notice in queued(player))
    assert not queued(player, Kind.DIGEST)
    subscriptions.change_wishes(mail="digest", **wish)  # type: ignore[arg-type]
    assert [notice.kind for notice in queued(player) if notice.due_at] == ["digest"]


def test_players_without_an_address_cost_no_rows(tables: Tables) -> None:
    bots = [Player.objects.create(username=f"bot{n}") for n in range(2)]
    tables.game(bots)
    assert not Notice.objects.exists()


def test_others_learn_only_whether_the_player_was_told(tables: Tables, drain) -> None:
    game = tables.game()

    def told() -> bool:
        found = find_game(game.public_id)
        assert found
        return bool(vars(found)["told"])

    assert not told()
    drain(START + 3 * MINUTE)
    assert told()
    take_turn(game, START + HOUR)
    take_turn(game, START + HOUR)
    assert not told(), "the next turn has not been told yet"


def test_a_broker_that_is_down_breaks_nothing(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks
) -> None:
    def down(*args: object, **kwargs: object) -> None:
        raise ConnectionError("no broker")

    monkeypatch.setattr("marrakech_site.celery.app.send_task", down)
    with django_capture_on_commit_callbacks(execute=True) as callbacks:
        queue.send_test(player=tables.player(), now=START)
    assert callbacks, "a test is sent at once"
    assert Notice.objects.filter(kind=Kind.ADDRESS, state=State.QUEUED).count() == 1


def test_moves_do_not_wait_for_the_broker(
    tables: Tables, django_capture_on_commit_callbacks
) -> None:
    game = tables.game()
    with django_capture_on_commit_callbacks() as callbacks:
        take_turn(game, START + MINUTE)
    assert callbacks == []


def test_a_game_override_is_kept_for_the_seat(tables: Tables) -> None:
    game = tables.game()
    seat = actor(game)
    subscriptions.turn_off(player=seat.player, seat=seat, now=START)
    assert Seat.objects.get(pk=seat.pk).mail == "none"
    assert Player.objects.get(pk=seat.player_id).mail == "each"
    assert not queued(seat.player)
    assert Game.objects.get(pk=game.pk).deadline == START + 3 * DAY
