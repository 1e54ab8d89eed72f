"""Where a page listens for changes."""

from __future__ import annotations

from django import template
from django.conf import settings
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def live_game(public_id: str) -> str:
    return f"game={public_id}"


@register.simple_tag
def live(topic: str, stamp: str, pace: float = 2) -> SafeString:
    """Attributes of the one element of a page that asks what changed: where its stream is, what
    the page shows, and how many seconds it waits at first where there is no stream."""
    address = f"/live/?{topic}" if settings.LIVE_PORT else ""
    port = settings.LIVE_PORT if settings.LIVE_HOSTS else ""
    return format_html(
        'data-live="{}" data-port="{}" data-stamp="{}" data-pace="{}"', address, port, stamp, pace
    )
