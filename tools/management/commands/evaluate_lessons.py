"""Have the judge look at the decisions of all lessons, for pages that cannot ask one."""

from __future__ import annotations

import json
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from games import bots
from games.reckon.judged.shares import whole
from games.selectors import lessons
from games.titles import TITLES


class Command(BaseCommand):
    help = "Writes what the judge says of every choice in the lessons into the rooms of the games."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        bots.keep_compiled_in(settings.DATA / "compiled")
        from games.bots import judge

        for key, title in TITLES.items():
            if not (title.is_judged and title.is_taught):
                continue
            found: dict[str, Any] = {"judge": {}, "scenes": {}}
            for scene in lessons.scenes(key):
                seats = scene.start.seats
                found["judge"][str(seats)] = judge.version(key, seats)
                found["scenes"][scene.key] = {
                    ",".join(played): {
                        each.action: whole(each.shares)[lessons.LEARNER]
                        for each in judge.actions(seen, careful=True)
                    }
                    for played, seen in lessons.decisions_of(key, scene)
                }
            path = lessons.judged_file(key)
            path.write_text(json.dumps(found, indent=0, sort_keys=True) + "\n")
            self.stdout.write(str(path))
