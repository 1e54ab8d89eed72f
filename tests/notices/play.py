"""Run as a process of its own: `python -m tests.notices.play`.

Plays two turns of a new game in the database that the environment names.
"""

from __future__ import annotations

import django

django.setup()

from django.utils import timezone  # noqa: E402

from tests.people import Tables, take_turn  # noqa: E402

game = Tables().game(now=timezone.now())
for _ in range(2):
    take_turn(game, timezone.now())
