"""Pages that mail leads to, and what players say about mail, quiet time and vacations."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.forms.mail import GameMailForm, VacationForm
from games.models import Game
from games.selectors import words
from games.selectors.calendar import calendar
from games.selectors.notices import owner_of_calendar
from games.selectors.table import see_table
from games.services import play, vacation
from games.services.errors import Refused
from games.services.notices import links, queue, subscriptions
from games.services.notices.letters import choice_label
from games.views.requests import network_of, own_seat_at, player_of, told


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def decision(request: HttpRequest, token: str) -> HttpResponse:
    """One decision, by whoever holds the link from the mail. Looking at it changes nothing."""
    try:
        granted = links.read_decision(token)
    except links.BadLink:
        raise Http404 from None
    if request.method == "POST":
        return _decide(request, granted)
    return _ask(request, granted)


def _decide(request: HttpRequest, granted: links.Decision) -> HttpResponse:
    game, player = granted.seat.game, granted.seat.player
    try:
        played = play.play_move(
            game_id=game.pk,
            player=player,
            action=request.POST.get("action", ""),
            on_move=granted.on_move,
            now=timezone.now(),
        )
    except play.Stale:
        return _expired(request, game)
    except Refused as refusal:
        return _ask(request, granted, refusal=refusal)
    goes_on = played.game.to_act_id == granted.seat.pk
    return render(request, "games/mail/decided.html", {"game": played.game, "goes_on": goes_on})


def _ask(
    request: HttpRequest, granted: links.Decision, refusal: Refused | None = None
) -> HttpResponse:
    game, player = granted.seat.game, granted.seat.player
    if not granted.is_open:
        return _expired(request, game)
    table = see_table(game, player, chosen=request.GET.get("choose", ""))
    offered = request.GET.get("play", "")
    context = {
        "game": game,
        "player": player,
        "table": table,
        "board": table.board(),
        "url": request.path,
        "description": words.position_in_words(table.observation, table.names),
        "refusal": refusal,
    }
    if offered in table.observation["legal"]:
        context |= {"offered": offered, "offer": choice_label(table, offered)}
    template = (
        "games/mail/_decision.html"
        if "HX-Request" in request.headers
        else "games/mail/decision.html"
    )
    return render(request, template, context, status=422 if refusal else 200)


def _expired(request: HttpRequest, game: Game) -> HttpResponse:
    return render(request, "games/mail/expired.html", {"game": game}, status=410)


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Signed out, in one click, also by the mail program itself: the link is the permission."""
    try:
        granted = links.read_unsubscription(token)
    except links.BadLink:
        raise Http404 from None
    if request.method == "POST":
        subscriptions.turn_off(player=granted.player, seat=granted.seat, now=timezone.now())
    context = {"granted": granted, "done": request.method == "POST"}
    return render(request, "games/mail/unsubscribe.html", context)


@require_safe
@never_cache
def calendar_feed(request: HttpRequest, token: str) -> HttpResponse:
    """The secret address is the key: calendars do not sign in."""
    player = owner_of_calendar(token)
    if player is None:
        raise Http404
    return HttpResponse(calendar(player, timezone.now()), content_type="text/calendar")


@require_POST
@login_required
def renew_calendar(request: HttpRequest) -> HttpResponse:
    subscriptions.renew_calendar(player=player_of(request))
    return redirect("/settings/#section-calendar")


@require_POST
@login_required
def test_mail(request: HttpRequest) -> HttpResponse:
    player = player_of(request)
    sent = _("A test is on its way to %(address)s.") % {"address": player.email}
    with told(request, sent):
        queue.send_test(player=player, now=timezone.now(), network=network_of(request))
    return redirect("settings")


@require_POST
@login_required
def take_vacation(request: HttpRequest) -> HttpResponse:
    player = player_of(request)
    form = VacationForm(request.POST, player=player)
    with told(request, _("Your clocks stand still during your vacation.")):
        if not form.is_valid():
            raise Refused(_("A vacation needs a first and a last day."))
        start, end = form.span()
        vacation.take_vacation(player=player, start=start, end=end, now=timezone.now())
    return redirect("/settings/#section-vacation")


@require_POST
@login_required
def end_vacation(request: HttpRequest, vacation_id: int) -> HttpResponse:
    vacation.end_vacation(player=player_of(request), vacation_id=vacation_id, now=timezone.now())
    messages.success(request, _("Your clocks run again."))
    return redirect("/settings/#section-vacation")


@require_POST
@login_required
def game_mail(request: HttpRequest, public_id: str) -> HttpResponse:
    """What the player wants to hear about this game."""
    seat = own_seat_at(request, public_id)
    form = GameMailForm(request.POST)
    if form.is_valid():
        subscriptions.change_game_wish(
            seat=seat, mail=form.cleaned_data["mail"], now=timezone.now()
        )
        messages.success(request, _("Saved."))
    return redirect(seat.game)
