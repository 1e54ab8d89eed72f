"""Attributes of pages that scripts, screen readers and browsers without scripts go by.

Scripts of an earlier release, kept by a service worker or in an open page, read the markup of this
one. A short list: what would be missed without an error anywhere.
"""

from __future__ import annotations

import json
from html.parser import HTMLParser

import pytest
from django.test import Client

from games.models import Game, Player
from tests.people import open_game, signed_in

Element = tuple[str, dict[str, str]]

ON_EVERY_PAGE: list[Element] = [
    ("a", {"class": "skip", "href": "#content"}),
    ("main", {"id": "content"}),
    ("div", {"id": "trouble", "role": "alert"}),
    ("p", {"data-trouble": "lost"}),
    ("p", {"data-trouble": "stranger"}),
    ("p", {"data-trouble": "refused"}),
    ("p", {"id": "seen", "role": "status"}),
    ("html", {"lang": "en", "data-who": "102", "data-theme": "system"}),
    (
        "link",
        {"rel": "manifest", "href": "/manifest.webmanifest", "crossorigin": "use-credentials"},
    ),
    ("button", {"class": "menu-button", "popovertarget": "menu", "aria-label": "Menu"}),
    ("nav", {"id": "menu", "popover": "", "aria-label": "Site"}),
    ("link", {"id": "favicon"}),
    ("button", {"name": "language", "value": "en", "lang": "en", "aria-current": "true"}),
]

# Nothing of an answer runs as a script; a refusal is shown in its place, an error is not.
HTMX = {
    "includeIndicatorStyles": False,
    "allowEval": False,
    "allowScriptTags": False,
    "timeout": 20000,
    "responseHandling": [
        {"code": "204", "swap": False},
        {"code": "[23]..", "swap": True},
        {"code": "409|422", "swap": True},
        {"code": "[45]..", "swap": False, "error": True},
    ],
}

G = "/g/c0ntract2345/"
TALK, NOTES = f"{G}talk/", f"{G}notes/"  # may be renamed: the first

# By address, as Omar sees it whose turn it is.
REQUIRED: dict[str, list[Element]] = {
    G: [
        (
            "form",
            {
                "id": "table",
                "method": "post",
                "action": f"{G}move/",
                "hx-post": f"{G}move/",
                "hx-target": "this",
                "hx-swap": "outerHTML",
                "hx-sync": "this:drop",
                "hx-include": "#since",
            },
        ),
        (
            "a",
            {
                "class": "choice",
                "href": f"{G}?choose=turn:L",
                "hx-get": f"{G}?choose=turn:L",
                "hx-target": "#table",
                "hx-swap": "outerHTML",
                "data-choose": "turn:L",
                "data-key": "l",
            },
        ),
        (
            "form",
            {
                "method": "post",
                "action": TALK,
                "hx-post": TALK,
                "hx-target": "#chat",
                "hx-swap": "outerHTML",
            },
        ),
        (
            "form",
            {"method": "post", "action": NOTES, "hx-post": NOTES, "hx-target": "#notes-kept"},
        ),
        ("span", {"id": "notes-kept", "role": "status"}),
        ("p", {"id": "announcement", "role": "status", "aria-live": "polite"}),
        (
            "div",
            {
                "id": "live",
                "data-live": "/live/?game=c0ntract2345",
                "data-port": "8001",
                "data-pace": "2",
                "hx-include": "#since",
                "hx-trigger": "souk:changed from:body",
                "hx-sync": "#table:abort",
                "hx-swap": "none",
            },
        ),
        ("li", {"data-seat": "1", "aria-current": "true"}),
        ("a", {"aria-current": "step"}),
        ("input", {"id": "since"}),
        ("section", {"id": "moves"}),
        ("section", {"id": "chat"}),
    ],
    f"{G}?choose=turn:L": [
        ("button", {"id": "confirm", "name": "action", "value": "turn:L"}),
        ("a", {"class": "choice", "data-choose": "turn:L", "aria-current": "true"}),
    ],
    "/": [
        (
            "div",
            {
                "id": "live",
                "data-live": "/live/?home",
                "data-port": "8001",
                "data-pace": "5",
                "hx-trigger": "souk:changed from:body",
                "hx-target": "#home",
                "hx-select": "#home",
                "hx-select-oob": "#waiting,#favicon",
                "hx-swap": "outerHTML",
            },
        ),
        ("span", {"id": "waiting"}),
    ],
    "/settings/": [
        (
            "form",
            {
                "method": "post",
                "action": "/settings/",
                "hx-post": "/settings/",
                "hx-trigger": "change, submit",
                "hx-swap": "none",
                "hx-sync": "this:queue last",
            },
        ),
        ("div", {"id": "settings-state", "role": "status", "hx-swap-oob": "true"}),
    ],
    "/archive/": [
        (
            "div",
            {
                "hx-get": "/archive/names/",
                "hx-include": "find input",
                "hx-trigger": "input changed delay:250ms from:find input",
                "hx-target": "#names",
            },
        ),
        ("a", {"class": "chip", "aria-current": "true"}),
    ],
    "/leaderboards/marrakech/": [
        ("a", {"href": "/leaderboards/marrakech/", "aria-current": "page"}),
    ],
    "/players/Omar/": [("a", {"href": "/players/Omar/", "aria-current": "page"})],
    "/games/new/": [("a", {"href": "?game=marrakech", "aria-current": "page"})],
}


