"""Fair company: pairs of players whose mistakes please each other more than the lot explains.

Found once a day by a worker of the bots, for moderators to look at. Nothing else happens by it.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from games import titles
from games.models import Bond, Player
from games.reckon.judged import company
from games.selectors.company import sittings


def look(*, now: datetime) -> int:
    """Look at all people who met often enough; how many pairs that were."""
    looked, found = 0, []
    people = set(Player.objects.filter(bot_level="", deleted_at=None).values_list("pk", flat=True))
    for title in titles.TITLES.values():
        pairs = [
            pair for pair in company.pairs(sittings(title.key)) if people.issuperset(pair.players)
        ]
        looked += len(pairs)
        found += [_bond(pair, title.key, now) for pair in company.discovered(pairs)]
    with transaction.atomic():
        Bond.objects.all().delete()
        Bond.objects.bulk_create(found)
    return looked


def _bond(pair: company.Pair, ruleset: str, now: datetime) -> Bond:
    low, high = pair.players
    return Bond(
        low_id=low,
        high_id=high,
        ruleset=ruleset,
        games=pair.games,
        chance=pair.chance,
        favours=pair.favours,
        gifts=pair.gifts,
        usual=pair.usual,
        found_at=now,
    )
