"""Ratings: who gains, who loses, who is spared, and when a rating is certain enough."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from games.models import Player, Rating, RatingChange, Standing
from games.services.ratings import Skill, newcomer, rated
from tests.history.archive import HOUR, given_up, people, stored_game
from tests.people import NOON

FRESH = newcomer()


def skill(player: Player) -> Skill:
    rating = Rating.objects.get(player=player, ruleset="marrakech")
    return Skill(rating.mu, rating.sigma)


def test_the_winner_gains_what_the_loser_loses() -> None:
    one, other = rated([FRESH, FRESH], [1, 2], [False, False])
    assert one.mu - FRESH.mu == pytest.approx(FRESH.mu - other.mu)
    assert one.mu > FRESH.mu
    assert one.sigma < FRESH.sigma


def test_three_players_are_rated_at_once_and_shared_places_alike() -> None:
    first, *others = rated([FRESH] * 3, [1, 2, 2], [False] * 3)
    assert first.mu > FRESH.mu > others[0].mu
    assert others[0] == others[1]


def test_an_expected_win_counts_less_than_a_surprise() -> None:
    strong, weak = Skill(35, 4), Skill(15, 4)
    expected = rated([strong, weak], [1, 2], [False] * 2)[0].mu - strong.mu
    surprise = rated([strong, weak], [2, 1], [False] * 2)[1].mu - weak.mu
    assert 0 < expected < surprise / 10


def test_the_spared_lose_nothing_but_may_gain() -> None:
    for places in ([1, 2], [2, 1]):
        plain = rated([FRESH, FRESH], places, [False, False])
        spared = rated([FRESH, FRESH], places, [False, True])
        assert spared[0] == plain[0]
        assert spared[1] == (FRESH if places == [1, 2] else plain[1])


def test_a_newcomer_is_settled_after_a_dozen_games_or_so() -> None:
    skills = [FRESH, FRESH]
    for game in range(30):
        assert not (game < 8 and skills[0].settled)
        skills = rated(skills, [1, 2] if game % 2 else [2, 1], [False, False])
    assert skills[0].settled


@pytest.mark.django_db
def test_only_rated_games_count_and_each_game_of_the_house_for_itself() -> None:
    yasmin, omar = people("yasmin", "omar")
    given_up(yasmin, omar, rated=False)
    assert skill(yasmin) == FRESH
    assert not RatingChange.objects.exists()
    stored_game([yasmin, omar], ruleset="ifrito", ended_at=NOON + HOUR)
    assert skill(yasmin) == FRESH
    assert Rating.objects.get(player=yasmin, ruleset="ifrito").games == 1


@pytest.mark.django_db
def test_who_falls_silent_loses_rating_in_the_first_game_only() -> None:
    yasmin, omar, wei = people("yasmin", "omar", "wei")
    given_up(yasmin, wei, by="timeout")
    after_first = skill(wei)
    assert after_first.mu < FRESH.mu
    given_up(omar, wei, by="timeout", ended_at=NOON + HOUR)
    assert skill(wei) == after_first
    assert skill(omar).mu > FRESH.mu, "whoever waited in vain still wins"
    given_up(wei, omar, ended_at=NOON + 2 * HOUR)
    back = skill(wei)
    given_up(omar, wei, by="timeout", ended_at=NOON + 3 * HOUR)
    assert skill(wei).mu < back.mu, "after a game that was played it counts again"


@pytest.mark.django_db
def test_giving_up_several_games_counts_each_time() -> None:
    yasmin, wei = people("yasmin", "wei")
    given_up(yasmin, wei)
    first = skill(wei)
    given_up(yasmin, wei, ended_at=NOON + HOUR)
    assert skill(wei).mu < first.mu


@pytest.mark.django_db
def test_the_curve_says_where_each_game_began_and_ended() -> None:
    yasmin, omar = people("yasmin", "omar")
    for hours in range(3):
        given_up(yasmin, omar, ended_at=NOON + hours * HOUR)
    curve = list(RatingChange.objects.filter(rating__player=yasmin).order_by("at"))
    assert [each.before for each in curve] == [FRESH.mu, curve[0].mu, curve[1].mu]
    assert curve[2].mu == skill(yasmin).mu


@pytest.mark.django_db
def test_a_year_keeps_the_rating_it_ended_with() -> None:
    yasmin, omar = people("yasmin", "omar")
    given_up(yasmin, omar, ended_at=datetime(2025, 12, 31, 23, tzinfo=UTC))
    then = skill(yasmin)
    given_up(yasmin, omar, ended_at=datetime(2026, 1, 1, 1, tzinfo=UTC))
    stored_game([yasmin, omar, *people("wei")], seed=4, ended_at=NOON)
    now = skill(yasmin)
    own = {(s.year, s.size): s for s in Standing.objects.filter(player=yasmin)}
    assert set(own) == {
        (0, 0),
        (0, 2),
        (0, 3),
        (2025, 0),
        (2025, 2),
        (2026, 0),
        (2026, 2),
        (2026, 3),
    }
    assert {key for key, each in own.items() if each.mu == then.mu} == {(2025, 0), (2025, 2)}
    assert {key for key, each in own.items() if each.mu == now.mu} == set(own) - {
        (2025, 0),
        (2025, 2),
    }
    assert [own[key].games for key in ((0, 0), (0, 2), (2026, 2), (2026, 0))] == [3, 2, 1, 2]
