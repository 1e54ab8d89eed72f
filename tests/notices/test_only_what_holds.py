"""Mail that is no longer true, or no longer for anybody, stays in the house."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend

from games.models import Block, Game, Notice, Player, Seat
from games.services import lobby, table_talk
from games.services.errors import Refused
from games.services.notices import outbox, parcels, queue, subscriptions, wishes, written
from tests.people import START, Tables, actor, open_game, take_turn
from tests.puzzles.invented import puzzle_of

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
Kind, State = Notice.Kind, Notice.State
Drain = Callable[[datetime], None]

pytestmark = pytest.mark.both_databases


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which workers were called, in order."""
    called: list[str] = []
    monkeypatch.setattr("games.workers.wake", lambda task, **_: called.append(task))
    return called


def states(player: Player, *kinds: str) -> list[str]:
    found = Notice.objects.filter(player=player, kind__in=kinds).order_by("pk")
    return list(found.values_list("state", flat=True))


def reader_of_a_digest(tables: Tables, waiting: int) -> Player:
    """So many turns wait for the next daily mail of this player."""
    player = tables.player(mail="digest", reminders=False)
    while Game.objects.filter(to_act__player=player).count() < waiting:
        game = tables.game([player, tables.player(mail="none")])
        if actor(game).player_id != player.pk:
            take_turn(game, START)
    Notice.objects.filter(player=player, kind=Kind.STARTED).delete()
    return player


