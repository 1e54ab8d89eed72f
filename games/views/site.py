"""Pages about the site itself."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.services import health


@require_safe
@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    healthy, report = health.check_health(now=timezone.now())
    return JsonResponse(report, status=200 if healthy else 503)
