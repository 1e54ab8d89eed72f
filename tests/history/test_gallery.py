"""The archive as a gallery: pictures, chips, orders, what can be taken along, stars and notes."""

from __future__ import annotations

import csv
import json
import tracemalloc
from io import StringIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.engine.record import read, verify
from games.models import Game, Player, Seat
from games.selectors import export
from games.selectors.archive import ORDERS, Cursor, Order, Wanted, archive
from games.selectors.facets import facets
from games.selectors.finished import CAME_BACK, CLOSE
from games.selectors.gallery import picture_address
from games.views.downloads import AT_ONCE
from tests.history.archive import HOUR, given_up, people, stored_game
from tests.people import NOON, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def season() -> list[Player]:
    players = people("yasmin", "omar", "wei", "ileana")
    for number in range(8):
        key = "marrakech" if number % 4 else "ifrito"
        stored_game(
            players[: 2 + number % 3],
            ruleset=key,
            seed=number,
            rated=number % 2 == 0,
            ended_at=NOON + number * HOUR,
        )
    return players


def leafed(wanted: Wanted) -> list[int]:
    """All games of the pages, forth; and the same back."""
    forth, cursor = [], None
    while True:
        page = archive(wanted, None, cursor)
        forth.append([row.game.pk for row in page.rows])
        assert len(forth) < 99, "there is no end to it"
        if page.older is None:
            break
        assert Cursor.parse(str(page.older), wanted.order) == page.older
        cursor = page.older
    for expected in reversed(forth[:-1]):
        page = archive(wanted, None, page.newer)
        assert [row.game.pk for row in page.rows] == expected
    return [number for page in forth for number in page]


def in_order(games: list[Game], order: Order) -> list[int]:
    told = [game for game in games if order.of(game) is not None]
    told.sort(key=lambda game: game.pk, reverse=True)
    told.sort(key=order.of, reverse=order.descending)
    return [game.pk for game in told]


