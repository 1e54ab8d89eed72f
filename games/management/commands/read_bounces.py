"""Read the mailbox to which mail comes back that could not be delivered."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games.services.notices import mailbox


class Command(BaseCommand):
    help = "Reads BOUNCE_MAILBOX by IMAP and acts on what came back; beat does so by itself."

    def handle(self, *args: Any, **options: Any) -> None:
        if not mailbox.is_configured():
            raise CommandError("BOUNCE_ADDRESS and BOUNCE_MAILBOX are not set.")
        try:
            count = mailbox.read_bounces(now=timezone.now())
        except OSError as error:
            raise CommandError(f"The mailbox cannot be read: {error}") from error
        self.stdout.write(f"{count} messages read")
