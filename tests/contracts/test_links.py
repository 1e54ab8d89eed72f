"""Links and names that were signed before this release still open, and still do the same."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games import bell
from games.models import Game, Invitation, Notice, Player, PuzzleAnswer, Seat, Use
from games.selectors import stamps, table
from games.services import bots, limits
from games.services.notices import headers
from games.services.notices.parcels import Parcel
from tests.contracts.conftest import MADE
from tests.history.archive import stored_game
from tests.people import NOON, open_game
from tests.puzzles.invented import choices, puzzle_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("key_of_yesterday")]

# Signed by release 0.1 at noon of 16 November 2026, for Yasmin (101) and Omar (102).
DECISION = "WzIwMiwxMF0:1xSvNQ:_6PPWTjinO0IDPah6n4AVV1O7ZghA9ThfJd1qbvnQYU"
INVITATION = "WzQwMSwxMDJd:1xSvNQ:BpXAmgVLBdy-jCGSqw-nDFN4MsSLaD8Yhu5E9NXH4UQ"
PUZZLE = "WzMwMSwxMDJd:1xSvNQ:mLcm8KGFLX5YYJjVPdySV4uhkyQ8GXSE_m7IpPcSDM0"
NO_MAIL = "WzEwMixudWxsXQ:1xSvNQ:SE6whS0YdAm9kEYn2wawC_glKtAjbMez_f0u46aWGC0"
NO_MAIL_OF_GAME = "WzEwMSwyMDFd:1xSvNQ:-aDctNInZPHA68eF4fnDZGra4ZAXTJDAUn_NjczvfKQ"
NO_PUZZLES = "WzEwMiwtMV0:1xSvNQ:byjIgJSV5Ip9aE7xid_u7lHvzr1BZCyCtV0dw30-8Dc"
MEMBERSHIP = "MTAx:1xSvNQ:SmYSicEJ5BvURWMCeTj8zkRmZVfejgDFigrZMgw3YVc"
TRIED = "301 turn:L:1xSvNQ:U_oQviVKjWELtox475vQH0sW-XUFQb9utEdmHQkm8yQ"
CALENDAR = "calendar-token-of-yesterday-0123456789abcde"


@pytest.fixture
def in_time(game: Game) -> Game:
    """Whenever the test runs."""
    Game.objects.filter(pk=game.pk).update(deadline=timezone.now() + timedelta(days=1))
    return game


@pytest.fixture
def omar(two: list[Player]) -> Player:
    return two[1]


def fresh(row: Any) -> Any:
    row.refresh_from_db()
    return row


@pytest.mark.parametrize("prefix", ["", "/pl", "/zh-hant"])
def test_a_link_to_a_decision_opens_and_plays(in_time: Game, client: Client, prefix: str) -> None:
    address = f"{prefix}/mail/move/{DECISION}/"
    page = client.get(f"{address}?play=turn%3AL")
    assert page.status_code == 200
    assert b'value="turn:L"' in page.content
    assert fresh(in_time).move_count == 10
    assert client.post(address, {"action": "turn:L"}).status_code == 200
    assert fresh(in_time).move_count > 10
    assert in_time.moves.get(number=11).action == "turn:L"
    assert client.get(address).status_code == 410
    assert client.post(address, {"action": "turn:R"}).status_code in (409, 410)
    assert client.get(f"/mail/move/{DECISION[:-1]}A/").status_code == 404


@pytest.mark.parametrize("answer", ["accept", "decline"])
def test_a_link_of_an_invitation_is_accepted_or_declined(
    two: list[Player], client: Client, answer: str
) -> None:
    game = open_game(two[0], now=timezone.now(), visibility="link")
    Invitation.objects.create(pk=401, game=game, player=two[1], at=NOON)
    address = f"/mail/invitation/{INVITATION}/"
    assert client.get(f"{address}?answer={answer}").status_code == 200
    assert fresh(game).status == "open"
    assert client.post(address, {"answer": answer}).status_code == 200
    if answer == "accept":
        assert fresh(game).status == "running"
    else:
        assert Invitation.objects.get(pk=401).declined_at


def test_a_link_to_a_puzzle_takes_the_answer(two: list[Player], client: Client) -> None:
    game = stored_game(two)
    puzzle = puzzle_of(game, 1)
    type(puzzle).objects.filter(pk=puzzle.pk).update(id=301)
    address, action = f"/mail/puzzle/{PUZZLE}/", choices(game, 1)[0]
    assert client.get(address).status_code == 200
    assert not PuzzleAnswer.objects.exists()
    assert client.post(address, {"action": action}).status_code == 302
    given = PuzzleAnswer.objects.get()
    assert (given.puzzle_id, given.player_id, given.action) == (301, 102, action)


@pytest.mark.parametrize(
    ("token", "before", "after"),
    [
        (NO_MAIL, ("each", "default", True), ("none", "default", True)),
        (NO_MAIL_OF_GAME, ("each", "default", True), ("each", "none", True)),
        (NO_PUZZLES, ("each", "default", True), ("each", "default", False)),
    ],
)
def test_a_link_turns_off_what_it_was_made_for(
    game: Game, token: str, before: tuple[Any, ...], after: tuple[Any, ...]
) -> None:
    """Also by a mail program, which has no token against forged forms."""
    number = 101 if token == NO_MAIL_OF_GAME else 102
    Player.objects.update(puzzle_mail=True)
    program = Client(enforce_csrf_checks=True)
    address = f"/mail/off/{token}/"

    def wanted() -> tuple[str, str, bool]:
        player = Player.objects.get(pk=number)
        return player.mail, Seat.objects.get(player=number).mail, player.puzzle_mail

    assert program.get(address).status_code == 200
    assert wanted() == before
    assert program.post(address, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert wanted() == after


def test_a_link_of_a_member_lets_somebody_sign_up(
    two: list[Player], client: Client, settings
) -> None:
    settings.SIGN_UPS = "invitation"
    assert b"password" not in client.get("/accounts/signup/").content
    assert client.get(f"/invited/{MEMBERSHIP}/")["Location"] == "/accounts/signup/"
    assert client.session["invited-by"] == 101
    assert b"password" in client.get("/accounts/signup/").content


@pytest.mark.parametrize(("days", "leads_to"), [(13.9, "/accounts/signup/"), (14.1, "/")])
def test_a_link_of_a_member_is_good_for_two_weeks(
    two: list[Player], client: Client, monkeypatch, days: float, leads_to: str
) -> None:
    monkeypatch.setattr("django.core.signing.time.time", lambda: MADE + days * 24 * 3600)
    assert client.get(f"/invited/{MEMBERSHIP}/")["Location"] == leads_to


def test_a_calendar_is_at_the_address_that_was_subscribed_to(omar: Player, client: Client) -> None:
    Player.objects.filter(pk=omar.pk).update(calendar_token=CALENDAR)
    answer = client.get(f"/calendar/{CALENDAR}.ics")
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/calendar")
    assert client.get(f"/calendar/{CALENDAR}x.ics").status_code == 404
    assert fresh(omar).calendar_token == CALENDAR


def test_a_page_that_a_link_opens_is_stored_nowhere(game: Game, two: list[Player]) -> None:
    """Not even by the browser, on a computer that many use."""
    Player.objects.filter(pk=102).update(calendar_token=CALENDAR)
    opened = open_game(two[0], now=timezone.now(), visibility="link")
    Invitation.objects.create(pk=401, game=opened, player=two[1], at=NOON)
    puzzle = puzzle_of(stored_game(two), 1)
    type(puzzle).objects.filter(pk=puzzle.pk).update(id=301)
    for address in (
        *(f"/mail/move/{DECISION}/", f"/mail/invitation/{INVITATION}/", f"/mail/off/{NO_MAIL}/"),
        *(f"/mail/puzzle/{PUZZLE}/", f"/invited/{MEMBERSHIP}/", f"/calendar/{CALENDAR}.ics"),
    ):
        answer = Client().get(address)
        assert answer.status_code < 400, address
        assert "no-store" in answer["Cache-Control"], address


def test_what_a_visitor_answered_is_read_from_the_cookie(two: list[Player], client: Client) -> None:
    game = stored_game(two)
    puzzle = puzzle_of(game, 1, day=timezone.now().date())
    type(puzzle).objects.filter(pk=puzzle.pk).update(id=301)
    client.cookies["tried"] = TRIED
    client.force_login(two[1])
    assert client.get("/puzzle/").status_code == 302
    assert PuzzleAnswer.objects.get().action == "turn:L"


def test_a_mail_has_the_message_id_and_the_return_address_that_it_had(
    game: Game, omar: Player, settings
) -> None:
    settings.BOUNCE_ADDRESS, settings.DEFAULT_FROM_EMAIL = "b@souk.example", "S <s@souk.example>"
    Notice.objects.all().delete()
    notice = Notice.objects.create(
        pk=501, player=omar, game=game, move_number=10, kind="turn", created_at=NOON
    )
    assert headers.headers(Parcel((notice,))) == {
        "Message-ID": "<221575e4ebc6d2c20e5c8ea77debb096@souk.example>",
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
        "Feedback-ID": "turn:souk:notice:souk-mail",
    }
    assert headers.list_headers(Parcel((notice,)), "https://souk.example/off") == {
        "List-Id": "Souk <turns.souk.example>",
        "List-Unsubscribe": "<https://souk.example/off>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "In-Reply-To": "<game.c0ntract2345@souk.example>",
        "References": "<game.c0ntract2345@souk.example>",
    }
    assert headers.return_address(notice) == "b+501-0c780eadbd34d5c09b03@souk.example"
    assert headers.sent_from("501", "0c780eadbd34d5c09b03") == notice
    assert headers.sent_from("501", "0c780eadbd34d5c09b04") is None


def test_what_is_told_apart_by_a_salt_stays_the_same(two: list[Player], game: Game) -> None:
    """The dice of bots, counts of today, the channel of the site, and what open pages show."""
    limits.spend("report", now=NOON, sender=101)
    assert (
        Use.objects.get().key == "822ac595f5b1773ca9cf0d49abfedd28b25a9d4e651adae623c0cb0f89bf067f"
    )
    assert bell.channel() == "souk:0bdcf821b2574a65"
    assert bots._seed(game, 12) == 13345236930703458693
    assert table.stamp("c0ntract2345", 12, None, None) == "408ece49e7e67d5c1fc1"
    assert stamps.room_stamp("c0ntract2345", "open", 1, 0) == "f511d963d5876f26c3c4"
    assert stamps.stamps_of(["p103"]) == {"p103": "ba3f7f12528ffe007e88"}
