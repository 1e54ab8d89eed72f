"""What the page of a reckoning shows: the values in words, signs and shapes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from games import titles
from games.charts.plots import AreaChart, Series, area_chart
from games.engine.games import ruleset
from games.engine.interface import LEAVING, Facts, Over, Played, see
from games.engine.record import Record
from games.models import Game, Reckoning
from games.reckon.judged.moments import Mark, Moment
from games.reckon.judged.reckoning import Reckoning as Reckoned
from games.reckon.judged.reckoning import luck_of
from games.reckon.judged.shares import POINT, WHOLE
from games.selectors import words
from games.selectors.course import course_of
from games.selectors.reckonings import reckoned, steps_of
from games.sentences import clauses

MOST_MOMENTS = 6
DIE_FACES = "⚀⚁⚂⚃⚄⚅"
GRAVE = {None: 0, Mark.DUBIOUS: 1, Mark.MISTAKE: 2, Mark.BLUNDER: 3}


@dataclass(frozen=True)
class StandIn:
    """The bot that played a seat to the end, for who lost on time."""

    name: str
    since: int
    """The number of the last move before."""


@dataclass(frozen=True)
class Subject:
    """The game that was judged: one of the house, or a record from outside."""

    key: str
    names: Sequence[str]
    steps: Sequence[Played]
    address: str
    """Where the table is shown; empty for a record."""
    stand_ins: Mapping[int, StandIn] = field(default_factory=dict)
    """By seat."""

    def is_own(self, number: int, seat: int) -> bool:
        """Whether a move of this seat is the player's own."""
        return seat not in self.stand_ins or number <= self.stand_ins[seat].since

    def decider(self, number: int, seat: int) -> str:
        return self.names[seat] if self.is_own(number, seat) else self.stand_ins[seat].name

    @property
    def deserted(self) -> list[tuple[str, str]]:
        """Who lost on time, and who played on."""
        return [(self.names[seat], each.name) for seat, each in self.stand_ins.items()]

    @property
    def tones(self) -> list[str]:
        return [own[0] for own in ruleset(self.key).colours(len(self.names))]

    @property
    def ranking(self) -> Sequence[Sequence[int]]:
        end = ruleset(self.key).pending(self.steps[-1].after)
        assert isinstance(end, Over)
        return end.ranking


def subject_of(game: Game) -> Subject:
    course = course_of(game)
    names = [str(seat.player) for seat in course.seats]
    stand_ins = {
        number: StandIn(str(seat.stand_in), seat.stand_in_since or 0)
        for number, seat in enumerate(course.seats)
        if seat.stand_in_id
    }
    return Subject(game.ruleset, names, course.played, game.get_absolute_url(), stand_ins)


def subject_of_record(record: Record) -> Subject:
    return Subject(record.game, record.names, steps_of(record), "")


@dataclass(frozen=True)
class Choice:
    """An action of a decision, in words, with the share of whoever decided after it."""

    text: str
    share: float
    played: bool
    best: bool


@dataclass(frozen=True)
class Line:
    """One move of the game, judged. Shares and losses are in points."""

    number: int
    name: str
    tone: str
    text: str
    mark: str
    is_free: bool
    is_known: bool
    loss: float
    error: float
    best: str
    """What would have been better; empty where the best was played."""
    die: int | None
    luck: float | None
    choices: Sequence[Choice]
    shares: Sequence[float]
    """Everybody's before the move."""

    @property
    def sign(self) -> str:
        """What marks the move: a mistake, or else the face that was rolled."""
        return self.mark or (face(self.die) if self.die else "")


def face(value: int) -> str:
    """As it is printed, as long as there is a sign for it."""
    return DIE_FACES[value - 1] if value <= len(DIE_FACES) else str(value)


@dataclass(frozen=True)
class Row:
    """One player in the reckoning, in points."""

    name: str
    tone: str
    result: float
    luck: float
    own: float
    given: float
    residual: float
    error_rate: float | None
    gifts: Sequence[tuple[float, str, bool]]
    """To everybody: how much, how strongly it is coloured, and whether it is to oneself."""


