"""Sending: once each, again after trouble, and never to an address that refuses."""

from __future__ import annotations

import smtplib
from collections.abc import Callable
from datetime import datetime, time, timedelta

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client

from games.models import Game, Notice, Player
from games.selectors.notices import stuck
from games.services.notices import letters, outbox, queue
from games.services.notices.letter import Letter
from games.services.notices.parcels import Parcel
from games.services.notices.post import Post
from games.services.play import resign
from tests.people import START, Tables, actor, take_turn

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
DUE = START + 3 * MINUTE
State = Notice.State
Drain = Callable[[datetime], None]

pytestmark = pytest.mark.both_databases


class Trouble:
    """A mail server that answers with these errors in turn, and then works."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *errors: Exception) -> None:
        self.errors = list(errors)
        self.tries = 0
        real = EmailBackend.send_messages

        def send(backend: EmailBackend, messages: list[mail.EmailMessage]) -> int:
            self.tries += 1
            if self.errors:
                raise self.errors.pop(0)
            return real(backend, messages)

        monkeypatch.setattr(EmailBackend, "send_messages", send)


def refusal(code: int, reply: bytes = b"5.1.1 no such mailbox") -> Exception:
    return smtplib.SMTPRecipientsRefused({"x@example.org": (code, reply)})


@pytest.fixture
def notice(tables: Tables) -> Notice:
    game = tables.game()
    Notice.objects.exclude(kind=Notice.Kind.TURN).delete()
    return Notice.objects.get(game=game)


def test_a_due_notice_is_sent_once(notice: Notice, drain: Drain) -> None:
    drain(DUE - MINUTE)
    assert mail.outbox == []
    drain(DUE)
    drain(DUE + DAY)
    assert [letter.to for letter in mail.outbox] == [[notice.reader.email]]
    notice.refresh_from_db()
    assert (notice.state, notice.sent_at, notice.attempts) == (State.SENT, DUE, 1)


def test_what_one_sender_has_claimed_no_other_gets(notice: Notice) -> None:
    assert outbox.claim(now=DUE) == [notice]
    assert outbox.claim(now=DUE) == []
    assert outbox.claim(now=DUE + 4 * MINUTE) == []


def test_what_a_dead_sender_had_claimed_is_sent_after_the_lease(
    notice: Notice, drain: Drain
) -> None:
    outbox.claim(now=DUE)
    drain(DUE + 5 * MINUTE)
    notice.refresh_from_db()
    assert (notice.state, notice.attempts) == (State.SENT, 2)


def test_a_lease_that_was_lost_while_a_letter_was_written_is_not_renewed(
    notice: Notice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """We were slow; somebody else claimed it and sends it now."""
    real = letters.write

    def write(parcel: Parcel, *, now: datetime) -> Letter:
        assert outbox.claim(now=now + 5 * MINUTE) == [notice]
        return real(parcel, now=now)

    monkeypatch.setattr(letters, "write", write)
    claimed = outbox.claim(now=DUE)
    outbox.send(claimed, channel=Post(), clock=lambda: DUE + 4 * MINUTE)
    assert mail.outbox == []
    notice.refresh_from_db()
    assert (notice.state, notice.attempts) == (State.SENDING, 2), "it is the other's"


def test_a_lease_is_renewed_before_each_letter_of_a_slow_batch(tables: Tables) -> None:
    for _ in range(3):
        tables.game()
    claimed = outbox.claim(now=DUE)
    assert len(claimed) == 6
    clock = iter(DUE + minutes * MINUTE for minutes in range(100))
    outbox.send(claimed, channel=Post(), clock=lambda: next(clock))
    assert len(mail.outbox) == 6
    for number, letter in enumerate(mail.outbox):
        assert letter.to == [claimed[number].reader.email]
    assert Notice.objects.filter(state=State.SENT).count() == 6


@pytest.mark.parametrize("minutes", [0, 1, 4])
def test_a_turn_that_is_played_while_its_letter_is_written_is_not_mailed(
    notice: Notice, monkeypatch: pytest.MonkeyPatch, minutes: int
) -> None:
    real = letters.write

    def write(parcel: Parcel, *, now: datetime) -> Letter:
        letter = real(parcel, now=now)
        assert notice.game
        take_turn(notice.game, now)
        return letter

    monkeypatch.setattr(letters, "write", write)
    claimed = outbox.claim(now=DUE)
    outbox.send(claimed, channel=Post(), clock=lambda: DUE + minutes * MINUTE)
    assert mail.outbox == []
    notice.refresh_from_db()
    assert notice.state == State.WITHDRAWN


def test_of_several_turns_only_those_that_are_still_on_are_mailed(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = tables.player()
    mine = [tables.game([player]) for _ in range(3)]
    for game in mine:
        if actor(game).player_id != player.pk:
            take_turn(game, START)
    Notice.objects.exclude(player=player, kind=Notice.Kind.TURN).delete()
    real = letters.write
    written: list[Parcel] = []

    def write(parcel: Parcel, *, now: datetime) -> Letter:
        if not written:
            take_turn(mine[0], now)
        written.append(parcel)
        return real(parcel, now=now)

    monkeypatch.setattr(letters, "write", write)
    outbox.send(outbox.claim(now=DUE), channel=Post(), clock=lambda: DUE)
    [letter] = mail.outbox
    assert mine[0].public_id not in letter.body
    for game in mine[1:]:
        assert game.public_id in letter.body


def test_a_claimed_turn_mail_is_withdrawn_by_the_move(
    notice: Notice, tables: Tables, drain: Drain
) -> None:
    outbox.claim(now=DUE)
    assert notice.game
    take_turn(notice.game, DUE + MINUTE)
    take_turn(notice.game, DUE + MINUTE)
    drain(DUE + HOUR)
    to_the_same = [letter for letter in mail.outbox if letter.to == [notice.reader.email]]
    assert len(to_the_same) == 1, "the new turn is told, the old one is not"


def test_temporary_trouble_is_tried_again_after_growing_pauses(
    notice: Notice, drain: Drain, monkeypatch: pytest.MonkeyPatch
) -> None:
    Trouble(monkeypatch, *[refusal(451)] * 13)
    now, pauses = DUE, []
    for _ in range(13):
        drain(now)
        notice.refresh_from_db()
        assert notice.state == State.QUEUED
        assert notice.due_at
        pauses.append(notice.due_at - now)
        now = notice.due_at
    assert pauses[:4] == [MINUTE, 2 * MINUTE, 4 * MINUTE, 8 * MINUTE]
    assert max(pauses) == DAY
    assert pauses == sorted(pauses)
    drain(now)
    assert len(mail.outbox) == 1


def test_it_is_given_up_in_the_end_and_an_operator_can_resend(
    notice: Notice, drain: Drain, monkeypatch: pytest.MonkeyPatch
) -> None:
    Trouble(monkeypatch, *[refusal(451, b"busy")] * 14)
    now = DUE
    for _ in range(14):
        drain(now)
        now += DAY
    notice.refresh_from_db()
    assert (notice.state, notice.last_error) == (State.FAILED, "451 busy")
    assert list(stuck(now)) == [notice]
    assert outbox.resend(notice_ids=[notice.pk], now=now) == 1
    drain(now)
    assert len(mail.outbox) == 1
    assert outbox.resend(notice_ids=[notice.pk], now=now) == 0, "what was sent stays sent"


@pytest.mark.parametrize(
    "error",
    [
        ConnectionRefusedError("nobody there"),
        TimeoutError("stalled"),
        smtplib.SMTPServerDisconnected("dropped"),
        smtplib.SMTPAuthenticationError(535, b"who are you"),
        smtplib.SMTPSenderRefused(550, b"not from you", "souk@example.org"),
        smtplib.SMTPConnectError(421, b"too busy"),
        refusal(421, b"closing"),
    ],
)
def test_a_server_in_trouble_is_left_alone_and_marks_no_address(
    tables: Tables, drain: Drain, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    for _ in range(3):
        tables.game()
    trouble = Trouble(monkeypatch, error)
    drain(DUE)
    assert trouble.tries == 1, "no use in trying the rest"
    assert not Player.objects.exclude(refused_address="").exists()
    rest = Notice.objects.filter(state=State.QUEUED, due_at__lte=DUE, attempts=0)
    assert rest.count() == 5
    drain(DUE + MINUTE)
    assert len(mail.outbox) == 6
    assert Notice.objects.filter(state=State.SENT).count() == 6


def test_a_refused_address_is_marked_and_gets_no_more_mail(
    notice: Notice, drain: Drain, monkeypatch: pytest.MonkeyPatch
) -> None:
    trouble = Trouble(monkeypatch, refusal(550))
    drain(DUE)
    notice.refresh_from_db()
    assert notice.state == State.FAILED
    player = Player.objects.get(pk=notice.reader.pk)
    assert player.address_refused
    assert player.refused_reason.endswith("no such mailbox")
    outbox.resend(notice_ids=[notice.pk], now=DUE)
    drain(DUE)
    assert trouble.tries == 1, "nothing more goes there"


def test_a_test_that_arrives_brings_mail_back(
    notice: Notice, drain: Drain, monkeypatch: pytest.MonkeyPatch
) -> None:
    Trouble(monkeypatch, refusal(550))
    drain(DUE)
    player = Player.objects.get(pk=notice.reader.pk)
    queue.send_test(player=player, now=DUE + HOUR)
    drain(DUE + HOUR)
    player.refresh_from_db()
    assert not player.address_refused
    drain(DUE + HOUR)
    assert ["your address works" in letter.subject for letter in mail.outbox] == [True, False]
    assert "Your turn" in mail.outbox[1].subject


def test_a_test_that_is_refused_says_why_again(
    notice: Notice, drain: Drain, monkeypatch: pytest.MonkeyPatch
) -> None:
    Trouble(monkeypatch, refusal(550), refusal(550, b"5.1.2 no such domain"))
    drain(DUE)
    queue.send_test(player=notice.reader, now=DUE)
    drain(DUE)
    player = Player.objects.get(pk=notice.reader.pk)
    assert player.refused_reason == "550 5.1.2 no such domain"


def test_a_new_address_starts_afresh(notice: Notice) -> None:
    player = notice.reader
    player.refused_address = player.email
    assert player.address_refused
    player.email = "new@example.org"
    assert not player.address_refused


def test_no_mail_in_quiet_hours_even_if_it_is_late(
    notice: Notice, drain: Drain, monkeypatch: pytest.MonkeyPatch
) -> None:
    Player.objects.update(quiet_from=time(22), quiet_to=time(8))
    drain(START.replace(hour=23))
    assert mail.outbox == []
    notice.refresh_from_db()
    assert (notice.state, notice.attempts) == (State.QUEUED, 0)
    morning = START.replace(hour=8) + DAY
    assert notice.due_at == morning
    drain(morning)
    assert len(mail.outbox) == 1


def test_a_letter_that_cannot_be_written_holds_up_no_other(
    tables: Tables, drain: Drain, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, sound = tables.game(), tables.game()
    real = letters.write

    def write(parcel: Parcel, **rest: object) -> Letter:
        if parcel.lead.game_id == broken.pk:
            raise LookupError("a template is missing")
        return real(parcel, **rest)  # type: ignore[arg-type]

    monkeypatch.setattr(letters, "write", write)
    drain(DUE)
    assert Notice.objects.filter(game=sound, state=State.SENT).count() == 2
    waiting = Notice.objects.filter(game=broken, due_at__lte=DUE + MINUTE)
    assert {notice.state for notice in waiting} == {State.QUEUED}
    assert all("a template is missing" in notice.last_error for notice in waiting)


def test_a_notice_that_came_too_late_is_withdrawn(notice: Notice, drain: Drain) -> None:
    Game.objects.update(status="over", to_act=None, deadline=None)
    drain(DUE)
    notice.refresh_from_db()
    assert notice.state == State.WITHDRAWN
    assert mail.outbox == []


def test_the_operator_resends_in_the_admin(notice: Notice, client: Client) -> None:
    Notice.objects.update(state=State.FAILED, last_error="551 gone away")
    root = Player.objects.create_superuser("root", "root@example.org", "secret")
    client.force_login(root)
    listed = client.get("/admin/games/notice/?stuck=yes")
    assert b"551 gone away" in listed.content
    client.post("/admin/games/notice/", {"action": "send_again", "_selected_action": [notice.pk]})
    notice.refresh_from_db()
    assert (notice.state, notice.attempts) == (State.QUEUED, 0)


def test_the_admin_shows_games_but_never_a_seed(notice: Notice, client: Client) -> None:
    client.force_login(Player.objects.create_superuser("root", "root@example.org", "secret"))
    game = notice.game
    assert game
    page = client.get(f"/admin/games/game/{game.pk}/change/").content
    assert game.public_id.encode() in page
    seed = bytes(Game.objects.get(pk=game.pk).seed)
    assert seed.hex().encode() not in page
    assert repr(seed).encode() not in page
    for model in ("player", "seat", "move", "vacation", "message", "invitation", "notice"):
        assert client.get(f"/admin/games/{model}/").status_code in (200, 404)
        assert client.get(f"/admin/games/{model}/add/").status_code in (403, 404)


def test_the_player_sees_a_banner_with_the_reason(
    notice: Notice, drain: Drain, monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    Trouble(monkeypatch, refusal(550, b"5.1.1 <b>unknown</b>"))
    drain(DUE)
    client.force_login(Player.objects.get(pk=notice.reader.pk))
    page = client.get("/settings/").content.decode()
    assert "550 5.1.1 &lt;b&gt;unknown&lt;/b&gt;" in page
    client.post("/settings/mail/test/")
    assert Notice.objects.filter(kind=Notice.Kind.ADDRESS, player=notice.reader).count() == 1
    other = client.__class__()
    assert notice.game
    other.force_login(notice.game.seats.exclude(pk=actor(notice.game).pk).get().player)
    assert "unknown" not in other.get(notice.game.get_absolute_url()).content.decode()


def test_a_long_queue_calls_another_sender_once(
    tables: Tables, drain: Drain, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    monkeypatch.setattr("marrakech_site.celery.app.send_task", calls.append)
    monkeypatch.setattr(outbox, "BATCH", 2)
    for _ in range(3):
        tables.game()
    drain(DUE)
    assert calls == ["games.tasks.drain_notices"]
    assert len(mail.outbox) == 6


def test_who_is_suspended_is_told_of_no_turn(tables: Tables, drain: Drain) -> None:
    game = tables.game()
    player = actor(game).player
    Player.objects.filter(pk=player.pk).update(suspended_at=START, suspended_until=START + DAY)
    drain(DUE)
    assert [player.email] not in [letter.to for letter in mail.outbox]
    told = Notice.objects.get(game=game, player=player, kind=Notice.Kind.TURN)
    assert told.state == State.WITHDRAWN
    # Reminders that come after it are sent; what ended is told at any time.
    drain(START + 5 * DAY)
    assert [player.email] in [letter.to for letter in mail.outbox]


def test_who_is_suspended_is_told_what_became_of_a_game(tables: Tables, drain: Drain) -> None:
    game = tables.game()
    player, now = actor(game).player, START + MINUTE
    Player.objects.filter(pk=player.pk).update(suspended_at=START, mail=Player.Mail.DIGEST)
    resign(game_id=game.pk, player=game.seats.exclude(player=player).get().player, now=now)
    drain(START + 2 * DAY)
    (letter,) = [each for each in mail.outbox if each.to == [player.email]]
    assert "Your turn" not in letter.body
    kinds = Notice.objects.filter(player=player, state=State.SENT).values_list("kind", flat=True)
    assert set(kinds) <= {Notice.Kind.OVER, Notice.Kind.DIGEST}
