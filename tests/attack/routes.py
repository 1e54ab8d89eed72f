"""Every address of the site, taken from the resolver: what is added later is attacked, too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.resolvers import RoutePattern

PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)")


@dataclass(frozen=True)
class Route:
    pattern: str

    @property
    def parameters(self) -> list[str]:
        return [match[1] or match[2] for match in PARAMETER.finditer(self.pattern)]

    @property
    def of_a_game(self) -> bool:
        return "public_id" in self.parameters

    def path(self, values: Mapping[str, Any]) -> str:
        """With a value for each parameter; one that nobody thought of is a KeyError."""
        filled = PARAMETER.sub(lambda match: str(values[match[1] or match[2]]), self.pattern)
        return "/" + filled


def every_route() -> list[Route]:
    return sorted({Route(text) for text in _walk(get_resolver())}, key=lambda route: route.pattern)


def _walk(resolver: URLResolver, prefix: str = "") -> Iterator[str]:
    for each in resolver.url_patterns:
        text = prefix + _text(each)
        if isinstance(each, URLResolver):
            yield from _walk(each, text)
        else:
            yield text


def _text(each: URLPattern | URLResolver) -> str:
    if isinstance(each.pattern, RoutePattern):
        return str(each.pattern)
    return str(each.pattern).removeprefix("^").removesuffix("$").replace("\\", "")
