"""Look for pairs of players who favour each other."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from games.selectors.company import bonds
from games.services import company


class Command(BaseCommand):
    help = (
        "Searches the analysed games of the site for pairs whose mistakes help each other more "
        "than the draw of seats explains, and names them."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        looked = company.look(now=timezone.now())
        self.stdout.write(f"{looked} pairs looked at")
        for bond in bonds():
            self.stdout.write(
                f"{bond.low} and {bond.high}, {bond.ruleset}: {bond.games} games, "
                f"{bond.gifts:+.1f} points a game to each other, {bond.usual:+.1f} to others, "
                f"by lot once in {1 / max(bond.chance, 1e-12):,.0f}"
            )
