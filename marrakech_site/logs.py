"""One JSON object a line on stderr, each with the id of the request it belongs to.

A request is logged by its route, not its address: addresses carry tokens.
"""

from __future__ import annotations

import json
import logging
import re
import time
import uuid
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime

from django.http import HttpRequest, HttpResponse

request_id: ContextVar[str] = ContextVar("request_id", default="")
access_log = logging.getLogger("souk.access")
# The addresses that end in a secret: those of routes with a `token`.
WITH_TOKEN = re.compile(r"(/(?:mail/move|mail/off|calendar)/)[^\s\"'<>]+")
ACCEPTED_ID = re.compile(r"[A-Za-z0-9-]{8,64}")


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _without_tokens(record.getMessage()),
            **getattr(record, "facts", {}),
        }
        if identity := request_id.get():
            line["request_id"] = identity
        if record.exc_info:
            line["exception"] = _without_tokens(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False, default=str)


def _without_tokens(text: str) -> str:
    """Others log addresses as they are; what comes after these words lets somebody in."""
    return WITH_TOKEN.sub(r"\1…", text)


class RequestLogMiddleware:
    """Gives each request an id (a proxy's, if it sent a plain one) and one line in the log."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        identity = given if ACCEPTED_ID.fullmatch(given) else uuid.uuid4().hex
        token = request_id.set(identity)
        started = time.monotonic()
        try:
            response = self.get_response(request)
            response["X-Request-ID"] = identity
            match = request.resolver_match
            access_log.info(
                "request",
                extra={
                    "facts": {
                        "method": request.method,
                        "route": match.route if match else "(none)",
                        "status": response.status_code,
                        "ms": round((time.monotonic() - started) * 1000, 1),
                    }
                },
            )
            return response
        finally:
            request_id.reset(token)
