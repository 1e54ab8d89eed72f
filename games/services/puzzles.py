"""A puzzle a day: chosen once from what was judged, and answered once by each player.

Any worker of the bots may come to choose; the day is unique in the database, so one of them does.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from random import Random

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from games.models import Player, Puzzle, PuzzleAnswer
from games.reckon.judged.puzzles import Lead, proven
from games.selectors.puzzles import Candidate, candidates, day_of, trial_of
from games.selectors.reckonings import judged
from games.services.bots import compile_meanwhile
from games.services.errors import Refused
from games.services.notices import queue

MOST_TRIED = 20
"""Decisions that are tried out at one go: others want the worker, too."""

Proof = Callable[[Candidate], Lead | None]


def choose(*, now: datetime) -> Puzzle | None:
    """The puzzle of this day, unless there is one, or nothing to make it of."""
    from games import bots

    if Puzzle.objects.filter(day=day_of(now)).exists():
        return None
    if not bots.ready():
        compile_meanwhile()
        return None
    return publish_first(now=now, proof=_proof)


def publish_first(*, now: datetime, proof: Proof) -> Puzzle | None:
    """The first of the candidates that stands its proof."""
    found = list(candidates())
    Random(now.timestamp()).shuffle(found)  # noqa: S311
    for candidate in found[:MOST_TRIED]:
        if lead := proof(candidate):
            return _publish(candidate, lead, now)
    return None


def answer(*, puzzle: Puzzle, player: Player, action: str, now: datetime) -> PuzzleAnswer:
    """The first one counts, whatever comes later."""
    trial = trial_of(puzzle, answer=action)
    if not trial.is_answered:
        raise Refused(_("That is not one of the choices."))
    found, _made = PuzzleAnswer.objects.get_or_create(
        puzzle=puzzle,
        player=player,
        defaults={"action": action, "is_solved": trial.is_solved, "at": now},
    )
    return found


def _publish(candidate: Candidate, lead: Lead, now: datetime) -> Puzzle | None:
    try:
        with transaction.atomic():
            made = Puzzle.objects.create(
                day=day_of(now),
                game=candidate.game,
                number=candidate.number,
                moment=candidate.moment.as_json(),
                lead=lead.gap,
                error=lead.error,
            )
            queue.puzzle_chosen(puzzle=made, now=now)
    except IntegrityError:
        return None  # somebody else was faster
    return made


def _proof(candidate: Candidate) -> Lead | None:
    """By continuations that the reckoning has not seen."""
    from games.bots import reckoner

    game = judged(candidate.row)
    step = game.steps[candidate.number - 1]
    sample = reckoner.sampler(game.rules, step, seed=candidate.row.seed, number=candidate.number)
    return proven(candidate.moment, sample)
