"""Sign-up, settings, one's own data, and the way out."""

from __future__ import annotations

from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.account.views import SignupView
from allauth.usersessions.views import ListUserSessionsView
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from games.forms.accounts import DeleteAccountForm
from games.forms.settings import Settings
from games.selectors import accounts as selectors
from games.selectors.clock import vacation_left, vacations_to_come
from games.selectors.reach import webhooks_of
from games.services import accounts
from games.services.notices.links import calendar_url
from games.services.reach import webhooks
from games.views.requests import (
    HtmxRequest,
    numbers_in,
    part,
    player_of,
    told_in,
    webhooks_to_ask_about,
)

SEEN_AT_ONCE = {"theme", "language"}
"""What changes the whole page."""


class SignUpView(SignupView):
    def form_valid(self, form: Any) -> HttpResponse:
        with told_in(form, "username"):
            return super().form_valid(form)
        return self.form_invalid(form)


sign_up = SignUpView.as_view()


class SessionsView(ListUserSessionsView):
    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """With the webhooks, which signing out does not end."""
        found = webhooks_of(player_of(self.request))
        return {**super().get_context_data(**kwargs), "webhooks": found}

    def get_success_url(self) -> str:
        return webhooks_to_ask_about(self.request) or super().get_success_url()


sessions_page = SessionsView.as_view()


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings_page(request: HtmxRequest) -> HttpResponse:
    player = player_of(request)
    sent = request.method == "POST"
    form = Settings(request.POST if sent else None, player=player)
    changed = form.save() if sent and form.is_valid() else None
    saved = changed is not None
    if changed is not None:
        if not request.htmx:
            messages.success(request, _("Saved."))
            return redirect("settings")
        if changed & SEEN_AT_ONCE:
            return HttpResponseClientRefresh()
    status = 422 if sent and not saved else 200
    if request.htmx:
        context = {"sections": form.sections, "saved": saved}
        return part(request, "games/_settings_state.html", context, status=status)
    now = timezone.now()
    context = {
        "sections": form.sections,
        "vacations": vacations_to_come(player, now),
        "left": vacation_left(player, now),
        "now": now,
        "feed": calendar_url(player),
    }
    return render(request, "games/settings.html", context, status=status)


@never_cache
@login_required
@require_safe
def download_data(request: HttpRequest) -> HttpResponse:
    player = player_of(request)
    return JsonResponse(
        selectors.everything_about(player),
        json_dumps_params={"indent": 2, "ensure_ascii": False},
        headers={"Content-Disposition": f'attachment; filename="souk-{player.username}.json"'},
    )


@login_required
@require_POST
def sign_out_everywhere(request: HttpRequest) -> HttpResponse:
    """With webhooks that are to go as well: signed out, nobody could be asked about them."""
    player = player_of(request)
    webhooks.answer_question(owner=player, delete=numbers_in(request, "delete"))
    accounts.sign_out_everywhere(player=player, now=timezone.now())
    logout(request)
    messages.success(request, _("You are signed out on all devices."))
    return redirect("account_login")


@never_cache
@login_required
@reauthentication_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete_account(request: HttpRequest) -> HttpResponse:
    player = player_of(request)
    form = DeleteAccountForm(request.POST or None, player=player)
    if form.is_valid():
        with told_in(form):
            accounts.delete_account(player=player, now=timezone.now())
            logout(request)
            messages.success(request, _("Your account is deleted. Farewell."))
            return redirect("home")
    return render(
        request,
        "games/settings_delete.html",
        {"form": form},
        status=422 if form.errors else 200,
    )
