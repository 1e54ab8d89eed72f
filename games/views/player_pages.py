"""What is known about a player beside the profile: how, when and with whom they play."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import titles
from games.models import Player
from games.selectors import comparison
from games.selectors.diary import diary
from games.selectors.opponents import ORDERS, opponents
from games.selectors.playing import playing
from games.selectors.ratings import known_ratings, rating_band
from games.selectors.recap import years_to_see
from games.selectors.sheets import play_counts, style_counts
from games.selectors.skill import luck_free, skill_of
from games.selectors.stats import head_to_head
from games.titles.completeness import offered
from games.views.chips import Chip, Chips, Group
from games.views.requests import (
    page_number,
    player_named,
    query_up_to,
    viewer_of,
    whole_number,
)


@require_safe
def style(request: HttpRequest, username: str) -> HttpResponse:
    """Maps of the board and what flows when, beside others of like rating."""
    player, own = _whose(request, username)
    key, size = _chosen(request)
    rating = known_ratings([player], private_too=own).get((player.pk, key))
    band = rating_band([rating]) if rating else 0
    chips = Chips(request.GET)
    return render(
        request,
        "games/player_style.html",
        {
            **_page(player, own, "style"),
            "ruleset": key,
            "groups": game_and_size(chips, key, size),
            "playing": playing(key, play_counts(player, key, private_too=own, size=size)),
            "others": playing(key, style_counts(key, band, size)),
            "band": band,
        },
    )


@require_safe
def skill(request: HttpRequest, username: str) -> HttpResponse:
    """What reckonings say: how well they decide, and what luck they had."""
    player, own = _whose(request, username)
    key, _size = _chosen(request)
    context = {
        **_page(player, own, "skill"),
        "ruleset": key,
        "groups": game_and_size(Chips(request.GET), key, 0, sizes=False),
        "skill": skill_of(player, key, private_too=own),
        "estimate": luck_free(player, key),
        "rating": known_ratings([player], private_too=own).get((player.pk, key)),
    }
    return render(request, "games/player_skill.html", context)


@require_safe
def calendar(request: HttpRequest, username: str) -> HttpResponse:
    """The days of a year; the hours for the player's own eyes."""
    player, own = _whose(request, username)
    year = whole_number(request.GET.get("year"))
    kept = diary(player, year, now=timezone.now(), private_too=own, own=own)
    chips = Chips(request.GET)
    years = [
        Chip(str(each), chips.at("year", str(each)), kept is not None and kept.year == each)
        for each in (kept.years if kept else ())
    ]
    context = {**_page(player, own, "calendar"), "diary": kept, "years": years}
    return render(request, "games/player_calendar.html", context)


@require_safe
def whom(request: HttpRequest, username: str) -> HttpResponse:
    """Opponents, in several orders."""
    player, own = _whose(request, username)
    wish = request.GET.get("order")
    chosen = wish if wish in ORDERS else next(iter(ORDERS))
    chips = Chips(request.GET, "page")
    context = {
        **_page(player, own, "opponents"),
        "listing": opponents(player, private_too=own, order=chosen, page=page_number(request)),
        "orders": {
            order: Chip("", chips.leading_to("order", order), order == chosen) for order in ORDERS
        },
        "query": query_up_to(request),
    }
    return render(request, "games/player_opponents.html", context)


@require_safe
def beside(request: HttpRequest, username: str, other: str) -> HttpResponse:
    """Two players side by side, by public games."""
    player, _own = _whose(request, username)
    second = player_named(other)
    if player == second:
        return redirect(player)
    key, _size = _chosen(request)
    both = comparison.sides([player, second], key)
    together = head_to_head(player, second, private_too=viewer_of(request) in (player, second))
    context = {
        "player": player,
        "other": second,
        "ruleset": key,
        "groups": game_and_size(Chips(request.GET), key, 0, sizes=False),
        "sides": both,
        "lines": comparison.lines(both),
        "pairs": comparison.pairs(both),
        "together": together,
    }
    return render(request, "games/player_beside.html", context)


def game_and_size(chips: Chips, key: str, size: int, *, sizes: bool = True) -> list[Group]:
    """Chips for one game of the house, and for a number of players."""
    rooms = offered()
    groups = [
        Group(
            _("Game"),
            [
                Chip(str(title.name), chips.at("game", title.key), title.key == key)
                for title in rooms
            ],
            one=True,
        )
    ]
    title = titles.find(key)
    if sizes and title:
        groups.append(
            Group(
                _("Players"),
                [
                    Chip(str(each), chips.leading_to("size", str(each)), each == size)
                    for each in title.seats
                ],
            )
        )
    return groups


def _whose(request: HttpRequest, username: str) -> tuple[Player, bool]:
    player = player_named(username)
    return player, viewer_of(request) == player


def _chosen(request: HttpRequest) -> tuple[str, int]:
    """The game and the number of players of the address; the first game, and any number."""
    rooms = {title.key: title for title in offered()}
    if not rooms:
        raise Http404
    wished = request.GET.get("game", "")
    key = wished if wished in rooms else next(iter(rooms))
    size = whole_number(request.GET.get("size")) or 0
    return key, size if size in rooms[key].seats else 0


def _page(player: Player, own: bool, tab: str) -> dict[str, Any]:
    recaps = years_to_see(player, timezone.now(), own=own)
    return {"player": player, "own": own, "tab": tab, "recaps": recaps}
