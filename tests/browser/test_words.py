"""The lucky word: drawn in the browser where scripts run, offered by the server elsewhere."""

from __future__ import annotations

import re

from django.urls import reverse
from playwright.sync_api import Page, expect

from games.models import Game, Seat
from games.services import commitments, play
from tests.browser.playing import OpenAs
from tests.people import NOON, new_player, new_players, open_game, started_game

DRAWN = re.compile(r"([bdfgklmnprstvz][aeiou]){3}(-([bdfgklmnprstvz][aeiou]){3}){2}")


def sent_words(page: Page) -> list[str]:
    """What each form sends, by the names of its fields."""
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.post_data or ""))
    return sent


def first_seat() -> Seat:
    return Seat.objects.select_related("game", "player").get(joined=0)


def test_the_default_word_of_a_new_game_is_drawn_in_the_browser(open_as: OpenAs) -> None:
    page = open_as(new_player("Yasmin"), "/games/new/")
    page.get_by_text("More: pace, rules, rating").click()
    field = page.get_by_label("Your lucky word")
    expect(field).to_have_value(DRAWN)
    word = field.input_value()
    ticket = page.locator("form.new-game [name=ticket]").input_value()
    page.reload()
    page.get_by_text("More: pace, rules, rating").click()
    assert field.input_value() != word
    word, ticket = field.input_value(), page.locator("form.new-game [name=ticket]").input_value()
    page.get_by_text("Commitment", exact=True).click()
    expect(page.locator("code.seal")).to_have_text(commitments.commitment_of(ticket))
    page.get_by_role("button", name="Open the game").click()
    page.wait_for_url("**/g/*/")
    seat = first_seat()
    assert (seat.entropy, seat.word_origin) == (word, "browser")
    assert seat.game.commitment == commitments.commitment_of(ticket)


def test_one_press_draws_a_word_too(open_as: OpenAs) -> None:
    page = open_as(new_player("Yasmin"), "/games/new/")
    page.get_by_role("button", name="With friends").click()
    page.wait_for_url("**/g/*/")
    seat = first_seat()
    assert seat.word_origin == "browser"
    assert DRAWN.fullmatch(seat.entropy)


def test_a_first_page_that_was_renewed_draws_a_word_again(open_as: OpenAs) -> None:
    yasmin, omar = new_players(2)
    page = open_as(yasmin)
    word = page.locator("form.play-now [name=entropy]")
    expect(word).to_have_value(DRAWN)
    before = word.input_value()
    invited = open_game(omar, visibility="named", invited=[yasmin])
    page.evaluate("document.body.dispatchEvent(new Event('souk:changed'))")
    expect(page.locator(f"#home [href*='{invited.public_id}']").first).to_be_visible()
    expect(word).to_have_value(DRAWN)
    assert word.input_value() != before
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/g/*/")
    assert Seat.objects.get(player=yasmin).word_origin == "browser"


def test_a_word_that_was_typed_stays_also_after_a_mistake(open_as: OpenAs) -> None:
    page = open_as(new_player("Yasmin"), "/games/new/")
    page.get_by_text("More: pace, rules, rating").click()
    page.get_by_label("Your lucky word").fill("mint")
    page.get_by_label("Named").check()
    page.get_by_role("button", name="Open the game").click()
    expect(page.locator(".banner.error")).to_be_visible()
    expect(page.get_by_label("Your lucky word")).to_have_value("mint")
    page.get_by_label("Link", exact=False).first.check()
    page.get_by_role("button", name="Open the game").click()
    page.wait_for_url("**/g/*/")
    assert (first_seat().entropy, first_seat().word_origin) == ("mint", "chosen")


def test_without_scripts_the_word_is_offered(open_as: OpenAs) -> None:
    page = open_as(path="/play/", java_script_enabled=False)
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/g/*/")
    seat = first_seat()
    assert seat.word_origin == "offered"
    assert seat.game.committed_at


def test_those_who_join_and_play_again_draw_theirs(open_as: OpenAs) -> None:
    yasmin, omar = new_players(2)
    game = open_game(yasmin)
    page = open_as(omar, f"/g/{game.public_id}/join/")
    page.get_by_role("button", name="Join").click()
    page.wait_for_url("**/g/*/")
    assert Seat.objects.get(player=omar).word_origin == "browser"
    play.resign(game_id=game.pk, player=yasmin, now=NOON)
    page.goto(game.get_absolute_url())
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(lambda address: game.public_id not in address)
    again = Game.objects.get(rematch_of=game)
    assert again.committed_at
    assert Seat.objects.get(game=again).word_origin == "browser"


def test_the_proof_of_a_committed_game_agrees(open_as: OpenAs) -> None:
    yasmin, omar = new_players(2)
    ticket = commitments.new_ticket(now=NOON)
    game = started_game([yasmin, omar], ticket=ticket, entropy="ba-be", drawn_word="ba-be")
    play.resign(game_id=game.pk, player=omar, now=NOON)
    page = open_as(None, reverse("proof", args=[game.public_id]))
    expect(page.get_by_text("so Souk fixed the seed before it knew the word")).to_be_visible()
    expect(page.get_by_text("ba-be · drawn in the player's browser")).to_be_visible()
    page.get_by_role("button", name="Check it in my browser").click()
    expect(page.locator("#check")).to_have_attribute("data-result", "good")
    expect(page.locator("[data-part=commitment]")).to_have_text("✓ agrees")
