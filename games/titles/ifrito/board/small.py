"""Both planes as a picture of its own, a few kilobytes at most: for galleries, where no
stylesheet reaches. Each colour has its cloth, so that it can be told without colours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

DRAWING_VERSION = 1
"""Part of the address, under which browsers keep a picture for a year: count up when the same
position is drawn in another way."""
SIDE = 5
WIDE, HIGH = 28, 14
GAP = 8
EXTENT = 148
"""As high as wide, so that it lies in the same frame as other boards."""

LEFT = 4
CLOTHS = {
    "red": '<path fill="#a8242f" d="M0 0h8v8H0z"/><path fill="#f3d9b8" d="M4 1l2 3-2 3-2-3z"/>',
    "blue": '<path fill="#2a4ea3" d="M0 0h8v8H0z"/>'
    '<path fill="none" stroke="#c9dafa" stroke-width="1.3" d="M-1 6l5-4 5 4"/>',
    "amber": '<path fill="#e2a11d" d="M0 0h8v8H0z"/><path fill="#8a4d08" d="M0 0h3v8H0z"/>',
    "green": '<path fill="#2c7a57" d="M0 0h8v8H0z"/>'
    '<path fill="#c7ecd2" d="M3 1h2v2h2v2H5v2H3V5H1V3h2z"/>',
}
NIGHT = (
    "<style>@media(prefers-color-scheme:dark){.U{fill:#30285b;stroke:#8f7bd0}"
    ".L{fill:#43304f;stroke:#c99a48}.genies{stroke:#f3cd7c}}</style>"
)
"""Pictures follow the page they hang on."""


def small(observation: Mapping[str, Any]) -> str:
    """What a spectator sees, as a whole SVG document."""
    colours = {player["seat"]: player["colours"][0] for player in observation["players"]}
    used = sorted({colours[carpet["seat"]] for carpet in observation["carpets"]})
    cloths = "".join(
        f'<pattern id="{colour}" width="8" height="8" patternUnits="userSpaceOnUse">'
        f"{CLOTHS[colour]}</pattern>"
        for colour in used
    )
    genies = "".join(
        f"M{x + WIDE // 2} {y + 4}v6" for x, y in map(_corner, _with_genie(observation["cells"]))
    )
    carpets = "".join(
        _carpet(carpet, colours[carpet["seat"]])
        for carpet in observation["carpets"]
        if carpet["cell"]
    )
    planes = "".join(
        f'<path class="{plane}" fill="{fill}" stroke="{rim}"'
        f' d="M{LEFT} {_top(plane)}h140v70h-140z"/>'
        f'<path stroke="{rim}" stroke-opacity=".4" d="{_joints(plane)}"/>'
        for plane, fill, rim in (("U", "#e6dff4", "#8d7cc0"), ("L", "#f5e6c8", "#b07f3c"))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {EXTENT} {EXTENT + GAP}">'
        f"{NIGHT}<defs>{cloths}</defs>{planes}"
        f'<path class="genies" stroke="#4a3a9c" stroke-width="4" stroke-linecap="round"'
        f' d="{genies}"/>'
        f'<g stroke="#2b1d16">{carpets}</g></svg>'
    )


def _with_genie(cells: Mapping[str, Mapping[str, Any]]) -> list[str]:
    return [name for name, cell in cells.items() if cell["genie"]]


def _top(plane: str) -> int:
    return 2 if plane == "U" else 2 + SIDE * HIGH + GAP + 2


def _corner(cell: str) -> tuple[int, int]:
    column, row = ord(cell[1]) - ord("a"), int(cell[2]) - 1
    return LEFT + column * WIDE, _top(cell[0]) + (SIDE - 1 - row) * HIGH


def _joints(plane: str) -> str:
    top = _top(plane)
    down = "".join(f"M{LEFT + n * WIDE} {top}v70" for n in range(1, SIDE))
    return down + "".join(f"M{LEFT} {top + n * HIGH}h140" for n in range(1, SIDE))


def _carpet(carpet: Mapping[str, Any], colour: str) -> str:
    """With the number of genies that ride on it."""
    x, y = _corner(carpet["cell"])
    riders = len(carpet["cushions"])
    return (
        f'<path fill="url(#{colour})" d="M{x + 1} {y + 1}h26v12h-26z"/>'
        f'<circle cx="{x + 14}" cy="{y + 7}" r="5" fill="#fff3d6"/>'
        f'<text x="{x + 14}" y="{y + 10}" font-size="8" font-weight="700" stroke="none"'
        f' text-anchor="middle" font-family="sans-serif">{riders}</text>'
    )
