"""Exhibitions: bots play for those who watch, where nobody else does."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from games.models import Game, Notice, Rating, RatingChange, Standing
from games.services import bots, exhibitions
from tests.bots_site.conftest import Brains
from tests.people import new_players, started_game

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def _on(settings) -> None:
    settings.EXHIBITIONS = 1


def text(path: str) -> str:
    return Client().get(path).content.decode()


def finish(game: Game) -> Game:
    """All moves of an exhibition, whenever they are due."""
    now = timezone.now()
    for _ in range(400):
        game.refresh_from_db()
        if game.status == Game.Status.OVER:
            return game
        now = max(now, game.bot_due_at or now)
        bots.play_due(clock=lambda now=now: now)  # type: ignore[misc]
    raise AssertionError("the exhibition does not end")


def test_a_new_house_is_not_empty_after_its_first_minute(brains: Brains) -> None:
    assert "No public game is being played." in text("/games/")
    game = exhibitions.hold(now=timezone.now())
    assert game
    assert game.exhibition == 0
    bots.play_due(clock=timezone.now)
    game.refresh_from_db()
    assert game.status == Game.Status.OVER, "nobody has to wait for the first one"
    assert game.public_id in text("/archive/")
    assert "exhibition" in text("/archive/")
    assert text("/numbers/").count("<svg") > 1
    later = timezone.now() + 7 * HOUR
    second = exhibitions.hold(now=later)
    assert second
    assert second.exhibition == 30
    assert second.ruleset != game.ruleset, "the games of the house take turns"
    for path in ("/games/", "/"):
        assert second.public_id in text(path)
        assert "exhibition" in text(path)
    assert "An exhibition: bots play" in text(second.get_absolute_url())


def test_it_is_played_at_a_quiet_pace(brains: Brains) -> None:
    started_game(new_players(2), visibility="public")
    Game.objects.update(status="over", to_act=None)
    now = timezone.now()
    game = exhibitions.hold(now=now)
    assert game
    assert game.bot_due_at == now + timedelta(seconds=30)
    assert bots.play_due(clock=lambda: now) == 0
    assert bots.play_due(clock=lambda: now + timedelta(seconds=31)) == 1
    game.refresh_from_db()
    assert game.move_count == 1
    assert game.bot_due_at == now + timedelta(seconds=61)


def test_bots_do_their_best_and_it_counts_for_nobody(brains: Brains) -> None:
    game = exhibitions.hold(now=timezone.now())
    assert game
    levels = {seat.player.bot_level for seat in game.seats.select_related("player")}
    assert len(levels) == game.size
    game = finish(game)
    assert {level for level, *_ in brains.asked} == levels, "no plain player sits in"
    assert not game.rated
    assert not Notice.objects.exists()
    assert not RatingChange.objects.exists()
    assert not Standing.objects.exists()
    assert not Rating.objects.exclude(games=0).exists()
    call_command("verify", "--all")
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(pk=game.pk).update(rated=True, fill_level="")


def test_people_are_seen_first_and_bots_make_room(settings, brains: Brains) -> None:
    now = timezone.now()
    started_game(new_players(2), visibility="public")
    assert exhibitions.hold(now=now) is None
    settings.EXHIBITIONS = 2
    assert exhibitions.hold(now=now)
    assert exhibitions.hold(now=now + HOUR) is None, "enough, and not so soon"
    settings.EXHIBITIONS = 3
    assert exhibitions.hold(now=now + HOUR) is None, "not so soon"
    assert exhibitions.hold(now=now + 6 * HOUR)


def test_it_is_off_where_nobody_wants_it(settings) -> None:
    settings.EXHIBITIONS = 0
    assert exhibitions.hold(now=timezone.now()) is None
    assert not Game.objects.exists()
