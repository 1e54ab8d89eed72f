"""Instead of Django's command of this name, which needs the gettext tools."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from games.languages import compile_catalogues


class Command(BaseCommand):
    help = "Compile the translations that changed."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        for folder in settings.LOCALE_PATHS:
            compile_catalogues(folder)
