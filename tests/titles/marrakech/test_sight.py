"""A position is the same one, however it is dressed up."""

from __future__ import annotations

from itertools import islice
from typing import Any

from games.engine.interface import see
from games.titles.marrakech.rules.geometry import FORWARD, HEADINGS, NAMES, WALKS
from games.titles.marrakech.sight import TURNED, sight
from tests.engine.random_games import SETTINGS, random_game


def observations() -> list[Any]:
    setting = next(each for each in SETTINGS if each.rules.key == "marrakech" and each.seats == 4)
    return [see(setting.rules, step.after, None) for step in islice(random_game(setting, 3), 60)]


def test_neither_the_order_of_rugs_nor_colours_nor_looks_make_it_another_one() -> None:
    for seen in observations():
        colours = dict(zip(("red", "blue", "amber", "green"), "wxyz", strict=True))
        rugs = [
            {**rug, "id": number, "colour": colours[rug["colour"]], "seat": (rug["seat"] + 1) % 4}
            for number, rug in enumerate(reversed(seen["rugs"]), start=1)
        ]
        other = {**seen, "rugs": rugs, "assam": {**seen["assam"], "facing": "nowhere"}}
        assert sight(other) == sight(seen)


def test_other_boards_are_other_boards() -> None:
    found = [seen for seen in observations() if seen["rugs"]]
    laid = {repr((seen["assam"]["square"], seen["rugs"])) for seen in found}
    assert len({repr(sight(seen)) for seen in found}) == len(laid)
    for seen in found:
        assert sight({**seen, "rugs": seen["rugs"][:-1]}) != sight(seen)


def test_from_each_side_assam_walks_the_same_ways() -> None:
    places = {name: number for number, name in NAMES.items()}
    for turned in TURNED:
        names = {at: name for name, at in turned.items()}
        to = {places[name]: places[names[ord(name[0]) - 97, int(name[1]) - 1]] for name in places}
        for pose, walks in WALKS.items():
            square, heading = divmod(pose, 4)
            ahead = square + FORWARD[heading]
            if ahead not in to:
                continue
            step = to[ahead] - to[square]
            twin = 4 * to[square] + FORWARD.index(step)
            for face, walk in walks.items():
                assert WALKS[twin][face].end // 4 == to[walk.end // 4], (pose, HEADINGS[heading])
