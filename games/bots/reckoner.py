"""A judge looks at the moves of a finished game, one by one, for its reckoning.

The same game, seed and version give the same moments on every machine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from games.engine.interface import LEAVING, Over, Played, Ruleset
from games.reckon.judged import trials
from games.reckon.judged.moments import Face, Moment, Roll
from games.reckon.judged.shares import Shares, whole, won
from games.reckon.judged.trials import Option

from . import judge

KEPT = 6
"""So many options of a decision are worth being told."""


REVISION = 5
"""Counts the ways to make a reckoning of what a judge says."""


def version(game: str, seats: int) -> str:
    """Stands for the judge and for how a reckoning is made of what it says."""
    return f"{REVISION}.{judge.version(game, seats)}"


def first_look(rules: Ruleset[Any], step: Played) -> Moment:
    """By the network alone: in a moment, and nobody knows how sure it is."""
    if step.action in LEAVING:
        return _left(rules, step, careful=False)
    options = _options(rules, step.before, careful=False)
    sure = len(trials.candidates(step.action, step.seat, options)) == 1
    return Moment(
        seat=step.seat,
        played=step.action,
        best=options[0].action,
        options=_kept(options, step.action, options[0].action),
        is_free=len(options) > 1,
        error=0 if sure else None,
        roll=_roll(rules, step, careful=False),
        choices=len(options),
        pleased=_pleased(options, step, options[0].action),
    )


def second_look(rules: Ruleset[Any], step: Played, *, seed: int, number: int) -> Moment:
    """With care, and by continuations where that is not sure, as many as it takes; `number` is
    that of the move."""
    if step.action in LEAVING:
        return _left(rules, step, careful=True)
    sample = sampler(rules, step, seed=seed, number=number)
    options = _options(rules, step.before, careful=True)
    found = trials.weighed(step.action, step.seat, options, sample)
    return Moment(
        seat=step.seat,
        played=step.action,
        best=found.best,
        options=_kept(found.options, step.action, found.best),
        is_free=len(options) > 1,
        error=found.error,
        spread=found.spread,
        trials=found.trials,
        roll=_roll(rules, step, careful=True),
        choices=len(options),
        pleased=_pleased(options, step, found.best),
    )


def sampler(rules: Ruleset[Any], step: Played, *, seed: int, number: int) -> trials.Sample:
    """Continuations of what can be done at this move, as they would have to be seen from there."""
    seen = rules.observe(step.before, step.seat)
    own = _seed(seed, number)

    def sample(action: str, first: int, count: int) -> list[tuple[int, ...]]:
        return judge.trials(seen, action, seed=own, first=first, count=count)

    return sample


def _left(rules: Ruleset[Any], step: Played, *, careful: bool) -> Moment:
    """Whoever leaves gives to the others what they gain by it, but has made no mistake."""
    stay = Option("", _worth(rules, step.before, careful=careful))
    leave = Option(step.action, _worth(rules, step.after, careful=careful))
    return Moment(step.seat, step.action, "", (stay, leave), is_free=False)


def _worth(rules: Ruleset[Any], state: Any, *, careful: bool) -> Shares:
    pending = rules.pending(state)
    if isinstance(pending, Over):
        return won(pending.ranking, rules.observe(state, None)["seats"])
    return _options(rules, state, careful=careful)[0].shares


def _options(rules: Ruleset[Any], state: Any, *, careful: bool) -> list[Option]:
    seen = rules.observe(state, rules.pending(state).seat)  # type: ignore[union-attr]
    found = judge.actions(seen, careful=careful)
    return [Option(each.action, whole(each.shares)) for each in found]


def _kept(options: Sequence[Option], played: str, best: str) -> tuple[Option, ...]:
    kept = options[:KEPT]
    named = [each for each in options if each.action in (played, best) and each not in kept]
    return (*kept, *named)


def _pleased(options: Sequence[Option], step: Played, best: str) -> tuple[int, ...]:
    """Whose favourite of all options was played instead of the best."""
    if step.action == best:
        return ()
    played = next(each.shares for each in options if each.action == step.action)
    found = []
    for seat, share in enumerate(played):
        others = [each.shares[seat] for each in options]
        found.append(sum(other < share for other in others) if share == max(others) else 0)
    return tuple(found)


def _roll(rules: Ruleset[Any], step: Played, *, careful: bool) -> Roll | None:
    if "die" not in step.facts:
        return None
    seen = rules.observe(step.before, step.seat)
    faces = judge.faces(seen, step.action, careful=careful)
    return Roll(
        step.facts["die"],
        tuple(Face(each.value, each.sides, whole(each.shares)) for each in faces),
    )


def _seed(seed: int, number: int) -> int:
    digest = hashlib.sha256(f"{seed} {number}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 2
