"""No language breaks the layout of a phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.conf import settings
from playwright.sync_api import Page

from tests.people import new_players, play_on, started_game, whose_turn

PHONE = {"viewport": {"width": 320, "height": 640}}
WIDER_THAN_THE_SCREEN = """() => [...document.querySelectorAll("body *")]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
    .filter((one) => !one.closest(".scroll, .hidden-text, .skip, svg, [popover], pre"))
    .map((one) => one.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
def test_nothing_is_wider_than_a_phone(open_as: Callable[..., Page], language: str) -> None:
    players = new_players(2)
    game = started_game(players)
    play_on(game, 5, pick=1)
    player = whose_turn(game)
    player.language = language
    player.save()
    guest = open_as(None, f"/{language}/", **PHONE)
    visits = [
        (guest, path)
        for path in (
            "/",
            "/rules/marrakech/",
            "/rules/ifrito/",
            "/learn/",
            "/help/",
            "/games/",
            "/accounts/signup/",
            "/accounts/login/",
            "/leaderboards/marrakech/",
        )
    ]
    member = open_as(player, "/", **PHONE)
    visits += [
        (member, path)
        for path in (
            "/",
            "/games/new/",
            "/settings/",
            game.get_absolute_url(),
            player.get_absolute_url(),
        )
    ]
    for page, path in visits:
        answer = page.goto(f"/{language}{path}")
        assert answer
        assert answer.status == 200, path
        assert page.locator("html").get_attribute("lang") == language, path
        assert page.evaluate(WIDER_THAN_THE_SCREEN) == [], path
