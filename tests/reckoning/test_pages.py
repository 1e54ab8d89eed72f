"""The page of a reckoning, for all who may see the game, in every state of the work."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from games.engine.record import write
from games.models import Game, Player, Reckoning
from games.reckon.judged.shares import WHOLE
from games.selectors.course import course_of
from games.selectors.reckoning_page import face
from games.selectors.records import record_of
from games.services import play
from games.templatetags.reckoning import give_or_take
from tests.history.archive import people, stored_game
from tests.people import NOON, new_player
from tests.reckoning.invented import reckoning_of

pytestmark = pytest.mark.django_db


def address(game: Game) -> str:
    return reverse("reckoning", args=[game.public_id])


def text_of(response: Any) -> str:
    assert response.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", response.content.decode()))


def mistake_of_the_loser(game: Game) -> int:
    """The number of a move with a choice by who did not win."""
    assert game.result
    (winner,) = game.result["ranking"][0]
    for number, step in enumerate(course_of(game).played, start=1):
        legal = course_of(game).start.rules.legal(step.before)
        if number > 8 and step.seat != winner and step.action.startswith("lay:") and len(legal) > 1:
            return number
    raise AssertionError


def test_a_roll_has_the_face_of_its_die_and_a_large_one_its_number() -> None:
    assert [face(value) for value in (1, 4, 6, 7, 20)] == ["⚀", "⚃", "⚅", "7", "20"]


def test_an_error_that_rounds_to_nothing_is_not_claimed() -> None:
    assert give_or_take(3.14, 0.26) == "3.1\u00a0±\u00a00.3"
    assert give_or_take(3.14, 0.04) == "3.1", "in a game without dice continuations often agree"


def test_a_reader_learns_which_blunder_decided_the_game(client: Client, finished: Game) -> None:
    number = mistake_of_the_loser(finished)
    reckoning_of(finished, blunder=number)
    shown = client.get(address(finished))
    said = text_of(shown)
    assert "One mistake decided it" in said
    assert shown.content.count(b'class="rosette best"') == 1, "the best place is ticked"
    loser = course_of(finished).seats[course_of(finished).played[number - 1].seat].player
    assert f"Before move {number} {loser} laid a rug" in said
    assert f"Move {number}: {loser} laid a rug" in said
    assert "Lost 30.0" in said
    assert "??" in said


def test_who_leaves_makes_no_mistake(client: Client) -> None:
    game = stored_game(people("Ann", "Bob"), until=9)
    assert game.to_act
    play.resign(game_id=game.pk, player=game.to_act.player, now=NOON)
    game.refresh_from_db()
    row = reckoning_of(game)
    assert game.result
    (winner,) = game.result["ranking"][0]
    row.moments[-1] |= {"best": "", "free": False}
    row.moments[-1]["options"] = [
        ["", [WHOLE // 2] * 2],
        ["resign", [WHOLE * (seat == winner) for seat in range(2)]],
    ]
    row.save()
    said = text_of(client.get(address(game)))
    assert "Somebody left the table" in said
    assert "Mistakes decided it" not in said


def test_what_is_worse_by_nothing_is_not_called_worse(client: Client, finished: Game) -> None:
    number = mistake_of_the_loser(finished)
    row = reckoning_of(finished, blunder=number)
    stored = row.moments[number - 1]
    for each in stored["options"]:
        each[1] = stored["options"][0][1]
    row.save()
    said = text_of(client.get(address(finished), {"move": number}))
    assert "Lost 0.0" not in said
    assert f"Before move {number}" in said
    assert "Best:" not in said.partition("Before move")[2].partition("Chances")[0]


def test_any_move_can_be_looked_at(client: Client, finished: Game) -> None:
    reckoning_of(finished)
    assert "Before move 7" in text_of(client.get(address(finished), {"move": "7"}))
    for odd in ("0", "99999", "x", "-1"):
        assert "Before move" in text_of(client.get(address(finished), {"move": odd}))


def test_it_says_who_gave_what_to_whom_and_all_of_it_adds_up(
    client: Client, finished: Game
) -> None:
    reckoning_of(finished, blunder=mistake_of_the_loser(finished))
    page = client.get(address(finished)).context["page"]
    for row in page.rows:
        assert row.result == pytest.approx(row.luck + row.own + row.given + row.residual, abs=1e-9)
        assert sum(gift for gift, _strength, _own in row.gifts) == pytest.approx(0, abs=1e-9)


def test_a_finished_table_leads_there(client: Client, finished: Game, unjudged: Game) -> None:
    assert address(finished) in client.get(finished.get_absolute_url()).content.decode()
    assert address(unjudged) not in client.get(unjudged.get_absolute_url()).content.decode()


def test_where_no_die_falls_nothing_is_said_of_luck(client: Client) -> None:
    game = stored_game(people("Ann", "Bob"), ruleset="ifrito", seed=4)
    client.force_login(game.creator)
    assert "looks at every decision: what was given" in text_of(client.get(address(game)))
    assert game.result
    (winner,) = game.result["ranking"][0]
    played = course_of(game).played
    number = next(
        number
        for number, step in enumerate(played, start=1)
        if number > 8 and step.seat != winner and step.action.startswith("move:")
    )
    row = reckoning_of(game, blunder=number)
    shown = client.get(address(game))
    said = text_of(shown)
    assert "One mistake decided it" in said
    assert f"Before move {number}" in said
    for word in ("Luck", "luck", "dice", "roll"):
        assert word not in said
    best = row.moments[number - 1]["best"]
    hinted = [spot for plane in shown.context["page"].board.planes for spot in plane.hinted]
    assert len(hinted) == len(re.findall("[LU][a-e][1-5]", best))


def test_it_is_made_for_who_asks(client: Client, finished: Game, players: list[Player]) -> None:
    assert "Sign in" in text_of(client.get(address(finished)))
    assert client.post(address(finished)).status_code == 302
    assert not Reckoning.objects.exists()
    client.force_login(players[0])
    assert "Have this game judged" in text_of(client.get(address(finished)))
    said = text_of(client.post(address(finished), follow=True))
    assert "first look" in said
    assert Reckoning.objects.get().game == finished


@pytest.fixture
def players(finished: Game) -> list[Player]:
    return [seat.player for seat in finished.seats.all()]


def test_a_running_game_is_not_judged(client: Client) -> None:
    game = stored_game(people("Ann", "Bob"), until=9)
    assert "Only finished games" in text_of(client.get(address(game)))
    client.force_login(game.creator)
    assert "Only finished games" in text_of(client.post(address(game), follow=True))
    assert not Reckoning.objects.exists()


def test_progress_is_shown_and_a_new_state_loads_the_page(client: Client, finished: Game) -> None:
    row = reckoning_of(finished, state="first")
    Reckoning.objects.update(looked_at=5)
    said = text_of(client.get(address(finished)))
    assert f"move 5 of {len(row.moments)}" in said
    asked = {"state": "first"}
    part = client.get(address(finished), asked, headers={"HX-Request": "true"})
    assert b"<progress" in part.content
    assert b"<html" not in part.content
    Reckoning.objects.update(state="done")
    part = client.get(address(finished), asked, headers={"HX-Request": "true"})
    assert part["HX-Refresh"] == "true"


def test_games_of_named_players_are_for_those_alone(client: Client) -> None:
    game = stored_game(people("Ann", "Bob"), visibility=Game.Visibility.NAMED)
    reckoning_of(game)
    assert client.get(address(game)).status_code == 404
    client.force_login(game.creator)
    assert client.get(address(game)).status_code == 200


def test_a_page_costs_few_queries(
    client: Client, finished: Game, django_assert_max_num_queries: Any
) -> None:
    reckoning_of(finished)
    client.get(address(finished))
    with django_assert_max_num_queries(6):
        client.get(address(finished))


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES if code != "en"])
def test_it_speaks_every_language(client: Client, finished: Game, language: str) -> None:
    reckoning_of(finished, blunder=mistake_of_the_loser(finished))
    said = text_of(client.get(address(finished), headers={"Accept-Language": language}))
    for english in ("decided it", "Luck", "Best:", "Before move", "Chances to win", "gave"):
        assert english not in said


def test_a_mistake_can_be_tried_again(
    client: Client, finished: Game, players: list[Player]
) -> None:
    number = mistake_of_the_loser(finished)
    row = reckoning_of(finished, blunder=number)
    again = reverse("mistakes", args=[finished.public_id, 1])
    course = course_of(finished)
    loser = course.seats[course.played[number - 1].seat].player
    assert client.get(again).status_code == 302
    client.force_login(next(player for player in players if player != loser))
    assert client.get(again).status_code == 404, "no mistake of theirs"
    assert again not in client.get(address(finished)).content.decode()
    client.force_login(loser)
    assert again in client.get(address(finished)).content.decode()
    asked = text_of(client.get(again))
    assert f"Mistake 1 of 1, move {number}" in asked
    assert "Best:" not in asked
    stored = row.moments[number - 1]
    assert "Not solved" in text_of(client.get(again, {"action": stored["played"]}))
    assert "That is the best choice" in text_of(client.get(again, {"action": stored["best"]}))
    assert "Best:" not in text_of(client.get(again, {"action": "nonsense"}))
    assert client.get(reverse("mistakes", args=[finished.public_id, 2])).status_code == 404


def test_mistakes_of_a_bot_that_played_on_are_nobodys(
    client: Client, finished: Game, players: list[Player]
) -> None:
    number = mistake_of_the_loser(finished)
    reckoning_of(finished, blunder=number)
    own = finished.seats.get(number=course_of(finished).played[number - 1].seat)
    bot = new_player("merchant", bot_level="merchant")
    client.force_login(own.player)
    again = reverse("mistakes", args=[finished.public_id, 1])
    for since, status in ((number, 200), (number - 1, 404)):
        finished.seats.filter(pk=own.pk).update(stand_in=bot, stand_in_since=since)
        assert client.get(again).status_code == status
    shown = client.get(address(finished))
    assert again not in shown.content.decode()
    assert f"{own.player} lost on time, which is the last place. Merchant" in text_of(shown)
    assert f"Move {number}: Merchant laid a rug" in text_of(shown)


def test_a_record_from_outside_has_a_page(client: Client, finished: Game) -> None:
    text = write(record_of(finished))
    answer = client.post(reverse("reckon_record"), {"text": text})
    assert answer.status_code == 302
    invented = reckoning_of(finished)
    Reckoning.objects.filter(game=None).update(moments=invented.moments, state="done")
    said = text_of(client.get(answer["Location"]))
    assert "A record from outside" in said
    assert "Chances to win" in said
    assert client.get(reverse("record_reckoning", args=["0" * 64])).status_code == 404


def test_a_record_of_a_running_game_is_refused(client: Client) -> None:
    stored_game(people("Ann", "Bob"), until=9)
    twin = stored_game(people("Omar", "Wei"), until=9)
    assert twin.to_act
    play.resign(game_id=twin.pk, player=twin.to_act.player, now=NOON)
    twin.refresh_from_db()
    answer = client.post(reverse("reckon_record"), {"text": write(record_of(twin))})
    assert answer.status_code == 409
    assert "still being played" in answer.content.decode()
    assert not Reckoning.objects.exists()


def test_who_comes_back_after_a_refusal_may_check_another_record(client: Client) -> None:
    refused = client.post(reverse("reckon_record"), {"text": "{"})
    assert refused.status_code == 422
    assert f'action="{reverse("check_record")}"' in refused.content.decode()
    again = client.get(reverse("reckon_record"))
    assert again.status_code == 302
    assert again["Location"] == reverse("check_record")


def test_web_processes_load_neither_numba_nor_weights() -> None:
    code = (
        "import os, sys, django; django.setup();"
        "import games.urls, games.views.reckoning, games.services.reckonings;"
        "print([name for name in sys.modules if name == 'numba' or 'prospects' in name])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"