@pytest.mark.both_databases
def test_every_order_is_that_of_the_games(
    season: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.selectors.archive.PAGE", 3)
    for order in ORDERS.values():
        monkeypatch.setattr("games.selectors.archive.AT_ONCE", 400)
        _is_in_order(order, season, monkeypatch)


def _is_in_order(order: Order, season: list[Player], monkeypatch: pytest.MonkeyPatch) -> None:
    yasmin, omar, *_ = season
    games = list(Game.objects.all())
    assert leafed(Wanted(order=order)) == in_order(games, order)
    assert leafed(Wanted(order=order, player=omar)) == in_order(games, order)
    assert leafed(Wanted(order=order, player=omar, opponent=yasmin)) == in_order(games, order)
    few = [game for game in games if game.size == 3]
    assert leafed(Wanted(order=order, size=3)) == in_order(few, order)
    close = [game for game in games if game.traits & CLOSE]
    assert leafed(Wanted(order=order, close=True)) == in_order(close, order)
    monkeypatch.setattr("games.selectors.archive.AT_ONCE", 2)
    assert leafed(Wanted(order=order)) == in_order(games, order)


def test_a_game_says_how_it_went() -> None:
    yasmin, omar = people("yasmin", "omar")
    game = stored_game([yasmin, omar], seed=1)
    assert game.result
    points = sorted(game.result["points"])
    assert game.margin == points[-1] - points[0]
    assert bool(game.traits & CLOSE) == (points[-1] - points[0] <= 5)
    assert game.highest == max(
        (move.facts.get("paid") or {"amount": 0})["amount"] for move in game.moves.all()
    )
    left = given_up(yasmin, omar, ended_at=NOON + HOUR)
    assert (left.margin, left.comeback) == (None, None)
    assert not left.traits & (CLOSE | CAME_BACK)


def test_chips_tell_how_many_games_each_step_leaves(client: Client, season: Any) -> None:
    games = list(Game.objects.all())

    def expected(**which: Any) -> int:
        return sum(all(getattr(game, k) == v for k, v in which.items()) for game in games)

    found = facets(Wanted(ruleset="marrakech"))
    assert found["ruleset"] == {key: expected(ruleset=key) for key in ("marrakech", "ifrito")}, (
        "as if the game were not chosen yet"
    )
    assert found["rated"][True] == expected(ruleset="marrakech", rated=True)
    assert found["size"][3] == expected(ruleset="marrakech", size=3)
    assert found["bots"] == {True: 0, False: expected(ruleset="marrakech")}
    both = facets(Wanted(player=season[0], size=2))
    assert both["rated"][False] == expected(size=2, rated=False)
    page = client.get(reverse("archive"), {"game": "marrakech", "order": "closest"})
    chips = {
        (group.label, chip.label): chip for group in page.context["groups"] for chip in group.chips
    }
    chosen = chips["Game", "Marrakech"]
    assert chosen.on
    assert chosen.query == "?order=closest"
    assert chips["Players", "3"].query == "?game=marrakech&order=closest&size=3"
    assert chips["Players", "3"].count == expected(ruleset="marrakech", size=3)


def test_a_year_a_close_game_and_bots_can_be_asked_for(client: Client, season: Any) -> None:
    def found(**query: str) -> int:
        return len(client.get(reverse("archive"), query).context["page"].rows)

    assert found(year="2026") == found(year="2026", order="longest") == 8
    assert found(year="2025", order="highest") == found(year="2025") == found(who="bots") == 0
    assert found(who="people") == 8
    assert found(close="yes") == Game.objects.filter(traits__in=[1, 3]).count()
    assert found(comeback="yes") == Game.objects.filter(traits__in=[2, 3]).count()
    assert found(order="nonsense", year="x", edition="x") == 8


def test_gallery_or_list_is_remembered(client: Client, season: Any) -> None:
    address = reverse("archive")
    assert b'class="gallery"' in client.get(address).content
    assert b'class="archive"' in client.get(address, {"view": "list"}).content
    assert b'class="archive"' in client.get(address).content
    assert b'class="gallery"' in client.get(address, {"view": "gallery"}).content


def test_pictures_are_small_and_kept_for_ever_by_those_who_may_see(client: Client) -> None:
    yasmin, omar, wei = people("yasmin", "omar", "wei")
    public = stored_game([yasmin, omar], ruleset="ifrito", seed=2)
    secret = stored_game([yasmin, omar], seed=3, visibility="named", ended_at=NOON + HOUR)
    response = client.get(picture_address(public))
    assert response["Content-Type"] == "image/svg+xml"
    assert response["Cache-Control"] == "public, max-age=31536000, immutable"
    assert len(response.content) <= 4096
    assert client.get(picture_address(secret)).status_code == 404
    assert signed_in(wei).get(picture_address(secret)).status_code == 404
    own = signed_in(omar).get(picture_address(secret))
    assert own["Cache-Control"].startswith("private")
    assert len(own.content) <= 4096
    old = client.get(reverse("small_board", args=[public.public_id, "000000000000"]))
    assert (old.status_code, old["Location"]) == (302, picture_address(public))
    running = stored_game([yasmin, omar], seed=4, until=9, ended_at=NOON + 2 * HOUR)
    assert client.get(picture_address(running)).status_code == 404


def body(response: Any) -> str:
    return b"".join(response.streaming_content).decode()


def test_records_and_a_table_of_what_is_filtered(client: Client, season: Any) -> None:
    address = reverse("export", args=["ndjson"])
    lines = body(client.get(address, {"game": "marrakech", "order": "longest"})).splitlines()
    wanted = Wanted(ruleset="marrakech", order=ORDERS["longest"])
    assert [json.loads(line)["id"] for line in lines] == [
        row.game.public_id for row in archive(wanted, None).rows
    ]
    assert all(verify(read(line)).seeded for line in lines)
    rows = list(csv.DictReader(StringIO(body(client.get(reverse("export", args=["csv"]))))))
    assert len(rows) == 8
    game = Game.objects.get(public_id=rows[0]["game"])
    assert game.result
    assert int(rows[0]["margin"]) == game.margin
    counted = next(iter(name for name in game.result if name not in ("reason", "ranking")))
    assert int(rows[0]["points_1"]) == game.result[counted][0]
    assert client.get(reverse("export", args=["xml"])).status_code == 404
    assert body(client.get(address, {"player": "nobody"})) == ""


def test_private_games_are_taken_along_by_their_players_alone(client: Client) -> None:
    yasmin, omar, wei = people("yasmin", "omar", "wei")
    secret = stored_game([yasmin, omar], visibility="link")
    mine = reverse("export_mine", args=["csv"])
    assert secret.public_id in body(signed_in(omar).get(mine))
    assert secret.public_id not in body(signed_in(wei).get(mine))
    assert secret.public_id not in body(client.get(reverse("export", args=["csv"])))
    assert client.get(mine).status_code == 302


def test_a_name_is_no_formula_in_a_table() -> None:
    yasmin, omar = people("yasmin", "omar")
    given_up(yasmin, omar)
    for name in ("=1+1", "＝1+1"):
        Player.objects.filter(pk=omar.pk).update(display_name=name)
        assert f",'{name}," in "".join(export.table(Wanted()))


def test_downloads_leave_threads_for_pages(client: Client, season: Any) -> None:
    address = reverse("export", args=["csv"])
    slow = [client.get(address) for _ in range(AT_ONCE)]
    assert client.get(address).status_code == 429
    assert body(slow.pop())
    again = client.get(address)
    assert again.status_code == 200
    for each in (*slow, again):
        each.close()


def test_however_many_games_are_taken_along_memory_stays_flat(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(export, "CHUNK", 4)
    players = people("yasmin", "omar")
    for number in range(40):
        given_up(*players, rated=number < 8, ended_at=NOON + number * HOUR)

    def peak(wanted: Wanted, games: int) -> int:
        tracemalloc.start()
        taken = sum(1 for _ in export.games_to_export(wanted, moves=True))
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert taken == games
        return found

    peak(Wanted(), 40)
    assert peak(Wanted(), 40) < 1.3 * peak(Wanted(rated=True), 8)


def test_notes_are_searched_and_stars_kept_by_whom_they_belong_to() -> None:
    yasmin, omar = people("yasmin", "omar")
    first = given_up(yasmin, omar)
    given_up(omar, yasmin, ended_at=NOON + HOUR)
    Seat.objects.filter(game=first, player=omar).update(notes="He always turns LEFT")
    client = signed_in(omar)
    address = reverse("my_archive")

    def found(who: Client, **query: str) -> list[Game]:
        return [row.game for row in who.get(address, query).context["page"].rows]

    assert found(client, notes="turns left") == [first]
    assert found(client, notes="right") == []
    assert found(signed_in(yasmin), notes="turns left") == []
    star = reverse("star", args=[first.public_id])
    assert client.post(star).status_code == 302
    assert found(client, starred="yes") == [first]
    assert found(client, starred="yes", opponent="yasmin", game="marrakech") == [first]
    assert found(signed_in(yasmin), starred="yes") == []
    page = client.post(star, headers={"HX-Request": "true"}).content.decode()
    assert "Star this game" in page
    assert found(client, starred="yes") == []


def test_names_are_suggested_of_those_who_have_played_in_public(client: Client) -> None:
    yasmin, omar, _ = people("yasmin", "omar", "yara")
    given_up(yasmin, omar)
    address = reverse("names")
    page = client.get(address, {"player": "Y"}).content.decode()
    assert "yasmin" in page
    assert "yara" not in page
    assert "omar" in client.get(address, {"opponent": "om"}).content.decode()
    assert "<option" not in client.get(address).content.decode()
