"""A position is the same one, however it is dressed up."""

from __future__ import annotations

from itertools import islice
from typing import Any

from games.engine.interface import see
from games.titles.ifrito.rules.geometry import CELLS, NEEDS, names
from games.titles.ifrito.sight import SIDES, sight
from tests.engine.random_games import SETTINGS, random_game


def observations() -> list[Any]:
    setting = next(each for each in SETTINGS if each.rules.key == "ifrito" and each.seats == 3)
    return [see(setting.rules, step.after, None) for step in islice(random_game(setting, 3), 60)]


def test_neither_seats_nor_the_numbers_of_carpets_make_it_another_one() -> None:
    for seen in observations():
        carpets = [
            {**carpet, "id": number, "seat": (carpet["seat"] + 1) % 3}
            for number, carpet in enumerate(reversed(seen["carpets"]))
        ]
        assert sight({**seen, "carpets": carpets}) == sight(seen)


def test_other_boards_are_other_boards() -> None:
    found = observations()
    lying = {repr((seen["cells"], seen["carpets"])) for seen in found}
    assert len({repr(sight(seen)) for seen in found}) == len(lying)


def test_from_each_side_carpets_fly_the_same_ways() -> None:
    for side in SIDES:
        to = [side.cells[name] for name in CELLS]
        assert sorted(to) == list(range(50))
        for cell, needs in enumerate(NEEDS):
            turned = {
                to[target]: sorted(side.cushions[name] for name in names(needed))
                for target, needed in needs.items()
            }
            there = {
                target: sorted(SIDES[0].cushions[name] for name in names(needed))
                for target, needed in NEEDS[to[cell]].items()
            }
            assert turned == there
