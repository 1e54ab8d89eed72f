"""Games that bots play among themselves, so that there is always something to watch.

They make room: where people play in public there are fewer of them, or none.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction

from games.models import BotLevel, Game, Player
from games.services import seating
from games.services.bot_seats import bots_of
from games.services.luck import FIXED_WORD
from games.titles.completeness import offered
from games.titles.manifest import Title

LONGEST_PAUSE = timedelta(hours=1)


def hold(*, now: datetime) -> Game | None:
    """Open an exhibition if too few public games run and the last one is long enough ago."""
    titles = [title for title in offered() if title.bot_levels]
    public = Game.objects.filter(visibility=Game.Visibility.PUBLIC)
    running = public.filter(status=Game.Status.RUNNING)
    if not titles or running.count() >= settings.EXHIBITIONS:
        return None
    held = Game.objects.filter(exhibition__isnull=False)
    if held.filter(created_at__gt=now - settings.EXHIBITION_EVERY).exists():
        return None
    # The archive of a new house is empty: its first exhibition is played at once.
    has_archive = public.filter(status=Game.Status.OVER).exists()
    pause = min(settings.EXHIBITION_PAUSE, LONGEST_PAUSE) if has_archive else timedelta()
    return _open(titles[held.count() % len(titles)], pause, now)


@transaction.atomic
def _open(title: Title, pause: timedelta, now: datetime) -> Game:
    players = _players(title, secrets.choice(title.seats))
    edition, options = next(iter(title.rules.presets.items()))
    game = seating.open_table(
        creator=players[0],
        invited=(),
        word=FIXED_WORD,
        now=now,
        ruleset=title.key,
        size=len(players),
        options=dict(options),
        edition=edition,
        pace=Game.Pace.NONE,
        visibility=Game.Visibility.PUBLIC,
        rated=False,
        fill_level=title.bot_levels[0],
        exhibition=pause // timedelta(seconds=1),
    )
    for joined, player in enumerate(players[1:], start=1):
        seating.sit(game, player, joined=joined, word=FIXED_WORD, now=now)
    seating.start(game, now)
    return game


def _players(title: Title, number: int) -> Sequence[Player]:
    """Bots of different levels as far as there are so many, so that it is no dull sight."""
    found: list[Player] = []
    for place in range(number):
        level = BotLevel(title.bot_levels[place % len(title.bot_levels)])
        found += bots_of(level, 1, besides=[player.pk for player in found])
    return found
