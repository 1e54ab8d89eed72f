"""The board as a PNG, for mail: what a spectator sees."""

from __future__ import annotations

from base64 import encodebytes
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import resvg_py
from django.core.cache import cache
from django.template.loader import render_to_string
from PIL import Image

from games import titles
from games.selectors.table import Table

# Servers often have no fonts at all.
FONT = Path(__file__).parents[2] / "fonts" / "souk-signs.ttf"
FAMILY = "Souk Signs"
KEPT_FOR = 24 * 3600
WIDTH = 512
"""Shown at two thirds of it: sharp on a phone, and still a small mail."""
COLOURS = 64
"""As good as all of them to the eye, and a quarter of the bytes."""


def picture(table: Table) -> bytes:
    return _kept(f"picture:{table.game.pk}:{len(table.moves)}", lambda: _draw(table))


def picture_part(table: Table, content_id: str) -> bytes:
    """The board as a part of one mail, in the form in which it is sent."""
    headers = (
        "Content-Type: image/png",
        "Content-Transfer-Encoding: base64",
        f"Content-ID: <{content_id}>",
        'Content-Disposition: inline; filename="board.png"',
        "",
        "",
    )
    key = f"part:{table.game.pk}:{len(table.moves)}"
    encoded = _kept(key, lambda: encodebytes(picture(table)).replace(b"\n", b"\r\n"))
    return "\r\n".join(headers).encode() + encoded


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


def _draw(table: Table) -> bytes:
    key = table.game.ruleset
    board = titles.draw(table.position.observe(None))
    templates = [f"games/{key}/picture.svg", "games/fallback/picture.svg"]
    return _as_png(render_to_string(templates, {"board": board, "key": key}), WIDTH)


def drawn(svg: str, width: int) -> bytes:
    """An SVG document as a PNG of this width, with the few signs that we have a font for."""
    digest = sha256(svg.encode()).hexdigest()
    return _kept(f"drawn:{width}:{digest}", lambda: _as_png(svg, width))


def _as_png(svg: str, width: int) -> bytes:
    png = bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            width=width,
            skip_system_fonts=True,
            font_files=[str(FONT)],
            font_family=FAMILY,
            sans_serif_family=FAMILY,
        )
    )
    return _with_few_colours(png)


def _with_few_colours(png: bytes) -> bytes:
    small = BytesIO()
    with Image.open(BytesIO(png)) as image:
        few = image.convert("RGB").quantize(
            COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE
        )
        few.save(small, "PNG", optimize=True)
    return small.getvalue()
