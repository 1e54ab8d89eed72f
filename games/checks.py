"""What an operator should hear before players do."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register

from games.titles import BROKEN, TITLES
from games.titles.completeness import missing_parts


@register(Tags.security, deploy=True)
def public_site_sends_mail(**_: Any) -> list[CheckMessage]:
    if settings.PUBLIC and not settings.EMAIL_URL:
        return [
            Warning(
                "ALLOWED_HOSTS makes this site public, but EMAIL_URL is not set: "
                "nobody gets the code to sign up with, or any turn mail.",
                hint="Set EMAIL_URL, for example smtp+tls://user:password@mail.example.org:587",
                id="souk.W001",
            )
        ]
    return []


@register(Tags.templates)
def offered_games_are_complete(**_: Any) -> list[CheckMessage]:
    """A warning, because the other games can be played."""
    broken = [f"{room}: its title.py cannot be used: {error}." for room, error in BROKEN.items()]
    missing = [
        sentence
        for title in TITLES.values()
        if title.is_offered
        for sentence in missing_parts(title)
    ]
    hint = "Until it is complete, nobody can open this game. See docs/add-a-game.md."
    return [Warning(sentence, hint=hint, id="souk.W002") for sentence in (*broken, *missing)]
