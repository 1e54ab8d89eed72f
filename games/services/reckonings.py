"""Reckonings of finished games: asked for in the database, worked out by the workers of bots.

A judge looks at a game twice: once by the network alone, which takes a second, then at one decision
after the other as long as it needs. Each call works for a slice of time, keeps what it has and
makes room, so that no bot keeps people waiting for a reckoning. A running game is never judged.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from games import titles, workers
from games.engine.record import Record, write
from games.models import Game, Player, Reckoning
from games.selectors.reckonings import Judged, is_judged, judged, runs_here, shows_a_running_game
from games.services import limits
from games.services.bots import compile_meanwhile
from games.services.errors import Refused
from games.services.stats import count_reckoning

log = logging.getLogger(__name__)

LEASE = timedelta(minutes=2)
"""How long a worker may be silent before another one goes on."""
SLICE = 2.0
"""Seconds after which a worker keeps what it has and lets others have their turn."""
WHILE_COMPILING = timedelta(seconds=10)
WHILE_PLAYED = timedelta(minutes=10)
"""After which it is asked again whether a game with such a board has gone on."""
UNASKED = timedelta(days=2)
"""Games that ended no longer ago are looked at without being asked."""
MOST_ATTEMPTS = 3

State = Reckoning.State
Clock = Callable[[], datetime]


@transaction.atomic
def ask(*, game: Game, now: datetime, player: Player | None = None, network: str = "") -> Reckoning:
    """Have a finished game judged; asking again changes nothing. Whoever asks, and from where, may
    do so only so often: there are old games for years of work."""
    if game.status != Game.Status.OVER:
        raise Refused(_("Only finished games are judged."))
    _has_judge(game.ruleset)
    found, made = Reckoning.objects.get_or_create(
        game=game, defaults={"seed": _seed(game.public_id), "due_at": now, "asked_at": now}
    )
    if made:
        limits.spend("judging", now=now, sender=player and player.pk, network=network)
        transaction.on_commit(_wake, robust=True)
    return found


def ask_for_record(*, record: Record, now: datetime) -> Reckoning:
    """The same for a record from outside, which must not hold a position of a running game."""
    if record.result is None:
        raise Refused(_("Only finished games are judged."))
    _has_judge(record.game)
    text = write(record)
    digest = hashlib.sha256(text.encode()).hexdigest()
    if found := Reckoning.objects.filter(digest=digest).first():
        return found
    if shows_a_running_game(record):
        raise Refused(_("This record shows a game that is still being played here."))
    found, made = Reckoning.objects.get_or_create(
        digest=digest,
        defaults={"record": text, "seed": _seed(digest), "due_at": now, "asked_at": now},
    )
    if made:
        transaction.on_commit(_wake, robust=True)
    return found


def work(*, clock: Clock, seconds: Callable[[], float] = time.monotonic) -> bool:
    """Go on with one reckoning for a slice of time; whether there was any."""
    now = clock()
    row = _claim(now) or _unasked(now)
    if row is None:
        return _enter_earlier(now)
    from games import bots

    if not bots.ready():
        compile_meanwhile()
        _keep(row, due_at=now + WHILE_COMPILING)
        return False
    try:
        _go_on(row, seconds() + SLICE, seconds, clock)
    except Exception:
        # One game that cannot be judged must not keep all others waiting.
        log.exception("%s", row)
        failed = row.attempts + 1 >= MOST_ATTEMPTS
        _keep(
            row,
            attempts=row.attempts + 1,
            **({"state": State.FAILED, "due_at": None} if failed else {}),
        )
    _wake()
    return True


def recomputed(row: Reckoning) -> list[Any]:
    """The moments again, from the moves, the seed and the judge alone."""
    from games.bots import reckoner

    game = judged(row)
    return [
        reckoner.second_look(game.rules, step, seed=row.seed, number=number).as_json()
        for number, step in enumerate(game.steps, start=1)
    ]


def present_version(row: Reckoning) -> str:
    """Of the judge that would look at this game today."""
    from games.bots import reckoner

    game = judged(row)
    return reckoner.version(game.rules.key, game.seats)


def _go_on(row: Reckoning, until: float, seconds: Callable[[], float], clock: Clock) -> None:
    from games.bots import reckoner

    game = judged(row)
    if runs_here(game.rules, game.steps):
        # Two who play a running game over again, and give up, would have it judged.
        _keep(row, due_at=clock() + WHILE_PLAYED)
        return
    version = reckoner.version(game.rules.key, game.seats)
    if row.state == State.WAITING or row.version != version:
        moments = _first(game)
        kept = _keep(
            row, moments=moments, version=version, state=State.FIRST, looked_at=0, due_at=clock()
        )
        log.info("%s: a first look%s", row, "" if kept else ", but somebody else was faster")
        return
    moments = list(row.moments)
    at = row.looked_at
    while at < len(moments) and seconds() < until:
        found = reckoner.second_look(game.rules, game.steps[at], seed=row.seed, number=at + 1)
        moments[at] = found.as_json()
        at += 1
    done = at == len(moments)
    with transaction.atomic():
        kept = _keep(
            row,
            moments=moments,
            looked_at=at,
            attempts=0,
            state=State.DONE if done else State.FIRST,
            due_at=None if done else clock(),
        )
        if kept and done:
            count_reckoning(row=row, now=clock())


def _first(game: Judged) -> list[Any]:
    from games.bots import reckoner

    return [reckoner.first_look(game.rules, step).as_json() for step in game.steps]


def _claim(now: datetime) -> Reckoning | None:
    """The longest due one that nobody else takes at this moment, held for the time of a lease."""
    due = Reckoning.objects.filter(due_at__lte=now).order_by("due_at")[:20]
    for row in due:
        lease = now + LEASE
        if Reckoning.objects.filter(pk=row.pk, due_at=row.due_at).update(due_at=lease):
            row.due_at = lease
            return row
    return None


def _unasked(now: datetime) -> Reckoning | None:
    """A game of people that has just ended, and that nobody has asked about."""
    wanted = list(filter(is_judged, titles.TITLES))
    game = (
        Game.objects.filter(
            status=Game.Status.OVER,
            exhibition=None,
            ended_at__gt=now - UNASKED,
            reckoning=None,
            ruleset__in=wanted,
        )
        .order_by("ended_at")
        .first()
    )
    if game is None:
        return None
    ask(game=game, now=now)
    return _claim(now)


def _enter_earlier(now: datetime) -> bool:
    """A reckoning that was finished before there were books for it; whether there was any."""
    row = Reckoning.objects.filter(
        state=State.DONE, entered_at=None, game__status=Game.Status.OVER
    ).first()
    if row:
        count_reckoning(row=row, now=now)
    return row is not None


def _keep(row: Reckoning, **columns: Any) -> bool:
    """Write what was found, unless the lease was lost and somebody else goes on."""
    mine = Reckoning.objects.filter(pk=row.pk, due_at=row.due_at)
    return bool(mine.update(**columns))


def _has_judge(ruleset: str) -> None:
    if not is_judged(ruleset):
        raise Refused(_("Nobody here can judge this game yet."))


def _seed(name: str) -> int:
    """Chance of its own for each game, known to everybody: nothing follows from it for dice."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big") >> 2


def _wake() -> None:
    workers.wake(workers.RECKONERS, expires=60)
