"""What Marrakech is and brings."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from games.titles.manifest import Edition, Stage, Title

from .rules import MARRAKECH

NAMES = {
    "international": _("International (2022)"),
    "international-after": _("International, turning afterwards"),
    "polish": _("Polish (2024)"),
    "polish-after": _("Polish, turning afterwards"),
    "polish-advanced": _("Polish advanced"),
    "polish-advanced-after": _("Polish advanced, turning afterwards"),
    "russian": _("Russian"),
    "romanian": _("Romanian"),
}

PRINTED_IN = {"polish": ("pl",), "russian": ("ru",), "romanian": ("ro",)}
"""Languages with an edition of their own; all others play the international one."""


def _edition(key: str) -> Edition:
    options = MARRAKECH.presets[key]
    broke = _("Out when broke") if options["insolvency"] == "out" else _("Broke, but still playing")
    turning = _("Turn, then roll") if options["turning"] == "before" else _("Roll, turn at the end")
    return Edition(NAMES[key], (broke, turning), PRINTED_IN.get(key, ()))


TITLE = Title(
    rules=MARRAKECH,
    name=_("Marrakech"),
    about=_(
        "Steer Assam across the market square, roll, pay for where he stops, and lay your rugs. "
        "Two to four players, a little luck."
    ),
    motto=_("Lay your rugs. Mind your dirhams. Take your time."),
    stage=Stage.OFFERED,
    editions={key: _edition(key) for key in MARRAKECH.presets},
    bot_levels=("apprentice", "merchant", "vizier", "grand-vizier"),
    is_judged=True,
    stylesheet="title.css",
    is_taught=True,
    close=5,
    comeback=15,
    highlight="payment",
    opening=4,
    shelf=1,
)
