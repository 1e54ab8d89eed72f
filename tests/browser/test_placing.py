"""Choosing on the board: at once, however slow the network is."""

from __future__ import annotations

from playwright.sync_api import CDPSession, Page, expect

from games.selectors.table import see_table
from tests.browser.playing import OpenAs, play_as_by_hand
from tests.browser.test_ifrito import TWO, played
from tests.people import new_players, started_game, whose_turn

DELAY = 1_500

TAPS = 15

# Taps, takes it back and taps again: whether what is wanted was there, laid out, each time when the
# tap had been handled.
TAP_AGAIN_AND_AGAIN = """([taps, tapped, wanted]) => Array.from({ length: taps }, (_, number) => {
  if (number) document.getElementById("undo").click();
  document.querySelector(tapped).click();
  return document.querySelector(wanted)?.getBoundingClientRect().width > 0;
})"""


def layouts_to_show(page: Page, tapped: str, wanted: str) -> float:
    """How often the page is laid out for a tap until what it asks for can be painted; none of it
    is waiting. A count: how long that takes depends on who else is busy on the machine."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    before = _layouts(session)
    assert all(page.evaluate(TAP_AGAIN_AND_AGAIN, [TAPS, tapped, wanted]))
    counted = (_layouts(session) - before) / TAPS
    assert counted > 0, "it was counted"
    return counted


def _layouts(session: CDPSession) -> float:
    metrics = session.send("Performance.getMetrics")["metrics"]
    count: float = next(each["value"] for each in metrics if each["name"] == "LayoutCount")
    return count


def slow_down(page: Page) -> list[str]:
    """Every request takes long; what was asked."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    slow = {"offline": False, "latency": DELAY, "downloadThroughput": -1, "uploadThroughput": -1}
    network.send("Network.emulateNetworkConditions", slow)
    return asked


def test_a_rug_is_shown_turned_hovered_and_dragged_without_a_request(open_as: OpenAs) -> None:
    game = started_game(new_players(2))
    play_as_by_hand(game, 1)
    player = whose_turn(game)
    page = open_as(player, game.get_absolute_url())
    spots = see_table(game, player).board().spots
    spot = next(spot for spot in spots if not spot.only)
    asked = slow_down(page)
    shown = f'.preview.shown[data-place="{spot.action}"]'
    assert layouts_to_show(page, f"#spot-{spot.square}", shown) <= 2
    expect(page.locator("#question h1")).to_contain_text("Lay your rug on")
    page.locator(f"#spot-{spot.square}").click()
    expect(page.locator(".preview.shown")).to_have_count(1)
    expect(page.locator(shown)).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator(".preview.shown")).to_have_count(0)
    expect(page.locator("#question h1")).to_have_text("Where do you lay your rug?")
    page.locator("[data-pile]").hover()
    page.locator(f"#spot-{spot.square}").hover()
    expect(page.locator(".preview.near")).to_have_count(1)
    page.locator("[data-pile]").hover()
    page.mouse.down()
    page.locator(f"#spot-{spots[0].square}").hover(force=True)
    page.mouse.up()
    expect(page.locator("#confirm")).to_have_attribute("value", spots[0].action)
    assert [url for url in asked if "changes" not in url] == []
    assert game.moves.count() == 1


def test_carpet_way_and_cushion_are_chosen_without_a_request(open_as: OpenAs) -> None:
    game = played(2, TWO[:7])
    page = open_as(whose_turn(game), game.get_absolute_url())
    asked = slow_down(page)
    heading = page.locator("#question h1")
    assert layouts_to_show(page, "#cell-Ld5", ".lit.source") <= 2
    expect(heading).to_have_text("Where does your carpet on Ld5 fly?")
    page.locator("#cell-Le4").hover()
    expect(page.locator(".ghost.near")).to_have_count(1)
    assert layouts_to_show(page, "#cell-Le4", ".ghost:not(.near)") <= 2
    expect(heading).to_have_text("On which cushion does the genie of Le4 sit?")
    page.locator("#cushion-C").click()
    expect(page.locator("#confirm")).to_have_attribute("value", "move:Ld5-Le4@C")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(heading).to_have_text("Your turn: which carpet?")
    page.locator("#cell-Ld5").hover()
    page.mouse.down()
    box = page.locator(".plane.L .cell").nth(9).bounding_box()
    assert box
    page.mouse.move(box["x"] + 20, box["y"] + 20, steps=4)
    page.mouse.up()
    expect(heading).to_have_text("On which cushion does the genie of Le4 sit?")
    assert [url for url in asked if "changes" not in url] == []
    assert game.moves.count() == 7
