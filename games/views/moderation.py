"""The moderators' pages, and what players report to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.forms.moderation import ActForm, HideForm, ReportForm, for_game, for_player
from games.models import Message, Player
from games.selectors import access, company, moderation
from games.selectors import table as tables
from games.services.moderation import reports
from games.views.requests import (
    network_of,
    page_number,
    player_named,
    player_of,
    query_up_to,
    told_in,
)

P = ParamSpec("P")
MOST_BONDS = 100
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def moderators_only(view: View[P]) -> View[P]:
    """For everybody else there is nothing there."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not access.may_moderate(request.user):
            raise Http404
        return view(request, *args, **kwargs)

    return never_cache(guarded)


@moderators_only
@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """What is reported, and the log."""
    log = moderation.log(page_number(request))
    context = {
        "reports": moderation.open_reports(),
        "acts": log.rows,
        "listing": log,
        "query": query_up_to(request),
    }
    return render(request, "games/moderation/overview.html", context)


@moderators_only
@require_safe
def fair_company(request: HttpRequest) -> HttpResponse:
    """Pairs whose mistakes please each other more than the lot explains."""
    context = {"bonds": list(company.bonds()[:MOST_BONDS])}
    return render(request, "games/moderation/company.html", context)


@moderators_only
@require_http_methods(["GET", "HEAD", "POST"])
def on_player(request: HttpRequest, username: str) -> HttpResponse:
    player, now = player_named(username), timezone.now()
    forms = for_player(player, now, request.POST or None)
    acts = moderation.log(1, player=player).rows
    states = {"is_suspended": player.is_suspended(now), "is_muted": player.is_muted(now)}
    trail = {"inviter": player.invited_by, "invited": moderation.invited_by(player)}
    return _act(request, forms, {"player": player, "acts": acts, **states, **trail})


@moderators_only
@require_http_methods(["GET", "HEAD", "POST"])
def on_game(request: HttpRequest, public_id: str) -> HttpResponse:
    """Of a private game, too; but neither its board nor its talk."""
    game = tables.find_game(public_id)
    if game is None:
        raise Http404
    forms = for_game(game, request.POST or None)
    acts = moderation.log(1, game=game).rows
    return _act(request, forms, {"game": game, "acts": acts})


@moderators_only
@require_http_methods(["GET", "HEAD", "POST"])
def on_message(request: HttpRequest, message_id: int) -> HttpResponse:
    message = _message(message_id)
    if not moderation.may_read(message, player_of(request)):
        raise Http404
    forms = [HideForm(message, request.POST or None)]
    return _act(request, forms, {"message": message})


@moderators_only
@require_POST
def close_report(request: HttpRequest, report_id: int) -> HttpResponse:
    reports.close(moderator=player_of(request), report_id=report_id, now=timezone.now())
    messages.success(request, _("The report is closed."))
    return redirect("moderation")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def report_player(request: HttpRequest, username: str) -> HttpResponse:
    return _report(request, player_named(username))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def report_message(request: HttpRequest, message_id: int) -> HttpResponse:
    """Something that the reader sees in the talk of a table."""
    message = _message(message_id)
    reader = player_of(request)
    game = tables.find_game(message.game.public_id)
    if game is None or not access.may_see(game, reader):
        raise Http404
    if access.keeps_apart(reader, [message.player_id]):
        raise Http404
    return _report(request, message.player, message)


def suspended(request: HttpRequest, player: Player) -> HttpResponse:
    """What somebody finds who proved to be a player who is suspended."""
    act = moderation.suspension_of(player)
    context = {"player": player, "reason": act.reason if act else ""}
    return render(request, "account/suspended.html", context, status=403)


def _act(request: HttpRequest, forms: Sequence[ActForm], context: dict[str, Any]) -> HttpResponse:
    """Do what was sent, and say so; or show what can be done, and what could not."""
    sent = next((form for form in forms if form.is_bound), None)
    if sent and sent.is_valid():
        with told_in(sent):
            sent.apply(player_of(request), timezone.now())
            messages.success(request, _("Done, noted and told to whom it concerns."))
            return redirect(sent.page())
    elif request.method == "POST" and sent is None:
        messages.error(request, _("That cannot be done any more. Here is what can."))
    status = 422 if sent else 200
    context |= {"forms": forms, "sent": sent}
    return render(request, "games/moderation/panel.html", context, status=status)


def _report(request: HttpRequest, player: Player, message: Message | None = None) -> HttpResponse:
    form = ReportForm(request.POST or None, label_suffix="")
    back = (message.game if message else player).get_absolute_url()
    if form.is_valid():
        with told_in(form):
            reports.report(
                reporter=player_of(request),
                player=player,
                message=message,
                text=form.cleaned_data["text"],
                network=network_of(request),
                now=timezone.now(),
            )
            messages.success(request, _("Thank you. A moderator will look at it."))
            return redirect(back)
    context = {"form": form, "player": player, "message": message, "back": back}
    status = 422 if form.errors else 200
    return render(request, "games/moderation/report.html", context, status=status)


def _message(message_id: int) -> Message:
    message = moderation.find_message(message_id)
    if message is None:
        raise Http404
    return message
