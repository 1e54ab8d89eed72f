"""Sounds are quiet until somebody wants them, and then belong to what is seen."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.playing import OpenAs, play_as_by_hand
from tests.browser.test_story import until_told
from tests.people import new_players, started_game, whose_turn
from tools.patience import wait_until

# Writes down what the page asks to hear, and counts what really starts to sound.
LISTEN = """() => {
  window.heard = 0;
  document.addEventListener("souk:sound", ({ detail }) => {
    const { dataset } = document.documentElement;
    dataset.asked = `${dataset.asked ?? ""} ${detail}`;
  });
  for (const { prototype } of [AudioBufferSourceNode, AudioScheduledSourceNode]) {
    const { start } = prototype;
    prototype.start = function (...when) {
      window.heard += 1;
      return start.apply(this, when);
    };
  }
}"""

UNTOUCHED = """() => {
  Object.defineProperty(navigator, "userActivation", { value: { hasBeenActive: false } });
}"""
DIE_BEFORE_CLOTH = re.compile("^ die .*cloth")


def heard(page: Page) -> int:
    count: int = page.evaluate("window.heard")
    return count


def test_sound_is_off_until_it_is_switched_on_and_remembered(open_as: OpenAs) -> None:
    game = started_game(new_players(2))
    player = whose_turn(game)
    page = open_as(player, "/", told=True)
    page.add_init_script(f"({LISTEN})()")
    page.goto(game.get_absolute_url())
    asked = page.locator("html")
    button = page.get_by_role("button", name="Sound")
    expect(button).to_have_attribute("aria-pressed", "false")
    page.locator("#question h1").click()
    play_as_by_hand(game, 2)
    expect(asked).to_have_attribute("data-asked", DIE_BEFORE_CLOTH)
    until_told(page)
    assert heard(page) == 0

    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    wait_until(lambda: page.evaluate("window.heard === 3"))  # three coins say that it is on
    page.reload()
    expect(button).to_have_attribute("aria-pressed", "true")
    until_told(page)
    page.locator("#question h1").click()
    play_as_by_hand(game, 2)
    expect(asked).to_have_attribute("data-asked", DIE_BEFORE_CLOTH)
    # Four taps of the die on wood, and the cloth.
    wait_until(lambda: page.evaluate("window.heard >= 5"))

    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    assert page.evaluate("localStorage.getItem('souk-sound')") == "off"


def test_a_page_that_nobody_touched_stays_silent(open_as: OpenAs) -> None:
    """What a browser does not let sound must not pile up and sound later."""
    game = started_game(new_players(2))
    player = whose_turn(game)
    play_as_by_hand(game, 2)
    game.seats.filter(player=player).update(seen_moves=0)
    page = open_as(player, "/", told=True)
    page.evaluate("localStorage.setItem('souk-sound', 'on')")
    page.add_init_script(f"({LISTEN})()")
    # To ask a page something, as this test does, counts as touching it.
    page.add_init_script(f"({UNTOUCHED})()")
    page.goto(game.get_absolute_url())
    until_told(page)
    expect(page.locator("html")).to_have_attribute("data-asked", DIE_BEFORE_CLOTH)
    assert heard(page) == 0
