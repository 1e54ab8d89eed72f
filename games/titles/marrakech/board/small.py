"""The board as a picture of its own, a few kilobytes at most: for galleries, where no stylesheet
reaches. Each colour has its weave, so that it can be told without colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .grid import HEADINGS, Square

DRAWING_VERSION = 1
"""Part of the address, under which browsers keep a picture for a year: count up when the same
position is drawn in another way."""
SIDE = 7
CELL = 20
EDGE = 4
EXTENT = SIDE * CELL + 2 * EDGE

WEAVES = {
    "red": '<path fill="#a8242f" d="M0 0h10v10H0z"/><path fill="#f3d9b8" d="M5 1l3 4-3 4-3-4z"/>',
    "blue": '<path fill="#2a4ea3" d="M0 0h10v10H0z"/>'
    '<path fill="none" stroke="#c9dafa" stroke-width="1.6" d="M-1 8l6-6 6 6"/>',
    "amber": '<path fill="#e2a11d" d="M0 0h10v10H0z"/><path fill="#8a4d08" d="M0 0h4v10H0z"/>',
    "green": '<path fill="#2c7a57" d="M0 0h10v10H0z"/>'
    '<path fill="#c7ecd2" d="M4 2h2v2h2v2H6v2H4V6H2V4h2z"/>',
}
NIGHT = (
    "<style>@media(prefers-color-scheme:dark)"
    "{.edge{fill:#8b651c}.floor{fill:#2b2540}.joints{stroke:#1a1629}.left{fill:#5b5470}}</style>"
)
"""Pictures follow the page they hang on."""


def small(observation: Mapping[str, Any]) -> str:
    """What a spectator sees, as a whole SVG document."""
    patches: dict[str, list[str]] = {}
    for rug in observation["rugs"]:
        colour = "neutral" if rug["neutral"] else rug["colour"]
        patches.setdefault(colour, []).append(_patch(rug["visible"]))
    weaves = "".join(
        f'<pattern id="{colour}" width="10" height="10" patternUnits="userSpaceOnUse">'
        f"{WEAVES[colour]}</pattern>"
        for colour in patches
        if colour in WEAVES
    )
    rugs = "".join(f'<path {_cloth(colour)} d="{"".join(d)}"/>' for colour, d in patches.items())
    joints = "".join(f"M{n * CELL} 0v140M0 {n * CELL}h140" for n in range(1, SIDE))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-{EDGE} -{EDGE} {EXTENT} {EXTENT}">'
        f'{NIGHT}<defs>{weaves}</defs><rect class="edge" fill="#0f6d72"'
        f' x="-{EDGE}" y="-{EDGE}" width="{EXTENT}" height="{EXTENT}" rx="6"/>'
        '<path class="floor" fill="#f2e4c9" d="M0 0h140v140H0z"/>'
        f'<path class="joints" stroke="#d2b988" d="{joints}"/>'
        f'<g stroke="#2b1d16" stroke-width="1.2">{rugs}</g>{_assam(observation["assam"])}</svg>'
    )


def _cloth(colour: str) -> str:
    """Rugs that nobody owns any more have none."""
    return f'fill="url(#{colour})"' if colour in WEAVES else 'class="left" fill="#cfc6b8"'


def _patch(visible: Sequence[str]) -> str:
    """What is to be seen of a rug: one square, or two side by side."""
    squares = [Square.named(name) for name in visible]
    left, top = min(square.column for square in squares), max(square.row for square in squares)
    wide = 1 + max(square.column for square in squares) - left
    high = 1 + top - min(square.row for square in squares)
    x, y = left * CELL, (SIDE - 1 - top) * CELL
    return f"M{x} {y}h{wide * CELL}v{high * CELL}h-{wide * CELL}z"


def _assam(assam: Mapping[str, str]) -> str:
    square, facing = Square.named(assam["square"]), HEADINGS[assam["facing"]]
    x = square.column * CELL + CELL // 2
    y = (SIDE - 1 - square.row) * CELL + CELL // 2
    return (
        '<path fill="#2b1d16" stroke="#fffaf0" d="M8 0-5 6-2 0-5-6z"'
        f' transform="translate({x} {y})rotate({facing.angle})"/>'
    )
