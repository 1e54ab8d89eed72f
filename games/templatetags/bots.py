"""Bots on pages: the form that starts a game against them."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.html import format_html

from games.forms.play_now import PlayNowForm
from games.forms.words import CommittedForm

register = template.Library()


@register.simple_tag
def commitment() -> str:
    """For forms of one button that open a game: a fresh commitment, and room for a drawn word."""
    form = CommittedForm()
    return format_html("{}{}", form["ticket"], form["drawn_word"])


@register.inclusion_tag("games/_play_now.html", takes_context=True)
def play_now(context: template.Context) -> dict[str, Any]:
    return {
        "form": PlayNowForm(auto_id="play-%s"),
        "csrf_token": context.get("csrf_token"),
        "user": context.get("user"),
    }
