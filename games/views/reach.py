"""How players are told beside mail: ways, devices, webhooks."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.forms.notices import DeviceForm, WaysForm, WebhookForm
from games.models import Player
from games.selectors import reach
from games.services.errors import Refused
from games.services.notices import subscriptions
from games.services.reach import devices, keys, webhooks
from games.views.requests import network_of, numbers_in, player_of, told, told_in


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def notices(request: HttpRequest) -> HttpResponse:
    """By which way each kind of notice comes."""
    player = player_of(request)
    form = WaysForm(request.POST if request.method == "POST" else None, player=player)
    if form.is_valid():
        subscriptions.choose_ways(player=player, ways=form.cleaned_data, now=timezone.now())
        messages.success(request, _("Saved."))
        return redirect("notices")
    return _page(request, form, WebhookForm(player=player), status=422 if form.is_bound else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def add_device(request: HttpRequest) -> HttpResponse:
    """For the script of the button: the key to subscribe with, then the subscription. The worker,
    which no page speaks to, also needs a token to send it."""
    if request.method != "POST":
        key = keys.public_key(now=timezone.now())
        return JsonResponse({"key": key, "token": get_token(request)})
    form = DeviceForm(request.POST)
    try:
        if not form.is_valid():
            raise Refused(_("This browser's push service cannot be used."))
        devices.add(
            player=player_of(request),
            name=reach.device_name(request.headers.get("User-Agent", "")),
            now=timezone.now(),
            session=request.session,
            network=network_of(request),
            **form.cleaned_data,
        )
    except Refused as refusal:
        return JsonResponse({"refusal": str(refusal)}, status=422)
    return JsonResponse({})


@require_POST
@login_required
def change_device(request: HttpRequest, device_id: int, what: str) -> HttpResponse:
    player = player_of(request)

    def test(player: Player) -> None:
        devices.send_test(player=player, device_id=device_id, now=timezone.now())

    def remove(player: Player) -> None:
        devices.remove(player=player, device_id=device_id, now=timezone.now())

    work: dict[str, tuple[Callable[[Player], None], str]] = {
        "test": (test, _("A test is on its way to this device.")),
        "remove": (remove, _("This device hears nothing any more.")),
    }
    if what not in work:
        raise Http404
    change, done = work[what]
    with told(request, done):
        change(player)
    return redirect("/settings/notices/#devices")


@require_POST
@login_required
def add_webhook(request: HttpRequest) -> HttpResponse:
    player = player_of(request)
    form = WebhookForm(request.POST, player=player)
    if form.is_valid():
        with told_in(form):
            made = webhooks.add(
                owner=player,
                now=timezone.now(),
                session=request.session,
                network=network_of(request),
                **form.cleaned_data,
            )
            return redirect("webhook", made.pk)
    return _page(request, WaysForm(player=player), form, status=422)


@require_POST
@login_required
def answer_question(request: HttpRequest) -> HttpResponse:
    """Which of the webhooks in question go; the others that were shown stay."""
    shown, delete = numbers_in(request, "shown"), numbers_in(request, "delete")
    webhooks.answer_question(owner=player_of(request), delete=delete, keep=shown - delete)
    messages.success(request, _("Saved."))
    return redirect("/settings/notices/#webhooks")


@never_cache
@login_required
@require_safe
def webhook(request: HttpRequest, webhook_id: int) -> HttpResponse:
    """One of one's own, with its secret and what was sent there."""
    found = reach.webhook_of(player_of(request), webhook_id)
    if found is None:
        raise Http404
    context = {"webhook": found, "deliveries": reach.deliveries(found)}
    return render(request, "games/webhook.html", context)


@require_POST
@login_required
def change_webhook(
    request: HttpRequest, webhook_id: int, what: str, errand_id: int = 0
) -> HttpResponse:
    owner, now = player_of(request), timezone.now()
    if reach.webhook_of(owner, webhook_id) is None:
        raise Http404
    if what == "remove":
        webhooks.remove(owner=owner, webhook_id=webhook_id)
        messages.success(request, _("The webhook is deleted."))
        return redirect("/settings/notices/#webhooks")
    if what == "test":
        with told(request, _("A test is on its way.")):
            webhooks.send_test(owner=owner, webhook_id=webhook_id, now=now)
    elif what == "on":
        webhooks.switch_on(owner=owner, webhook_id=webhook_id)
    elif what == "again":
        with told(request, _("It is on its way again.")):
            webhooks.send_again(owner=owner, webhook_id=webhook_id, errand_id=errand_id, now=now)
    else:
        raise Http404
    return redirect("webhook", webhook_id)


def _page(
    request: HttpRequest, ways: WaysForm, hook: WebhookForm, *, status: int = 200
) -> HttpResponse:
    player = player_of(request)
    context = {
        "ways": ways,
        "hook": hook,
        "devices": reach.devices_of(player),
        "webhooks": (shown := reach.webhooks_of(player)),
        "in_question": [each for each in shown if each.in_question],
    }
    return render(request, "games/notices.html", context, status=status)
