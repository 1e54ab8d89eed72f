"""The table in a browser: news by themselves, two tabs, a lost connection, talk, giving up."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from games.models import Game, Player
from games.selectors.table import see_table
from games.services import lobby, play
from tests.browser.playing import OpenAs, choose, decide, play_as_by_hand
from tests.people import NOON, new_players, started_game, whose_turn

COUNT_QUESTIONS = "asked = 0, document.body.addEventListener('souk:changed', () => asked++)"


def waiting_player(game: Game) -> Player:
    return next(seat.player for seat in game.seats.all() if seat.player != whose_turn(game))


def test_a_move_shows_up_on_open_pages_by_itself(open_as: OpenAs) -> None:
    game = started_game(new_players(2))
    mover, follower = whose_turn(game), waiting_player(game)
    pages = [open_as(follower, game.get_absolute_url()), open_as(None, game.get_absolute_url())]
    for page in pages:
        expect(page.locator("#announcement")).to_have_text("")
    play_as_by_hand(game, 1)
    for page in pages:
        expect(page.locator("#announcement")).to_contain_text(f"{mover} went straight on, rolled")
        expect(page.locator("#moves li")).to_have_count(1)
        expect(page.locator("#position")).to_contain_text("Assam stands on")
    play_as_by_hand(game, 1)
    expect(pages[0].locator("#announcement")).to_contain_text("It is your turn.")
    expect(pages[0]).to_have_title(re.compile(r"^\(1\) "))
    expect(pages[0].locator("#favicon")).to_have_attribute("href", re.compile(r"\?n=1$"))
    expect(pages[0].locator('#question [data-choose="turn:L"]')).to_be_visible()
    assert pages[0].locator('head link[rel="icon"]').count() == 1


def test_two_tabs_of_one_player(open_as: OpenAs) -> None:
    game = started_game(new_players(2))
    player = whose_turn(game)
    first = open_as(player, game.get_absolute_url())
    second = first.context.new_page()
    second.route("**/changes/**", lambda route: route.abort())
    second.goto(game.get_absolute_url())
    # The same form from both: the second tap is the first one again.
    for page in (first, second):
        choose(page, "turn:S")
        expect(page.locator("#question h1")).to_have_text("Where do you lay your rug?")
    assert game.moves.count() == 1
    second.unroute("**/changes/**")
    # What one tab does, the other one shows.
    game.refresh_from_db()
    decide(first, game)
    expect(second.locator("#question h1")).to_contain_text("Waiting for")
    assert game.moves.count() == 2


def test_a_tab_with_an_old_position_is_told(open_as: OpenAs) -> None:
    game = started_game(new_players(2))
    page = open_as(whose_turn(game), game.get_absolute_url())
    page.locator("#live").evaluate("element => { element.outerHTML = '<div id=live></div>' }")
    play_as_by_hand(game, 1)
    choose(page, "turn:L")
    alert = page.locator('#question [role="alert"]')
    expect(alert).to_contain_text("The position has changed")
    expect(alert).to_contain_text("went straight on, rolled")
    expect(page.locator("#question h1")).to_have_text("Where do you lay your rug?")
    expect(page.locator("a.spot").first).to_be_visible()
    assert game.moves.count() == 1


def test_a_lost_connection_is_told_and_caught_up_with(open_as: OpenAs) -> None:
    game = started_game(new_players(2))
    page = open_as(waiting_player(game), game.get_absolute_url())
    expect(page.locator("#trouble")).to_be_hidden()
    page.context.set_offline(True)
    play_as_by_hand(game, 2)
    expect(page.locator("#trouble")).to_be_visible()
    expect(page.locator("#question h1")).to_contain_text("Waiting for")
    page.context.set_offline(False)
    expect(page.locator("#question h1")).to_have_text("Which way should Assam go?")
    expect(page.locator("#trouble")).to_be_hidden()
    expect(page.locator("#moves li")).to_have_count(1)
    decide(page, game)


def test_a_move_made_without_connection_is_not_lost_silently(open_as: OpenAs) -> None:
    game = started_game(new_players(2))
    page = open_as(whose_turn(game), game.get_absolute_url())
    page.context.set_offline(True)
    choose(page, "turn:S")
    expect(page.locator("#trouble")).to_be_visible()
    page.context.set_offline(False)
    decide(page, game)
    assert game.moves.count() == 1


def test_a_rug_is_shown_turned_taken_back_and_laid(open_as: OpenAs) -> None:
    game = started_game(new_players(2))
    play_as_by_hand(game, 1)
    player = whose_turn(game)
    page = open_as(player, game.get_absolute_url())
    spot = next(s for s in see_table(game, player).board().spots if not s.only)
    page.locator(f"#spot-{spot.square}").click()
    expect(page.locator("#confirm")).to_have_attribute("value", spot.action)
    expect(page.locator(".preview.shown")).to_have_count(1)
    page.locator(f"#spot-{spot.square}").click()
    expect(page.locator("#confirm")).not_to_have_attribute("value", spot.action)
    turned = page.locator("#confirm").get_attribute("value") or ""
    assert spot.square in turned
    page.locator("#undo").click()
    expect(page.locator(".preview.shown")).to_have_count(0)
    assert game.moves.count() == 1
    page.locator(f"#spot-{spot.square}").click()
    page.locator("#confirm").click()
    expect(page.locator("#question h1")).to_contain_text("Waiting for")
    assert game.moves.last().action == spot.action  # type: ignore[union-attr]


def test_without_confirmation_one_tap_lays_a_lone_possibility(open_as: OpenAs) -> None:
    game = started_game(new_players(2))
    player = whose_turn(game)
    player.confirm_moves = False
    player.save()
    page = open_as(player, game.get_absolute_url())
    choose(page, "turn:S")
    lone = page.locator("button.spot").first
    action = lone.get_attribute("value")
    lone.click()
    expect(page.locator("#question h1")).to_contain_text("Waiting for")
    assert game.moves.last().action == action  # type: ignore[union-attr]


def test_the_ways_lie_on_the_board_too(open_as: OpenAs) -> None:
    game = started_game(new_players(4))
    page = open_as(whose_turn(game), game.get_absolute_url())
    expect(page.locator(".landing")).not_to_have_count(0)
    expect(page.locator("#confirm")).to_be_disabled()
    page.get_by_role("group", name="Ways for Assam").get_by_role("link", name="Left").click()
    expect(page.locator("#confirm")).to_have_attribute("value", "turn:L")
    page.locator('.controls [data-choose="turn:R"]').last.click()
    expect(page.locator("#confirm")).to_have_attribute("value", "turn:R")
    assert game.moves.count() == 0, "where a clock runs, a tap chooses and does not roll"
    page.locator("#confirm").click()
    expect(page.locator("#question h1")).to_have_text("Where do you lay your rug?")
    assert game.moves.get().action == "turn:R"


def test_what_was_missed_can_be_replayed_step_by_step(open_as: OpenAs) -> None:
    game = started_game(new_players(2))
    player = whose_turn(game)
    play_as_by_hand(game, 2)
    open_as(player, game.get_absolute_url())
    play_as_by_hand(game, 2)
    page = open_as(player, game.get_absolute_url())
    missed = page.get_by_role("region", name="Since you last looked")
    expect(missed.get_by_role("listitem")).to_have_count(1)
    missed.get_by_role("link", name="Replay step by step").click()
    expect(page.locator("#question h1")).to_have_text("After move 3 of 4")
    expect(missed).to_be_visible()
    page.locator(".replay-bar").get_by_role("link", name="Forward").click()
    expect(page.locator("#question h1")).to_have_text("Which way should Assam go?")
    page.reload()
    expect(missed).to_be_visible()
    page.goto(game.get_absolute_url())
    expect(missed).to_have_count(0)


def test_talk_and_notes(open_as: OpenAs) -> None:
    yasmin, omar = new_players(2)
    game = started_game([yasmin, omar])
    one, other = (open_as(player, game.get_absolute_url()) for player in (yasmin, omar))
    one.get_by_label("Say something").fill("A fine square you have there")
    other.get_by_label("Say something").fill("half a thought")
    one.get_by_role("button", name="Send").click()
    for page in (one, other):
        expect(page.locator("#chat-lines")).to_contain_text("A fine square you have there")
    expect(other.get_by_label("Say something")).to_have_value("half a thought")
    expect(one.get_by_label("Say something")).to_have_value("")
    one.get_by_label("Notes that only you can see").fill("Stay off the red field")
    one.get_by_role("button", name="Keep").click()
    expect(one.locator("#notes-kept")).to_have_text("Kept.")
    one.reload()
    expect(one.get_by_label("Notes that only you can see")).to_have_value("Stay off the red field")


def test_giving_up_and_the_rematch(open_as: OpenAs) -> None:
    yasmin, omar = new_players(2)
    game = started_game([yasmin, omar])
    loser, winner = (open_as(player, game.get_absolute_url()) for player in (yasmin, omar))
    loser.get_by_role("link", name="Give up…").click()
    loser.get_by_role("link", name="Play on").click()
    assert game.moves.count() == 0
    loser.get_by_role("link", name="Give up…").click()
    loser.get_by_role("button", name="Give up").click()
    for page in (loser, winner):
        expect(page.locator("h1.verdict")).to_be_visible()
    expect(winner.locator(".result tr.own td").first).to_have_text("1")
    loser.get_by_role("button", name="Rematch").click()
    winner.reload()
    expect(winner.locator("#question")).to_contain_text("Yasmin wants a rematch.")
    winner.get_by_role("button", name="Join the rematch").click()
    again = Game.objects.get(rematch_of=game)
    expect(winner).to_have_url(re.compile(re.escape(again.get_absolute_url())))
    assert again.status == Game.Status.RUNNING


def test_after_a_move_to_the_next_game(open_as: OpenAs) -> None:
    yasmin, omar = new_players(2)
    game = started_game([yasmin, omar])
    player = whose_turn(game)
    other = started_game([yasmin, omar])
    while whose_turn(other) != player:
        play_as_by_hand(other, 1)
    page = open_as(player, game.get_absolute_url())
    expect(page).to_have_title(re.compile(r"^\(2\) "))
    decide(page, game)
    decide(page, game)
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    page.locator("#question").get_by_role("link", name="Next game").click()
    expect(page).to_have_url(re.compile(re.escape(other.get_absolute_url())))


def test_a_seat_that_is_lost_shows_at_once(open_as: OpenAs) -> None:
    game = started_game(new_players(3))
    late = whose_turn(game)
    page = open_as(late, game.get_absolute_url())
    assert game.deadline
    play.time_out(game_id=game.pk, now=game.deadline)
    expect(page.locator("#question h1")).to_contain_text("Waiting for")
    expect(page.locator(".player.out")).to_contain_text("lost on time")
    expect(page.locator("#missed")).to_contain_text(f"{late} ran out of time")


def test_while_a_bot_thinks_the_page_asks_twice_a_second(open_as: OpenAs) -> None:
    [yasmin] = new_players(1)
    game = lobby.play_against_bots(
        player=yasmin, ruleset="marrakech", opponents=1, level="apprentice", now=NOON
    )
    while whose_turn(game) == yasmin:
        play_as_by_hand(game, 1)
    page = open_as(yasmin, "/")
    page.clock.install()
    page.goto(game.get_absolute_url())
    page.evaluate(COUNT_QUESTIONS)
    page.clock.run_for(9_000)
    assert page.evaluate("asked") >= 18


def test_a_finished_game_asks_ever_more_rarely_and_still_hears_of_a_rematch(
    open_as: OpenAs,
) -> None:
    yasmin, omar = new_players(2)
    game = started_game([yasmin, omar])
    play.resign(game_id=game.pk, player=yasmin, now=NOON)
    page = open_as(yasmin, "/")
    page.clock.install()
    page.goto(game.get_absolute_url())
    page.evaluate(COUNT_QUESTIONS)
    page.clock.run_for(600_000)
    assert 0 < page.evaluate("asked") < 40, "at first every two seconds, then every minute"
    lobby.rematch(game_id=game.pk, player=omar, now=NOON)
    # A question that is still on its way holds back the next.
    for _ in range(3):
        page.clock.run_for(70_000)
        page.wait_for_load_state("networkidle")
    expect(page.locator("#question")).to_contain_text("wants a rematch.")
