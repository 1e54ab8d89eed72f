"""How fields of forms become HTML."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from django.forms.renderers import DjangoTemplates

SELECT = "django/forms/widgets/select.html"


class Renderer(DjangoTemplates):
    """As Django's, but a choice is drawn once for all who see the same one.

    Each of its options is a template of its own in Django: four choices took a third of the
    time of the page that lists the games.
    """

    def render(self, template_name: str, context: dict[str, Any], request: Any = None) -> str:
        if template_name != SELECT:
            return super().render(template_name, context, request)
        return _drawn(Shown(super().render, context))


class Shown:
    """What a choice shows, told apart by all of it: names, values, what is chosen."""

    def __init__(self, render: Any, context: dict[str, Any]) -> None:
        self.render = render
        self.context = context
        self.content = json.dumps(context, default=str)

    def __hash__(self) -> int:
        return hash(self.content)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shown) and self.content == other.content


@lru_cache(maxsize=200)
def _drawn(shown: Shown) -> str:
    return shown.render(SELECT, shown.context)
