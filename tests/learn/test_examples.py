"""The engine does what the rules pages say, example by example."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine.errors import RulesError
from games.engine.games import ruleset
from games.selectors import lessons
from games.titles import TITLES
from games.titles.teaching import Example

EXAMPLES = [(key, name) for key in lessons.taught() for name in lessons.examples(key)]


def at(values: Any, path: str) -> Any:
    for step in path.split("."):
        values = values[int(step)] if isinstance(values, list) else values.get(step)
    return values


@pytest.mark.parametrize(("key", "name"), EXAMPLES)
def test_an_example_is_as_the_page_says(key, name):
    example = lessons.examples(key)[name]
    figure = lessons.figure(key, example)
    for path, value in example.facts.items():
        assert at(figure.facts, path) == value, path
    for path, value in example.seen.items():
        assert at(figure.observation, path) == value, path
    assert set(example.legal) <= set(figure.observation["legal"])
    if example.chosen:
        assert (example.chosen in figure.observation["legal"]) is example.allowed
    assert example.seen or example.facts or example.legal or example.chosen, "shows nothing"


@pytest.mark.parametrize(("key", "name"), EXAMPLES)
def test_the_engine_refuses_what_the_page_calls_forbidden(key, name):
    example = lessons.examples(key)[name]
    refused = [*example.illegal, *([] if example.allowed is not False else [example.chosen])]
    for action in refused:
        line = lessons.Line(ruleset(key), example)
        with pytest.raises(RulesError):
            line.play(action, lessons.FixedDice([1]))


@pytest.mark.parametrize("edition", ruleset("marrakech").presets)
def test_each_edition_of_marrakech_does_what_its_row_says(edition):
    options = ruleset("marrakech").presets[edition]
    start = lessons.figure("marrakech", Example(options=options))
    assert (
        start.observation["pending"]["kind"]
        == {"before": "turn", "after": "roll"}[options["turning"]]
    )
    if options["turning"] == "before":
        broke = lessons.examples("marrakech")["out"].moves
        end = lessons.figure("marrakech", Example(broke, options=options))
        assert end.observation["players"][1]["in"] is (options["insolvency"] == "play_on")


def test_every_game_that_can_be_opened_is_taught():
    assert lessons.taught() == [title.key for title in TITLES.values() if title.is_offered]
    assert all(title.is_taught for title in TITLES.values() if title.is_offered)


@pytest.mark.parametrize("key", lessons.taught())
def test_scenes_start_with_a_decision_of_the_learner(key):
    for number, scene in enumerate(lessons.scenes(key), start=1):
        stage = lessons.stage(key, number, ())
        assert stage is not None
        assert stage.table.may_act, scene.key
        assert stage.table.observation["legal"]


@pytest.mark.parametrize("key", lessons.taught())
def test_a_scene_goes_well_whatever_the_learner_does(key):
    """Every first decision, and several second ones after it, lead to the end of the scene."""
    for number, scene in enumerate(lessons.scenes(key), start=1):
        lines: list[tuple[str, ...]] = [()]
        for _ in range(scene.decisions):
            lines = [
                (*played, action)
                for played in lines
                for action in _some(_legal(key, number, played), most=99 if not played else 4)
            ]
        for played in lines:
            stage = lessons.stage(key, number, played)
            assert stage is not None
            assert stage.is_done
            assert not stage.table.may_act


def _some(legal: list[str], *, most: int) -> list[str]:
    """All of them, or so many from beginning to end."""
    return legal[:: -(-len(legal) // most)]


def _legal(key: str, number: int, played: tuple[str, ...]) -> list[str]:
    stage = lessons.stage(key, number, played)
    assert stage is not None
    return list(stage.table.observation["legal"])


@pytest.mark.parametrize("key", lessons.taught())
def test_there_is_no_stage_for_what_cannot_be_played(key):
    count = len(lessons.scenes(key))
    assert lessons.stage(key, 0, ()) is None
    assert lessons.stage(key, count + 1, ()) is None
    assert lessons.stage(key, 1, ("resign",)) is None
    assert lessons.stage(key, 1, ("nonsense",)) is None
    done = tuple(_legal(key, count, ())[:1]) * (lessons.scenes(key)[-1].decisions + 1)
    assert lessons.stage(key, count, done) is None
