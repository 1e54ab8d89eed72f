"""What must be true afterwards."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.core.management import call_command
from django.core.management.base import CommandError
from django.db.models import Q

from games.engine.interface import LEAVING, TIMEOUT
from games.models import Game, Move, Notice, Seat
from tests.chaos.deployment import Deployment
from tests.chaos.people import Table

State = Notice.State
IN_TIME = timedelta(seconds=15)
SHARE_IN_TIME = 0.99
NEAR_A_CUT = 5.0  # seconds


@dataclass(frozen=True)
class Finding:
    what: str
    value: str
    holds: bool


def judge(
    deployment: Deployment, tables: Sequence[Table], doomed: Sequence[Game]
) -> Iterator[Finding]:
    yield from _moves(tables)
    yield from _soundness()
    yield from _mail(deployment)
    yield from _seats(doomed)


def _moves(tables: Sequence[Table]) -> Iterator[Finding]:
    lost = strange = total = by_bots = 0
    for table in tables:
        seats = table.game.seats.exclude(player__bot_level="")
        bots = [seat.number for seat in seats if seat.number is not None]
        moves = Move.objects.filter(game=table.game).exclude(action__in=LEAVING)
        by_bots += moves.filter(seat__in=bots).count()
        played = {
            (move.game_id, move.number - 1): move.action for move in moves.exclude(seat__in=bots)
        }
        total += len(played)
        lost += sum(played.get(key) not in actions for key, actions in table.accepted.items())
        strange += sum(action not in table.sent.get(key, set()) for key, action in played.items())
    troubled = sum(table.troubled for table in tables)
    yield Finding("moves played", f"{total}, {troubled} of them sent again", total > 0)
    yield Finding("moves of bots", f"{by_bots}, none of them late", by_bots > 0)
    yield Finding("moves lost", str(lost), lost == 0)
    yield Finding("moves that nobody made", str(strange), strange == 0)


def _soundness() -> Iterator[Finding]:
    out = io.StringIO()
    try:
        call_command("verify", "--all", stdout=out)
    except CommandError:
        yield Finding("verify --all", out.getvalue(), False)
    else:
        yield Finding("verify --all", out.getvalue().strip(), True)


def _mail(deployment: Deployment) -> Iterator[Finding]:
    counts = {state: Notice.objects.filter(state=state).count() for state in State.values}
    lost = Notice.objects.filter(
        Q(state=State.FAILED) | Q(state__in=[State.QUEUED, State.SENDING], attempts__gt=0)
    ).count()
    silenced = Notice.objects.exclude(player__refused_address="").count()
    yield Finding("notices", ", ".join(f"{n} {state}" for state, n in counts.items() if n), True)
    yield Finding("mails lost", f"{lost}, {silenced} to players silenced", lost + silenced == 0)
    office = deployment.post_office
    twice = {message for message, times in office.copies.items() if times > 1}
    unexplained = {
        message
        for message in twice - office.cut.keys()
        if not any(
            abs(taken - cut) < NEAR_A_CUT
            for taken in office.taken_at[message]
            for cut in deployment.cuts
        )
    }
    yield Finding(
        "mails sent twice", f"{len(twice)}, {len(unexplained)} unexplained", not unexplained
    )


def _seats(doomed: Sequence[Game]) -> Iterator[Finding]:
    taken = list(Move.objects.filter(action=TIMEOUT, game__in=doomed).select_related("game"))
    deadlines = {game.pk: game.deadline for game in doomed}
    late, untold = [], 0
    for move in taken:
        due = deadlines[move.game_id]
        assert due
        late.append(move.at - due)
        loser = Seat.objects.get(game=move.game_id, number=move.seat).player
        told = Notice.objects.filter(
            game=move.game_id, player=loser, kind=Notice.Kind.TURN, sent_at__lte=move.at
        )
        untold += not told.exists()
    early = sum(delay < timedelta() for delay in late)
    in_time = sum(timedelta() <= delay <= IN_TIME for delay in late)
    yield Finding("deadlines", f"{len(taken)} of {len(doomed)} passed", bool(taken))
    yield Finding("seats taken too early", str(early), early == 0)
    yield Finding("seats lost without a notice", str(untold), untold == 0)
    share = in_time / len(late) if late else 0.0
    slowest = max(late, default=timedelta())
    yield Finding(
        "deadlines within 15 s",
        f"{share:.1%}, the latest after {slowest.total_seconds():.0f} s",
        share >= SHARE_IN_TIME,
    )
