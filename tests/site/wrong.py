"""The site, with pages that go wrong as asked: `/wrong/500/`."""

from __future__ import annotations

from django.core.exceptions import BadRequest, PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import path

from marrakech_site import urls
from marrakech_site.urls import handler400, handler403, handler404, handler500

__all__ = ["handler400", "handler403", "handler404", "handler500"]

WRONG = {"400": BadRequest(), "403": PermissionDenied(), "500": RuntimeError()}


def wrong(request: HttpRequest, kind: str) -> HttpResponse:
    raise WRONG[kind]


urlpatterns = [*urls.urlpatterns, path("wrong/<kind>/", wrong)]
