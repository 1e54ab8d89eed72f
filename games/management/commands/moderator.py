"""Make somebody a moderator, or not any more: staff who may moderate and look, and no more."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import Group, Permission
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from games.selectors.players import find_player

GROUP = "Moderators"
LOOKS_AT = ("act", "game", "message", "move", "player", "report")


class Command(BaseCommand):
    help = __doc__ or ""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--no-more", action="store_true", help="take it back")

    @transaction.atomic
    def handle(self, *args: Any, name: str, no_more: bool, **options: Any) -> None:
        player = find_player(name)
        if player is None:
            raise CommandError(f"There is no player {name!r}.")
        if no_more:
            player.groups.remove(*Group.objects.filter(name=GROUP))
            player.is_staff = player.is_superuser
        else:
            player.groups.add(moderators())
            player.is_staff = True
        player.save(update_fields=["is_staff"])
        self.stdout.write(f"{player.username} is {'no longer ' if no_more else ''}a moderator.")


def moderators() -> Group:
    """The group, with all that its members may do."""
    group, _ = Group.objects.get_or_create(name=GROUP)
    codenames = ["moderate", *(f"view_{name}" for name in LOOKS_AT)]
    allowed = Permission.objects.filter(content_type__app_label="games", codename__in=codenames)
    group.permissions.set(allowed)
    return group
