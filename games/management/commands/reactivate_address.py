"""Send email again to addresses that a mail server refused."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Q
from django.utils import timezone

from games.models import Player
from games.services.notices import trust


class Command(BaseCommand):
    help = "Reactivates refused addresses: those of the players named, or all of them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("players", nargs="*", help="names or addresses")
        parser.add_argument("--all", action="store_true", help="every refused address")

    def handle(self, *args: Any, **options: Any) -> None:
        names: list[str] = options["players"]
        if bool(names) == options["all"]:
            raise CommandError("Name players or addresses, or say --all.")
        players = Player.objects.all()
        if names:
            for name in names:
                if not players.filter(_called(name)).exists():
                    raise CommandError(f"There is no player with this name or address: {name}")
            wanted = Q(pk__in=[])
            for name in names:
                wanted |= _called(name)
            players = players.filter(wanted)
        count = trust.trust_again(players=players, now=timezone.now())
        self.stdout.write(f"{count} addresses are trusted again")


def _called(name: str) -> Q:
    return Q(username__iexact=name) | Q(email__iexact=name)
