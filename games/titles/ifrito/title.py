"""What Ifrito is and brings."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from games.titles.manifest import Edition, Stage, Title

from .rules import IFRITO

TITLE = Title(
    rules=IFRITO,
    name=_("Ifrito"),
    about=_(
        "Fly carpets over two planes, seat genies on their cushions, and capture the carpets of "
        "others. Two to four players, no luck at all."
    ),
    stage=Stage.OFFERED,
    editions={"standard": Edition(_("Standard"))},
    bot_levels=("apprentice", "merchant", "vizier", "grand-vizier"),
    stylesheet="title.css",
    script="placing.js",
    is_judged=True,
    is_taught=True,
    close=1,
    comeback=2,
    highlight="haul",
    opening=3,
    shelf=2,
)
