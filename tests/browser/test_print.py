"""Pages on paper: dark ink on light paper, and nothing to press."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from games.models import Player
from tests.browser.playing import OpenAs
from tests.people import new_player


@pytest.mark.parametrize("game", ["marrakech", "ifrito"])
def test_the_rules_on_paper(open_as: OpenAs, game: str) -> None:
    reader = new_player("Yasmin")
    Player.objects.filter(pk=reader.pk).update(theme="dark")
    page = open_as(reader, f"/rules/{game}/")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"
    expect(page.get_by_role("navigation").first).to_be_hidden()
    expect(page.locator("h1")).to_be_visible()
