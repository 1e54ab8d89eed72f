"""Pages keep nobody out, by day or by night."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def obstacles(page: Page, *, by_night: bool = True) -> list[str]:
    """What axe finds on a page by day and, as only colours differ, in the colours of the night."""
    page.wait_for_load_state()
    page.emulate_media(color_scheme="light")
    found = _violations(page)
    if by_night:
        page.emulate_media(color_scheme="dark")
        found += _violations(page, runOnly=["color-contrast"])
        page.emulate_media(color_scheme="light")
    return [
        f"{each['id']}: {node['target']} {node['html'][:120]}"
        for each in found
        for node in each["nodes"]
    ]


def _violations(page: Page, **options: list[str]) -> list[Any]:
    """To list all that is well, too, takes axe as long again."""
    options["resultTypes"] = ["violations"]
    found: list[Any] = Axe().run(page, options=options).response["violations"]
    return found
