"""The books that follow from reckonings: entered once, rebuilt to the same, and private where the
game is."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game, Performance, Player, Rating, Reckoning, Sheet
from games.reckon.judged.shares import POINT, WHOLE
from games.reckon.judged.strength import Strength, expected, learned
from games.reckon.judged.trends import mean_of, moving
from games.selectors.course import course_of
from games.selectors.performances import appraisal_of
from games.selectors.skill import luck_free, skill_of
from games.services import stats
from games.services.moderation import verdicts
from tests.history.archive import people, stored_game
from tests.moderation.staff import new_moderator
from tests.people import NOON
from tests.reckoning.invented import reckoning_of
from tests.reckoning.test_pages import mistake_of_the_loser, text_of

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def players(db: None) -> list[Player]:
    return people("Omar", "Wei")


def judged(players: list[Player], seed: int, **columns: Any) -> Game:
    game = stored_game(players, seed=seed, ended_at=NOON + seed * DAY, **columns)
    row = reckoning_of(game, blunder=mistake_of_the_loser(game))
    stats.count_reckoning(row=row, now=NOON)
    return game


@pytest.mark.both_databases
def test_a_reckoning_is_entered_once_and_rebuilt_to_the_same(players: list[Player]) -> None:
    games = [judged(players, seed) for seed in (3, 4)]
    late, early = Reckoning.objects.get(game=games[1]), Reckoning.objects.get(game=games[0])
    assert late.entered_at
    assert early.entered_at
    assert late.entered_at > early.entered_at, "though both came at the same time"
    stats.count_reckoning(row=late, now=NOON + DAY)
    assert Performance.objects.count() == 4
    assert stats.differences(stats.recount()) == []
    ratings = Rating.objects.order_by("player").values_list("strength", "doubt", "judged")
    known = list(ratings)
    stats.rebuild()
    assert stats.differences(stats.recount()) == []
    assert list(ratings.all()) == known


def test_a_changed_number_is_found(players: list[Player]) -> None:
    judged(players, 3)
    Performance.objects.filter(player=players[0]).update(luck=7)
    Rating.objects.filter(player=players[0]).update(strength=0.5)
    found = stats.differences(stats.recount())
    assert [line.split()[0] for line in found] == ["Rating", "Performance"]


def test_what_a_performance_says_is_what_the_reckoning_says(players: list[Player]) -> None:
    game = judged(players, 3)
    row = Reckoning.objects.get(game=game)
    found = appraisal_of(row, game, NOON)
    for seat in found.seats:
        assert seat.number is not None
        made = Performance.objects.get(seat=seat)
        assert (made.start, made.result) == (WHOLE // 2, found.reckoned.result[seat.number])
        assert made.luck == round(found.reckoned.luck[seat.number])
        assert made.gifts == list(found.reckoned.gifts[seat.number])
        assert made.lost in (0, 30 * POINT)
    sheet = Sheet.objects.get(topic="judged", player=None)
    assert sum(n for name, n in sheet.counts.items() if name.endswith(":lost")) == 30 * POINT


def test_decisions_of_a_bot_that_stood_in_are_nobodys_errors(players: list[Player]) -> None:
    game = stored_game(players, seed=3)
    number = mistake_of_the_loser(game)
    loser = course_of(game).played[number - 1].seat
    game.seats.filter(number=loser).update(stand_in=players[0], stand_in_since=number - 1)
    row = reckoning_of(game, blunder=number)
    stats.count_reckoning(row=row, now=NOON)
    assert Performance.objects.get(seat__number=loser).lost == 0
    assert not Rating.objects.filter(judged__gt=0).exists(), "and nobody's strength follows"


def test_an_annulled_game_is_taken_out(players: list[Player]) -> None:
    game = judged(players, 3)
    verdicts.annul(moderator=new_moderator(), game_id=game.pk, reason="A test.", now=NOON)
    assert not Performance.objects.exists()
    assert stats.differences(stats.recount()) == []


def test_private_games_count_for_their_players_only(client: Client, players: list[Player]) -> None:
    for seed in (3, 4, 5):
        judged(players, seed, visibility=Game.Visibility.NAMED)
    assert skill_of(players[0], "marrakech", private_too=True).games == 3
    assert skill_of(players[0], "marrakech", private_too=True).kinds
    known = skill_of(players[0], "marrakech", private_too=False)
    assert (known.games, known.kinds) == (0, [])
    assert luck_free(players[0], "marrakech") is None
    assert not Sheet.objects.filter(topic="judged", player=None).exists()
    address = reverse("player_skill", args=["Omar"])
    assert "Too few games" in text_of(client.get(address))
    client.force_login(players[0])
    assert "3 judged games" in text_of(client.get(address))


def test_the_page_says_how_sure_everything_is(
    client: Client, players: list[Player], django_assert_max_num_queries: Any
) -> None:
    for seed in (3, 4, 5, 6):
        judged(players, seed)
    address = reverse("player_skill", args=["Omar"])
    client.get(address)
    with django_assert_max_num_queries(7):
        answer = client.get(address)
    said = text_of(answer)
    for words in ("4 judged games", "Error rate", "Without luck", "Luck", "an estimate", "±"):
        assert words.casefold() in said.casefold()
    assert "% of your games" not in said
    assert answer.content.count(b'class="doubt"') == 2
    assert "Too few games" in text_of(client.get(address, {"game": "ifrito"}))


def test_a_mean_is_as_sure_as_games_are_alike() -> None:
    assert mean_of([1.0]) is None
    alike, unlike = mean_of([2.0, 2.0, 2.0]), mean_of([0.0, 2.0, 4.0])
    assert alike
    assert unlike
    assert (alike.mean, alike.error) == (2.0, 0.0)
    assert unlike.error == pytest.approx(2 / 3**0.5)
    by_weight = mean_of([4.0, 0.0], [1.0, 3.0])
    assert by_weight
    assert by_weight.mean == 1.0
    assert len(moving([1.0] * 25)) == 23


def test_strength_follows_from_what_was_achieved_without_luck() -> None:
    even = [0.25] * 4
    assert expected([0.0] * 4, even) == even
    known = [Strength()] * 4
    for _ in range(10):
        known = learned(known, even, [0.4, 0.3, 0.2, 0.1])
    means = [each.mean for each in known]
    assert means == sorted(means, reverse=True)
    assert all(each.doubt < 1 for each in known)
    assert expected(means, even) == pytest.approx([0.4, 0.3, 0.2, 0.1], abs=0.03)
