"""What this web process counts for Prometheus; the rest is read from the database when asked.

gunicorn's workers are processes of their own. They count into files of one folder (see
gunicorn.py), and whichever of them is asked adds them all up.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import resolve
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Histogram,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from .counts_on_disk import count_without_maps

count_without_maps()

PATH = "/metrics"
FOLDER = "PROMETHEUS_MULTIPROC_DIR"
METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS"})

requests = Counter(
    "souk_requests", "Answered requests.", ["method", "route", "status"], registry=None
)
request_seconds = Histogram(
    "souk_request_seconds",
    "How long answers took.",
    ["route"],
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
    registry=None,
)


def count_request(method: str, route: str, status: int, seconds: float) -> None:
    # Anybody can invent methods; each would be a series for ever.
    known = method if method in METHODS else "other"
    requests.labels(known, route, str(status)).inc()
    request_seconds.labels(route).observe(seconds)


def counted() -> CollectorRegistry:
    """All that the web processes of this server have counted, to be added to by others."""
    registry = CollectorRegistry()
    if os.path.isdir(os.environ.get(FOLDER, "")):
        MultiProcessCollector(registry)
    else:
        registry.register(requests)
        registry.register(request_seconds)
    return registry


def _knows_the_token(request: HttpRequest) -> bool:
    given = request.headers.get("Authorization", "")
    expected = f"Bearer {settings.METRICS_TOKEN}"
    return bool(settings.METRICS_TOKEN) and constant_time_compare(given, expected)


@require_safe
@never_cache
def show(request: HttpRequest) -> HttpResponse:
    """Figures for Prometheus, for whoever knows the token; for others there is no such page."""
    if not _knows_the_token(request):
        raise Http404
    registry = counted()
    registry.register(Pulse())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


class MetricsMiddleware:
    """Prometheus asks each web server behind the proxy by its bare address, without TLS."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info != PATH or not _knows_the_token(request):
            return self.get_response(request)
        request.resolver_match = resolve(PATH)
        return show(request)


class Pulse(Collector):
    def collect(self) -> Iterator[GaugeMetricFamily]:
        # Logging, which counts requests here, is set up before there are models.
        from games.selectors.pulse import take_pulse

        for figure in take_pulse(now=timezone.now()):
            names = [name for name, _ in next(iter(figure.values), ())]
            family = GaugeMetricFamily(f"souk_{figure.name}", figure.help, labels=names)
            for labels, value in figure.values.items():
                family.add_metric([label for _, label in labels], value)
            yield family
