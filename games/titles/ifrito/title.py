"""What Ifrito is and brings."""

from __future__ import annotations

from games.titles.manifest import Title

from .rules import IFRITO

TITLE = Title(
    rules=IFRITO,
    bot_levels=("apprentice", "merchant", "vizier"),
    is_taught=True,
    shelf=2,
)
