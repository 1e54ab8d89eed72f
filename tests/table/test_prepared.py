"""Queries that are written once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import DateTimeField, Exists, OuterRef, QuerySet
from django.utils import timezone

from games.models import Game, Seat, Vacation
from games.selectors.prepared import Given, prepared
from tests.people import new_players, started_game

pytestmark = pytest.mark.django_db


def test_a_prepared_query_is_built_once_and_answers_anew_for_what_is_given() -> None:
    built = []

    @prepared
    def seats_of() -> QuerySet[Seat]:
        built.append(1)
        return Seat.objects.select_related("player").filter(game=Given("game")).order_by("number")

    players = new_players(4)
    games = [started_game(players[:2]), started_game(players[2:])]
    for game in (*games, *games):
        found = seats_of(game=game.pk)
        assert found == list(game.seats.order_by("number"))
        assert [seat.player for seat in found] == [seat.player for seat in game.seats.all()]
    Seat.objects.filter(game=games[0]).update(notes="Later")
    assert {seat.notes for seat in seats_of(game=games[0].pk)} == {"Later"}
    assert built == [1]


def test_a_gap_is_written_as_its_field_says_and_shapes_are_kept_apart() -> None:
    @prepared
    def addresses(status: str, first: int) -> QuerySet[Any, str]:
        now = Given("now", DateTimeField())
        away = Vacation.objects.filter(
            player=OuterRef("seats__player"), start__lte=now, end__gt=now
        )
        games = Game.objects.filter(Exists(away), status=status).order_by("pk")
        return games.values_list("public_id", flat=True)[:first]

    now = timezone.now()
    player, *others = new_players(3)
    games = [started_game([player, other]) for other in others]
    Vacation.objects.create(player=player, start=now, end=now + timedelta(hours=1))
    assert addresses("running", 5, now=now) == [game.public_id for game in games]
    assert addresses("running", 1, now=now) == [games[0].public_id]
    assert addresses("over", 5, now=now) == []
    assert addresses("running", 5, now=now + timedelta(hours=1)) == []
