"""Run by `test_add_a_game` in a copy of Souk that has the game of the tutorial."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect

from games.models import Game
from games.services.notices import outbox
from tests.browser.playing import OpenAs
from tests.people import new_players, started_game, whose_turn

LATER = timedelta(hours=1)
PAGES = ("/", "/games/", "/games/new/", "/play/", "/learn/", "/help/", "/numbers/", "/archive/")


def test_the_room_is_complete(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("check")
    assert "pebbles" not in capsys.readouterr().err


def take(page: Page, game: Game, count: int) -> None:
    game.refresh_from_db()
    number = game.move_count + 1
    page.locator(f'#question [value="take:{count}"]').click()
    expect(page.locator("#moves .moves a").first).to_have_attribute(
        "href", f"{game.get_absolute_url()}?move={number}"
    )


def take_by_mail(open_as: OpenAs, count: int) -> None:
    """Press a button of the newest turn mail, in a browser that is not signed in."""
    mail.outbox.clear()
    outbox.drain(clock=lambda: timezone.now() + LATER)
    [letter] = [each for each in mail.outbox if "Your turn" in each.subject]
    [link] = re.findall(rf"(/mail/move/\S+take(?::|%3A){count}\S*)", str(letter.body))
    page = open_as(None, link)
    expect(page.locator("h1").first).to_have_text("Play this?")
    page.locator(f'#question button[value="take:{count}"]').first.click()
    expect(page.locator("h1").first).to_have_text("Played")


def test_a_game_from_the_lobby_to_the_proof(open_as: OpenAs) -> None:
    yasmin, omar = new_players(2)
    hers = open_as(yasmin, "/games/new/")
    hers.get_by_role("link", name="Pebbles").click()
    hers.get_by_role("button", name="An open table").click()
    expect(hers.locator("body")).to_contain_text("Pebbles")
    game = Game.objects.get()

    his = open_as(omar, "/games/")
    his.get_by_role("link", name="Yasmin").click()
    his.get_by_role("button", name="Join").click()
    expect(his.locator("#board svg")).to_be_visible()
    hers.goto(game.get_absolute_url())
    pages = {yasmin: hers, omar: his}

    for round_of_three in range(4):
        player = whose_turn(game)
        if round_of_three == 1:
            take_by_mail(open_as, 3)
            pages[player].reload()
        else:
            pages[player].goto(game.get_absolute_url())
            take(pages[player], game, 3)
    game.refresh_from_db()
    assert game.status == Game.Status.OVER
    assert game.result
    assert game.result["reason"] == "pebbles"

    hers.goto(game.get_absolute_url())
    expect(hers.locator("#question")).to_contain_text(" won")
    hers.goto(f"{game.get_absolute_url()}?move=2")
    expect(hers.locator("#question h1")).to_have_text("After move 2 of 4")
    assert hers.locator('#board circle[fill="#6b5544"]').count() == 6
    hers.goto("/archive/")
    expect(hers.locator(".gallery")).to_contain_text("Pebbles")
    hers.goto(f"{game.get_absolute_url()}proof/")
    hers.get_by_role("button", name="Check it in my browser").click()
    for part in ("commitment", "seating"):
        expect(hers.locator(f"[data-part={part}]")).to_have_text("✓ agrees")


def test_every_page_shows_it(client: Client) -> None:
    players = new_players(3)
    started_game(players, ruleset="pebbles")
    client.force_login(players[0])
    for path in (*PAGES, "/leaderboards/pebbles/", "/rules/pebbles/", "/learn/pebbles/1/"):
        assert client.get(path).status_code == 200, path
    assert "Pebbles" in client.get("/learn/").content.decode()
    assert 'value="pebbles"' not in client.get("/play/").content.decode()
    assert client.get("/learn/pebbles/1/take:2/").status_code == 200


def test_a_table_without_a_stylesheet_of_its_own_is_served_as_in_production(
    client: Client, settings: Any, tmp_path: Path
) -> None:
    settings.STATIC_ROOT = tmp_path
    storage = "whitenoise.storage.CompressedManifestStaticFilesStorage"
    settings.STORAGES = {**settings.STORAGES, "staticfiles": {"BACKEND": storage}}
    call_command("collectstatic", interactive=False, verbosity=0)
    game = started_game(new_players(2), ruleset="pebbles")
    assert client.get(game.get_absolute_url()).status_code == 200
