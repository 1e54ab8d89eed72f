"""Mail that comes back later: to a signed address, read from a real IMAP mailbox."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from urllib.parse import quote

import pytest
from django.core.management import CommandError, call_command

from games.models import Bounce, Notice, Player
from games.services.notices import bounces, mailbox, queue
from tests.notices.imap import PASSWORD, USER, Mailbox, imap_server
from tests.notices.post_office import PostOffice
from tests.people import START, Tables

DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)
Kind = Notice.Kind
Drain = Callable[[datetime], None]

pytestmark = pytest.mark.both_databases

BOUNCE = """\
From: MAILER-DAEMON@relay.example
To: {to}
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type={kind}; boundary="b"

--b
Content-Type: text/plain

I'm sorry to have to inform you...

--b
{report}

--b
Content-Type: message/rfc822

From: Souk <souk@souk.example>
Subject: Your turn

--b--
"""
STATUS = """\
Content-Type: message/delivery-status

Reporting-MTA: dns; relay.example

Final-Recipient: rfc822; somebody@example.org
Action: {action}
Status: {status}
Diagnostic-Code: smtp; {said}
"""
COMPLAINT = """\
Content-Type: message/feedback-report

Feedback-Type: abuse
User-Agent: SomeProvider/1.0
Version: 1
Original-Mail-From: <{sender}>
"""


def bounce(to: str, status: str = "5.1.1", said: str = "550 5.1.1 unknown", action="failed"):
    report = STATUS.format(status=status, said=said, action=action)
    written = BOUNCE.format(to=to, kind="delivery-status", report=report)
    return written.replace("\n", "\r\n").encode()


@pytest.fixture
def inbox(settings) -> Iterator[Mailbox]:
    with imap_server() as server:
        settings.BOUNCE_ADDRESS = "bounces@souk.example"
        place = f"127.0.0.1:{server.port}/INBOX"
        settings.BOUNCE_MAILBOX = f"imap://{quote(USER, safe='')}:{quote(PASSWORD)}@{place}"
        yield server


@pytest.fixture
def player(tables: Tables) -> Player:
    return tables.player()


@pytest.fixture
def send(tables: Tables, player: Player, post_office: PostOffice, drain: Drain):
    """Send one mail to the player; the address it would come back to."""

    def send(now: datetime) -> str:
        game = tables.game(now=now)
        Notice.objects.all().delete()
        queue.invited(game=game, players=[player], now=now)
        Notice.objects.update(kind=Kind.SEAT_LOST)
        drain(now + MINUTE)
        sender = post_office.envelopes[-1].mail_from
        assert sender
        return sender

    return send


def test_every_mail_has_a_return_address_of_its_own(
    inbox: Mailbox, send, post_office: PostOffice
) -> None:
    first, second = send(START), send(START + DAY)
    assert first != second
    for sender in (first, second):
        local, _, host = sender.partition("@")
        assert local.startswith("bounces+")
        assert len(local) <= 64
        assert host == "souk.example"
    assert post_office.letters[-1]["From"] == "Souk <souk@127.0.0.1>"


def test_without_a_mailbox_mail_comes_from_the_site_itself(send, settings) -> None:
    settings.BOUNCE_ADDRESS = ""
    assert send(START) == "souk@127.0.0.1"
    assert mailbox.read_bounces(now=START) == 0


def test_an_address_is_given_up_after_several_bounces_over_some_days(
    inbox: Mailbox, tables: Tables, player: Player, post_office: PostOffice, drain: Drain
) -> None:
    game = tables.game()
    given_up = []
    for number in range(4):
        now = START + number * DAY
        Notice.objects.exclude(player=player).delete()
        queue.invited(game=tables.game(now=now), players=[player], now=now)
        Notice.objects.filter(player=player, state="queued").update(kind=Kind.SEAT_LOST)
        Notice.objects.exclude(player=player).delete()
        drain(now + MINUTE)
        if len(post_office.envelopes) <= number:
            break
        inbox.messages.append(bounce(str(post_office.envelopes[-1].mail_from)))
        mailbox.read_bounces(now=now + MINUTE)
        player.refresh_from_db()
        given_up.append(player.address_refused)
    assert given_up == [False, False, True], "then nothing more goes there"
    assert player.refused_reason == "5.1.1 smtp; 550 5.1.1 unknown"
    assert game.pk


def test_many_bounces_on_one_bad_day_say_nothing(
    inbox: Mailbox, tables: Tables, player: Player
) -> None:
    game = tables.game()
    for number in range(10):
        notice = Notice.objects.create(
            player=player, game=game, kind=Kind.OVER, move_number=number, created_at=START
        )
        now = START + number * timedelta(hours=1)
        bounces.count(notice=notice, address=player.email, reason="5.1.1", now=now)
    player.refresh_from_db()
    assert not player.address_refused


def test_one_mail_counts_once_however_often_it_comes_back(
    inbox: Mailbox, send, player: Player
) -> None:
    sender = send(START)
    for day in range(5):
        inbox.messages.append(bounce(sender))
        mailbox.read_bounces(now=START + day * DAY)
    player.refresh_from_db()
    assert not player.address_refused
    assert Bounce.objects.count() == 1
    assert inbox.seen == {1, 2, 3, 4, 5}


@pytest.mark.parametrize(
    ("status", "said", "action", "counts"),
    [
        ("5.1.1", "550 5.1.1 unknown", "failed", True),
        ("5.1.10", "556 5.1.10 null MX", "failed", True),
        ("5.0.0", "550 5.1.1 unknown", "failed", True),
        ("5.0.0", "550-5.1.1 unknown", "failed", True),
        ("5.0.0", "550 user unknown", "failed", True),
        ("5.0.0", "550 5.7.1 blocked", "failed", False),
        ("5.0.0", "554 blocked", "failed", False),
        ("5.7.1", "550 5.7.1 policy", "failed", False),
        ("5.2.2", "552 5.2.2 full", "failed", False),
        ("4.4.1", "connection timed out", "delayed", False),
        ("5.1.1", "550 5.1.1 unknown", "delayed", False),
        ("2.1.5", "250 OK", "delivered", False),
    ],
)
def test_only_what_is_about_the_address_counts(
    inbox: Mailbox, send, status: str, said: str, action: str, counts: bool
) -> None:
    inbox.messages.append(bounce(send(START), status, said, action))
    mailbox.read_bounces(now=START)
    assert Bounce.objects.exists() == counts


def test_a_test_that_comes_back_is_an_answer(
    inbox: Mailbox, player: Player, post_office: PostOffice, drain: Drain
) -> None:
    queue.send_test(player=player, now=START)
    drain(START)
    inbox.messages.append(bounce(str(post_office.envelopes[-1].mail_from)))
    mailbox.read_bounces(now=START)
    player.refresh_from_db()
    assert player.address_refused


def test_a_complaint_switches_mail_off(inbox: Mailbox, send, player: Player) -> None:
    report = COMPLAINT.format(sender=send(START))
    written = BOUNCE.format(to="abuse@souk.example", kind="feedback-report", report=report)
    inbox.messages.append(written.replace("\n", "\r\n").encode())
    mailbox.read_bounces(now=START)
    player.refresh_from_db()
    assert (player.mail, player.reminders) == ("none", False)


def test_nobody_can_make_up_a_bounce(inbox: Mailbox, send, player: Player) -> None:
    sender = send(START)
    number = sender.partition("+")[2].partition("-")[0]
    forged = [
        f"bounces+{number}-{'0' * 20}@souk.example",
        f"bounces+{10**17}-{'a' * 20}@souk.example",
        sender.replace("bounces+", "others+"),
        "bounces@souk.example",
    ]
    inbox.messages += [bounce(to) for to in forged]
    assert mailbox.read_bounces(now=START) == 4
    assert not Bounce.objects.exists()
    inbox.messages.append(bounce(sender.upper().replace("SOUK.EXAMPLE", "souk.example")))
    mailbox.read_bounces(now=START)
    assert Bounce.objects.count() == 1, "letter case gets lost on the way"


def test_anything_may_lie_in_the_mailbox(inbox: Mailbox, send, player: Player) -> None:
    sender = send(START)
    holiday = f"To: {sender}\r\nSubject: Away\r\nAuto-Submitted: auto-replied\r\n\r\nBack soon."
    inbox.messages += [
        b"",
        b"\xff\xfe\x00 garbage",
        holiday.encode(),
        b'Content-Type: multipart/report; boundary="x"\r\n\r\n--x\r\n',
        bounce(sender).replace(b"Status: 5.1.1", b"Status: =?x?q?"),
        bounce(sender) + b"x" * 1_000_000,
    ]
    assert mailbox.read_bounces(now=START) == 6
    assert Bounce.objects.count() == 1
    assert mailbox.read_bounces(now=START) == 0, "what was read stays read"


def test_the_command_reads_it_and_says_what_is_wrong(inbox: Mailbox, send, settings) -> None:
    inbox.messages.append(bounce(send(START)))
    call_command("read_bounces")
    assert inbox.seen == {1}
    settings.BOUNCE_MAILBOX = f"imap://somebody:else@127.0.0.1:{inbox.port}/INBOX"
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("read_bounces")
    settings.BOUNCE_MAILBOX = ""
    with pytest.raises(CommandError, match="not set"):
        call_command("read_bounces")


def test_bounces_are_forgotten_after_a_while(tables: Tables, player: Player) -> None:
    notice = Notice.objects.create(player=player, kind=Kind.ADDRESS, created_at=START)
    Bounce.objects.create(notice=notice, address=player.email, reason="5.1.1", at=START)
    bounces.forget_old(now=START + 29 * DAY)
    assert Bounce.objects.exists()
    bounces.forget_old(now=START + 31 * DAY)
    assert not Bounce.objects.exists()
