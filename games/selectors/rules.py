"""What a game is played by, for forms and pages."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from django.template import TemplateDoesNotExist
from django.template.loader import get_template, render_to_string

from games import titles
from games.engine.games import RULESETS, ruleset
from games.engine.interface import Ruleset
from games.models import Game, Shelf


@cache
def offered_rulesets() -> Sequence[Ruleset[Any]]:
    """The games that can be opened: those the site has words for."""
    return [rules for rules in RULESETS.values() if _has_options_page(rules.key)]


def name_of(rules: Ruleset[Any]) -> str:
    """What the game is called in the language of the page."""
    return render_to_string(f"games/{rules.key}/_name.txt").strip()


def differences(game: Game) -> dict[str, Any]:
    """The options of this game that are not the default ones."""
    usual = ruleset(game.ruleset).options({})
    return {name: value for name, value in game.options.items() if value != usual.get(name)}


def kinds_in_archive() -> dict[str, list[tuple[str, list[tuple[str, str]]]]]:
    """The editions and the reasons to end that finished games have: for each game of the house
    `game/value` with words for it."""
    found = {
        (shelf["ruleset"], column, shelf[column])
        for shelf in Shelf.objects.values("ruleset", "edition", "reason").distinct()
        for column in ("edition", "reason")
    }
    return {
        column: [
            (
                name_of(rules),
                [
                    (f"{key}/{value}", words_for(key, column, value))
                    for key, kind, value in sorted(found)
                    if key == rules.key and kind == column
                ],
            )
            for rules in offered_rulesets()
        ]
        for column in ("edition", "reason")
    }


def words_for(key: str, column: str, value: str) -> str:
    """What this game calls an edition or a reason to end."""
    if column == "reason":
        return titles.words(key).reason(value)
    return render_to_string(f"games/{key}/_{column}.html", {column: value}).strip()


def _has_options_page(key: str) -> bool:
    try:
        get_template(f"games/{key}/_options.html")
    except TemplateDoesNotExist:
        return False
    return True
