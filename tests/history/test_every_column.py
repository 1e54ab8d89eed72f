"""What is compared is every column of the books, whether or not somebody saves it; and numbers
are the same from whichever side they are looked at."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import models, transaction

from games.models import Game, Performance, Player, Reckoning, Seat, Standing, books
from games.selectors.leaderboard import leaderboard
from games.selectors.stats import head_to_head, profile_of
from games.selectors.table import see_table
from games.services import stats
from games.services.moderation import verdicts
from tests.history.archive import HOUR, given_up, people, stored_game
from tests.moderation.staff import new_moderator
from tests.operate.every_table import VALUES
from tests.people import NOON, new_players, signed_in, started_game
from tests.reckoning.invented import reckoning_of

pytestmark = pytest.mark.django_db

# Written out: what a row is about, and which columns of a game and a seat the books fill.
ABOUT: dict[type[models.Model], set[str]] = {
    books.Shelf: {"ruleset", "size", "edition", "rated", "reason", "public"},
    books.Tally: {"player", "shelf"},
    books.Rivalry: {"low", "high", "shelf"},
    books.Opponent: {"player", "other", "public"},
    books.Rating: {"player", "ruleset"},
    books.Standing: {"player", "ruleset", "year", "size"},
    books.Meeting: {"rivalry", "game"},
    books.RatingChange: {"rating", "game"},
    books.Sheet: {"key"},
    books.Opening: {"ruleset", "size", "path"},
    Performance: {"seat"},
}
OF_GAME = {"shelf", "uncounted", "margin", "comeback", "highest", "traits", "band", "opening"}
OF_SEAT = {
    *("tally", "ended_at", "margin", "comeback", "highest", "move_count", "traits", "opening"),
}


def says(model: type[models.Model]) -> list[models.Field[Any, Any]]:
    own = [field for field in model._meta.concrete_fields if not field.primary_key]
    if model in (Game, Seat):
        return [field for field in own if field.name in (OF_GAME if model is Game else OF_SEAT)]
    return [field for field in own if field.name not in ABOUT[model]]


def other_than(value: Any, field: models.Field[Any, Any]) -> Any:
    if isinstance(field, models.ForeignKey):
        used = field.related_model._base_manager.exclude(pk=value).first()
        return None if field.null else used.pk if used else value
    if isinstance(field, models.BooleanField):
        return not value
    if isinstance(field, models.CharField):
        return "other"
    if isinstance(field, models.IntegerField):
        return (value or 0) + 1
    return next(each for kind, each in VALUES.items() if isinstance(field, kind))


@pytest.fixture
def entered() -> Game:
    game = stored_game(people("yasmin", "omar", "wei"), seed=4)
    stats.count_reckoning(row=reckoning_of(game, blunder=3), now=NOON)
    return game


def test_a_column_that_does_not_follow_is_found_whichever_it_is(entered: Game) -> None:
    ledger = stats.recount()
    assert stats.differences(ledger) == []
    compared: list[type[models.Model]] = [*ABOUT, Game, Seat]
    for model in compared:
        row = model._base_manager.order_by("pk").first()
        assert row, f"there is no {model.__name__}"
        for field in says(model):
            changed = other_than(getattr(row, field.attname), field)
            with transaction.atomic():
                model._base_manager.filter(pk=row.pk).update(**{field.attname: changed})
                found = stats.differences(ledger)
                transaction.set_rollback(True)
            assert any(model.__name__ in each for each in found), f"{model.__name__}.{field.name}"


def test_all_that_a_game_adds_is_saved_as_it_ends_and_again_when_it_is_the_second_one() -> None:
    """Rows that are there already are changed column by column, and none may be forgotten."""
    yasmin, omar, wei = players = people("yasmin", "omar", "wei")
    for number in range(3):
        stored_game(players, seed=number, ended_at=NOON + number * HOUR)
    given_up(yasmin, omar, by="timeout", ended_at=NOON + 4 * HOUR)
    given_up(yasmin, omar, by="timeout", ended_at=NOON + 5 * HOUR)
    game = stored_game([wei, omar], seed=5, ended_at=NOON + 6 * HOUR)
    assert stats.differences(stats.recount()) == []
    stats.count_reckoning(row=reckoning_of(game, blunder=2), now=NOON)
    stats.count_reckoning(row=Reckoning.objects.get(), now=NOON + HOUR)
    assert Performance.objects.count() == 2, "once"
    assert stats.differences(stats.recount()) == []


def test_head_to_head_is_the_same_story_from_both_sides() -> None:
    yasmin, omar = players = people("yasmin", "omar")
    for number in range(3):
        given_up(yasmin, omar, ended_at=NOON + number * HOUR)
    given_up(omar, yasmin, ended_at=NOON + 4 * HOUR)
    given_up(yasmin, omar, ended_at=NOON + 5 * HOUR, visibility="named")
    mine, theirs = head_to_head(yasmin, omar), head_to_head(omar, yasmin)
    assert (mine.games, mine.ahead, mine.behind) == (5, 4, 1)
    assert (theirs.games, theirs.ahead, theirs.behind) == (5, 1, 4)
    public = head_to_head(yasmin, omar, private_too=False)
    assert (public.games, public.ahead, public.behind) == (4, 3, 1)
    met = {
        (row.player, row.public): (row.games, row.ahead, row.behind, row.met_at)
        for row in books.Opponent.objects.select_related("player")
    }
    last, last_public = NOON + 5 * HOUR, NOON + 4 * HOUR
    assert met == {
        (players[0], False): (5, 4, 1, last),
        (players[1], False): (5, 1, 4, last),
        (players[0], True): (4, 3, 1, last_public),
        (players[1], True): (4, 1, 3, last_public),
    }


def board_of(*mus: float, settled: bool = True) -> list[Player]:
    players = [Player.objects.create(username=f"p{number}") for number in range(len(mus))]
    for player, mu in zip(players, mus, strict=True):
        books.Rating.objects.create(player=player, ruleset="marrakech", mu=mu, sigma=1.0)
        Standing.objects.create(
            player=player,
            ruleset="marrakech",
            year=0,
            size=0,
            games=1,
            mu=mu,
            sigma=1.0,
            settled=settled,
        )
    return players


def test_who_is_level_keeps_the_order_of_coming_and_the_own_line_is_shown_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("games.selectors.leaderboard.SHOWN", 2)
    players = board_of(25.0, 30.0, 25.0, 25.0)

    def seen(viewer: Player | None) -> tuple[list[tuple[int | None, str, bool]], Any]:
        board = leaderboard("marrakech", viewer, NOON, this_year=False, size=0)
        lines = [(line.rank, line.standing.player.username, line.own) for line in board.lines]
        own = board.own and (board.own.rank, board.own.standing.player.username, board.own.own)
        return lines, own

    first_two = [(1, "p1", False), (2, "p0", False)]
    assert seen(None) == (first_two, None)
    assert seen(players[0]) == ([(1, "p1", False), (2, "p0", True)], None)
    assert seen(players[2]) == (first_two, (3, "p2", True))
    assert seen(players[3]) == (first_two, (4, "p3", True))


def test_a_provisional_rating_has_no_rank() -> None:
    (player,) = board_of(25.0, settled=False)
    board = leaderboard("marrakech", player, NOON, this_year=False, size=0)
    assert list(board.lines) == []
    assert board.own is not None
    assert board.own.rank is None


def test_better_than_is_said_of_the_others_alone() -> None:
    yasmin, omar = people("yasmin", "omar")
    given_up(yasmin, omar)
    books.Rating.objects.update(sigma=1.0)
    Standing.objects.update(sigma=1.0, settled=True)
    better = {
        player: profile_of(player, private_too=True).numbers[0].better_than
        for player in (yasmin, omar)
    }
    assert better == {yasmin: 100, omar: 0}


def test_of_an_annulled_game_nobody_is_to_act() -> None:
    zahra, players = new_moderator(), new_players(2)
    game = started_game(players)
    to_act = game.to_act
    assert to_act
    verdicts.annul(moderator=zahra, game_id=game.pk, reason="No.", now=NOON)
    game = Game.objects.get(pk=game.pk)
    assert (game.to_act, game.to_act_kind, game.deadline, game.bot_due_at) == (None, "", None, None)
    assert (game.sight, game.result, game.status) == ("", None, "annulled")
    for player in players:
        seen = see_table(game, player)
        assert not seen.may_act
        page = signed_in(player).get(game.get_absolute_url()).content.decode()
        assert "Your turn" not in page
    assert set(game.seats.values_list("place", "clock_since", "granted")) == {(None, None, None)}


def test_of_an_annulled_game_that_was_over_nobody_has_won() -> None:
    zahra, players = new_moderator(), people("yasmin", "omar")
    game = stored_game(players)
    verdicts.annul(moderator=zahra, game_id=game.pk, reason="No.", now=NOON)
    game = Game.objects.get(pk=game.pk)
    assert (game.result, game.shelf) == (None, None)
    assert set(game.seats.values_list("place", "tally", "ended_at")) == {(None, None, None)}
    assert not books.Rating.objects.filter(games__gt=0).exists()
    page = signed_in(players[0]).get(game.get_absolute_url()).content.decode()
    assert "You won" not in page
