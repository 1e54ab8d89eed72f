"""The tree of openings: what is in it does not depend on the order in which games came."""

from __future__ import annotations

import random

import pytest

from games.models import Game, Opening
from games.services import openings, stats
from games.services.openings import InMemory, Line, Tree
from tests.history.archive import people, stored_game
from tests.history.test_stats import a_season

STEPS = ("0turn:L", "0turn:S", "13", "12")


def some_lines(count: int) -> list[Line]:
    rng = random.Random(7)
    return [
        Line(
            "/".join(rng.choice(STEPS) for _ in range(rng.randrange(5))),
            rng.choice(("polish|0|people", "polish|2|bots")),
            frozenset({rng.randrange(2)}),
        )
        for _ in range(count)
    ]


def grown(lines: list[Line]) -> dict[str, tuple[int, dict[str, list[int]]]]:
    tree = Tree("marrakech", 2, InMemory())
    for line in lines:
        tree.enter(line)
    return {path: (place.games, place.counts) for path, place in tree.places.items()}


def test_the_tree_is_the_same_in_any_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openings, "LEAST", 5)
    lines = some_lines(120)
    expected = grown(lines)
    for seed in range(5):
        random.Random(seed).shuffle(lines)
        assert grown(lines) == expected


def test_a_place_has_others_after_it_once_enough_games_came_through() -> None:
    lines = some_lines(400)
    tree = grown(lines)
    for path, (games, counts) in tree.items():
        through = [line for line in lines if path in line.places]
        assert games == len(through) == sum(count for count, _ in counts.values())
        if path:
            assert tree[path.rpartition("/")[0]][0] >= openings.LEAST
            seat = openings.mover(path)
            won = sum(seat in line.winners for line in through)
            assert won == sum(won for _, won in counts.values())
    for line in lines:
        for parent, path in zip(line.places, line.places[1:], strict=False):
            assert (path in tree) == (parent in tree and tree[parent][0] >= openings.LEAST)


@pytest.mark.both_databases
@pytest.mark.django_db
def test_what_waited_in_finished_games_comes_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openings, "LEAST", 2)
    a_season()
    assert stats.differences(stats.recount()) == []
    assert Opening.objects.exclude(path="").exists()


@pytest.mark.django_db
def test_private_games_are_in_no_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openings, "LEAST", 1)
    stored_game(people("yasmin", "omar"), visibility=Game.Visibility.LINK)
    assert not Opening.objects.exists()
