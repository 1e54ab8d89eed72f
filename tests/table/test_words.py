"""What happened and how things stand, in words."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.template import Context, Template

from games.models import Game, Move
from games.selectors import words
from games.selectors.table import see_table
from games.services import play
from tests.people import NOON, new_player, new_players, play_on, started_game

NAMES = ["Yasmin", "Omar & <Co>"]
GAME = Game(ruleset="marrakech")


def move(number: int, seat: int, action: str, **facts: object) -> Move:
    at = datetime(2026, 11, 16, tzinfo=UTC)
    return Move(number=number, seat=seat, action=action, facts=facts, at=at)


WALK = {"die": 3, "assam": "e6 north", "path": ["e4", "e5", "e6"]}


@pytest.mark.parametrize(
    ("moves", "sentence"),
    [
        (
            [move(1, 0, "turn:L", **WALK), move(2, 0, "lay:d6d7")],
            "turned left, rolled 3 to e6, laid a rug on d6–d7",
        ),
        ([move(1, 0, "turn:R", **WALK)], "turned right, rolled 3 to e6"),
        ([move(1, 0, "turn:S", **WALK)], "went straight on, rolled 3 to e6"),
        (
            [move(1, 0, "turn:S", **WALK, paid={"to": 1, "due": 4, "amount": 4})],
            "went straight on, rolled 3 to e6, paid 4 dirhams to Omar & <Co>",
        ),
        (
            [move(1, 0, "turn:S", **WALK, paid={"to": 1, "due": 9, "amount": 4}, out=[0])],
            "went straight on, rolled 3 to e6, paid only 4 of 9 dirhams to Omar & <Co>, "
            "and is out of the game",
        ),
        (
            [move(1, 0, "roll", **WALK), move(2, 0, "lay:d6d7"), move(3, 0, "turn:R")],
            "rolled 3 to e6, laid a rug on d6–d7, turned right",
        ),
        ([move(1, 0, "resign", out=[0])], "gave up"),
        ([move(1, 0, "timeout", out=[0])], "ran out of time"),
    ],
)
def test_a_turn_is_one_sentence(moves: list[Move], sentence: str) -> None:
    (turn,) = words.turns(moves)
    assert words.deeds(GAME, NAMES, turn) == sentence


def test_names_are_escaped_once_on_a_page_and_never_in_plain_text() -> None:
    paid = move(1, 1, "turn:S", **WALK, paid={"to": 1, "due": 1, "amount": 1})
    (turn,) = words.turns([paid])
    assert "paid 1 dirham to Omar & <Co>" in words.deeds(GAME, NAMES, turn)
    page = Template("{% load souk %}{% named_turn game names turn full=True %}")
    shown = page.render(Context({"game": GAME, "names": NAMES, "turn": turn}))
    assert shown == (
        "<b>Omar &amp; &lt;Co&gt;</b> went straight on, rolled 3 to e6, "
        "paid 1 dirham to Omar &amp; &lt;Co&gt;."
    )
    page = Template("{% load souk %}{% own_turn game names turn %}")
    shown = page.render(Context({"game": GAME, "names": NAMES, "turn": turn}))
    assert shown == (
        "You went straight on, rolled 3 to e6, paid 1 dirham to Omar &amp; &lt;Co&gt;."
    )


def test_turns_are_what_one_seat_does_in_a_row() -> None:
    moves = [move(n, seat, "lay:a1a2") for n, seat in enumerate((0, 0, 1, 1, 0), 1)]
    told = [(turn.seat, turn.first, turn.last) for turn in words.turns(moves)]
    assert told == [(0, 1, 2), (1, 3, 4), (0, 5, 5)]


# The whole board as text


def description(game: Game) -> list[str]:
    game.refresh_from_db()
    table = see_table(game, None)
    return words.position_in_words(table.observation, table.names).splitlines()


@pytest.mark.django_db
def test_the_empty_board() -> None:
    first, *players, last = description(started_game(new_players(3)))
    assert first == "Assam stands on d4 and faces south."
    assert len(players) == 3
    assert all(line.endswith("30 dirhams, 0 squares, 30 points. 15 rugs left.") for line in players)
    assert last == "No rug lies on the board yet."


@pytest.mark.django_db
@pytest.mark.parametrize("count", [2, 3, 4])
def test_every_square_and_every_count_is_told(count: int) -> None:
    game = started_game(new_players(count))
    play_on(game, 30, pick=3)
    seen: Any = see_table(game, None).observation
    text = "\n".join(description(game))
    assert f"Assam stands on {seen['assam']['square']} and faces {seen['assam']['facing']}." in text
    covered = {square for rug in seen["rugs"] for square in rug["visible"]}
    told = text.replace("–", " ").replace(",", " ").replace(".", " ").split()
    squares = {f"{column}{row}" for column in "abcdefg" for row in range(1, 8)}
    assert {word for word in told if word in squares} == covered | {seen["assam"]["square"]}
    for player in seen["players"]:
        assert f"{player['dirhams']} dirhams" in text
        for colour in player["colours"]:
            shown = [rug for rug in seen["rugs"] if rug["colour"] == colour]
            start = f"{colour.capitalize()},"
            line = next((line for line in description(game) if line.startswith(start)), "")
            for rug in shown:
                assert "–".join(rug["visible"]) in line
        if count == 2:
            assert f"next: {player['next']}" in text
    assert len(description(game)) <= 3 + 2 * count + (count if count == 2 else 0)


@pytest.mark.django_db
def test_rugs_of_nobody_are_told_as_such(seeded: Callable[..., Game]) -> None:
    game = seeded(7, new_players(3))
    play_on(game, 6)
    leaver = game.seats.get(number=1)
    play.resign(game_id=game.pk, player=leaver.player, now=NOON)
    text = "\n".join(description(game))
    assert f"{leaver.player} is out of the game." in text
    assert "Blue, now of nobody, shows on" in text


@pytest.mark.django_db
def test_names_are_plain_text_there() -> None:
    tricky = new_player("Tricky", display_name="O'Neil & <Co>")
    game = started_game([tricky, new_player("Omar")])
    assert any(line.startswith("O'Neil & <Co>: 30 dirhams") for line in description(game))
