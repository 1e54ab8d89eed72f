"""Day and night: every text can be read on what it stands on."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

import games

STATIC = Path(games.__file__).parent / "static" / "games"
SHARED = ("fonts.css", "tokens.css", "frame.css", "board.css")
SHEETS = {name: (STATIC / "css" / name).read_text() for name in SHARED}
SHEETS["marrakech"] = (STATIC / "marrakech" / "title.css").read_text()
PAIR = re.compile(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);")
TOKENS = {
    name: (day, night) for name, day, night in PAIR.findall(SHEETS["tokens.css"].split("@")[0])
}

TEXT = [
    *(("ink", under) for under in ("ground", "dusk", "card", "sunk", "glow")),
    *(("quiet", under) for under in ("ground", "dusk", "card", "sunk")),
    *(("link", under) for under in ("ground", "dusk", "card", "sunk", "glow")),
    *(("cost", under) for under in ("ground", "dusk", "card")),
    ("free", "card"),
    ("card", "free"),
    ("card", "cost"),
    ("good", "card"),
    ("accent", "dusk"),
    ("on-accent", "accent"),
    ("on-accent", "accent-deep"),
]
SHAPES = [
    *(("edge", under) for under in ("ground", "dusk", "card")),
    *(("accent", under) for under in ("ground", "card", "sand", "sand-2", "glow")),
    ("mosaic", "card"),
]


def luminance(colour: str) -> float:
    def linear(channel: float) -> float:
        return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_black_on_white_is_the_most_there_is():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("theme", [0, 1], ids=["day", "night"])
@pytest.mark.parametrize(("front", "back"), TEXT)
def test_text_can_be_read(front, back, theme):
    assert contrast(TOKENS[front][theme], TOKENS[back][theme]) >= 4.5


@pytest.mark.parametrize("theme", [0, 1], ids=["day", "night"])
@pytest.mark.parametrize(("front", "back"), SHAPES)
def test_controls_and_signs_can_be_seen(front, back, theme):
    assert contrast(TOKENS[front][theme], TOKENS[back][theme]) >= 3


def test_every_token_that_is_used_is_defined():
    used = set(re.findall(r"var\(--([\w-]+)", "".join(SHEETS.values())))
    defined = set(re.findall(r"--([\w-]+):", SHEETS["fonts.css"] + SHEETS["tokens.css"]))
    assert used <= defined


def test_the_stylesheets_are_light():
    assert sum(len(gzip.compress(text.encode())) for text in SHEETS.values()) < 10_500
