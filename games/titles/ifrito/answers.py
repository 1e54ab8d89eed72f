"""What a learner hears about a choice: what it brings, where it would be better, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .cushions import CUSHIONS
from .rules.actions import Enter, Move, Pick, read
from .rules.geometry import CELL, CUSHION, reach
from .words import WORDS

Facts = Mapping[str, Any]


def answer(before: Facts, action: str, after: Callable[[str], Facts]) -> list[str]:
    match read(action):
        case Enter() | Move():
            return [_about_a_flight(before, action, after)]
        case Pick():
            return [_about_a_pick(before, action, after)]
    return []


def _about_a_flight(before: Facts, action: str, after: Callable[[str], Facts]) -> str:
    """By the cells that the genies aboard point to from there: that is what a carpet is worth."""
    alike = [each for each in before["legal"] if _source(each) == _source(action)]
    reached = {each: _reach_at(after(each), _target(each)) for each in alike}
    here = _target(action)
    best = max(reached, key=lambda each: (reached[each], _target(each) == here))
    can = ngettext(
        "From there it can fly to %(n)d cell.",
        "From there it can fly to %(n)d cells.",
        reached[action],
    ) % {"n": reached[action]}
    if reached[action] == reached[best]:
        return _("%(can)s No other choice gives it more.") % {"can": can}
    said = _(
        "%(can)s With “%(choice)s” it would be %(best)d: there its genies point into the planes, "
        "not over their edge."
    )
    choice = WORDS.choice(best, before)
    return said % {"can": can, "choice": choice, "best": reached[best]}


def _about_a_pick(before: Facts, action: str, after: Callable[[str], Facts]) -> str:
    cell = next(each["cell"] for each in before["carpets"] if each["id"] == before["pick"])
    reached = {each: _reach_at(after(each), cell) for each in before["legal"]}
    best = min(reached, key=lambda each: (reached[each], each != action))
    can = ngettext(
        "His carpet can now fly to %(n)d cell.",
        "His carpet can now fly to %(n)d cells.",
        reached[action],
    ) % {"n": reached[action]}
    if reached[action] == reached[best]:
        return _("%(can)s No other genie hurts him more.") % {"can": can}
    said = _("%(can)s Without the genie %(off)s it would be %(best)d: that one takes him furthest.")
    off = CUSHIONS[best.removeprefix("pick:")].off
    return said % {"can": can, "off": off, "best": reached[best]}


def _reach_at(seen: Facts, cell: str) -> int:
    carpet = next(each for each in seen["carpets"] if each["cell"] == cell)
    seated = sum(CUSHION[name] for name in carpet["cushions"])
    return len(reach(CELL[cell], seated))


def _source(action: str) -> str | None:
    match read(action):
        case Move(start=start):
            return start
        case Enter():
            return ""
    return None


def _target(action: str) -> str:
    match read(action):
        case Move(end=end):
            return end
        case Enter(cell=cell):
            return cell
    return ""
