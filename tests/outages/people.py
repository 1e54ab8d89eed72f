"""Run as a process of its own: `python -m tests.outages.people`.

Two players who can sign in and a game between them, in the database that the environment
names; prints the address of the game and the name of whoever is to act.
"""

from __future__ import annotations

import django

django.setup()

from django.utils import timezone  # noqa: E402

from tests.people import new_players, started_game, whose_turn  # noqa: E402

game = started_game(new_players(2), now=timezone.now())
print(game.get_absolute_url(), whose_turn(game).username)