def test_a_turn_that_is_played_while_the_daily_mail_goes_out_is_withdrawn_and_stays_so(
    tables: Tables, drain: Drain, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = reader_of_a_digest(tables, 2)
    played = Game.objects.filter(to_act__player=player).order_by("pk")[0]
    real = EmailBackend.send_messages

    def meanwhile(backend: EmailBackend, letters: list[mail.EmailMessage]) -> int:
        take_turn(played, START + MINUTE)
        return real(backend, letters)

    monkeypatch.setattr(EmailBackend, "send_messages", meanwhile)
    drain(START + DAY)
    assert len(mail.outbox) == 1
    told = Notice.objects.filter(player=player, kind=Kind.TURN)
    assert told.filter(game=played).earliest("pk").state == State.WITHDRAWN
    assert [each.state for each in told.exclude(game=played)] == [State.SENT]


def test_what_was_sent_meanwhile_is_not_called_withdrawn(
    tables: Tables, drain: Drain, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between a look at what waits for a daily mail and the answer, it went out by another way."""
    player = reader_of_a_digest(tables, 1)

    def idle(notice: Notice) -> bool:
        Notice.objects.filter(pk=notice.pk).update(state=State.SENT)
        return False

    monkeypatch.setattr(parcels, "is_timely", idle)
    drain(START + DAY)
    assert states(player, Kind.TURN) == [State.SENT]


def test_a_move_leaves_what_was_sent_as_sent(tables: Tables, drain: Drain) -> None:
    game = tables.game()
    mover = actor(game).player
    drain(START + 3 * MINUTE)
    take_turn(game, START + HOUR)
    assert states(mover, Kind.TURN) == [State.SENT]


def test_an_invitation_to_a_game_that_started_is_withdrawn_and_one_that_was_sent_stays_sent(
    tables: Tables, drain: Drain
) -> None:
    host, first, second = (tables.player() for _ in range(3))
    game = open_game(host, 3, invited=[first, second], now=START)
    Notice.objects.filter(player=first).update(state=State.SENT)
    for guest in (first, second):
        lobby.join_game(game_id=game.pk, player=guest, entropy="mint", now=START)
    assert states(first, Kind.INVITATION) == [State.SENT]
    assert states(second, Kind.INVITATION) == [State.WITHDRAWN]


@pytest.mark.parametrize("status", ["running", "cancelled", "expired"])
def test_no_invitation_goes_out_to_a_game_that_is_not_open(
    tables: Tables, drain: Drain, status: str
) -> None:
    host, guest = tables.player(), tables.player()
    game = open_game(host, invited=[guest], now=START)
    Game.objects.filter(pk=game.pk).update(status=status)
    drain(START + HOUR)
    assert mail.outbox == []
    assert states(guest, Kind.INVITATION) == [State.WITHDRAWN]


def test_a_start_is_no_news_once_the_game_is_over(tables: Tables, drain: Drain) -> None:
    game = tables.game()
    other = game.seats.exclude(pk=actor(game).pk).get().player
    Game.objects.filter(pk=game.pk).update(status="over", to_act=None)
    drain(START + HOUR)
    assert states(other, Kind.STARTED) == [State.WITHDRAWN]


def test_whoever_is_not_active_any_more_gets_nothing(tables: Tables, drain: Drain) -> None:
    players = [tables.player(puzzle_mail=True) for _ in range(2)]
    game = tables.game(players)
    queue.send_test(player=players[0], now=START)
    Player.objects.update(is_active=False)
    drain(START + HOUR)
    assert mail.outbox == []
    assert set(states(players[0], Kind.TURN, Kind.STARTED, Kind.ADDRESS)) == {State.WITHDRAWN}
    before = Notice.objects.count()
    take_turn(game, START + HOUR)
    puzzle = puzzle_of(game, 1)
    queue.puzzle_chosen(puzzle=puzzle, now=START)
    assert Notice.objects.count() == before, "nothing is even written"


def test_whoever_is_suspended_is_told_only_what_has_ended() -> None:
    player = Player(suspended_at=START)
    told = {kind for kind in Kind.values if wishes.may_be_told(player, kind, START)}
    assert told == {"over", "seat_lost"}
    assert all(wishes.may_be_told(Player(), kind, START) for kind in Kind.values)


def test_whoever_has_not_proven_the_address_gets_nothing(tables: Tables, drain: Drain) -> None:
    game = tables.game()
    player = actor(game).player
    EmailAddress.objects.filter(user=player).update(verified=False)
    with pytest.raises(Refused, match="Confirm"):
        queue.send_test(player=player, now=START)
    drain(START + HOUR)
    assert [letter for letter in mail.outbox if player.email in letter.to] == []


def test_only_those_who_want_puzzles_get_them(tables: Tables) -> None:
    wants, wants_none = tables.player(puzzle_mail=True), tables.player()
    game = tables.game()
    take_turn(game, START)
    queue.puzzle_chosen(puzzle=puzzle_of(game, 1), now=START)
    assert states(wants, Kind.PUZZLE) == [State.QUEUED]
    assert states(wants_none, Kind.PUZZLE) == []
    assert wishes.delivery(wants_none, None, Kind.PUZZLE) is wishes.Delivery.NEVER
    subscriptions.wish_for_puzzles(player=wants, wanted=False)
    assert states(wants, Kind.PUZZLE) == [State.WITHDRAWN]


def test_a_test_of_the_address_that_is_due_later_is_not_taken_along(tables: Tables) -> None:
    player = tables.player()
    Notice.objects.all().delete()
    queue.send_test(player=player, now=START)
    Notice.objects.update(due_at=START + MINUTE)
    game = tables.game([player])
    if actor(game).player_id != player.pk:
        take_turn(game, START - HOUR)
    Notice.objects.filter(player=player, kind=Kind.TURN).update(due_at=START)
    claimed = outbox.claim(now=START)
    assert {notice.kind for notice in claimed if notice.player_id == player.pk} & {
        Kind.TURN,
        Kind.ADDRESS,
    } == {Kind.TURN}


def test_a_line_is_told_to_nobody_who_keeps_apart_from_its_author(tables: Tables) -> None:
    game = tables.game(size=3)
    author, blocks, hears = (seat.player for seat in game.seats.select_related("player"))
    Block.objects.create(blocker=blocks, blocked=author, at=START)
    table_talk.post_message(game=game, player=author, text="hello", now=START)
    assert states(blocks, Kind.MESSAGE) == []
    assert states(hears, Kind.MESSAGE) == [State.QUEUED]


def test_a_lot_of_talk_waits_and_goes_out_as_one(tables: Tables, monkeypatch) -> None:
    monkeypatch.setattr(queue, "CHAT_MAILS_AN_HOUR", 1)
    author, hears = tables.player(), tables.player()
    for number in range(2):
        game = tables.game([author, hears])
        table_talk.post_message(game=game, player=author, text=f"line {number}", now=START)
    told = Notice.objects.filter(player=hears, kind=Kind.MESSAGE).order_by("pk")
    due = [notice.due_at for notice in told]
    assert due == [START + 3 * MINUTE, START + HOUR]


@pytest.mark.parametrize("mute", [{"mail": Seat.Mail.NONE}, {"stand_in": True}])
def test_a_seat_that_wants_no_mail_or_is_played_by_a_bot_is_reminded_of_nothing(
    tables: Tables, mute: dict[str, object]
) -> None:
    player, bot = tables.player(has_device=True), tables.player()
    seat = Seat(player=player, **({**mute, "stand_in": bot} if "stand_in" in mute else mute))
    for kind in wishes.ABOUT_A_TURN:
        assert wishes.delivery(player, seat, kind) is wishes.Delivery.NEVER
        assert not wishes.by_push(player, seat, kind)
    free = Seat(player=player)
    assert wishes.by_push(player, free, Kind.HALF)


def test_reminders_that_are_off_are_off_on_every_way(tables: Tables) -> None:
    player = tables.player(has_device=True, reminders=False)
    for kind in wishes.REMINDERS:
        assert wishes.delivery(player, None, kind) is wishes.Delivery.NEVER
        assert not wishes.by_push(player, None, kind)
    assert wishes.by_push(player, None, Kind.TURN)


@pytest.mark.parametrize(
    "who", [{"is_active": False}, {"is_guest": True}, {"email": ""}, {"mail": "none"}]
)
def test_who_cannot_or_will_not_read_mail_is_written_none(who: dict[str, object]) -> None:
    reader = Player(**{"email": "reader@souk.example", **who})
    assert wishes.delivery(reader, None, Kind.TURN) is wishes.Delivery.NEVER
    willing = Player(email="reader@souk.example")
    assert wishes.delivery(willing, None, Kind.TURN) is wishes.Delivery.SOON


@pytest.mark.parametrize(("way", "needless"), [("unless", True), ("both", False)])
def test_mail_is_needless_only_for_who_wants_it_unless_they_looked(
    way: str, needless: bool
) -> None:
    player = Player(has_device=True, channels={"turn": way, "game": way})
    seat = Seat(player=player, seen_moves=4)
    for kind in (Kind.TURN, Kind.OVER):
        assert wishes.has_looked(Notice(kind=kind, move_number=4), seat) is needless
        assert not wishes.has_looked(Notice(kind=kind, move_number=5), seat)
        assert not wishes.has_looked(Notice(kind=kind, move_number=0), seat)
    assert not wishes.has_looked(Notice(kind=Kind.LAST, move_number=4), seat)
    assert not wishes.has_looked(Notice(kind=Kind.TURN, move_number=4), None)


def test_senders_are_woken_when_somebody_waits_for_a_mail(
    tables: Tables, woken: list[str], django_capture_on_commit_callbacks
) -> None:
    player = tables.player()
    with django_capture_on_commit_callbacks(execute=True):
        queue.send_test(player=player, now=START)
    assert woken == ["games.tasks.drain_notices"]
    assert Notice.objects.get().urgent, "another player is waiting for this move"
    with django_capture_on_commit_callbacks(execute=True):
        content = written.Content("Your code", "BCDF-GHJK")
        written.write_to(address="reader@souk.example", content=content, now=START)
    assert woken == ["games.tasks.drain_notices"] * 2
