"""What makes the site an app: its manifest, and the worker that keeps it readable offline."""

from __future__ import annotations

from hashlib import sha256

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_safe

from games.views.requests import kept_offline

GROUND = {"light": "#f6efe3", "dark": "#14121f"}
"""As in tokens.css."""


@require_safe
@cache_control(private=True, max_age=3600)
def manifest(request: HttpRequest) -> HttpResponse:
    icons = [
        {"src": static(f"games/img/{name}-{size}.png"), "sizes": f"{size}x{size}", **how}
        for name, how in (
            ("icon", {"type": "image/png", "purpose": "any"}),
            ("icon-maskable", {"type": "image/png", "purpose": "maskable"}),
        )
        for size in (192, 512)
    ]
    shortcuts = [(_("Next game"), "next"), (_("Play now"), "play_now")]
    # There is room for one colour here; pages name those of both themes.
    ground = GROUND.get(getattr(request.user, "theme", ""), GROUND["light"])
    said = {
        "id": "/",
        "name": "Souk",
        "short_name": "Souk",
        "description": _("Board games by correspondence: one move at a time, days to think."),
        "lang": request.LANGUAGE_CODE,
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "theme_color": ground,
        "background_color": ground,
        "icons": icons,
        "shortcuts": [{"name": name, "url": reverse(route)} for name, route in shortcuts],
    }
    return JsonResponse(said, content_type="application/manifest+json")


@require_safe
@never_cache
def service_worker(request: HttpRequest) -> HttpResponse:
    """For the whole site, so from its root; a new release is a new worker."""
    text = render_to_string("games/service-worker.js")
    version = sha256(f"{settings.RELEASE} {text}".encode()).hexdigest()[:12]
    return HttpResponse(
        text.replace("VERSION", version),
        content_type="text/javascript; charset=utf-8",
        headers={"Service-Worker-Allowed": "/"},
    )


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """What the worker shows for a page that it has not kept. Nothing on it is about anybody, so it
    may stay when somebody signs out."""
    return kept_offline(HttpResponse(render_to_string("offline.html")), "shell")
