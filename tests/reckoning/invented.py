"""A judge out of thin air: pages are tested without compiled code."""

from __future__ import annotations

from games.models import Game, Reckoning
from games.reckon.judged.moments import Face, Moment, Roll
from games.reckon.judged.shares import POINT, Shares, whole
from games.reckon.judged.trials import Option
from games.selectors.course import course_of
from tests.people import NOON


def reckoning_of(game: Game, *, blunder: int = 0, state: str = "done") -> Reckoning:
    """All players equal to the end; `blunder` is a move with which its player throws that away."""
    course = course_of(game)
    rules = course.start.rules
    moments = []
    for number, step in enumerate(course.played, start=1):
        legal = rules.legal(step.before)
        others = [action for action in legal if action != step.action][:4]
        even = whole([1] * game.size)
        lost = 30 * POINT if number == blunder else 0
        played = _without(even, step.seat, lost)
        best = others[0] if lost else step.action
        options = [Option(action, even) for action in others]
        roll = None
        if "die" in step.facts:
            die = step.facts["die"]
            worse = _without(played, step.seat, POINT)
            faces = (Face(die, 1, played), Face(die % 4 + 1, 5, worse))
            roll = Roll(die, faces)
        moments.append(
            Moment(
                step.seat,
                step.action,
                best,
                (*options, Option(step.action, played)),
                is_free=len(legal) > 1,
                roll=roll,
                trials=64,
                spread=POINT // 3,
            ).as_json()
        )
    return Reckoning.objects.create(
        game=game,
        version="1.test",
        seed=1,
        moments=moments if state != "waiting" else [],
        state=state,
        asked_at=NOON,
        due_at=None if state == "done" else NOON,
    )


def _without(shares: Shares, seat: int, lost: int) -> Shares:
    """The next seat gets what this one lost."""
    changed = list(shares)
    changed[seat] -= lost
    changed[(seat + 1) % len(changed)] += lost
    return tuple(changed)
