"""The archive: what is in it, in which order, and how to leaf through it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game, Meeting, Player, Seat, Shelf, Tally
from games.selectors.archive import ORDERS, PAGE, Cursor, Wanted, all_games, archive
from tests.history.archive import HOUR, given_up, people, stored_game
from tests.people import NOON, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def players() -> list[Player]:
    return people("yasmin", "omar", "wei", "ileana")


def games_in(wanted: Wanted, cursor: Cursor | None = None) -> list[Game]:
    return [row.game for row in archive(wanted, None, cursor).rows]


@pytest.mark.both_databases
@pytest.mark.parametrize("wished", ["all", "size", "player", "opponent"])
def test_leafing_to_the_end_and_back_shows_every_game_once(players: Any, wished: str) -> None:
    yasmin, omar, wei, _ = players
    games = [
        given_up(
            yasmin,
            omar,
            rated=number % 2 == 0,
            edition=("international", "polish")[number // 2 % 2],
            ended_at=NOON + number * HOUR,
        )
        for number in range(2 * PAGE + 5)
    ]
    # Two games at each moment, of different kinds, so that pages break between equals.
    for number, game in enumerate(games):
        at = NOON + number // 2 * HOUR
        Game.objects.filter(pk=game.pk).update(ended_at=at)
        Seat.objects.filter(game=game).update(ended_at=at)
        Meeting.objects.filter(game=game).update(ended_at=at)
    expected = [game.pk for game in reversed(games)]
    wanted = {
        "all": Wanted(),
        "size": Wanted(size=2),
        "player": Wanted(player=yasmin),
        "opponent": Wanted(player=omar, opponent=yasmin),
    }[wished]
    forth, page = [], archive(wanted, None)
    pages = [page]
    assert page.newer is None
    while True:
        forth += [row.game.pk for row in page.rows]
        if page.older is None:
            break
        page = archive(wanted, None, page.older)
        pages.append(page)
        assert len(pages) < 9, "there is no end to it"
    assert forth == expected
    assert len(pages) == 3
    back = archive(wanted, None, pages[-1].newer)
    assert [row.game.pk for row in back.rows] == [row.game.pk for row in pages[1].rows]
    first = archive(wanted, None, back.newer)
    assert [row.game.pk for row in first.rows] == [row.game.pk for row in pages[0].rows]
    assert first.newer is None
    assert archive(Wanted(player=wei), None).rows == []


def test_each_filter_finds_what_it_says(players: Any) -> None:
    yasmin, omar, wei, ileana = players
    one = given_up(yasmin, omar, edition="polish", rated=False)
    three = stored_game([yasmin, wei, ileana], seed=3, ended_at=NOON + 48 * HOUR)
    other = stored_game([wei, omar], ruleset="ifrito", seed=3, ended_at=NOON + 72 * HOUR)
    secret = given_up(omar, wei, visibility="named", ended_at=NOON + 96 * HOUR)
    assert games_in(Wanted()) == [other, three, one]
    assert games_in(Wanted(ruleset="ifrito")) == [other]
    assert games_in(Wanted(size=3)) == [three]
    assert games_in(Wanted(edition="polish")) == [one]
    assert games_in(Wanted(rated=True)) == [other, three]
    assert games_in(Wanted(reason="last_player")) == [one]
    assert games_in(Wanted(player=omar)) == [other, one]
    assert games_in(Wanted(player=omar, private_too=True)) == [secret, other, one]
    assert games_in(Wanted(player=wei, opponent=omar)) == [other]
    assert games_in(Wanted(player=wei, opponent=omar, private_too=True)) == [secret, other]
    assert games_in(Wanted(since=NOON.date(), until=NOON.date())) == [one]
    assert games_in(Wanted(since=(NOON + 48 * HOUR).date())) == [other, three]
    assert games_in(Wanted(ruleset="marrakech", rated=True, size=3)) == [three]
    assert games_in(Wanted(size=4)) == []


def test_an_annulled_game_is_in_no_list_even_before_the_books_follow(players: Any) -> None:
    yasmin, omar, *_ = players
    kept = given_up(yasmin, omar)
    gone = given_up(yasmin, omar, ended_at=NOON + HOUR)
    # As in a large house, where a worker counts again later.
    Game.objects.filter(pk=gone.pk).update(
        status=Game.Status.ANNULLED, annulled_at=NOON + 2 * HOUR, result=None
    )
    Seat.objects.filter(game=gone).update(place=None)
    for wanted in (
        Wanted(),
        Wanted(size=2),
        Wanted(player=yasmin),
        Wanted(player=yasmin, private_too=True),
        Wanted(player=yasmin, opponent=omar),
        Wanted(order=ORDERS["longest"]),
    ):
        assert games_in(wanted) == [kept]
        assert [game for chunk in all_games(wanted, 1) for game in chunk] == [kept]


def test_what_is_starred_noted_or_began_alike_is_narrowed_down_as_all_else(players: Any) -> None:
    yasmin, omar, wei, _ = players
    one = given_up(yasmin, omar, edition="polish", rated=False)
    two = given_up(yasmin, wei, ended_at=NOON + HOUR)
    mine = Seat.objects.filter(player=yasmin)
    mine.update(starred_at=NOON, notes="mint")
    opening = mine.get(game=two).opening.partition("/")[0]
    ways: list[dict[str, Any]] = [{"starred": True}, {"notes": "MINT"}, {"opening": opening}]
    for way in ways:
        wished = {"player": yasmin, "private_too": True, **way}
        assert games_in(Wanted(**wished)) == [two, one]
        assert games_in(Wanted(**wished, edition="polish")) == [one]
        assert games_in(Wanted(**wished, rated=True)) == [two]
        assert games_in(Wanted(**wished, opponent=omar)) == [one]
        assert games_in(Wanted(**wished, place=2)) == []
        assert games_in(Wanted(**{**wished, "player": omar})) == (
            [] if "opening" not in way else [one]
        )


def test_a_seat_can_be_asked_for_with_an_opponent(players: Any) -> None:
    yasmin, omar, *_ = players
    game = given_up(yasmin, omar)
    seat = game.seats.get(player=yasmin).number
    assert seat is not None
    assert games_in(Wanted(player=yasmin, opponent=omar, seat=seat)) == [game]
    assert games_in(Wanted(player=yasmin, opponent=omar, seat=1 - seat)) == []


def test_the_own_place_can_be_asked_for(players: Any) -> None:
    yasmin, omar, *_ = players
    won, lost = given_up(yasmin, omar), given_up(omar, yasmin, ended_at=NOON + HOUR)
    several: list[dict[str, Any]] = [
        {},
        {"opponent": omar},
        {"order": ORDERS["longest"]},
        {"size": 2},
    ]
    for more in several:
        assert games_in(Wanted(player=yasmin, place=1, **more)) == [won]
        assert games_in(Wanted(player=yasmin, place=2, **more)) == [lost]
    assert games_in(Wanted(player=yasmin, place=3)) == []
    client = signed_in(yasmin)
    page = client.get(reverse("my_archive"), {"place": "2"})
    assert [row.game for row in page.context["page"].rows] == [lost]
    story = client.get(f"{lost.get_absolute_url()}story/").content.decode()
    assert f"?game={lost.ruleset}&amp;size=2&amp;place=2" in story


def test_the_page_reads_its_filters_from_the_address(client: Client, players: Any) -> None:
    yasmin, omar, wei, _ = players
    given_up(yasmin, omar, edition="polish")
    given_up(yasmin, wei, ended_at=NOON + HOUR)

    def found(**query: str) -> list[set[str]]:
        page = client.get(reverse("archive"), query)
        assert page.status_code == 200
        return [{seat.player.username for seat in row.seats} for row in page.context["page"].rows]

    both = [{"yasmin", "wei"}, {"yasmin", "omar"}]
    assert found() == both
    assert found(player="YASMIN") == both
    assert found(opponent="omar") == both[1:]
    assert found(player="yasmin", opponent="wei") == both[:1]
    assert found(edition="marrakech/polish") == both[1:]
    assert found(edition="marrakech/polish", game="ifrito") == []
    assert found(reason="marrakech/last_player", rated="yes", size="2") == both
    for day in ("2026-11-17", "17.11.2026", "2026/11/17", "17 Nov 2026"):
        assert found(since=day) == []
    assert found(since="nonsense", size="9", at="o12-x", rated="perhaps") == both
    assert found(player="nobody") == []
    assert found(player="yasmin", opponent="yasmin") == []
    page = client.get(reverse("archive"), {"player": "nobody"}).content.decode()
    assert "Nobody here is called nobody." in page


def test_my_archive_holds_my_private_games_and_wants_me_signed_in(
    client: Client, players: Any
) -> None:
    yasmin, omar, wei, _ = players
    game = given_up(yasmin, omar, visibility="named")
    address = reverse("my_archive")
    assert client.get(address).status_code == 302
    mine = signed_in(omar).get(address)
    assert [row.game for row in mine.context["page"].rows] == [game]
    assert "player" not in mine.context["form"].fields
    assert signed_in(wei).get(address).context["page"].rows == []
    assert signed_in(wei).get(address, {"player": "omar"}).context["page"].rows == []


def test_links_to_other_pages_keep_the_filters(client: Client, players: Any) -> None:
    for number in range(PAGE + 1):
        given_up(*players[:2], ended_at=NOON + number * HOUR)
    page = client.get(reverse("archive"), {"player": "omar", "size": "2"})
    older = page.context["page"].older
    assert f"?player=omar&amp;size=2&amp;at={older}" in page.content.decode()
    last = client.get(reverse("archive"), {"player": "omar", "size": "2", "at": str(older)})
    assert len(last.context["page"].rows) == 1
    assert 'rel="prev"' in last.content.decode()


@pytest.mark.parametrize(
    "text", ["", "o", "x1-1", "o1", "o-1", "o1-", "o1.5-2", "o١-1", "o" + "9" * 30 + "-1", "o1-1-1"]
)
def test_what_is_no_cursor_is_the_first_page(text: str) -> None:
    assert Cursor.parse(text) is None


@pytest.mark.parametrize("newer", [True, False])
def test_a_cursor_survives_its_address(newer: bool) -> None:
    cursor = Cursor(NOON.replace(microsecond=123456), 42, newer)
    assert Cursor.parse(str(cursor)) == cursor


@pytest.mark.both_databases
def test_as_many_kinds_of_games_as_there_could_be(players: Any) -> None:
    yasmin, omar, *_ = players
    games = [
        given_up(yasmin, omar, edition=f"edition-{number}", ended_at=NOON + number * HOUR)
        for number in range(3)
    ]
    kinds = [
        Shelf(
            ruleset="marrakech",
            size=2,
            edition=f"empty-{number}",
            rated=True,
            reason="rugs",
            public=True,
        )
        for number in range(450)
    ]
    Shelf.objects.bulk_create(kinds)
    Tally.objects.bulk_create(Tally(player=yasmin, shelf=shelf) for shelf in kinds)
    assert games_in(Wanted(rated=True)) == games[::-1]
    assert games_in(Wanted(player=yasmin)) == games[::-1]
