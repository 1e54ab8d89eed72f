"""How the nine cushions of a carpet are spoken of: many languages decline them."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy


@dataclass(frozen=True)
class Cushion:
    """Its name, and how to say that a genie sits on it, gets onto it or comes from it."""

    name: Promise
    on: Promise
    onto: Promise
    off: Promise


CUSHIONS = {
    "NW": Cushion(
        gettext_lazy("north-west"),
        gettext_lazy("on the north-west cushion"),
        gettext_lazy("onto the north-west cushion"),
        gettext_lazy("from the north-west cushion"),
    ),
    "N": Cushion(
        gettext_lazy("north"),
        gettext_lazy("on the north cushion"),
        gettext_lazy("onto the north cushion"),
        gettext_lazy("from the north cushion"),
    ),
    "NE": Cushion(
        gettext_lazy("north-east"),
        gettext_lazy("on the north-east cushion"),
        gettext_lazy("onto the north-east cushion"),
        gettext_lazy("from the north-east cushion"),
    ),
    "W": Cushion(
        gettext_lazy("west"),
        gettext_lazy("on the west cushion"),
        gettext_lazy("onto the west cushion"),
        gettext_lazy("from the west cushion"),
    ),
    "C": Cushion(
        gettext_lazy("middle"),
        gettext_lazy("on the middle cushion"),
        gettext_lazy("onto the middle cushion"),
        gettext_lazy("from the middle cushion"),
    ),
    "E": Cushion(
        gettext_lazy("east"),
        gettext_lazy("on the east cushion"),
        gettext_lazy("onto the east cushion"),
        gettext_lazy("from the east cushion"),
    ),
    "SW": Cushion(
        gettext_lazy("south-west"),
        gettext_lazy("on the south-west cushion"),
        gettext_lazy("onto the south-west cushion"),
        gettext_lazy("from the south-west cushion"),
    ),
    "S": Cushion(
        gettext_lazy("south"),
        gettext_lazy("on the south cushion"),
        gettext_lazy("onto the south cushion"),
        gettext_lazy("from the south cushion"),
    ),
    "SE": Cushion(
        gettext_lazy("south-east"),
        gettext_lazy("on the south-east cushion"),
        gettext_lazy("onto the south-east cushion"),
        gettext_lazy("from the south-east cushion"),
    ),
}
