"""Everything a player does at a table, with scripts turned off."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from games.models import Game
from games.selectors.table import see_table
from tests.browser.playing import OpenAs, choose, play_as_by_hand
from tests.people import new_players, started_game, whose_turn

PLAIN = {"java_script_enabled": False}


def test_a_turn_talk_notes_replay_and_giving_up(open_as: OpenAs) -> None:
    game = started_game(new_players(2))
    player = whose_turn(game)
    page = open_as(player, game.get_absolute_url(), **PLAIN)
    heading = page.locator("#question h1")
    assert page.locator("[hidden]:visible").count() == 0, "only scripts bring those out"

    choose(page, "turn:R")
    expect(heading).to_have_text("Where do you lay your rug?")
    assert game.moves.get().action == "turn:R"
    spot = next(s for s in see_table(_fresh(game), player).board().spots if not s.only)
    page.locator(f"#spot-{spot.square}").click()
    expect(heading).to_contain_text("Lay your rug on")
    expect(page.locator("#confirm")).to_have_attribute("value", spot.action)
    page.locator(f"#spot-{spot.square}").click()
    expect(page.locator("#confirm")).not_to_have_attribute("value", spot.action)
    page.locator("#undo").click()
    expect(page.locator("#confirm")).to_be_hidden()
    page.locator(f"#spot-{spot.square}").click()
    page.locator("#confirm").click()
    expect(heading).to_contain_text("Waiting for")
    assert [move.action for move in game.moves.all()] == ["turn:R", spot.action]

    page.get_by_label("Say something").fill("Your turn")
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#chat-lines")).to_contain_text("Your turn")
    page.get_by_label("Notes that only you can see").fill("Remember the corner")
    page.get_by_role("button", name="Keep").click()
    expect(page.get_by_label("Notes that only you can see")).to_have_value("Remember the corner")

    play_as_by_hand(_fresh(game), 2)
    page.goto(game.get_absolute_url())
    expect(page.get_by_role("region", name="Since you last looked")).to_be_visible()
    page.get_by_role("link", name="Replay step by step").click()
    expect(heading).to_have_text("After move 3 of 4")
    page.get_by_role("link", name="Back").first.click()
    expect(heading).to_have_text("After move 2 of 4")
    page.get_by_role("link", name="Latest position").first.click()
    expect(heading).to_have_text("Which way should Assam go?")

    page.get_by_role("link", name="Give up…").click()
    page.get_by_role("button", name="Give up").click()
    expect(heading).to_contain_text(" won")
    page.get_by_role("button", name="Rematch").click()
    expect(page).to_have_url(re.compile(r"/g/"))
    assert Game.objects.get(rematch_of=game).creator == player


def test_an_old_form_is_told_what_happened(open_as: OpenAs) -> None:
    game = started_game(new_players(2))
    page = open_as(whose_turn(game), game.get_absolute_url(), **PLAIN)
    page.locator('#question [data-choose="turn:L"]').click()
    expect(page.locator("#confirm")).to_have_attribute("value", "turn:L")
    play_as_by_hand(game, 1)
    page.locator("#confirm").click()
    expect(page.locator('#question [role="alert"]')).to_contain_text("The position has changed")
    page.locator("a.spot").first.click()
    page.locator("#confirm").click()
    expect(page.locator("#question h1")).to_contain_text("Waiting for")
    assert game.moves.count() == 2


def test_turning_afterwards(open_as: OpenAs) -> None:
    game = started_game(new_players(2), options={"turning": "after"})
    page = open_as(whose_turn(game), game.get_absolute_url(), **PLAIN)
    page.locator('#question [value="roll"]').click()
    page.locator("a.spot").first.click()
    page.locator("#confirm").click()
    expect(page.locator("#question h1")).to_have_text("Which way should Assam look next?")
    choose(page, "turn:L")
    expect(page.locator("#question h1")).to_contain_text("Waiting for")
    assert game.moves.count() == 3


def _fresh(game: Game) -> Game:
    game.refresh_from_db()
    return game
