"""Playing Marrakech by hand: what a player clicks, and waiting for what comes of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from games.models import Game, Player
from games.selectors.table import see_table
from tests.people import NOON, do, whose_turn

OpenAs = Callable[..., Page]
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
}


def decide(page: Page, game: Game) -> None:
    """One decision by clicks: straight on, the first place for the rug, then to the right."""
    game.refresh_from_db()
    number = game.move_count + 1
    if game.to_act_kind == "lay":
        page.locator("a.spot").first.click()
        page.locator("#confirm").click()
    else:
        choose(page, {"turn": "turn:S", "roll": "roll", "face": "turn:R"}[game.to_act_kind])
    expect(page.locator("#moves .moves a").first).to_have_attribute(
        "href", f"{game.get_absolute_url()}?move={number}"
    )
    game.refresh_from_db()


def choose(page: Page, action: str) -> None:
    """A way: where a clock runs, chosen first and then rolled for."""
    way = page.locator(f'#question :is([value="{action}"], [data-choose="{action}"])').first
    asks = way.evaluate("element => 'choose' in element.dataset")
    way.click()
    if asks:
        page.locator(f'#confirm[value="{action}"]').click()


def choice_by_hand(game: Game, player: Player) -> str:
    """The action that `decide` would click."""
    table = see_table(game, player)
    if game.to_act_kind == "lay":
        action: str = table.board().spots[0].action
        return action
    return {"turn": "turn:S", "roll": "roll", "face": "turn:R"}[game.to_act_kind]


def play_as_by_hand(game: Game, moves: int) -> None:
    """The same moves that clicks would make, without the clicks."""
    for _ in range(moves):
        do(game, choice_by_hand(game, whose_turn(game)), NOON)
