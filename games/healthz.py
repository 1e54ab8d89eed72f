"""`/healthz`: answered before anything else, for monitors that know an address and no name."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import resolve
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.services import health

PATH = "/healthz"


@require_safe
@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    healthy, report = health.check_health(now=timezone.now())
    answer = JsonResponse(report, status=200 if healthy else 503)
    # Django would log it as an error of ours, again and again; it has its line, and its monitor.
    answer._has_been_logged = True  # type: ignore[attr-defined]
    return answer


class HealthMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info != PATH:
            return self.get_response(request)
        request.resolver_match = resolve(PATH)
        return healthz(request)
