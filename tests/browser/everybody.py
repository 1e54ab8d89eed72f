"""Pages keep nobody out, by day or by night."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def obstacles(page: Page) -> list[str]:
    """What axe finds on a page by day and, as only colours differ, in the colours of the night."""
    page.emulate_media(color_scheme="light")
    found = Axe().run(page).response["violations"]
    page.emulate_media(color_scheme="dark")
    found += Axe().run(page, options={"runOnly": ["color-contrast"]}).response["violations"]
    page.emulate_media(color_scheme="light")
    return [
        f"{each['id']}: {node['target']} {node['html'][:120]}"
        for each in found
        for node in each["nodes"]
    ]
