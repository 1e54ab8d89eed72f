"""How often something may be done: by a player, to a player, to an address, from a network.

Counted in the database, in the transaction of what is counted: what is refused afterwards was
never counted, and no cache or broker that is away opens or closes anything. Who did it cannot
be read from what is stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from django.db.models import F
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from games.models import Use
from games.services.errors import Refused

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


CHECK_STEP = 16 * 1024
"""So many bytes of a record to check count as one more."""


class TooOften(Refused):
    """Not now, but later."""


class Limit(NamedTuple):
    times: int
    within: timedelta


BY_NETWORK = _("A lot of that comes from your network. Please try again later.")
INVITED_OFTEN = _("Somebody you invite has got many invitations today. Ask again tomorrow.")

# In this order everywhere, so that two who count the same rows never wait for each other.
LIMITS: Mapping[str, Mapping[str, Limit]] = {
    "creation": {"sender": Limit(60, DAY), "network": Limit(300, DAY)},
    "invitation": {
        "sender": Limit(40, DAY),
        "pair": Limit(10, DAY),
        "recipient": Limit(30, DAY),
        "address": Limit(30, DAY),
        "network": Limit(200, DAY),
    },
    "bot_game": {"sender": Limit(30, HOUR), "network": Limit(60, HOUR)},
    "message": {"sender": Limit(120, HOUR)},
    "report": {"sender": Limit(10, DAY), "network": Limit(60, DAY)},
    "test": {"sender": Limit(3, HOUR), "address": Limit(3, HOUR), "network": Limit(20, HOUR)},
    "device_test": {"sender": Limit(20, HOUR)},
    "webhook": {"sender": Limit(20, HOUR)},
    # New devices and webhooks: each is told to its owner by email.
    "announcement": {"sender": Limit(20, DAY)},
    # By size: who leafs through a usual record is not stopped, a flood of large ones is.
    "check": {"network": Limit(120, MINUTE)},
    "reckoning": {"network": Limit(10, HOUR)},
    "judging": {"sender": Limit(20, HOUR), "network": Limit(100, HOUR)},
    # Of a second factor; the one after these is told to its owner, once a day.
    "wrong_code": {"sender": Limit(4, DAY)},
    "wrong_code_email": {"sender": Limit(1, DAY)},
    "export": {"network": Limit(30, HOUR)},
}
SENTENCES = {
    ("creation", "sender"): _("You have opened many games today. Open more tomorrow."),
    ("invitation", "sender"): _("You have sent many invitations today. Send more tomorrow."),
    ("invitation", "pair"): INVITED_OFTEN,
    ("invitation", "recipient"): INVITED_OFTEN,
    ("invitation", "address"): INVITED_OFTEN,
    ("bot_game", "sender"): _(
        "You have started many games against bots. Start the next in an hour."
    ),
    ("message", "sender"): _("You have said a lot in an hour. Go on talking a little later."),
    ("report", "sender"): _("You have reported a lot today. Report more tomorrow."),
    ("test", "sender"): _("Several tests are on their way already. Send the next in an hour."),
    ("device_test", "sender"): _("That was a lot of tests. Send the next in an hour."),
    ("webhook", "sender"): _("That was a lot of webhooks. Add the next in an hour."),
    ("announcement", "sender"): _(
        "You have added many devices and webhooks today. Add more tomorrow."
    ),
    ("judging", "sender"): _(
        "You have asked the judge about many games. Ask about the next in an hour."
    ),
    ("test", "address"): _("Several tests are on their way already. Send the next in an hour."),
}


def spend(what: str, *, now: datetime, amount: int = 1, **parties: object) -> None:
    """Count it for each of the parties (those not given, or empty, do not count), or refuse."""
    for party, limit in LIMITS[what].items():
        if not (who := parties.get(party)):
            continue
        since = int(now.timestamp() // limit.within.total_seconds())
        key = salted_hmac("games.limits", f"{what}|{party}|{who}|{since}", algorithm="sha256")
        until = datetime.fromtimestamp((since + 1) * limit.within.total_seconds(), UTC)
        row = Use(key=key.hexdigest(), until=until)
        Use.objects.bulk_create([row], ignore_conflicts=True)
        free = Use.objects.filter(key=row.key, times__lte=limit.times - amount)
        if not free.update(times=F("times") + amount):
            raise TooOften(SENTENCES.get((what, party), BY_NETWORK))


def forget_old_uses(*, now: datetime) -> int:
    return Use.objects.filter(until__lt=now).delete()[0]
