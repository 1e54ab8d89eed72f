"""Ratings cannot be farmed: what a game counts, and where it is said."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from games.models import Player, Rating, RatingChange, Standing
from games.selectors.counting import counting_of
from games.services import lobby, play, stats
from games.services.ratings import LEAST_MOVES, Skill, newcomer, weight
from tests.history.archive import HOUR, given_up, people, stored_game
from tests.people import NOON, new_players, open_game, play_on

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
FRESH = newcomer()
DAY = timedelta(days=1)


def skill(player: Player) -> Skill:
    rating = Rating.objects.get(player=player, ruleset="marrakech")
    return Skill(rating.mu, rating.sigma)


def settle(*players: Player) -> None:
    for player in players:
        Rating.objects.update_or_create(
            player=player, ruleset="marrakech", defaults={"mu": FRESH.mu, "sigma": 3.0}
        )


def follows() -> bool:
    return not stats.differences(stats.recount())


def test_thirty_private_games_resigned_at_once_change_nothing() -> None:
    yasmin, omar = new_players(2)
    for number in range(5):
        now = NOON + number * HOUR
        game = open_game(yasmin, visibility="named", invited=[omar], rated=True, now=now)
        lobby.join_game(game_id=game.pk, player=omar, entropy="mint", now=now)
        play.resign(game_id=game.pk, player=omar, now=now)
    assert skill(yasmin) == FRESH
    assert not Standing.objects.exists()
    assert not RatingChange.objects.exists()
    assert follows()


@pytest.mark.parametrize(("moves", "counts"), [(0, False), (3, False), (LEAST_MOVES, True)])
@pytest.mark.parametrize("by", ["resign", "timeout"])
def test_a_game_counts_once_everybody_made_some_moves(moves: int, counts: bool, by: str) -> None:
    yasmin, omar = people("yasmin", "omar")
    game = given_up(yasmin, omar, moves=moves, by=by)
    assert (skill(yasmin) != FRESH) is counts
    assert game.uncounted == ("" if counts else "short")
    assert follows()


def test_a_private_game_counts_between_settled_players_only() -> None:
    yasmin, omar, wei = people("yasmin", "omar", "wei")
    settle(yasmin, omar)
    assert given_up(yasmin, omar, visibility="named").uncounted == ""
    assert skill(yasmin).mu > FRESH.mu
    game = given_up(yasmin, wei, visibility="link", ended_at=NOON + HOUR)
    assert game.uncounted == "private"
    assert skill(wei) == FRESH
    assert given_up(yasmin, wei, ended_at=NOON + 2 * HOUR).uncounted == ""


def test_the_same_two_count_less_and_less() -> None:
    yasmin, omar = people("yasmin", "omar")
    for number in range(10):
        given_up(yasmin, omar, ended_at=NOON + number * HOUR)
    shares = RatingChange.objects.filter(rating__player=yasmin).order_by("at")
    assert [each.share for each in shares] == [1, 1, 1, 0.5, 0.5, 0.5, 0.25, 0.25, 0.25, 0.125]
    assert sum(weight(met) for met in range(1000)) < 6.01
    given_up(yasmin, omar, ended_at=NOON + 31 * DAY)
    assert shares.last().share == 1  # type: ignore[union-attr]
    given_up(yasmin, *people("wei"), ended_at=NOON + 31 * DAY)
    assert follows()


def test_time_outs_are_spared_only_in_games_that_ran_already() -> None:
    yasmin, omar, wei = people("yasmin", "omar", "wei")
    given_up(yasmin, wei, by="timeout")
    first = skill(wei)
    assert first.mu < FRESH.mu
    spared = given_up(omar, wei, by="timeout", ended_at=NOON + HOUR, started_at=NOON - HOUR)
    assert skill(wei) == first
    told = counting_of(spared)
    assert told
    assert told.spared == [wei]
    given_up(omar, wei, by="timeout", ended_at=NOON + 3 * HOUR)
    second = skill(wei)
    assert second.mu < first.mu, "who starts games afterwards was not away"
    given_up(omar, wei, by="timeout", ended_at=NOON + 6 * HOUR)
    assert skill(wei).mu < second.mu
    assert follows()


def test_the_page_of_the_game_says_what_did_not_count() -> None:
    yasmin, omar = people("yasmin", "omar")
    page = lambda game: Client().get(game.get_absolute_url()).content.decode()  # noqa: E731
    assert "changed no rating: somebody left" in page(given_up(yasmin, omar, moves=0))
    private = given_up(yasmin, omar, visibility="link", ended_at=NOON + HOUR)
    assert "changed no rating: a private game" in page(private)
    for number in range(4):
        game = given_up(yasmin, omar, ended_at=NOON + (2 + number) * HOUR)
    assert "50\N{NO-BREAK SPACE}%" in page(game) or "50 %" in page(game)
    assert 'id="counting"' not in page(stored_game(people("wei", "ileana"), seed=3))


def test_a_whole_game_counts_however_early_the_rules_put_somebody_out() -> None:
    players = people("yasmin", "omar", "wei")
    game = stored_game(players, seed=4)
    assert game.uncounted == ""
    assert RatingChange.objects.filter(game=game).count() == 3


def test_people_who_play_on_are_counted_as_before() -> None:
    yasmin, omar = new_players(2)
    game = open_game(yasmin, rated=True)
    lobby.join_game(game_id=game.pk, player=omar, entropy="mint", now=NOON)
    play_on(game, 16)
    play.resign(game_id=game.pk, player=omar, now=NOON)
    game.refresh_from_db()
    assert game.uncounted == ""
    assert skill(yasmin).mu > FRESH.mu > skill(omar).mu