class Elements(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[Element] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))

    def lacks(self, required: list[Element]) -> list[Element]:
        return [each for each in required if not self._has(each)]

    def _has(self, required: Element) -> bool:
        tag, attributes = required
        return any(each == tag and attributes.items() <= own.items() for each, own in self.found)


@pytest.mark.django_db
@pytest.mark.parametrize("path", sorted(REQUIRED))
def test_a_page_has_what_it_must_have(path: str, game: Game, two: list[Player], settings) -> None:
    settings.LIVE_PORT = 8001
    page = Elements(signed_in(two[1]).get(path).content.decode())
    assert page.lacks([*ON_EVERY_PAGE, *REQUIRED[path]]) == []
    assert page.lacks([("form", {"hx-post": "/nowhere/"})]), "the search itself"
    # What HTMX sends or fetches, a browser without scripts does as well.
    for tag, own in page.found:
        if tag == "form" and "hx-post" in own:
            assert (own["method"], own["action"]) == ("post", own["hx-post"])
        if tag == "a" and "hx-get" in own:
            assert own["href"] == own["hx-get"]


@pytest.mark.django_db
def test_a_waiting_room_asks_for_who_came(two: list[Player], settings) -> None:
    settings.LIVE_PORT = 8001
    opened = open_game(two[1])
    page = Elements(signed_in(two[1]).get(opened.get_absolute_url()).content.decode())
    live = {
        "id": "live",
        "data-live": f"/live/?game={opened.public_id}",
        "hx-trigger": "souk:changed from:body",
        "hx-swap": "none",
    }
    assert page.lacks([*ON_EVERY_PAGE, ("div", live)]) == []


@pytest.mark.django_db
def test_how_htmx_is_set_up() -> None:
    page = Elements(Client().get("/").content.decode())
    (config,) = (own for tag, own in page.found if own.get("name") == "htmx-config")
    assert json.loads(config["content"]) == HTMX


@pytest.mark.django_db
def test_what_was_done_is_read_out(two: list[Player]) -> None:
    done = signed_in(two[0]).post("/settings/vacation/1/end/", follow=True)
    page = Elements(done.content.decode())
    assert page.lacks([("ul", {"class": "messages", "role": "status"})]) == []


@pytest.mark.django_db
def test_a_page_of_errors_can_be_skipped_into() -> None:
    page = Elements(Client().get("/nowhere/").content.decode())
    assert page.lacks([ON_EVERY_PAGE[0], ON_EVERY_PAGE[1]]) == []
