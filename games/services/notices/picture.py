"""The board as a PNG, for mail: what a spectator sees."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from email.mime.image import MIMEImage
from email.policy import SMTP
from pathlib import Path

import resvg_py
from django.core.cache import cache
from django.template.loader import render_to_string

from games import titles
from games.selectors.table import Table

# Servers often have no fonts at all.
FONT = Path(__file__).parents[2] / "fonts" / "souk-signs.ttf"
FAMILY = "Souk Signs"
CONTENT_ID = "board"
KEPT_FOR = 24 * 3600
WIDTH = 512
"""Shown at two thirds of it: sharp on a phone, and still a small mail."""


def picture(table: Table) -> bytes:
    return _kept(f"picture:{table.game.pk}:{len(table.moves)}", lambda: _draw(table))


def picture_part(table: Table) -> bytes:
    """The board as a part of a mail, in the form in which it is sent."""
    return _kept(f"part:{table.game.pk}:{len(table.moves)}", lambda: _part(picture(table)))


def _kept(key: str, make: Callable[[], bytes]) -> bytes:
    """Everybody at a table gets the same picture, so it is made once for a position."""
    made: bytes | None = None
    # A cache that is down costs time, not the letter.
    with suppress(Exception):
        made = cache.get(key)
    if made is None:
        made = make()
        with suppress(Exception):
            cache.set(key, made, KEPT_FOR)
    return made


def _part(png: bytes) -> bytes:
    image = MIMEImage(png, "png")
    image.add_header("Content-ID", f"<{CONTENT_ID}>")
    image.add_header("Content-Disposition", "inline", filename="board.png")
    return image.as_bytes(policy=SMTP)


def _draw(table: Table) -> bytes:
    key = table.game.ruleset
    board = titles.draw(table.position.observe(None))
    templates = [f"games/{key}/picture.svg", "games/fallback/picture.svg"]
    svg = render_to_string(templates, {"board": board, "key": key})
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            width=WIDTH,
            skip_system_fonts=True,
            font_files=[str(FONT)],
            font_family=FAMILY,
            sans_serif_family=FAMILY,
        )
    )
