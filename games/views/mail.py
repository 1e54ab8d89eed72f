"""What players say about mail, quiet time and vacations."""

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
from games.selectors.calendar import calendar
from games.selectors.notices import owner_of_calendar
from games.services import vacation
from games.services.errors import Refused
from games.services.notices import links, queue, subscriptions
from games.views.requests import granted_by, network_of, own_seat_at, player_of, told


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Signed out, in one click, also by the mail program itself: the link is the permission."""
    granted = granted_by(links.read_unsubscription, token)
    if request.method == "POST":
        subscriptions.turn_off(
            player=granted.player,
            seat=granted.seat,
            now=timezone.now(),
            only_puzzles=granted.puzzles,
        )
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
