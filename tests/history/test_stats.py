"""The books: what a game adds to them, and that a rebuild from the moves finds the same."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps

from games.models import Game, Seat, books
from games.selectors.course import course_of
from games.selectors.finished import answer_bucket
from games.services import accounts, play, stats
from tests.history.archive import HOUR, given_up, people, stored_game
from tests.people import NOON

pytestmark = pytest.mark.django_db

BOOKS = [model for model in apps.get_models() if model.__module__ == books.__name__]


def a_season() -> list[Game]:
    """Games of all kinds: two games, all sizes, leavers, casual and private ones."""
    yasmin, omar, ileana, wei = players = people("yasmin", "omar", "ileana", "wei")
    games = [
        stored_game(players[:size], ruleset=key, seed=f"{key}{size}", ended_at=NOON + hour * HOUR)
        for hour, (key, size) in enumerate(
            (key, size) for key in ("marrakech", "ifrito") for size in (2, 3, 4)
        )
    ]
    games += [
        stored_game([omar, ileana, wei], seed=seed, leave=0.05, ended_at=NOON + (8 + seed) * HOUR)
        for seed in range(3)
    ]
    games.append(stored_game([wei, yasmin], seed=9, rated=False, ended_at=NOON + 12 * HOUR))
    games.append(stored_game([wei, omar], seed=10, visibility="named", ended_at=NOON + 13 * HOUR))
    games.append(given_up(yasmin, omar, by="timeout", ended_at=NOON + 14 * HOUR))
    # At the very same moment: the order must be kept all the same.
    games.append(given_up(omar, yasmin, by="timeout", ended_at=NOON + 14 * HOUR))
    return games


@pytest.mark.both_databases
def test_what_is_kept_as_games_end_is_what_the_moves_say() -> None:
    games = a_season()
    assert stats.differences(stats.recount()) == []
    assert all(model._default_manager.exists() for model in BOOKS)
    ratings = books.Rating.objects.order_by("player", "ruleset").values_list("mu", "sigma")
    kept = list(ratings)
    assert stats.rebuild() == len(games)
    assert stats.differences(stats.recount()) == []
    assert kept == list(ratings.all())


@pytest.mark.parametrize(
    ("model", "change"),
    [
        (books.Shelf, {"games": 9}),
        (books.Tally, {"sums": {}}),
        (books.Rivalry, {"low_ahead": 9}),
        (books.Opponent, {"ahead": 9}),
        (books.Rating, {"mu": 9.0}),
        (books.Standing, {"won": 9}),
        (books.Meeting, {"ended_at": NOON + HOUR}),
        (books.RatingChange, {"mu": 9.0}),
        (Game, {"shelf": None}),
        (Game, {"margin": 9}),
        (Game, {"opening": "elsewhere"}),
        (Seat, {"ended_at": None}),
        (Seat, {"comeback": 9}),
        (books.Sheet, {"counts": {}}),
        (books.Opening, {"games": 9}),
    ],
)
def test_a_number_that_does_not_follow_is_found(model: Any, change: dict[str, Any]) -> None:
    given_up(*people("yasmin", "omar"))
    model.objects.filter(pk=model.objects.order_by("pk")[0].pk).update(**change)
    found = stats.differences(stats.recount())
    assert len(found) == 1
    assert found[0].startswith(model.__name__)
    stats.rebuild()
    assert stats.differences(stats.recount()) == []


def test_a_row_that_is_missing_or_one_too_many_is_found() -> None:
    yasmin, omar = people("yasmin", "omar")
    game = given_up(yasmin, omar)
    books.RatingChange.objects.filter(rating__player=omar).delete()
    books.Standing.objects.filter(player=omar, year=0, size=0).update(year=1999)
    assert sorted(stats.differences(stats.recount())) == [
        f"RatingChange (({omar.pk}, 'marrakech'), {game.pk}) is missing",
        f"Standing ({omar.pk}, 'marrakech', 0, 0) is missing",
        f"Standing ({omar.pk}, 'marrakech', 1999, 0) follows from no move",
    ]


def test_a_seat_is_counted_by_place_chair_and_answers() -> None:
    yasmin, omar = people("yasmin", "omar")
    game = stored_game([yasmin, omar], seed=3)
    for player in (yasmin, omar):
        seat = game.seats.get(player=player)
        assert seat.number is not None
        tally = books.Tally.objects.get(player=player)
        assert seat.tally == tally
        assert tally.games == 1
        assert tally.sums[f"place:{seat.place}"] == 1
        assert tally.sums[f"seat:{seat.number}"] == 1
        assert tally.sums.get(f"won:{seat.number}", 0) == (seat.place == 1)
        turns = [move for move in game.moves.filter(seat=seat.number) if "die" in move.facts]
        # An hour for each first decision of a turn: 3600 ** 4 has 48 bits.
        assert {k: n for k, n in tally.sums.items() if k.startswith("answer:")} == {
            f"answer:{answer_bucket(3600)}": len(turns)
        }
        assert tally.sums["rolls"] == len(turns)


def test_a_shelf_holds_the_moves_and_dice_of_all_seats() -> None:
    game = stored_game(people("yasmin", "omar", "wei"), seed=5)
    shelf = books.Shelf.objects.get()
    assert game.shelf == shelf
    dice = [move.facts["die"] for move in game.moves.all() if "die" in move.facts]
    assert {face: shelf.sums.get(f"die:{face}", 0) for face in (1, 2, 3, 4)} == {
        face: dice.count(face) for face in (1, 2, 3, 4)
    }
    assert shelf.sums["moves"] == game.move_count
    assert (shelf.ruleset, shelf.size, shelf.rated, shelf.public) == ("marrakech", 3, True, True)


def test_rivals_are_counted_both_ways_and_ties_neither_way() -> None:
    yasmin, omar = people("yasmin", "omar")
    given_up(yasmin, omar)
    given_up(omar, yasmin, ended_at=NOON + HOUR)
    given_up(yasmin, omar, ended_at=NOON + 2 * HOUR)
    rivalry = books.Rivalry.objects.get()
    low, high = (yasmin, omar) if yasmin.pk < omar.pk else (omar, yasmin)
    assert (rivalry.low, rivalry.high, rivalry.games) == (low, high, 3)
    ahead = {low: rivalry.low_ahead, high: rivalry.high_ahead}
    assert (ahead[yasmin], ahead[omar]) == (2, 1)


def test_wins_in_a_row_are_counted_in_public_games_only() -> None:
    yasmin, omar = people("yasmin", "omar")
    given_up(yasmin, omar)
    given_up(yasmin, omar, ended_at=NOON + HOUR)
    given_up(omar, yasmin, ended_at=NOON + 2 * HOUR, visibility="named")
    own = books.Rating.objects.get(player=yasmin)
    assert (own.streak, own.best_streak) == (2, 2)
    given_up(omar, yasmin, ended_at=NOON + 3 * HOUR)
    own.refresh_from_db()
    assert (own.streak, own.best_streak) == (0, 2)


def test_the_cost_of_ending_a_game_does_not_grow(django_assert_max_num_queries: Any) -> None:
    players = people("yasmin", "omar", "wei", "ileana")
    first = stored_game(players, seed=1)
    game = stored_game(players, seed=2, ended_at=NOON + HOUR)
    assert first.shelf == game.shelf
    with django_assert_max_num_queries(33):
        stats.count_game(course=course_of(game))


def test_who_left_the_site_is_on_no_leaderboard_and_stays_counted() -> None:
    yasmin, omar, wei = people("yasmin", "omar", "wei")
    given_up(yasmin, omar)
    game = stored_game([yasmin, omar, wei], seed=1, until=18, ended_at=NOON + HOUR)
    accounts.delete_account(player=omar, now=NOON + 2 * HOUR)
    assert not books.Standing.objects.filter(player=omar).exists()
    play.resign(game_id=game.pk, player=wei, now=NOON + 3 * HOUR)
    game.refresh_from_db()
    assert game.status == Game.Status.OVER
    assert set(books.Standing.objects.values_list("player", flat=True)) == {yasmin.pk, wei.pk}
    assert books.Rating.objects.get(player=omar).games == 2
    assert stats.differences(stats.recount()) == []
    stats.rebuild()
    assert not books.Standing.objects.filter(player=omar).exists()
