"""The languages of a page, for its head and its foot."""

from __future__ import annotations

from typing import Any

from django import template
from django.conf import settings
from django.http import HttpRequest
from django.utils.safestring import SafeString

from games import languages
from games.templatetags.drawing import drawn

register = template.Library()


@register.simple_tag(takes_context=True)
def language_links(context: template.Context) -> SafeString:
    """Where a search engine finds the same page in each language."""
    request: HttpRequest | None = context.get("request")
    path = request.path if request else "/"
    return drawn(
        "games/_language_links.html",
        site=settings.SITE_URL,
        path=path,
        plain=languages.split(path)[1],
        addresses=tuple(languages.addresses(path).items()),
    )


@register.inclusion_tag("games/_language_choice.html", takes_context=True)
def language_choice(context: template.Context) -> dict[str, Any]:
    request: HttpRequest | None = context.get("request")
    return {
        "languages": tuple(settings.LANGUAGES),
        "here": _here(request) if request else "",
        "csrf_token": context.get("csrf_token"),
    }


def _here(request: HttpRequest) -> str:
    """The address to come back to; a page that answers a form has none, so where that stood."""
    if request.method in ("GET", "HEAD"):
        return request.get_full_path()
    return request.headers.get("Referer", "")
