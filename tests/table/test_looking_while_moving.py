"""What somebody sees at the moment at which the turn passes is not forgotten."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import Expression

from games.models import Game, Seat
from games.services import clock, hand_over, table_talk
from games.services.prepared import Update, prepared_update
from tests.hands import meanwhile
from tests.people import NOON, new_players, started_game, take_turn

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


def seen_after_a_move_that_somebody_saw(monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """The moves that the one who waits has seen, and those there were when they looked: while the
    seats are with the mover, and before they are saved."""
    game = started_game(new_players(2))
    take_turn(game, NOON)
    first = take_turn(game, NOON)
    waiting = game.seats.get(pk=first.pk)
    moves = game.move_count
    assert waiting.seen_moves < moves
    real = clock.hand_over

    def looked_at(**how: Any) -> Any:
        seat = Seat.objects.get(pk=waiting.pk)
        meanwhile(lambda: table_talk.look(seat=seat, move_count=moves))
        return real(**how)

    monkeypatch.setattr(clock, "hand_over", looked_at)
    take_turn(Game.objects.get(pk=game.pk), NOON + timedelta(hours=1))
    return Seat.objects.get(pk=waiting.pk).seen_moves, moves


def test_a_look_while_a_move_is_saved_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    seen, moves = seen_after_a_move_that_somebody_saw(monkeypatch)
    assert seen == moves


def test_a_plain_update_would_forget_the_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: the same with what the mover had read."""

    build = hand_over._pass_on.__wrapped__  # type: ignore[attr-defined]

    @prepared_update
    def forgetful(seats: int) -> Update:
        rows, values = build(seats)
        greatest: Expression = values["seen_moves"]
        return rows, {**values, "seen_moves": greatest.get_source_expressions()[0]}

    monkeypatch.setattr(hand_over, "_pass_on", forgetful)
    seen, moves = seen_after_a_move_that_somebody_saw(monkeypatch)
    assert seen < moves
