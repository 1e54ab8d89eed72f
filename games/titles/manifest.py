"""What a game says of itself, so that the house can find it and knows what it brings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.engine.interface import Ruleset

Text = str | Promise
"""Words of a game: marked with `gettext_lazy`, so that each reader gets them translated."""

CUSTOM = "custom"
"""The edition of a game whose rules were put together by whoever opened it."""

BOT_LEVELS = ("apprentice", "merchant", "vizier", "grand-vizier")
"""The bots that there can be, from the weakest to the strongest."""


class Stage(Enum):
    """Hidden: in the making, or retired. What is stored of it is shown, nobody can open it."""

    HIDDEN = "hidden"
    OFFERED = "offered"


@dataclass(frozen=True)
class Edition:
    """A set of options under a name; the options themselves are in `rules.presets`."""

    name: Text
    differences: tuple[Text, ...] = ()
    """What sets it apart from the others, a few words each."""
    languages: tuple[str, ...] = ()
    """The codes of those in which it was printed, and whose readers have it at home."""


@dataclass(frozen=True, eq=False)
class Title:
    """One game of the house; its room is the package beside this file that has its key.

    Only the first two must be given. What is stated here must be in the room: a system check
    names whatever an offered game states and does not bring.
    """

    rules: Ruleset[Any]
    name: Text
    about: Text = ""
    """What it is like, in a sentence or two."""
    motto: Text = ""
    """What the first page of the site says in large letters, if this is its first game."""
    stage: Stage = Stage.HIDDEN
    editions: Mapping[str, Edition] = field(default_factory=dict)
    """By the keys of `rules.presets`."""
    bot_levels: tuple[str, ...] = ()
    """Of `BOT_LEVELS`, in that order; none where nobody wrote a bot."""
    stylesheet: str = ""
    """A file in `static/games/<key>/`; none where the drawing needs no more than its shapes."""
    script: str = ""
    """A file in `static/games/<key>/` that shows what a tap means without asking the server; none
    where `data-choose` on what can be tapped is enough."""
    is_judged: bool = False
    """Whether the room has a judge, who knows the win share of every seat, and its training."""
    is_taught: bool = False
    """Whether the room has examples for a rules page and a lesson."""
    close: int = 3
    """A game that was won by no more than this, in what is counted first, was close."""
    comeback: int = 3
    """Whoever wins after having been behind by at least this came back."""
    highlight: str = ""
    """The peak (see `rules.figures`) that makes a game stand out, such as a payment."""
    opening: int = 3
    """How many moves of a game belong to its opening."""
    shelf: int = 100
    """Where it stands in lists of games: lower numbers first."""

    @property
    def key(self) -> str:
        return self.rules.key

    @property
    def seats(self) -> tuple[int, ...]:
        """The numbers of players it can be played by."""
        return self.rules.seat_counts

    @property
    def is_offered(self) -> bool:
        return self.stage is Stage.OFFERED

    def edition_in(self, language: str) -> str:
        """The key of the edition that people who read this language have at home."""
        printed = (key for key, edition in self.editions.items() if language in edition.languages)
        return next(printed, next(iter(self.rules.presets), CUSTOM))

    def edition(self, key: str) -> Edition:
        """The edition of this key; own rules, and editions without a name, have one here."""
        if key in self.editions:
            return self.editions[key]
        if key == CUSTOM:
            return Edition(_("Own rules"))
        if len(self.rules.presets) == 1:
            return Edition(_("Standard"))
        return Edition(key.replace("-", " ").capitalize())
