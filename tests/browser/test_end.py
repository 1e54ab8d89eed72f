"""What comes after the last move: what decided it, another game, telling others, keeping it."""

from __future__ import annotations

import re

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from games.models import Game, Player
from games.services import play
from tests.browser.everybody import obstacles
from tests.browser.playing import PHONE, OpenAs
from tests.browser.test_ifrito import played, record
from tests.browser.test_play_now import press_play
from tests.people import NOON, new_players, started_game

# Nobody can move any more; nobody captured anything; the first has one genie more aboard.
STALLED = record("""
    enter:Ud5@N enter:Ue3@E enter:Ub5@N enter:Le5@N enter:Ua2@S enter:La1@S move:Ua2-Ua1@W
""")

# A device that has a sheet for sharing.
SHARES = """() => {
  navigator.canShare = () => true;
  navigator.share = async (what) => {
    window.shared = { ...what, files: what.files.map((file) => file.type) };
    document.documentElement.dataset.shared = "yes";
  };
}"""


def test_what_broke_the_tie_is_said_to_each(open_as: OpenAs) -> None:
    game = played(2, STALLED)
    first, second = (game.seats.get(number=number).player for number in (0, 1))
    page = open_as(first, game.get_absolute_url(), **PHONE)
    expect(page.get_by_role("heading", level=1)).to_have_text("You won!")
    equal = "The prisons are equally full:"
    expect(page.locator(".decided")).to_contain_text(f"{equal} you have more genies aboard.")
    assert obstacles(page) == []
    page = open_as(second, game.get_absolute_url())
    expect(page.get_by_role("heading", level=1)).to_have_text(f"{first} won")
    expect(page.locator(".decided")).to_contain_text(f"{equal} {first} has more genies aboard.")


def finished_as_guest(open_as: OpenAs, *, wins: bool) -> tuple[Page, Game]:
    page = open_as(None, "/", **PHONE)
    game = press_play(page)
    bot = Player.objects.filter(seats__game=game).exclude(bot_level="").get()
    play.resign(game_id=game.pk, player=bot if wins else game.creator, now=timezone.now())
    expect(page.locator("h1.verdict")).to_be_visible()
    return page, game


@pytest.mark.parametrize(("wins", "kept"), [(True, "win"), (False, "game")])
def test_guests_sign_up_and_keep_it(open_as: OpenAs, wins: bool, kept: str) -> None:
    page, game = finished_as_guest(open_as, wins=wins)
    heading = "You won!" if wins else "Apprentice won"
    expect(page.locator("h1.verdict")).to_contain_text(heading)
    page.get_by_role("link", name=f"Sign up and keep this {kept}").click()
    expect(page).to_have_url(re.compile("/accounts/signup/"))
    assert Player.objects.get(pk=game.creator.pk).is_guest


def test_the_next_bot_is_stronger(open_as: OpenAs) -> None:
    page, game = finished_as_guest(open_as, wins=True)
    page.get_by_role("button", name="Stronger bot: Merchant").click()
    expect(page.locator("h1.verdict")).to_have_count(0)
    following = Game.objects.exclude(pk=game.pk).get()
    expect(page).to_have_url(re.compile(following.public_id))
    levels = following.seats.exclude(player=game.creator).values_list("player__bot_level")
    assert [level for (level,) in levels] == ["merchant"]


@pytest.mark.parametrize("device", [True, False])
def test_a_game_is_shared_with_its_picture_or_its_link(open_as: OpenAs, device: bool) -> None:
    yasmin, omar = new_players(2)
    game = started_game([yasmin, omar])
    play.resign(game_id=game.pk, player=yasmin, now=NOON)
    page = open_as(omar, "/", permissions=["clipboard-read", "clipboard-write"])
    if device:
        page.add_init_script(f"({SHARES})()")
    page.goto(game.get_absolute_url())
    page.get_by_role("link", name="Share").click()
    if device:
        expect(page.locator("html")).to_have_attribute("data-shared", "yes")
        shared = page.evaluate("window.shared")
        assert shared["text"] == "You won!"
        assert shared["files"] == ["image/png"]
        address = shared["url"]
    else:
        expect(page.get_by_role("link", name="The link was copied.")).to_be_visible()
        address = page.evaluate("navigator.clipboard.readText()")
    assert address.endswith(game.get_absolute_url())
