"""No page of the site keeps anybody out, on whatever screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from django.urls import Resolver404, resolve
from django.utils import timezone
from playwright.sync_api import Page

from games.models import Game, Message, Player
from games.services.notices import links
from games.titles.completeness import offered
from tests.browser.everybody import obstacles
from tests.browser.playing import OpenAs
from tests.people import actor, play_on, started_game, whose_turn
from tools.screenshot_site import SHOWN, make_screens

Who = Player | None
# Files; a bare picture is shown by a page of the browser itself, with styles of its own.
FILES = {"download_data", "record", "record_key", "calendar"}
PICTURES = {"favicon", "picture", "small_board", "year_picture"}
NOT_PAGES = FILES | PICTURES


def route(path: str) -> str | None:
    """The name of the page at this address; None where there is none to look at."""
    try:
        name = resolve(urlsplit(path).path).url_name
    except Resolver404:
        return None
    return None if name in NOT_PAGES else name


WIDE_NAME = "W" * 29
NARROW, USUAL = 320, 1280
WIDTHS = (NARROW, 360, 740, 820, 1024, USUAL, 1920, 3840)
# One of each way in which pages are laid out: on all widths. The others on two of them.
LAID_OUT = {
    "table", "home", "lobby", "new_game", "profile", "settings", "rules", "lesson", "archive",
    "proof",
}  # fmt: skip
# Elsewhere axe has looked at them already.
LOOKED_AT = {
    "account_login", "account_signup", "account_request_login_code", "account_reset_password",
    "account_email", "account_change_password", "account_logout", "usersessions_list", "settings",
    "notices", "delete_account", "decision",
}  # fmt: skip
ERRORS = ("/wrong/400/", "/wrong/403/", "/nowhere/", "/wrong/500/")
FITS = "html => html.scrollWidth <= innerWidth"


def games_of_the_others() -> list[Game]:
    """One of each game that the pictures leave out, in full swing."""
    players = list(Player.objects.filter(bot_level="").order_by("pk"))
    others = [title for title in offered() if title is not SHOWN]
    games = [started_game(players[: max(title.seats)], ruleset=title.key) for title in others]
    for game in games:
        play_on(game, 9)
    return games


def pages_of_mails() -> list[str]:
    """Where the links of mails lead, which no page has: one decision of each game, and the end."""
    acting = {game.ruleset: game for game in Game.objects.filter(to_act__isnull=False)}
    urls = [links.decision_url(actor(game), game) for game in acting.values()]
    urls.append(links.unsubscribe_url(Player.objects.filter(bot_level="")[0]))
    return [urlsplit(url).path for url in urls]


def too_wide(page: Page, widths: Sequence[int]) -> list[str]:
    """The widths of a screen at which the page scrolls sideways."""
    return [f"scrolls sideways at {width}" for width in widths if not fits(page, width)]


def fits(page: Page, width: int) -> bool:
    page.set_viewport_size({"width": width, "height": max(width * 3 // 4, 640)})
    return bool(page.locator("html").evaluate(FITS))


def test_every_page(open_as: OpenAs, settings: Any) -> None:
    """All pages that the pictures show, one of each kind that a link on them leads to, and the
    pages of errors: nothing keeps anybody out, and nothing scrolls sideways."""
    settings.ROOT_URLCONF = "tests.site.wrong"
    screens = make_screens(timezone.now())
    for letter, player in zip("ABCD", Player.objects.filter(bot_level=""), strict=False):
        Player.objects.filter(pk=player.pk).update(display_name=WIDE_NAME + letter)
    Message.objects.update(text=WIDE_NAME * 9)
    queue: list[tuple[Who, str]] = [(screen.player, screen.path) for screen in screens]
    queue += [(whose_turn(game), game.get_absolute_url()) for game in games_of_the_others()]
    queue += [(None, path) for path in pages_of_mails()]
    queue += [(None, path) for path in ERRORS]
    reached = {(bool(who), route(path)) for who, path in queue}
    pages: dict[Who, Page] = {}
    wrong: dict[str, list[str]] = {}
    looked_at = 0
    laid_out: set[str] = set()
    by_night: set[str] = set()  # pages of one kind have the same colours
    while queue:
        who, path = queue.pop(0)
        if who not in pages:
            pages[who] = open_as(who, "about:blank", reduced_motion="reduce")
        page = pages[who]
        response = page.goto(path)
        assert response
        if "text/html" not in response.headers.get("content-type", ""):
            continue
        looked_at += 1
        assert (response.status == 200) == (path not in ERRORS), path
        name = route(path) or ""
        found = [] if name in LOOKED_AT else obstacles(page, by_night=name not in by_night)
        found += too_wide(page, WIDTHS if name in LAID_OUT - laid_out else (NARROW, USUAL))
        laid_out |= LAID_OUT & {name}
        by_night.add(name)
        if found:
            wrong[path] = found
        for link in page.locator('a[href^="/"]:not([download])').evaluate_all(
            "links => links.map(link => link.getAttribute('href'))"
        ):
            kind = (bool(who), route(link))
            if kind[1] and kind not in reached:
                reached.add(kind)
                queue.append((who, link))
    assert wrong == {}
    assert laid_out == LAID_OUT
    assert looked_at > len(screens) + len(ERRORS) + 10
