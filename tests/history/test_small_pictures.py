"""Browsers keep small pictures for a year: another drawing needs another address."""

from __future__ import annotations

import hashlib

import pytest

from games.engine.games import ruleset
from games.selectors.gallery import drawing_of
from games.titles import TITLES, brings
from tests.engine.random_games import Setting, random_game

DRAWN = {
    ("ifrito", "1"): "4af5a7ada37ada35",
    ("marrakech", "1"): "4d9e3564b768bebc",
}


@pytest.mark.parametrize("key", TITLES)
def test_a_changed_drawing_has_another_version(key: str) -> None:
    """If this fails, count up `DRAWING_VERSION`, and write the new drawing down here."""
    rules = ruleset(key)
    digest = hashlib.sha256()
    for seats in rules.seat_counts:
        *_, last = random_game(Setting(rules, seats, rules.options({})), seed=seats)
        for state in (last.before, last.after):
            digest.update(brings(key, "board", "small")(rules.observe(state, None)).encode())
    assert digest.hexdigest()[:16] == DRAWN[key, drawing_of(key)]
