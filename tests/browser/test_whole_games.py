"""Complete games, each player in a browser of their own, move by move by the mouse."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.models import Game, Player
from tests.browser.playing import PHONE, OpenAs, decide, play_as_by_hand
from tests.people import new_players, started_game, whose_turn

STILL = {"reduced_motion": "reduce"}


def poll(page: Page) -> None:
    """Let the two seconds pass after which an open page asks for news."""
    page.clock.run_for(2_100)


def sit_down(open_as: OpenAs, game: Game, players: list[Player]) -> dict[int, Page]:
    pages = {}
    for number, player in enumerate(players):
        how: dict[str, Any] = {**STILL, **(PHONE if number % 2 else {})}
        page = open_as(player, "/", **how)
        page.clock.install()
        page.goto(game.get_absolute_url())
        pages[player.pk] = page
    return pages


def play_to_the_end(game: Game, pages: dict[int, Page]) -> None:
    while game.status == Game.Status.RUNNING:
        player = whose_turn(game)
        page = pages[player.pk]
        if page.locator('form#table input[name="on"]').count() == 0:
            poll(page)
        while game.to_act and game.to_act.player_id == player.pk:
            decide(page, game)


@pytest.mark.parametrize(
    ("count", "options", "unclicked"),
    [(2, {}, 30), (3, {"turning": "after"}, 99), (4, {"insolvency": "play_on"}, 72)],
    ids=["two", "three-turning-afterwards", "four"],
)
def test_a_game_goes_by_clicks_to_its_result(
    open_as: OpenAs, count: int, options: dict[str, Any], unclicked: int
) -> None:
    """By clicks after so many moves; by keyboard and without scripts whole games are played."""
    players = new_players(count)
    game = started_game(players, options=options)
    play_as_by_hand(game, unclicked)
    pages = sit_down(open_as, game, players)
    play_to_the_end(game, pages)
    assert game.move_count > unclicked + count
    assert game.result
    for page in pages.values():
        poll(page)
        expect(page.locator("h1.verdict")).to_be_visible()
        rows = page.locator(".result tbody tr:not(.bars)")
        expect(rows).to_have_count(count)
        for row, seat in zip(rows.all(), game.seats.order_by("place", "number"), strict=True):
            expect(row).to_contain_text(str(seat.player))
            expect(row.locator("td").last).to_have_text(str(game.result["points"][seat.number]))
        expect(page.get_by_role("button", name="Rematch")).to_be_visible()
        page.get_by_role("link", name="Proof of the dice").click()
        expect(page.locator("main")).to_contain_text(bytes(game.seed).hex())


def test_who_cannot_pay_is_out_and_the_others_play_on(
    open_as: OpenAs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seed 104: the first to go owes fourteen and has six, at move 61."""
    with monkeypatch.context() as patch:
        patch.setattr("games.services.seating.secrets.token_bytes", lambda n: (104).to_bytes(n))
        players = new_players(3)
        game = started_game(players)
    play_as_by_hand(game, 60)
    broke = whose_turn(game)
    page = open_as(broke, game.get_absolute_url(), **STILL)
    decide(page, game)
    assert game.status == Game.Status.RUNNING
    assert whose_turn(game) != broke
    expect(page.locator("#question .told")).to_contain_text("paid only 6 of 14 dirhams to")
    expect(page.locator(".player.out")).to_contain_text(str(broke))
    expect(page.locator(".player.out")).to_contain_text("out of money")
    expect(page.get_by_role("link", name="Give up…")).to_have_count(1)
    page.reload()
    expect(page.get_by_role("link", name="Give up…")).to_have_count(0)
    other = open_as(whose_turn(game), game.get_absolute_url(), **STILL)
    expect(other.locator("#missed")).to_contain_text("and is out of the game")
    decide(other, game)
    decide(other, game)
    assert game.move_count == 63
