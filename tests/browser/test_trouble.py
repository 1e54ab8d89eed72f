"""What goes wrong is said in view until it is over, and put right where that is possible."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from games.models import Game, Player
from tests.browser.playing import PHONE, OpenAs, choose, decide, play_as_by_hand
from tests.people import new_players, started_game, whose_turn


def refuse_moves(page: Page, status: int) -> None:
    page.route("**/move/", lambda route: route.fulfill(status=status, body="no"))


def test_what_is_refused_is_said_in_view_until_it_works(open_as: OpenAs) -> None:
    game = started_game(new_players(2))
    page = open_as(whose_turn(game), game.get_absolute_url(), **PHONE)
    line = page.locator("#trouble")
    refuse_moves(page, 403)
    choose(page, "turn:S")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(line).to_be_in_viewport()
    expect(line).to_contain_text("That did not work")
    with page.expect_response("**/changes/**") as poll:
        pass
    assert poll.value.ok
    expect(line).to_contain_text("That did not work")
    page.unroute("**/move/")
    decide(page, game)
    expect(line).to_have_js_property("innerText", "")


def test_a_stale_token_is_renewed_and_the_move_made_once(open_as: OpenAs) -> None:
    game = started_game(new_players(2))
    page = open_as(whose_turn(game), game.get_absolute_url())
    page.context.clear_cookies(name="csrftoken")
    decide(page, game)
    expect(page.locator("#trouble p:visible")).to_have_count(0)
    assert game.moves.count() == 1


def sign_in_again(page: Page, player: Player, game: Game) -> None:
    page.get_by_label("Name or e-mail address").fill(player.username)
    page.get_by_label("Password").fill("open-sesame-42")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page).to_have_url(re.compile(re.escape(game.get_absolute_url()) + "$"))


def test_whoever_was_signed_out_is_told_signs_in_and_comes_back(open_as: OpenAs) -> None:
    game = started_game(new_players(2))
    player = next(seat.player for seat in game.seats.all() if seat.player != whose_turn(game))
    page = open_as(player, game.get_absolute_url())
    page.context.clear_cookies(name="sessionid")
    play_as_by_hand(game, 2)
    page.locator("#trouble").get_by_role("link", name="Sign in").click()
    sign_in_again(page, player, game)
    page.context.clear_cookies(name="sessionid")
    choose(page, "turn:S")
    sign_in_again(page, player, game)
    decide(page, game)
    assert game.moves.count() == 3
