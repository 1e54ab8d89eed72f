"""The pages of the past: archive, tables, records, proofs, leaderboards, profiles, numbers."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.engine.record import read, verify
from games.models import Game, Player, Standing
from games.templatetags.souk import proof_name
from tests.history.archive import HOUR, given_up, people, stored_game
from tests.people import NOON, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def players() -> list[Player]:
    return people("yasmin", "omar", "wei")


def test_the_record_of_a_finished_game_holds_seed_and_all(client: Client, players: Any) -> None:
    game = stored_game(players[:2], seed=2)
    response = client.get(reverse("record", args=[game.public_id]))
    assert response["Content-Type"] == "application/json"
    assert f"souk-{game.public_id}.json" in response["Content-Disposition"]
    verified = verify(read(response.content))
    assert verified.seeded
    assert verified.record.id == game.public_id
    assert verified.record.result == game.result
    assert [move.at for move in verified.record.moves][-1] == "2026-11-16T12:00:00Z"


def test_the_record_of_a_running_game_keeps_its_secrets(client: Client, players: Any) -> None:
    game = stored_game(players[:2], seed=2, until=9)
    assert game.status == Game.Status.RUNNING
    text = client.get(reverse("record", args=[game.public_id])).content
    record = verify(read(text)).record
    assert record.fairness.seed is None
    assert bytes(game.seed).hex() not in text.decode()
    assert sum(len(pile) for pile in record.piles) < 8


@pytest.mark.parametrize("name", ["record", "picture", "proof"])
def test_what_named_players_play_is_for_them_alone(client: Client, players: Any, name: str) -> None:
    game = given_up(*players[:2], visibility="named")
    assert client.get(reverse(name, args=[game.public_id])).status_code == 404
    inside = signed_in(players[0]).get(reverse(name, args=[game.public_id]))
    assert inside.status_code == (404 if name == "picture" else 200)


def test_an_open_game_has_no_record(client: Client, players: Any) -> None:
    game = given_up(*players[:2])
    Game.objects.update(status=Game.Status.OPEN, result=None)
    for name in ("record", "picture"):
        assert client.get(reverse(name, args=[game.public_id])).status_code == 404


def test_a_shared_link_brings_a_picture_and_a_sentence(client: Client, players: Any) -> None:
    game = stored_game(players, seed=3)
    page = client.get(game.get_absolute_url()).content.decode()
    winner = game.seats.get(place=1).player
    assert (
        f'<meta property="og:description" content="{winner} won after {game.move_count} moves.'
        in page
    )
    address = f"/g/{game.public_id}/picture.png?n={game.move_count}"
    assert f'<meta property="og:image" content="http://testserver{address}">' in page
    picture = client.get(address)
    assert picture.content.startswith(b"\x89PNG")
    assert "public" in picture["Cache-Control"]
    hidden = given_up(*players[:2], visibility="named")
    assert "og:" not in signed_in(players[0]).get(hidden.get_absolute_url()).content.decode()


def test_the_curves_stand_under_the_board_with_the_position_marked(
    client: Client, players: Any
) -> None:
    game = stored_game(players, seed=3)
    page = client.get(game.get_absolute_url() + "?move=17").content.decode()
    assert page.count('<svg class="chart"') == 3
    assert page.count('class="mark"') == 3
    for name in ("Points", "Dirhams", "Squares"):
        assert f"<figcaption>{name} <output" in page
    assert 'type="range" name="move" min="0" max="' in page
    assert 'value="17" data-scrub' in page


def upload(client: Client, text: str | bytes, **more: Any) -> Any:
    return client.post(reverse("check_record"), {"text": text, **more})


def test_a_record_from_outside_is_replayed_and_nothing_is_stored(
    client: Client, players: Any, django_assert_num_queries: Any
) -> None:
    game = stored_game(players, seed=3)
    text = client.get(reverse("record", args=[game.public_id])).content.decode()
    # The key of the site, and that somebody checks records: nothing of this one.
    with django_assert_num_queries(3):
        page = upload(client, text)
    assert page.status_code == 200
    shown = page.content.decode()
    assert "every figure and every roll follows" in shown
    assert f"After move {game.move_count} of {game.move_count}" in shown
    assert "/players/" not in shown.split("<main")[1], "these are names, not players"
    with django_assert_num_queries(3):
        earlier = upload(client, text, move="5").content.decode()
    assert f"After move 5 of {game.move_count}" in earlier
    assert 'class="mark"' in earlier


@pytest.mark.parametrize("ruleset", ["marrakech", "ifrito"])
@pytest.mark.parametrize("size", [2, 4])
def test_records_of_every_game_and_size_can_be_looked_at(
    client: Client, ruleset: str, size: int
) -> None:
    game = stored_game(people(*"abcd"[:size]), ruleset=ruleset, seed=4)
    text = client.get(reverse("record", args=[game.public_id])).content.decode()
    for move in ("0", "7", ""):
        assert upload(client, text, move=move).status_code == 200


def test_a_running_record_is_told_to_have_no_seed(client: Client, players: Any) -> None:
    game = stored_game(players[:2], seed=2, until=9)
    text = client.get(reverse("record", args=[game.public_id])).content.decode()
    assert "the seed is not in it" in upload(client, text).content.decode()


def test_a_bad_record_is_told_where_and_why(client: Client, players: Any) -> None:
    game = stored_game(players, seed=3)
    data = json.loads(client.get(reverse("record", args=[game.public_id])).content)
    data["moves"][0]["die"] = 7
    page = upload(client, json.dumps(data))
    assert page.status_code == 422
    assert 'This record does not hold. <code lang="en">move 1: die is 7' in page.content.decode()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Choose a file, or paste"),
        ("{", "not JSON at line 1"),
        ("[" * 100_000, "nested too deeply"),
        ("x" * 600_000, "too large for a record"),
        ("é" * 300_000, "too large for a record"),
        ('{"format": "souk-record/1"}', "has no &#x27;game&#x27;"),
    ],
)
def test_what_is_no_record_is_refused_politely(client: Client, text: str, why: str) -> None:
    page = upload(client, text)
    assert page.status_code == 422
    assert why in page.content.decode()


def test_a_record_with_too_many_moves_is_refused(
    client: Client, players: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = stored_game(players, seed=3)
    text = client.get(reverse("record", args=[game.public_id])).content.decode()
    monkeypatch.setattr("games.forms.records.MOST_MOVES", 10)
    assert "the limit is 10" in upload(client, text).content.decode()


def test_only_a_game_with_dice_has_a_proof_of_its_dice() -> None:
    assert proof_name("marrakech") == "Proof of the dice"
    assert proof_name("ifrito") == "Proof of the draw"


def test_the_proof_shows_each_roll_with_its_computation(client: Client, players: Any) -> None:
    game = stored_game(players, seed=3)
    page = client.get(reverse("proof", args=[game.public_id])).content.decode()
    assert bytes(game.seed).hex() in page
    rolls = [move for move in game.moves.all() if "die" in move.facts]
    assert page.count(" mod 6 = ") == len(rolls)
    running = stored_game(players, seed=4, until=9)
    page = client.get(reverse("proof", args=[running.public_id])).content.decode()
    assert bytes(running.seed).hex() not in page
    assert running.commitment in page


def settle(
    player: Player, mu: float, *, size: int = 0, year: int = 0, settled: bool = True
) -> None:
    Standing.objects.create(
        player=player, ruleset="marrakech", year=year, size=size, mu=mu, sigma=5, settled=settled
    )


def names_on(page: Any) -> list[str]:
    return [line.standing.player.username for line in page.context["board"].lines]


def test_a_leaderboard_is_in_order_of_rating_and_then_of_joining(client: Client) -> None:
    first, second, third, new = people("first", "second", "third", "new")
    settle(second, 25)
    settle(first, 25)
    settle(third, 30)
    settle(new, 40, settled=False)
    page = client.get(reverse("leaderboard", args=["marrakech"]))
    assert names_on(page) == ["third", "first", "second"]
    assert "1800" in page.content.decode()


def test_filters_choose_year_and_number_of_players(client: Client) -> None:
    from django.utils import timezone

    ever, this_year, four = people("ever", "this", "four")
    settle(ever, 20)
    settle(this_year, 20, year=timezone.now().year)
    settle(four, 20, size=4)
    address = reverse("leaderboard", args=["marrakech"])
    assert names_on(client.get(address)) == ["ever"]
    assert names_on(client.get(address, {"period": "year"})) == ["this"]
    assert names_on(client.get(address, {"size": "4"})) == ["four"]
    assert names_on(client.get(address, {"size": "nonsense"})) == ["ever"]
    assert client.get(reverse("leaderboard", args=["chess"])).status_code == 404
    assert client.get(reverse("leaderboards")).status_code == 302


def test_the_own_row_is_always_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.selectors.leaderboard.SHOWN", 2)
    players = people("a", "b", "c", "d", "e")
    for strength, player in enumerate(players[:4]):
        settle(player, 20 + strength)
    settle(players[4], 99, settled=False)
    address = reverse("leaderboard", args=["marrakech"])
    low = signed_in(players[0]).get(address).context["board"]
    assert [line.own for line in low.lines] == [False, False]
    assert (low.own.rank, low.own.standing.player) == (4, players[0])
    top = signed_in(players[3]).get(address).context["board"]
    assert [line.own for line in top.lines] == [True, False]
    assert top.own is None
    new = signed_in(players[4]).get(address).context["board"]
    assert (new.own.rank, new.own.standing.settled) == (None, False)
    assert signed_in(people("nobody")[0]).get(address).context["board"].own is None


def test_a_profile_tells_of_public_games_to_others_and_of_all_to_oneself(players: Any) -> None:
    yasmin, omar, wei = players
    given_up(yasmin, omar)
    given_up(omar, yasmin, visibility="link", ended_at=NOON + HOUR)
    others = signed_in(wei).get(yasmin.get_absolute_url())
    own = signed_in(yasmin).get(yasmin.get_absolute_url())
    assert (others.context["profile"].games, others.context["profile"].won) == (1, 1)
    assert (own.context["profile"].games, own.context["profile"].won) == (2, 1)
    assert len(others.context["last"]) == 1
    assert len(own.context["last"]) == 2
    together = signed_in(omar).get(yasmin.get_absolute_url()).context["together"]
    assert (together.games, together.ahead, together.behind, together.level) == (2, 1, 1, 0)
    assert others.context["together"].games == 0


def test_a_profile_shows_every_number(players: Any, client: Client) -> None:
    yasmin = players[0]
    for seed in range(3):
        stored_game(players, seed=seed, ended_at=NOON + seed * HOUR)
        stored_game(players, ruleset="ifrito", seed=seed, ended_at=NOON + seed * HOUR)
    page = client.get(yasmin.get_absolute_url()).content.decode()
    assert page.count('<svg class="chart"') == 4
    for text in (
        "Average place",
        "By number of players",
        "Highest payment",
        "Dirhams earned",
        "Largest region",
        "than to be expected",
        "Genies captured",
        "Favourite rules",
        "1\xa0hour",
        "provisional",
    ):
        assert text in page, text


@pytest.mark.parametrize(
    ("asked", "first"), [("", "omar"), ("last", "wei"), ("behind", "wei"), ("money", "omar")]
)
def test_opponents_stand_in_the_order_that_was_asked_for_or_the_usual_one(
    players: Any, client: Client, asked: str, first: str
) -> None:
    yasmin, omar, wei = players
    given_up(yasmin, omar)
    given_up(yasmin, omar, ended_at=NOON + HOUR)
    given_up(wei, yasmin, ended_at=NOON + 2 * HOUR)
    page = client.get(reverse("player_opponents", args=["yasmin"]), {"order": asked})
    assert str(page.context["listing"].rows[0].row.other) == first


def test_the_rating_on_a_profile_is_certain_after_a_while(players: Any, client: Client) -> None:
    given_up(*players[:2])
    Standing.objects.update(sigma=5.9)
    assert "provisional" not in client.get(players[0].get_absolute_url()).content.decode()


def test_the_numbers_of_the_site_test_all_dice(client: Client, players: Any) -> None:
    assert client.get(reverse("numbers")).status_code == 200
    games = [stored_game(players, seed=seed, ended_at=NOON + seed * HOUR) for seed in range(3)]
    numbers = client.get(reverse("numbers")).context["numbers"]
    assert (numbers.games, numbers.moves) == (3, sum(game.move_count for game in games))
    (dice,) = numbers.dice
    faces = [m.facts["die"] for game in games for m in game.moves.all() if "die" in m.facts]
    assert dice.counts == {face: faces.count(face) for face in (1, 2, 3, 4)}
    assert dice.rolls == len(faces)


CEILINGS = {
    "archive": 7,
    "leaderboard": 2,
    "numbers": 6,
    "profile": 13,
}


@pytest.mark.parametrize("name", CEILINGS)
def test_a_page_asks_the_same_number_of_questions_for_any_number_of_games(
    client: Client, players: Any, name: str, django_assert_max_num_queries: Any
) -> None:
    addresses = {
        "archive": reverse("archive") + "?player=yasmin&opponent=omar",
        "leaderboard": reverse("leaderboard", args=["marrakech"]),
        "numbers": reverse("numbers"),
        "profile": reverse("profile", args=["yasmin"]),
    }
    for hours in range(12):
        given_up(*players[:2], ended_at=NOON + hours * HOUR)
    with django_assert_max_num_queries(CEILINGS[name]):
        assert client.get(addresses[name]).status_code == 200


def test_charts_say_in_words_what_they_show(players: Any, client: Client) -> None:
    game = given_up(*players[:2])
    page = client.get(players[0].get_absolute_url()).content.decode()
    assert 'aria-label="How often each place was taken: 1: 1"' in page
    page = client.get(game.get_absolute_url()).content.decode()
    winner, loser = (str(player) for player in players[:2])
    assert "Dirhams of all players, move by move; " in page
    assert f"{winner}: 30" in page
    assert f"{loser}: 0" in page
