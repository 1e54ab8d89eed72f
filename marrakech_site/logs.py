"""What is logged: one JSON object a line for machines, one short line for somebody at a terminal.

Each line carries the id of the request it belongs to. A request is logged by its route, not its
address: addresses carry tokens. What happens all the time and says nothing (an open page that
asks whether anything changed, a monitor that hears that all is well) is no line at all.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import cache
from types import ModuleType

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver

from games import security_log

from . import metrics
from .clients import client_ip
from .discretion import without_addresses

request_id: ContextVar[str] = ContextVar("request_id", default="")
access_log = logging.getLogger("souk.access")
TOKEN = re.compile(r"<(?:\w+:)?\w*token>")
ACCEPTED_ID = re.compile(r"[A-Za-z0-9-]{8,64}")
FOR_MONITORS = ("healthz", "metrics")
PLACEHOLDER = re.compile(r"<[^>]*>")
NO_ROUTE = "(none)"


def route_of(request: HttpRequest) -> str:
    if request.resolver_match:
        return request.resolver_match.route
    return "static" if request.path.startswith(settings.STATIC_URL) else NO_ROUTE


class ByRoute(logging.Filter):
    """Django names the address of a request that broke; its route says enough."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(request := getattr(record, "request", None), HttpRequest):
            record.msg, record.args = "%s %s broke", (request.method, route_of(request))
        return True


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _without_secrets(record.getMessage()),
            **getattr(record, "facts", {}),
        }
        if identity := request_id.get():
            line["request_id"] = identity
        if record.exc_info:
            line["exception"] = _without_secrets(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False, default=str)


def _without_secrets(text: str) -> str:
    """Others log addresses as they are; what comes after these words lets somebody in."""
    text = without_addresses(text)
    if not (starts := _before_tokens()):
        return text
    return re.sub(rf"(/(?:{'|'.join(starts)}))[^\s\"'<>]+", r"\1…", text)


def _before_tokens() -> tuple[str, ...]:
    """How the addresses of the routes with a token begin. The routes themselves say so, once they
    are there: to ask for them would load them, and what loads them may log."""
    routes = sys.modules.get(settings.ROOT_URLCONF)
    return _starts(routes) if hasattr(routes, "urlpatterns") else ()


@cache
def _starts(routes: ModuleType) -> tuple[str, ...]:
    return tuple(sorted(re.escape(start) for start in _addresses(routes.urlpatterns)))


def _addresses(patterns: Iterable[URLPattern | URLResolver], before: str = "") -> Iterator[str]:
    for each in patterns:
        route = before + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from _addresses(each.url_patterns, route)
        elif token := TOKEN.search(route):
            yield route[: token.start()]


class PlainFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        facts = getattr(record, "facts", {})
        if record.name == access_log.name:
            text = "{method} {route} → {status}, {ms:.0f} ms".format_map(
                {**facts, "route": _for_people(facts["route"])}
            )
        else:
            text = " ".join([record.getMessage(), *(f"{k}={v}" for k, v in facts.items())])
        if record.levelno >= logging.WARNING:
            text = f"{record.levelname.capitalize()}: {text}"
        if record.exc_info:
            text += "\n" + self.formatException(record.exc_info)
        # The clock of whoever reads along, like every other clock on that desk.
        at = datetime.fromtimestamp(record.created, UTC).astimezone()
        return f"{at:%H:%M:%S} {_without_secrets(text)}"


def _for_people(route: str) -> str:
    return route if route == NO_ROUTE else "/" + PLACEHOLDER.sub("…", route)


class RequestLogMiddleware:
    """Gives each request an id (a proxy's, if it sent a plain one) and one line in the log."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        identity = given if ACCEPTED_ID.fullmatch(given) else uuid.uuid4().hex
        token = request_id.set(identity)
        address = security_log.client.set(client_ip(request))
        started = time.monotonic()
        try:
            response = self.get_response(request)
            response["X-Request-ID"] = identity
            self._note(request, response, time.monotonic() - started)
            return response
        finally:
            security_log.client.reset(address)
            request_id.reset(token)

    def _note(self, request: HttpRequest, response: HttpResponse, seconds: float) -> None:
        route, status = route_of(request), response.status_code
        metrics.count_request(request.method or "", route, status, seconds)
        says_nothing = (
            status == 204
            or (route == "static" and status in (200, 206, 304))
            or (route in FOR_MONITORS and status == 200)
        )
        access_log.log(
            logging.DEBUG if says_nothing else logging.INFO,
            "request",
            extra={
                "facts": {
                    "method": request.method,
                    "route": route,
                    "status": status,
                    "ms": round(seconds * 1000, 1),
                }
            },
        )
