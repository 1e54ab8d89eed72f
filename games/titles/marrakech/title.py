"""What Marrakech is and brings."""

from __future__ import annotations

from games.titles.manifest import Title

from .rules import MARRAKECH

TITLE = Title(
    rules=MARRAKECH,
    bot_levels=("apprentice", "merchant", "vizier"),
    is_taught=True,
    shelf=1,
)
