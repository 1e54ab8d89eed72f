"""What a real mail server's no does: to the mail, to the address, to everybody else's mail."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Permission
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from games.models import Act, Bounce, Breaker, Notice, Player
from games.selectors.notices import mail_is_held_back
from games.selectors.overdue import look
from games.services.notices import breaker, outbox, queue, trust
from tests.notices.post_office import PostOffice
from tests.people import START, Tables

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
DUE = START + 3 * MINUTE
Kind, State = Notice.Kind, Notice.State
Drain = Callable[[datetime], None]

pytestmark = pytest.mark.both_databases


@pytest.fixture
def turns(tables: Tables) -> list[Notice]:
    """Eight players who are to be told, each of one game."""
    for _ in range(8):
        tables.game()
    Notice.objects.exclude(kind=Kind.TURN).delete()
    return list(Notice.objects.order_by("pk"))


@pytest.fixture
def turn(tables: Tables) -> Notice:
    """One player who is to be told, of one game."""
    tables.game()
    Notice.objects.exclude(kind=Kind.TURN).delete()
    return Notice.objects.get()


def move_to(player: Player, address: str) -> None:
    Player.objects.filter(pk=player.pk).update(email=address)
    EmailAddress.objects.filter(user=player).update(email=address)


def refused() -> int:
    return Player.objects.exclude(refused_address="").count()


def states() -> set[str]:
    return set(Notice.objects.exclude(kind=Kind.OPERATOR).values_list("state", flat=True))


def test_a_storm_of_relay_denials_silences_nobody(
    turns: list[Notice], post_office: PostOffice, drain: Drain, settings, caplog
) -> None:
    settings.ADMINS = [("Root", "root@souk.example")]
    post_office.at_rcpt = "554 5.7.1 Relay access denied"
    for seconds in range(0, 16, 5):
        drain(DUE + timedelta(seconds=seconds))
    assert len(post_office.tried) == breaker.TOO_MANY, "then the server is left alone"
    assert refused() == 0
    assert states() == {State.QUEUED}
    assert mail_is_held_back()
    assert look().mail_is_held_back, "for /healthz"
    row = Breaker.objects.get()
    assert (row.channel, row.reason) == ("mail", "554 5.7.1 Relay access denied")
    told = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert len(told) == 1
    assert "held back" in told[0].getMessage()

    post_office.at_rcpt = ""
    drain(DUE + 2 * MINUTE)
    assert states() == {State.SENT}, "one was tried, and then all went out at once"
    assert not mail_is_held_back()
    everybody = {address for each in post_office.envelopes for address in each.rcpt_tos}
    assert everybody == {each.reader.email for each in turns} | {"root@souk.example"}
    [word] = [each for each in post_office.letters if each["To"] == "root@souk.example"]
    assert "was refused" in word["Subject"]
    assert "Relay access denied" in str(word)
    assert len(post_office.letters) == 9


def test_while_mail_is_held_back_one_is_tried_after_growing_pauses(
    turns: list[Notice], post_office: PostOffice, drain: Drain
) -> None:
    post_office.at_rcpt = "550 5.7.1 no"
    drain(DUE)
    pauses, now = [], DUE
    for _ in range(6):
        held_until = Breaker.objects.get().held_until
        assert held_until
        pauses.append(held_until - now)
        drain(held_until - timedelta(seconds=1))
        tried = len(post_office.tried)
        drain(held_until)
        assert len(post_office.tried) == tried + 1
        now = held_until
    assert pauses == [minutes * MINUTE for minutes in (1, 2, 4, 8, 10, 10)]


def test_only_one_sender_tries(turns: list[Notice], post_office: PostOffice, drain: Drain) -> None:
    post_office.at_rcpt = "550 5.7.1 no"
    drain(DUE)
    later = DUE + HOUR
    assert len(outbox.claim(now=later)) == 1
    assert outbox.claim(now=later) == []
    assert len(outbox.claim(now=later + HOUR)) == 1, "if that one died, another does"


def test_without_due_mail_nothing_is_tried_and_no_chance_is_lost(
    turns: list[Notice], post_office: PostOffice, drain: Drain
) -> None:
    post_office.at_rcpt = "550 5.7.1 no"
    drain(DUE)
    Notice.objects.all().update(state=State.WITHDRAWN)
    drain(DUE + HOUR)
    Notice.objects.filter(pk=turns[0].pk).update(state=State.QUEUED)
    post_office.at_rcpt = ""
    drain(DUE + HOUR)
    assert len(post_office.letters) == 1


ABOUT_THE_ADDRESS = [
    "550 5.1.1 <x@example.org>: Recipient address rejected: User unknown",
    "550 5.1.2 no such domain",
    "553 5.1.3 bad address",
    "551 5.1.6 moved away",
    "556 5.1.10 no mail is taken here",
    "550 5.1.0 Address rejected",
]
NOT_ABOUT_THE_ADDRESS = [
    "554 5.7.1 Relay access denied",
    "550 5.7.1 blocked by policy",
    "550 5.7.26 not authenticated",
    "554 blocked, see our page",
    "552 5.2.2 mailbox full",
    "552 5.3.4 too big",
    "550 5.4.1 access denied",
    "553 5.1.8 sender's domain is unknown",
    "501 5.1.7 bad sender",
    "550 no such user",
    "550 relaying denied",
    "503 bad sequence",
    "451 4.7.1 greylisted",
    "450 4.1.1 unknown for now",
    "452 4.2.2 full",
    "421 4.7.0 closing",
]


@pytest.mark.parametrize("answer", ABOUT_THE_ADDRESS)
def test_a_refusal_that_is_about_the_address_ends_mail_to_it(
    turn: Notice, post_office: PostOffice, drain: Drain, answer: str
) -> None:
    post_office.at_rcpt = answer
    drain(DUE)
    assert refused() == 1
    assert states() == {State.FAILED}


@pytest.mark.parametrize("answer", NOT_ABOUT_THE_ADDRESS)
def test_any_other_refusal_is_tried_again(
    turn: Notice, post_office: PostOffice, drain: Drain, answer: str
) -> None:
    post_office.at_rcpt = answer
    drain(DUE)
    assert refused() == 0
    assert states() == {State.QUEUED}
    post_office.at_rcpt = ""
    drain(DUE + MINUTE)
    assert states() == {State.SENT}


@pytest.mark.parametrize("answer", ["554 5.6.0 content", "550 5.1.1 unknown", "552 5.7.1 spam"])
def test_what_is_refused_after_the_content_is_not_about_the_address(
    turn: Notice, post_office: PostOffice, drain: Drain, answer: str
) -> None:
    post_office.at_data = answer
    drain(DUE)
    assert refused() == 0
    assert states() == {State.QUEUED}


def test_a_server_that_knows_nobody_any_more_silences_nobody(
    turns: list[Notice], post_office: PostOffice, drain: Drain
) -> None:
    """Its table of addresses is gone: it says of everybody what it should say of a few."""
    post_office.at_rcpt = "550 5.1.1 User unknown"
    drain(DUE)
    drain(DUE + HOUR)
    assert refused() == 0
    assert states() == {State.QUEUED}
    post_office.at_rcpt = ""
    drain(DUE + 2 * HOUR)
    assert len(post_office.letters) == 8


def test_a_few_unknown_addresses_among_many_are_given_up_and_hold_up_nobody(
    turns: list[Notice], post_office: PostOffice, drain: Drain
) -> None:
    for notice in turns[::4]:
        move_to(notice.reader, f"nobody{notice.pk}@example.org")
    drain(DUE)
    assert refused() == 2
    assert len(post_office.letters) == 6
    assert not mail_is_held_back()


def test_a_server_that_hangs_costs_nobody_anything(
    turns: list[Notice], post_office: PostOffice, drain: Drain, settings
) -> None:
    settings.EMAIL_TIMEOUT = 0.2
    post_office.mood = "hangs"
    for seconds in range(6):
        drain(DUE + timedelta(seconds=seconds))
    assert post_office.connections == breaker.TOO_MANY
    assert mail_is_held_back()
    assert not Notice.objects.filter(attempts__gt=0).exists(), "nobody looked at those mails"
    post_office.mood, settings.EMAIL_TIMEOUT = "works", 20
    drain(DUE + 2 * MINUTE)
    assert len(post_office.letters) == 8


def test_doubtful_words_count_only_if_they_are_repeated_over_days(
    tables: Tables, post_office: PostOffice, drain: Drain
) -> None:
    player = tables.player()
    post_office.at_rcpt = "550 mailbox unavailable"
    for day, given_up in [(0, False), (1, False), (2, True)]:
        Notice.objects.all().update(state=State.WITHDRAWN)
        now = START + day * DAY
        queue.invited(game=tables.game(now=now), players=[player], now=now)
        Notice.objects.exclude(player=player).delete()
        Notice.objects.filter(state=State.QUEUED).update(kind=Kind.SEAT_LOST)
        for minutes in range(3):
            drain(now + minutes * MINUTE)
        player.refresh_from_db()
        assert player.address_refused == given_up
        Breaker.objects.all().delete()
    assert Bounce.objects.filter(address=player.email).count() == 3


def test_no_address_stands_in_the_log_or_in_the_reason(
    tables: Tables, post_office: PostOffice, drain: Drain, caplog
) -> None:
    tables.game()
    Notice.objects.exclude(kind=Kind.TURN).delete()
    notice = Notice.objects.get()
    address = notice.reader.email
    post_office.at_rcpt = f"550 5.1.1 <{address.upper()}> unknown"
    drain(DUE)
    ours = [each.getMessage() for each in caplog.records if each.name.startswith("games.")]
    assert ours
    assert address not in " ".join(ours).lower()
    notice.refresh_from_db()
    assert notice.last_error == "550 5.1.1 <…> unknown"


def test_an_address_that_no_server_understands_holds_up_nobody(
    turns: list[Notice], post_office: PostOffice, drain: Drain
) -> None:
    move_to(turns[0].reader, "zoë@example.org")
    drain(DUE)
    turns[0].refresh_from_db()
    assert turns[0].state == State.FAILED
    assert len(post_office.letters) == 7
    assert not Breaker.objects.filter(refusals__gt=0).exists()


@pytest.fixture
def silenced(turns: list[Notice]) -> list[Player]:
    """Three whose address was given up, and who missed their turn."""
    players = [notice.reader for notice in turns[:3]]
    for player in players:
        trust.give_up(address=player.email, reason="550 5.1.1 unknown", now=DUE)
    Notice.objects.filter(player__in=players).update(state=State.FAILED)
    return players


def trusted(players: list[Player]) -> list[bool]:
    return [not Player.objects.get(pk=player.pk).address_refused for player in players]


def test_an_operator_trusts_some_again_in_the_admin(
    silenced: list[Player], client: Client, post_office: PostOffice, drain: Drain
) -> None:
    one, two, three = silenced
    choice = {"action": "trust_again", "_selected_action": [one.pk, two.pk]}
    looker = Player.objects.create_user("looker", "l@example.org", "x", is_staff=True)
    looker.user_permissions.add(Permission.objects.get(codename="view_player"))
    client.force_login(looker)
    assert b"trust_again" not in client.get("/admin/games/player/").content
    client.post("/admin/games/player/", choice)
    assert trusted(silenced) == [False, False, False]

    looker.user_permissions.add(Permission.objects.get(codename="moderate"))
    client.force_login(Player.objects.get(pk=looker.pk))
    assert b"trust_again" in client.get("/admin/games/player/?refused=yes").content
    client.post("/admin/games/player/", choice)
    assert trusted(silenced) == [False, False, False], "without a reason"
    client.post("/admin/games/player/", {**choice, "reason": "Their server was down."})
    assert trusted([one, two, three]) == [True, True, False]
    assert Act.objects.filter(kind="trust", reason="Their server was down.").count() == 2
    drain(timezone.now())
    told = {address for each in post_office.envelopes for address in each.rcpt_tos}
    assert {one.email, two.email} <= told, "what they missed and is still true"
    assert three.email not in told


def test_an_operator_trusts_one_or_all_again_by_a_command(silenced: list[Player]) -> None:
    one, two, _ = silenced
    with pytest.raises(CommandError):
        call_command("trust_again")
    with pytest.raises(CommandError):
        call_command("reactivate_address", "nobody-of-this-name")
    call_command("reactivate_address", one.username.upper())
    assert trusted(silenced) == [True, False, False]
    call_command("reactivate_address", two.email)
    assert trusted(silenced) == [True, True, False]
    call_command("reactivate_address", all=True)
    assert trusted(silenced) == [True, True, True]


def test_an_operator_does_not_wait_for_the_next_try(
    turns: list[Notice], post_office: PostOffice, drain: Drain, client: Client
) -> None:
    post_office.at_rcpt = "554 5.7.1 Relay access denied"
    drain(DUE)
    client.force_login(Player.objects.create_superuser("root", "root@example.org", "secret"))
    assert b"Relay access denied" in client.get("/admin/games/breaker/").content
    post_office.at_rcpt = ""
    drain(DUE)
    assert not post_office.letters
    Breaker.objects.update(held_until=datetime.max.replace(tzinfo=START.tzinfo))
    client.post("/admin/games/breaker/", {"action": "try_now", "_selected_action": ["mail"]})
    held_until = Breaker.objects.get().held_until
    assert held_until
    drain(held_until)
    assert len(post_office.letters) == 8


def test_who_may_only_look_can_send_nothing_again(turns: list[Notice], client: Client) -> None:
    Notice.objects.update(state=State.FAILED)
    looker = Player.objects.create_user("looker", "l@example.org", "x", is_staff=True)
    looker.user_permissions.add(Permission.objects.get(codename="view_notice"))
    client.force_login(looker)
    client.post("/admin/games/notice/", {"action": "send_again", "_selected_action": turns[0].pk})
    assert states() == {State.FAILED}
