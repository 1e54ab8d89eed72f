"""Moves through the service: what is written, what is refused, and that refusals write nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import Model

from games.models import Game, Message, Move, Notice, Player, Seat
from games.selectors.course import Course
from games.selectors.table import see_table
from games.services import play, table_talk
from games.services.errors import Refused
from tests.people import (
    NOON,
    new_player,
    new_players,
    open_game,
    play_on,
    started_game,
    whose_turn,
)

pytestmark = pytest.mark.django_db
LATER = NOON + timedelta(hours=1)


def try_move(game: Game, player: Player, action: str, on_move: int | None = None) -> Course:
    on = game.move_count if on_move is None else on_move
    return play.play_move(game_id=game.pk, player=player, action=action, on_move=on, now=LATER)


def everything() -> list[list[object]]:
    """All rows that a move may touch."""
    models: tuple[type[Model], ...] = (Game, Seat, Move, Notice, Message)
    return [list(model._default_manager.order_by("pk").values()) for model in models]


def others(game: Game) -> list[Player]:
    return [seat.player for seat in game.seats.all() if seat.player != whose_turn(game)]


# What a move writes


def test_a_move_is_stored_with_what_came_of_it(seeded: Callable[..., Game]) -> None:
    game = seeded(7, new_players(4))
    player = whose_turn(game)
    try_move(game, player, "turn:L")
    move = game.moves.get()
    assert (move.number, move.seat, move.action, move.at) == (1, 0, "turn:L", LATER)
    assert move.facts["die"] in (1, 2, 3, 4)
    assert move.facts["assam"].split()[0] == move.facts["path"][-1]
    assert len(move.facts["path"]) == move.facts["die"]


def test_a_payment_is_told_and_moves_money(seeded: Callable[..., Game]) -> None:
    game = seeded(1209, new_players(2))
    play_on(game, 31)
    paid = [move for move in game.moves.all() if "paid" in move.facts]
    assert paid[-1].facts["paid"] == {"to": 0, "due": 8, "amount": 5}
    assert paid[-1].facts["out"] == [1]
    before: Any = see_table(game, None, at=paid[0].number - 1).observation["players"]
    after: Any = see_table(game, None, at=paid[0].number).observation["players"]
    payer, payee = paid[0].seat, paid[0].facts["paid"]["to"]
    amount = paid[0].facts["paid"]["amount"]
    assert after[payer]["dirhams"] == before[payer]["dirhams"] - amount
    assert after[payee]["dirhams"] == before[payee]["dirhams"] + amount


def test_the_derived_columns_follow_from_the_moves() -> None:
    game = started_game(new_players(3))
    for _ in range(12):
        game.refresh_from_db()
        table = see_table(game, None)
        assert game.move_count == len(table.moves)
        assert game.to_act
        assert game.to_act.number == table.pending["seat"]
        assert game.to_act_kind == table.pending["kind"]
        assert (game.status, game.result, game.ended_at) == ("running", None, None)
        assert game.deadline is not None
        play_on(game, 1)
    assert game.acted_at == NOON


def test_a_game_to_the_last_rug() -> None:
    game = started_game(new_players(2), pace=Game.Pace.NONE)
    play_on(game, 96, pick=2)
    assert (game.status, game.move_count, game.ended_at) == (Game.Status.OVER, 96, NOON)
    assert (game.to_act, game.to_act_kind, game.deadline) == (None, "", None)
    assert game.result is not None
    assert game.result["reason"] == "rugs"
    seats = {seat.number: seat for seat in game.seats.all()}
    best, other = game.result["ranking"][0][0], game.result["ranking"][1][0]
    assert (seats[best].place, seats[other].place) == (1, 2)
    points = game.result["points"]
    assert points[best] >= points[other]
    with pytest.raises(Refused, match="over"):
        try_move(game, seats[0].player, "turn:L")


def test_equals_share_a_place(seeded: Callable[..., Game]) -> None:
    game = seeded(181, new_players(2))
    play_on(game, 96)
    assert game.result is not None
    assert game.result["points"] == [48, 48]
    assert game.result["dirhams"] == [30, 30]
    assert [seat.place for seat in game.seats.all()] == [1, 1]


def test_who_went_later_ranks_above_who_went_earlier() -> None:
    game = started_game(new_players(4))
    by_number = [seat.player for seat in game.seats.order_by("number")]
    for number in (2, 0, 3):
        play.resign(game_id=game.pk, player=by_number[number], now=LATER)
    game.refresh_from_db()
    assert game.status == Game.Status.OVER
    places = {seat.number: seat.place for seat in game.seats.all()}
    assert places == {1: 1, 3: 2, 0: 3, 2: 4}


def test_insolvent_players_are_out_and_the_game_goes_on_without_them(
    seeded: Callable[..., Game],
) -> None:
    game = seeded(1209, new_players(2))
    play_on(game, 31)
    assert game.status == Game.Status.OVER
    assert [seat.place for seat in game.seats.order_by("number")] == [1, 2]
    assert [seat.left_by for seat in game.seats.all()] == ["", ""]
    assert game.result is not None
    assert game.result["points"][1] == 0


# The same form twice


def test_a_second_tap_changes_nothing() -> None:
    game = started_game(new_players(2))
    player = whose_turn(game)
    try_move(game, player, "turn:S", 0)
    once = everything()
    again = try_move(game, player, "turn:S", 0)
    assert everything() == once
    assert again.game.move_count == 1


def test_a_second_tap_on_the_last_move_of_a_game_changes_nothing() -> None:
    game = started_game(new_players(2), pace=Game.Pace.NONE)
    play_on(game, 96)
    last = game.moves.get(number=96)
    player = game.seats.get(number=last.seat).player
    once = everything()
    try_move(game, player, last.action, 95)
    assert everything() == once


def test_resigning_twice_is_resigning_once() -> None:
    game = started_game(new_players(3))
    player = whose_turn(game)
    play.resign(game_id=game.pk, player=player, now=LATER)
    once = everything()
    play.resign(game_id=game.pk, player=player, now=LATER)
    assert everything() == once


# What is refused


def refusals(game: Game) -> dict[str, tuple[Player, str, int, type[Refused], str]]:
    """Who tries what on which move, and what they are told. Two moves have been made."""
    mover = whose_turn(game)
    waiting = others(game)[0]
    return {
        "a stranger": (new_player("Stranger"), "turn:L", 2, Refused, "no seat"),
        "somebody else's turn": (waiting, "turn:L", 2, Refused, "not your turn"),
        "another phase": (mover, "lay:a1a2", 2, Refused, "rules do not allow"),
        "no such action": (mover, "dance", 2, Refused, "not a move of this game"),
        "no action": (mover, "", 2, Refused, "not a move of this game"),
        "a very long action": (mover, "lay:" + "a1" * 10_000, 2, Refused, "not a move"),
        "a null byte": (mover, "turn:L\0", 2, Refused, "not a move"),
        "an old position": (mover, "turn:L", 1, play.Stale, "changed"),
        "a position to come": (mover, "turn:L", 3, play.Stale, "changed"),
        "somebody else's old move": (waiting, "turn:R", 0, play.Stale, "changed"),
        "resigning as a move": (mover, "resign", 2, Refused, "not a move"),
        "a timeout as a move": (mover, "timeout", 2, Refused, "not a move"),
    }


NAMES_OF_REFUSALS = (
    "a stranger",
    "somebody else's turn",
    "another phase",
    "no such action",
    "no action",
    "a very long action",
    "a null byte",
    "an old position",
    "a position to come",
    "somebody else's old move",
    "resigning as a move",
    "a timeout as a move",
)


@pytest.mark.parametrize("name", NAMES_OF_REFUSALS)
def test_a_refusal_says_why_and_changes_nothing(name: str) -> None:
    game = started_game(new_players(3))
    play_on(game, 2)
    player, action, on_move, error, words = refusals(game)[name]
    before = everything()
    with pytest.raises(Refused, match=words) as refusal:
        try_move(game, player, action, on_move)
    assert type(refusal.value) is error
    assert everything() == before


def test_a_rug_must_lie_where_the_rules_allow() -> None:
    game = started_game(new_players(2))
    play_on(game, 1)
    seen: Any = see_table(game, whose_turn(game)).observation
    under_assam = seen["assam"]["square"]
    column, row = under_assam
    beside = f"{column}{int(row) + 1}" if row != "7" else f"{column}{int(row) - 1}"
    squares = "".join(sorted([under_assam, beside]))
    with pytest.raises(Refused, match="rules do not allow"):
        try_move(game, whose_turn(game), f"lay:{squares}")


def test_nothing_is_played_before_the_start_or_after_the_end() -> None:
    yasmin, omar = new_players(2)
    waiting = open_game(yasmin)
    with pytest.raises(Refused, match="not started"):
        try_move(waiting, yasmin, "turn:L")
    with pytest.raises(Refused, match="not started"):
        play.resign(game_id=waiting.pk, player=yasmin, now=LATER)
    game = started_game([yasmin, omar])
    play.resign(game_id=game.pk, player=yasmin, now=LATER)
    before = everything()
    with pytest.raises(play.Stale, match="over"):
        try_move(game, omar, "turn:L", 1)
    with pytest.raises(play.Stale, match="over"):
        play.resign(game_id=game.pk, player=omar, now=LATER)
    assert everything() == before


def test_who_is_out_cannot_come_back(seeded: Callable[..., Game]) -> None:
    game = started_game(new_players(3))
    leaver = whose_turn(game)
    play.resign(game_id=game.pk, player=leaver, now=LATER)
    game.refresh_from_db()
    with pytest.raises(Refused, match="not your turn"):
        try_move(game, leaver, "turn:L")


# Leaving


def test_a_resignation_in_the_middle_of_a_turn_passes_the_turn_on() -> None:
    game = started_game(new_players(3))
    play_on(game, 1)
    leaver = whose_turn(game)
    assert game.to_act_kind == "lay"
    play.resign(game_id=game.pk, player=leaver, now=LATER)
    game.refresh_from_db()
    assert game.to_act
    assert (game.to_act.number, game.to_act_kind) == (1, "turn")
    assert game.seats.get(player=leaver).left_by == "resign"
    assert game.moves.last().action == "resign"  # type: ignore[union-attr]


def test_a_resignation_out_of_turn_leaves_the_turn_where_it_is() -> None:
    game = started_game(new_players(3))
    play_on(game, 1)
    mover, leaver = whose_turn(game), others(game)[0]
    play.resign(game_id=game.pk, player=leaver, now=LATER)
    game.refresh_from_db()
    assert game.to_act
    assert (game.to_act.player, game.to_act_kind) == (mover, "lay")


def test_only_players_can_resign() -> None:
    game = started_game(new_players(2))
    with pytest.raises(Refused, match="no seat"):
        play.resign(game_id=game.pk, player=new_player("Stranger"), now=LATER)
    assert game.moves.count() == 0


def test_time_runs_out_only_when_it_has() -> None:
    game = started_game(new_players(2))
    assert game.deadline
    late = whose_turn(game)
    early = game.deadline - timedelta(seconds=1)
    assert play.time_out(game_id=game.pk, now=early) is False
    assert game.moves.count() == 0
    assert play.time_out(game_id=game.pk, now=game.deadline) is True
    assert play.time_out(game_id=game.pk, now=game.deadline) is False
    game.refresh_from_db()
    assert [move.action for move in game.moves.all()] == ["timeout"]
    assert game.status == Game.Status.OVER
    assert game.seats.get(player=late).left_by == "timeout"
    assert game.seats.get(player=late).place == 2


# Talk and notes


def test_talk_is_for_players_and_within_measure() -> None:
    yasmin, omar = new_players(2)
    game = started_game([yasmin, omar])
    line = table_talk.post_message(game=game, player=yasmin, text="  well \n played ", now=NOON)
    assert line.text == "well played"
    for text, words in ((" \n ", "nothing"), ("x" * 501, "500"), ("a\0b", "500")):
        with pytest.raises(Refused, match=words):
            table_talk.post_message(game=game, player=yasmin, text=text, now=NOON)
    with pytest.raises(Refused, match="Only the players"):
        table_talk.post_message(game=game, player=new_player("Stranger"), text="hello", now=NOON)
    for _ in range(9):
        table_talk.post_message(game=game, player=yasmin, text="again", now=NOON)
    with pytest.raises(Refused, match="Wait a minute"):
        table_talk.post_message(game=game, player=yasmin, text="again", now=NOON)
    table_talk.post_message(game=game, player=omar, text="hush", now=NOON)
    table_talk.post_message(game=game, player=yasmin, text="sorry", now=NOON + timedelta(minutes=2))
    assert game.messages.count() == 12


def test_notes_are_kept_for_one_seat() -> None:
    yasmin, omar = new_players(2)
    game = started_game([yasmin, omar])
    table_talk.keep_notes(game=game, player=yasmin, text="watch the corner\nof g7")
    assert game.seats.get(player=yasmin).notes == "watch the corner\nof g7"
    assert game.seats.get(player=omar).notes == ""
    for text in ("x" * 5001, "a\0b"):
        with pytest.raises(Refused, match="5000"):
            table_talk.keep_notes(game=game, player=yasmin, text=text)
    with pytest.raises(Refused, match="Only the players"):
        table_talk.keep_notes(game=game, player=new_player("Stranger"), text="hello")


def test_what_was_seen_never_becomes_less() -> None:
    game = started_game(new_players(2))
    seat = game.seats.get(number=0)
    table_talk.look(seat=seat, move_count=5)
    table_talk.look(seat=seat, move_count=3)
    seat.refresh_from_db()
    assert seat.seen_moves == 5
