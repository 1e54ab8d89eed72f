"""No page of the site keeps anybody out."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.urls import Resolver404, resolve
from django.utils import timezone
from playwright.sync_api import Page

from games.management.screens import set_up
from games.models import Player
from tests.browser.everybody import obstacles
from tests.browser.playing import OpenAs

Who = Player | None
NOT_PAGES = {"download_data", "record", "record_key", "calendar"}


def route(path: str) -> str | None:
    """The name of the page at this address; None where there is none to look at."""
    try:
        name = resolve(urlsplit(path).path).url_name
    except Resolver404:
        return None
    return None if name in NOT_PAGES else name


def test_every_page(open_as: OpenAs) -> None:
    """All pages that the pictures show, and one of each kind that a link on them leads to."""
    screens = set_up(timezone.now())
    queue: list[tuple[Who, str]] = [(screen.player, screen.path) for screen in screens]
    reached = {(bool(who), route(path)) for who, path in queue}
    pages: dict[Who, Page] = {}
    wrong: dict[str, list[str]] = {}
    looked_at = 0
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
        assert response.status == 200, path
        if found := obstacles(page):
            wrong[path] = found
        for link in page.locator('a[href^="/"]:not([download])').evaluate_all(
            "links => links.map(link => link.getAttribute('href'))"
        ):
            kind = (bool(who), route(link))
            if kind[1] and kind not in reached:
                reached.add(kind)
                queue.append((who, link))
    assert wrong == {}
    assert looked_at > len(screens) + 10
