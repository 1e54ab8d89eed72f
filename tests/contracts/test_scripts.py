"""Names that scripts and pages share: events, attributes and ids.

A page that is open, or kept by a service worker, goes on with the scripts that it came with.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from tests.contracts.test_browsers import ROOT, SCRIPTS, found

SENT = {"souk:changed", "souk:renewed", "souk:sound"}
OF_HTMX = {
    *("htmx:afterOnLoad", "htmx:afterRequest", "htmx:afterSettle", "htmx:beforeRequest"),
    *("htmx:beforeSwap", "htmx:responseError", "htmx:sendError", "htmx:timeout"),
}
# What other scripts call.
SHARED = {"hurry", "lightUp", "setOut", "tell", "trace"}
DATA = {
    *("address", "ask", "autoplay", "choose", "copied", "copy", "count", "die", "done", "failed"),
    *("if-chosen", "key", "layer", "live", "offered", "over", "pace", "part", "pile", "place"),
    *("port", "purse", "replay", "said", "script", "scrub", "seat", "share", "shares", "sharing"),
    *("slot", "stamp", "step", "steps", "story", "switch", "tell-me", "title", "trouble"),
    *("unless-chosen", "untold", "upon", "url", "when", "who", "zone"),
}
# Those that a script writes for another one, or for a style.
OF_SCRIPTS = {"at", "listens", "piece", "result", "seen"}
IDS = {
    *("board", "check", "chosen", "cloud", "confirm", "content", "favicon", "kept", "moves"),
    *("notes-text", "question", "say", "seen", "table", "verdict", "whole"),
}


def written(folder: str, *suffixes: str) -> str:
    paths: Iterable[Path] = (ROOT / folder).rglob("*")
    return "\n".join(path.read_text() for path in paths if path.suffix in suffixes)


def test_events() -> None:
    assert found(r'new (?:Custom)?Event\("([\w:]+)"') == SENT
    assert found(r'"((?:souk|htmx):\w+)"') == SENT | OF_HTMX
    assert "souk:changed from:body" in written("templates", ".html")
    assert "new EventSource(" in SCRIPTS["live.js"]


def test_what_a_script_gives_to_others() -> None:
    assert found(r"\bsouk\??\.(\w+)\(") == SHARED
    given = SCRIPTS["story.js"].partition("globalThis.souk = {")[2]
    assert {name for name in SHARED if re.search(rf"\b{name}\b", given)} == SHARED


def test_attributes() -> None:
    used = found(r"\[data-([\w-]+)")
    used |= {re.sub("[A-Z]", r"-\g<0>", name).lower() for name in found(r"dataset\.(\w+)")}
    assert used == DATA | OF_SCRIPTS
    pages = written("templates", ".html", ".svg") + written("games", ".py")
    assert {name for name in DATA if f"data-{name}" not in pages} == set()


def test_ids() -> None:
    used = found(r"getElementById\(\"([\w-]+)\"\)")
    used |= found(r"(?:\(|, |\s)[\"`]?#([a-z][\w-]*)[ \[,\"`]")
    assert used == IDS
    pages = written("templates", ".html", ".svg")
    assert {name for name in IDS if f'id="{name}"' not in pages} == set()
