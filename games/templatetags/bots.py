"""Bots on pages: the form that starts a game against them."""

from __future__ import annotations

from typing import Any

from django import template

from games.forms.play_now import PlayNowForm

register = template.Library()


@register.inclusion_tag("games/_play_now.html", takes_context=True)
def play_now(context: template.Context) -> dict[str, Any]:
    return {
        "form": PlayNowForm(auto_id="play-%s"),
        "csrf_token": context.get("csrf_token"),
        "user": context.get("user"),
    }
