"""What an operator should hear before players do."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register


@register(Tags.security, deploy=True)
def public_site_sends_mail(**_: Any) -> list[CheckMessage]:
    if settings.PUBLIC and not settings.EMAIL_URL:
        return [
            Warning(
                "ALLOWED_HOSTS makes this site public, but EMAIL_URL is not set: "
                "nobody gets the code to sign up with, or any turn mail.",
                hint="Set EMAIL_URL, for example smtp+tls://user:password@mail.example.org:587",
                id="souk.W001",
            )
        ]
    return []
