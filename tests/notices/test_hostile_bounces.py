"""Whatever strangers send to the mailbox for returned mail, it costs little and stops nothing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from games.models import Bounce, Notice
from games.reckon import reports
from games.services.notices import bounces, headers, mailbox
from tests.notices.imap import Mailbox
from tests.notices.test_bounces import bounce, inbox, player  # noqa: F401
from tests.people import START, Tables

pytestmark = pytest.mark.django_db

TO = "bounces+1-0123456789abcdef0123@souk.example"


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many bytes each parsed block of headers had."""
    sizes: list[int] = []
    parse = reports._parse

    def count_and_parse(head: bytes) -> Any:
        sizes.append(len(head))
        return parse(head)

    monkeypatch.setattr(reports, "_parse", count_and_parse)
    return sizes


def nested(to: str, *, depth: int = 950, size: int = 200_000) -> bytes:
    lines = [f"To: {to}", "Content-Type: multipart/report; boundary=b0", ""]
    for number in range(depth):
        lines += [f"--b{number}", f"Content-Type: multipart/mixed; boundary=b{number + 1}", ""]
    lines += [f"--b{depth}", "Content-Type: message/delivery-status", "", "Status: 5.1.1"]
    raw = "\r\n".join(lines).encode()
    return raw + b"\r\n" + b"x\r\n" * ((size - len(raw)) // 3)


def wide(to: str) -> bytes:
    part = "--b\r\nContent-Type: message/delivery-status\r\n\r\n" + "Status: 5.7.1\r\n\r\n" * 9
    head = f"To: {to}\r\nContent-Type: multipart/report; boundary=b\r\n\r\n"
    return (head + part * 900).encode()


@pytest.fixture
def notice(inbox: Mailbox, player, tables: Tables) -> Notice:  # noqa: F811
    return Notice.objects.create(
        player=player, game=tables.game(), kind=Notice.Kind.OVER, created_at=START
    )


@pytest.mark.parametrize("make", [nested, wide])
def test_of_a_message_that_nobody_signed_only_the_headers_are_read(
    make: Any,
    inbox: Mailbox,  # noqa: F811
    parsed: list[int],
) -> None:
    mailbox.take_in(make(TO), now=START)
    assert len(parsed) == 1
    assert parsed[0] < 200


def long(to: str) -> bytes:
    """One part that speaks of very many readers."""
    head = f"To: {to}\r\nContent-Type: multipart/report; boundary=b\r\n\r\n"
    part = "--b\r\nContent-Type: message/delivery-status\r\n\r\n"
    return (head + part + "Status: 5.7.1\r\n\r\n" * 10_000).encode()


@pytest.mark.parametrize("make", [nested, wide, long])
def test_of_a_signed_message_a_few_parts_are_read_and_no_part_within_them(
    make: Any, notice: Notice, parsed: list[int]
) -> None:
    mailbox.take_in(make(headers.return_address(notice)), now=START)
    assert len(parsed) <= 250
    assert not Bounce.objects.exists()


@pytest.mark.parametrize(
    "raw",
    [
        b"To: " + b"x" * 200_000,
        b"To: a\r\n" * 30_000,
        b"Content-Type: multipart/report; boundary=b" + b';"' * 100_000,
        b"Content-Type: multipart/report; boundary=b\r\n\r\n" + b"--b\r\n" * 40_000,
        b"Content-Type: multipart/report; boundary=b\r\n\r\n--b" + b" " * 150_000 + b"x",
        b"\r\n" * 100_000,
    ],
)
def test_never_more_is_parsed_than_a_report_may_have(
    raw: bytes,
    inbox: Mailbox,  # noqa: F811
    parsed: list[int],
) -> None:
    mailbox.take_in(raw, now=START)
    assert len(parsed) <= 1 + reports.MOST_PARTS
    assert sum(parsed) <= 32_000


def test_a_run_ends_when_its_time_is_over_and_the_next_one_goes_on(
    inbox: Mailbox,  # noqa: F811
    notice: Notice,
) -> None:
    inbox.messages += [nested(TO, size=5_000) for _ in range(7)]
    inbox.messages.append(bounce(headers.return_address(notice)))

    def slow() -> Iterator[float]:
        """Each look at the clock, a third of the time of a run is gone."""
        return (number * mailbox.LONGEST_RUN / 3 for number in count())

    read = [mailbox.read_bounces(now=START, clock=slow().__next__) for _ in range(4)]
    assert read == [3, 3, 2, 0], "each once"
    assert inbox.seen == set(range(1, 9))
    assert Bounce.objects.count() == 1


def test_a_run_whose_time_is_over_at_once_still_gets_on(
    inbox: Mailbox,  # noqa: F811
    notice: Notice,
) -> None:
    inbox.messages += [nested(TO, size=5_000), bounce(headers.return_address(notice))]
    clock = (number * 10.0 * mailbox.LONGEST_RUN for number in count()).__next__
    assert [mailbox.read_bounces(now=START, clock=clock) for _ in range(3)] == [1, 1, 0]
    assert Bounce.objects.count() == 1


def test_a_run_reads_so_many_messages_at_most(
    inbox: Mailbox,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mailbox, "MOST", 2)
    inbox.messages += [b"hello"] * 5
    assert [mailbox.read_bounces(now=START) for _ in range(4)] == [2, 2, 1, 0]


def test_a_message_that_breaks_something_does_not_stand_before_the_others(
    inbox: Mailbox,  # noqa: F811
    notice: Notice,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = bounces.count

    def break_at_some(*, reason: str, **what: Any) -> bool:
        if "broken" in reason:
            raise ValueError("nobody thought of this")
        return real(reason=reason, **what)

    monkeypatch.setattr(bounces, "count", break_at_some)
    to = headers.return_address(notice)
    inbox.messages += [bounce(to, said="550 5.1.1 broken"), bounce(to)]
    assert mailbox.read_bounces(now=START) == 2
    assert inbox.seen == {1, 2}
    assert Bounce.objects.count() == 1


def test_a_zero_byte_in_a_report_is_left_out(inbox: Mailbox, notice: Notice) -> None:  # noqa: F811
    mailbox.take_in(bounce(headers.return_address(notice), said="550 5.1.1 un\0known"), now=START)
    assert Bounce.objects.get().reason.endswith("unknown")
