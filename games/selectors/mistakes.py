"""The decisions that cost a player most, to be tried again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from games import titles
from games.engine.games import ruleset
from games.engine.interface import LEAVING, see
from games.models import Player, Seat
from games.reckon.judged.moments import MARKS, Moment
from games.selectors import words
from games.selectors.reckoning_page import Page, Subject, points
from games.selectors.table import Sitter
from games.titles.places import Offer, offer_of

MOST = 5
GOOD_ENOUGH = MARKS[-1][0]
"""What costs less than the least mark is no mistake."""


def mistakes_of(page: Page, seat: int) -> list[int]:
    """The numbers of a player's own moves with a mark, the worst first."""
    found = [
        (-moment.loss, number)
        for number, moment in enumerate(page.reckoned.moments, start=1)
        if moment.seat == seat and moment.mark and page.subject.is_own(number, seat)
    ]
    return [number for _, number in sorted(found)[:MOST]]


@dataclass(frozen=True)
class Trial:
    """One decision, once more: what may be chosen and, once something was, what it is worth."""

    subject: Subject
    moment: Moment
    number: int
    """Of the move."""
    chosen: str
    answer: str

    @cached_property
    def observation(self) -> Mapping[str, Any]:
        before = self.subject.steps[self.number - 1].before
        return see(ruleset(self.subject.key), before, self.moment.seat)

    @property
    def sitters(self) -> list[Sitter]:
        """Everybody before the move, by name alone: whose colours are whose, and who decides."""
        before = self.subject.steps[: self.number - 1]
        left = {step.seat: step.action for step in before if step.action in LEAVING}
        seats = [
            Seat(number=number, player=Player(display_name=name), left_by=left.get(number, ""))
            for number, name in enumerate(self.subject.names)
        ]
        decides = self.moment.seat
        return [
            Sitter(seat, facts, to_act=seat.number == decides, own=seat.number == decides)
            for seat, facts in zip(seats, self.observation["players"], strict=True)
        ]

    @property
    def is_answered(self) -> bool:
        return self.answer in self.observation["legal"]

    @property
    def loss(self) -> int | None:
        """Against the best; None for an answer that is worse than all that were looked at."""
        values = {each.action: each.shares[self.moment.seat] for each in self.moment.options}
        if self.answer not in values:
            return None
        return values[self.moment.best] - values[self.answer]

    @property
    def lost(self) -> float | None:
        return None if self.loss is None else points(max(self.loss, 0))

    @property
    def is_solved(self) -> bool:
        return self.loss is not None and self.loss < GOOD_ENOUGH

    @property
    def best(self) -> str:
        return titles.words(self.subject.key).choice(self.moment.best, {})

    @cached_property
    def offer(self) -> Offer:
        return offer_of(self.observation, self.chosen, self.subject.names)

    @cached_property
    def board(self) -> Any:
        return titles.draw(
            self.observation,
            interactive=True,
            chosen=self.answer or self.chosen,
            advised=self.moment.best if self.is_answered else "",
        )

    @property
    def description(self) -> list[str]:
        return words.position_in_words(self.observation, self.subject.names).splitlines()
