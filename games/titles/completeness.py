"""What a room must bring before its game is offered, and what of it is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from django.contrib.staticfiles import finders
from django.template import TemplateDoesNotExist
from django.template.loader import get_template

from games.engine.chance import SEED_BYTES, deal
from games.engine.contract import faults_of_observation

from . import TITLES, brings, draw, has_part
from .manifest import BOT_LEVELS, Title

KEY = re.compile(r"[a-z][a-z0-9_]{1,19}")
TAKEN = ("charts", "css", "fallback", "fonts", "img", "js", "mail", "moderation")
"""Folders of templates and static files that belong to the site."""
SEATS = range(2, 5)
TEMPLATES = {"_board.svg": "draws its board", "_question.html": "asks for a decision"}
TEACHING = {"rules.html": "tells its rules", "lesson.html": "speaks to the learner"}
# Until the compiled ones are compiled, a plain player sits in for them.
BRAINS = {
    "apprentice": ("plain",),
    "merchant": ("plain", "levels"),
    "vizier": ("plain", "levels"),
    "grand-vizier": ("plain", "levels"),
}


def offered() -> Sequence[Title]:
    """The games that can be opened, in the order of the shelves."""
    return [title for title in TITLES.values() if title.is_offered and not missing_parts(title)]


@cache
def missing_parts(title: Title) -> Sequence[str]:
    """What keeps a game from being offered, in one sentence each."""
    return [f"{title.key}: {fault}." for fault in _faults(title)]


def _faults(title: Title) -> Iterator[str]:
    key = title.key
    if not KEY.fullmatch(key) or key in TAKEN:
        yield (
            "its key must be a small letter and up to 19 small letters, digits or underscores, "
            f"and none of {', '.join(TAKEN)}"
        )
    if not str(title.name):
        yield "title.py states no name"
    if not title.seats or not set(title.seats) <= set(SEATS):
        yield f"its numbers of players are {title.seats}, but tables here have two to four seats"
    yield from _faults_of_editions(title)
    yield from _missing_templates(key, TEMPLATES)
    for what, name in (("stylesheet", title.stylesheet), ("script", title.script)):
        if name and not finders.find(f"games/{key}/{name}"):
            yield f"title.py states a {what}, but static/games/{key}/{name} is not there"
    yield from _faults_of_bots(title)
    if has_part(key, "words") and not brings(key, "words", "WORDS"):
        yield "words.py defines no WORDS, or cannot be used"
    if title.is_judged:
        yield from _faults_of_judge(title)
    if title.is_taught:
        yield from _faults_of_teaching(key)
    yield from _faults_of_play(title)


def _faults_of_editions(title: Title) -> Iterator[str]:
    presets = title.rules.presets
    for edition in sorted(title.editions.keys() - presets.keys()):
        yield f"title.py names an edition {edition!r} that its rules do not have"
    if len(presets) > 1:
        for edition in sorted(presets.keys() - title.editions.keys()):
            yield f"title.py has no name for the edition {edition!r} of its rules"
    if not presets:
        yield "its rules have no preset, which the usual game is opened with"


def _faults_of_bots(title: Title) -> Iterator[str]:
    for level in title.bot_levels:
        if level not in BOT_LEVELS:
            yield f"there are no bots of the level {level!r}, only {', '.join(BOT_LEVELS)}"
    needed = {module for level in title.bot_levels for module in BRAINS.get(level, ())}
    for module in sorted(needed):
        if not has_part(title.key, f"bots.{module}"):
            yield f"title.py states bots, but bots/{module}.py is not there"


def _faults_of_judge(title: Title) -> Iterator[str]:
    if not has_part(title.key, "bots.prospects"):
        yield "title.py says that it is judged, but bots/prospects.py is not there"
    for seats in title.seats:
        weights = f"bots/weights/{seats}.npz"
        if not (Path(__file__).parent / title.key / weights).exists():
            yield f"title.py says that it is judged, but {weights} is not there"


def _faults_of_teaching(key: str) -> Iterator[str]:
    for module in ("examples", "lessons"):
        if not has_part(key, module):
            yield f"title.py says that it is taught, but {module}.py is not there"
    yield from _missing_templates(key, TEACHING)


def _missing_templates(key: str, wanted: Mapping[str, str]) -> Iterator[str]:
    for name, purpose in wanted.items():
        path = f"games/{key}/{name}"
        try:
            get_template(path)
        except TemplateDoesNotExist:
            yield f"the template {path}, which {purpose}, is not there"
        except Exception as error:
            yield f"the template {path} cannot be read: {error}"


def _faults_of_play(title: Title) -> Iterator[str]:
    """The first position of a game, as a spectator would see it."""
    rules = title.rules
    if not brings(title.key, "board", "draw"):
        yield "there is no board.py with a function draw"
        return
    for seats in title.seats:
        try:
            options = rules.options({})
            words = ("word",) * seats
            piles = deal(bytes(SEED_BYTES), words, rules.decks(seats, options))
            state = rules.start(seats, options, piles)
            faults = list(faults_of_observation(rules, state, None))
            draw(rules.observe(state, None), compact=True)
        except Exception as error:
            yield f"a game of {seats} cannot be shown: {type(error).__name__}: {error}"
        else:
            yield from (f"the observation of a game of {seats}: {fault}" for fault in faults)
