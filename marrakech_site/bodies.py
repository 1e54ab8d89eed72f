"""What a request brings along is taken in before anything else: all of it, not too much of it,
and not for ever. A thread that waits for a slow sender would be missing for everybody else."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from io import BytesIO
from threading import Timer
from typing import Any

from django.utils.http import parse_header_parameters

Application = Callable[..., Iterable[bytes]]


class Bodies:
    """Wraps the WSGI application; `gunicorn.socket` is where gunicorn reads the body from."""

    def __init__(self, application: Application, *, largest: int, seconds: float) -> None:
        self.application = application
        self.largest = largest
        self.seconds = seconds

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        given = environ.get("CONTENT_LENGTH") or "0"
        length = int(given) if given.isascii() and given.isdigit() else -1
        source = environ.get("gunicorn.socket")
        if not is_utf_8(environ.get("CONTENT_TYPE", "")):
            # Django would stumble over some of these before any middleware sees the request.
            return _refuse(start_response, source, HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
        if length < 0:
            return _refuse(start_response, source, HTTPStatus.BAD_REQUEST)
        if length > self.largest:
            return _refuse(start_response, source, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        if length:
            with _cut_off(source, self.seconds):
                body = environ["wsgi.input"].read(length)
            if len(body) < length:
                # Half a form must not be taken for a whole one.
                return _refuse(start_response, source, HTTPStatus.REQUEST_TIMEOUT)
            environ["wsgi.input"] = BytesIO(body)
        return self.application(environ, start_response)


def is_utf_8(content_type: str) -> bool:
    """Whether a body says to be in UTF-8, or nothing about it."""
    charset = parse_header_parameters(content_type)[1].get("charset", "utf-8")
    return charset.lower() in ("utf-8", "utf8")


@contextmanager
def _cut_off(source: socket.socket | None, seconds: float) -> Iterator[None]:
    """What has not come by then is not waited for."""
    if source is None:
        yield
        return
    timer = Timer(seconds, _hang_up, [source])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _hang_up(source: socket.socket) -> None:
    """Hear no more, but still answer."""
    with suppress(OSError):
        source.shutdown(socket.SHUT_RD)


def _refuse(
    start_response: Any, source: socket.socket | None, status: HTTPStatus
) -> Iterable[bytes]:
    if source is not None:
        _hang_up(source)
    text = f"{status.value} {status.phrase}"
    start_response(text, [("Content-Type", "text/plain"), ("Content-Length", str(len(text)))])
    return [text.encode()]
