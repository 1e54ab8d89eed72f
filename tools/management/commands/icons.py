"""Draw the icons of the app anew from the emblem."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import resvg_py
from django.conf import settings
from django.core.management.base import BaseCommand
from django.template.loader import render_to_string

FOLDER = Path(settings.BASE_DIR) / "games" / "static" / "games" / "img"
# Within the circle that every platform leaves of a maskable icon.
SAFE = 0.72
BADGE = 96


class Command(BaseCommand):
    help = "Draws the icons of the app from the emblem into the static files."

    def handle(self, *args: Any, **options: Any) -> None:
        emblem = render_to_string("games/_favicon.svg", {"count": 0})
        for size in (192, 512):
            self._draw(f"icon-{size}.png", emblem, size)
            self._draw(f"icon-maskable-{size}.png", maskable(emblem), size)
        self._draw(f"badge-{BADGE}.png", silhouette(emblem), BADGE)

    def _draw(self, name: str, svg: str, size: int) -> None:
        drawn = bytes(resvg_py.svg_to_bytes(svg_string=svg, width=size, height=size))
        (FOLDER / name).write_bytes(drawn)
        self.stdout.write(f"{name}: {len(drawn):,} bytes")


def maskable(emblem: str) -> str:
    """The ground reaches every edge, and the star keeps away from them."""
    inside = re.sub(r"<rect[^>]*/>", "", _inside(emblem))
    edge = 16 * (1 - SAFE)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
        '<rect width="32" height="32" fill="#b4532a"/>'
        f'<g transform="translate({edge} {edge}) scale({SAFE})">{inside}</g></svg>'
    )


def silhouette(emblem: str) -> str:
    """White on nothing, as status bars want it."""
    outline = re.findall(r'd="([^"]+)"', emblem)[0]
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="3 3 26 26">'
        f'<path fill="#fff" d="{outline}"/></svg>'
    )


def _inside(svg: str) -> str:
    return re.sub(r"\A\s*<svg[^>]*>|</svg>\s*\Z", "", svg)