@dataclass(frozen=True)
class Page:
    subject: Subject
    row: Reckoning
    shown: int
    """The move that the board is about."""

    @cached_property
    def reckoned(self) -> Reckoned:
        return reckoned(self.row, self.subject.ranking, len(self.subject.names))

    @cached_property
    def lines(self) -> list[Line]:
        return [
            self._line(number, step, moment)
            for number, (step, moment) in enumerate(
                zip(self.subject.steps, self.reckoned.moments, strict=True), start=1
            )
        ]

    @cached_property
    def line(self) -> Line:
        return self.lines[self.shown - 1]

    @cached_property
    def rows(self) -> list[Row]:
        found = self.reckoned
        strongest = max((abs(gift) for line in found.gifts for gift in line), default=0) or 1
        return [
            Row(
                name=name,
                tone=tone,
                result=points(found.gain[seat]),
                luck=points(found.luck[seat]),
                own=points(found.gifts[seat][seat]),
                given=points(
                    sum(line[seat] for giver, line in enumerate(found.gifts) if giver != seat)
                ),
                residual=points(found.residual[seat]),
                error_rate=None if rate is None else points(rate),
                gifts=[
                    (points(gift), _strength(gift, strongest), seat == other)
                    for other, gift in enumerate(found.gifts[seat])
                ],
            )
            for seat, (name, tone, rate) in enumerate(
                zip(self.subject.names, self.subject.tones, found.error_rates, strict=True)
            )
        ]

    @property
    def winner(self) -> Row | None:
        """None where several share the win."""
        winners = self.reckoned.winners
        return self.rows[winners[0]] if len(winners) == 1 else None

    @property
    def left_to_the_winner(self) -> float:
        """What the winner has because others left the table: given, but by no mistake."""
        (winner,) = self.reckoned.winners
        return points(
            sum(
                moment.gifts[winner]
                for moment in self.reckoned.moments
                if moment.played in LEAVING and moment.seat != winner
            )
        )

    @property
    def decisive(self) -> Line | None:
        number = self.reckoned.decisive
        return self.lines[number - 1] if number else None

    @property
    def turning_point(self) -> int | None:
        return self.reckoned.turning_point

    @cached_property
    def mistakes(self) -> list[Line]:
        """The gravest first."""
        return sorted(
            (line for line in self.lines if line.mark),
            key=lambda line: (-GRAVE[Mark(line.mark)], -line.loss),
        )

    @cached_property
    def moments(self) -> list[Line]:
        """What the game is remembered by: its mistakes, its rolls, in the order of the game."""
        found = self.reckoned
        named = {found.decisive, found.luckiest, found.unluckiest, found.turning_point}
        chosen = {number for number in named if number}
        for line in self.mistakes:
            if len(chosen) < MOST_MOMENTS:
                chosen.add(line.number)
        return [self.lines[number - 1] for number in sorted(chosen)]

    @property
    def luckiest(self) -> int | None:
        return self.reckoned.luckiest

    @property
    def unluckiest(self) -> int | None:
        return self.reckoned.unluckiest

    @property
    def most_unsure(self) -> float:
        """The largest standard error of a played or best action."""
        return max(points(moment.spread) for moment in self.reckoned.moments)

    @property
    def trials(self) -> int:
        return sum(moment.trials for moment in self.reckoned.moments)

    @cached_property
    def chart(self) -> AreaChart:
        course = self.reckoned.course
        rolls = [self.lines[number - 1] for number in (self.luckiest, self.unluckiest) if number]
        signs = {line.number: line.sign for line in (*rolls, *self.mistakes)}
        return area_chart(
            [
                Series(name, tone, [shares[seat] / WHOLE for shares in course])
                for seat, (name, tone) in enumerate(
                    zip(self.subject.names, self.subject.tones, strict=True)
                )
            ],
            marked=self.turning_point,
            shown=self.shown,
            signs=signs,
        )

    @cached_property
    def observation(self) -> Mapping[str, Any]:
        step = self.subject.steps[self.shown - 1]
        return see(ruleset(self.subject.key), step.before, None)

    @property
    def board(self) -> Any:
        """The position before the move that is shown: what was played, and what was best."""
        step = self.subject.steps[self.shown - 1]
        moment = self.reckoned.moments[self.shown - 1]
        return titles.draw(
            self.observation,
            interactive=step.action not in LEAVING,
            chosen=step.action,
            advised=moment.best if _is_better(moment) else step.action,
        )

    @property
    def description(self) -> list[str]:
        return words.position_in_words(self.observation, self.subject.names).splitlines()

    def _line(self, number: int, step: Played, moment: Moment) -> Line:
        luck = None
        if moment.roll:
            luck = points(luck_of(moment.roll)[moment.seat])
        return Line(
            number=number,
            name=self.subject.decider(number, moment.seat),
            tone=self.subject.tones[moment.seat],
            text=self._done(step.action, step.facts),
            mark=moment.mark or "",
            is_free=moment.is_free,
            is_known=moment.error is not None,
            loss=points(moment.loss),
            error=points(moment.error or 0),
            best=self._choice(moment.best) if _is_better(moment) else "",
            die=moment.roll.value if moment.roll else None,
            luck=luck,
            choices=[
                Choice(
                    self._choice(each.action),
                    points(each.shares[moment.seat]),
                    each.action == moment.played,
                    each.action == moment.best,
                )
                for each in moment.options
            ]
            if moment.is_free
            else [],
            shares=[points(share) for share in moment.before],
        )

    def _done(self, action: str, facts: Facts) -> str:
        said = titles.words(self.subject.key).deeds(action, facts, self.subject.names)
        return clauses(said)

    def _choice(self, action: str) -> str:
        return titles.words(self.subject.key).choice(action, {})


def page(subject: Subject, row: Reckoning, shown: int | None) -> Page:
    """About this move or, where none is asked for, about the one that says most."""
    found = Page(subject, row, 1)
    most = found.reckoned.decisive or _worst(found) or found.turning_point or 1
    number = shown if shown and shown <= len(subject.steps) else most
    return Page(subject, row, number)


def points(millionths: Any) -> float:
    return float(millionths / POINT)


def _is_better(moment: Moment) -> bool:
    """Whether the best was something else, by more than rounds to nothing."""
    if moment.best in ("", moment.played):
        return False
    return moment.error is None or moment.loss >= POINT // 20


def _worst(found: Page) -> int | None:
    marked = [
        (moment.loss, -number)
        for number, moment in enumerate(found.reckoned.moments, start=1)
        if moment.mark
    ]
    return -max(marked)[1] if marked else None


def _strength(gift: int, strongest: int) -> str:
    """The class of a cell: gained or lost, in three steps."""
    if abs(gift) < POINT / 2:
        return ""
    step = min(3, 1 + 3 * abs(gift) // (strongest + 1))
    return f"{'gained' if gift > 0 else 'lost'}-{step}"
