"""Replay, proofs and records in a real browser, and without JavaScript."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from games.models import Game
from tests.history.archive import people, stored_game


@pytest.fixture
def game() -> Game:
    return stored_game(people("yasmin", "omar"), seed=2)


def heading(move: int, game: Game) -> str:
    return f"After move {move} of {game.move_count}"


def test_replay_by_buttons_keys_slider_and_by_itself(
    game: Game, open_as: Callable[..., Page]
) -> None:
    page = open_as(None, f"{game.get_absolute_url()}?move=17")
    title = page.locator("#question h1")
    expect(title).to_have_text(heading(17, game))
    page.evaluate("window.here = true")
    page.get_by_role("link", name="Forward").click()
    expect(title).to_have_text(heading(18, game))
    page.keyboard.press("ArrowLeft")
    expect(title).to_have_text(heading(17, game))
    page.keyboard.press(",")
    expect(title).to_have_text(heading(16, game))
    page.get_by_label("Move to show").focus()
    page.keyboard.press("Home")
    expect(title).to_have_text(heading(0, game))
    expect(page.get_by_label("Move to show")).to_be_focused()
    page.get_by_role("button", name="Play").click()
    expect(title).to_have_text(re.compile(r"^After move [1-9]\d* of"))
    page.get_by_role("button", name="Play").click()
    assert page.evaluate("window.here"), "the page was never loaded again"
    assert "move=" in page.url
    page.get_by_role("link", name="Latest position").click()
    expect(title).to_contain_text(" won by ")
    page.keyboard.press("ArrowLeft")
    expect(title).to_have_text(heading(game.move_count - 1, game))


def test_a_game_comes_in_one_go_once_its_replay_is_touched(
    game: Game, open_as: Callable[..., Page]
) -> None:
    page = open_as(None, "/")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.goto(game.get_absolute_url())
    assert not {"told.json", "replay.js"} & set(asked)
    slider = page.get_by_label("Move to show")
    slider.fill("3")  # before anything that moves the board is there
    expect(page.locator("#question h1")).to_have_text(heading(3, game))
    asked.clear()
    for number in (7, 5, 12):
        slider.fill(str(number))
        expect(page.locator("#question h1")).to_have_text(heading(number, game))
    assert "told.json" not in asked


def test_replay_without_javascript(game: Game, open_as: Callable[..., Page]) -> None:
    page = open_as(None, f"{game.get_absolute_url()}?move=17", java_script_enabled=False)
    title = page.locator("#question h1")
    page.get_by_role("link", name="Forward").click()
    expect(title).to_have_text(heading(18, game))
    expect(page.get_by_role("button", name="Play")).to_be_hidden()
    page.get_by_label("Move to show").focus()
    page.keyboard.press("Home")
    page.locator(".scrub").get_by_role("button", name="Show").click()
    expect(title).to_have_text(heading(0, game))


@pytest.mark.parametrize("ruleset", ["marrakech", "ifrito"])
def test_the_browser_proves_the_dice_by_itself(ruleset: str, open_as: Callable[..., Page]) -> None:
    game = stored_game(people("yasmin", "omar"), ruleset=ruleset, seed=3)
    page = open_as(None, reverse("proof", args=[game.public_id]))
    page.get_by_role("button", name="Check it in my browser").click()
    expect(page.locator("#check")).to_have_attribute("data-result", "good")
    expect(page.locator("[data-part=commitment]")).to_have_text("✓ agrees")
    if ruleset == "marrakech":
        rolls = sum("die" in move.facts for move in game.moves.all())
        expect(page.locator("[data-part=rolls]")).to_have_text(f"✓ agrees ({rolls} / {rolls})")
    else:
        expect(page.locator("[data-part=rolls]")).to_be_hidden()


@pytest.mark.parametrize("part", ["commitment", "seating", "piles", "rolls", "signature"])
def test_the_browser_finds_what_was_tampered_with(
    part: str, game: Game, open_as: Callable[..., Page]
) -> None:
    page = open_as(None, reverse("proof", args=[game.public_id]))

    def tampered(route: Any) -> None:
        answer = route.fetch()
        record = json.loads(answer.text())
        if part == "commitment":
            record["fairness"]["commitment"] = "0" * 64
        elif part == "seating":
            record["players"].reverse()
            record["players"][0]["colours"], record["players"][1]["colours"] = (
                record["players"][1]["colours"],
                record["players"][0]["colours"],
            )
        elif part == "piles":
            record["piles"][0].sort()
        elif part == "signature":
            record["moves"][0]["at"] = "2020-01-01T00:00:00Z"
        else:
            rolled = next(move for move in record["moves"] if "die" in move)
            rolled["die"] = 1 + rolled["die"] % 4
        route.fulfill(response=answer, body=json.dumps(record))

    page.route("**/record.json", tampered)
    page.get_by_role("button", name="Check it in my browser").click()
    expect(page.locator("#check")).to_have_attribute("data-result", "bad")
    expect(page.locator(f"[data-part={part}]")).to_contain_text("✗ does NOT agree")


@pytest.mark.parametrize("scripts", [True, False])
def test_a_record_from_a_file_is_replayed(
    scripts: bool, game: Game, open_as: Callable[..., Page], client: Any
) -> None:
    record = client.get(reverse("record", args=[game.public_id])).content
    page = open_as(None, reverse("check_record"), java_script_enabled=scripts)
    page.get_by_label("File").set_input_files(
        {"name": "game.json", "mimeType": "application/json", "buffer": record}
    )
    page.get_by_role("button", name="Check it").click()
    title = page.locator("#question h1")
    expect(title).to_have_text(heading(game.move_count, game))
    page.get_by_role("button", name="First position").click()
    expect(title).to_have_text(heading(0, game))
    page.get_by_role("button", name="Forward").click()
    expect(title).to_have_text(heading(1, game))
    page.locator("#moves button").last.click()
    expect(title).to_have_text(heading(2, game))
    page.get_by_label("Move to show").focus()
    page.keyboard.press("Home")
    if not scripts:
        page.locator(".scrub").get_by_role("button", name="Show").click()
    expect(title).to_have_text(heading(0, game))
