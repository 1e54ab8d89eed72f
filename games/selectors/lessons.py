"""The figures of a rules page and the scenes of a tutorial, played and drawn."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from django.template.defaultfilters import floatformat
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine import chance
from games.engine.errors import RulesError
from games.engine.games import ruleset
from games.engine.interface import Decide, Facts, Ruleset, play, see
from games.models import Game, Move, Player, Seat
from games.reckon.judged.shares import POINT
from games.selectors import words
from games.selectors.position import Position
from games.selectors.table import Sitter, Table
from games.titles import TITLES, brings, draw, has_part, part
from games.titles import words as words_of
from games.titles.completeness import offered
from games.titles.teaching import Example, Scene

SEED = bytes(chance.SEED_BYTES)
WORDS = ("saffron", "mint", "cedar", "amber")
LEARNER = 0
FRAMES = 12
"""Of a game that is shown in a loop; the stylesheet counts with them."""
OTHERS = (gettext_lazy("Omar"), gettext_lazy("Ileana"), gettext_lazy("Wei"))


@dataclass(frozen=True)
class Figure:
    example: Example
    observation: Facts
    facts: Facts
    board: Any
    description: Sequence[str]


@dataclass(frozen=True)
class LessonTable(Table):
    """A table that is stored nowhere."""

    scene_is_over: bool

    @property
    def may_act(self) -> bool:
        sitter = self.own_sitter
        return sitter is not None and sitter.to_act and not self.scene_is_over


@dataclass(frozen=True)
class Stage:
    """Where a learner stands: in which scene, and after which own decisions of it."""

    all_scenes: Sequence[Scene]
    number: int
    played: tuple[str, ...]
    table: LessonTable
    known: int
    """So many moves were there before the latest decision."""
    said: Sequence[str] = ()
    """What there is to say about the latest decision: what it costs, what is better, why."""

    @property
    def is_done(self) -> bool:
        return self.table.scene_is_over

    @property
    def scene(self) -> Scene:
        return self.all_scenes[self.number - 1]

    @property
    def is_last(self) -> bool:
        return self.number == len(self.all_scenes)

    @property
    def following(self) -> int:
        return self.number + 1

    @property
    def own(self) -> Facts:
        """What the learner's latest decision brought."""
        return self._facts(lambda move: move.seat == LEARNER)

    @property
    def answer(self) -> Facts:
        """What the others did then."""
        return self._facts(lambda move: move.seat != LEARNER)

    def _facts(self, wanted: Callable[[Move], bool]) -> Facts:
        facts: dict[str, Any] = {}
        for move in filter(wanted, self.table.moves[self.known :]):
            facts |= move.facts
        return facts


class FixedDice:
    """Dice that fall as a lesson needs them."""

    def __init__(self, faces: Iterable[int]) -> None:
        self._faces = iter(faces)

    def draw(self, event: int, faces: tuple[int, ...]) -> int:
        return next(self._faces)


class Line:
    """A line of play, as far as it has been played."""

    def __init__(self, rules: Ruleset[Any], example: Example) -> None:
        options = rules.options(example.options)
        decks = rules.decks(example.seats, options)
        piles = chance.deal(SEED, WORDS[: example.seats], decks)
        self.rules = rules
        self.state = rules.start(example.seats, options, piles)
        self.moves: list[Move] = []
        for action, dice in _read(example.moves):
            self.play(action, dice)

    @property
    def actor(self) -> int | None:
        pending = self.rules.pending(self.state)
        return pending.seat if isinstance(pending, Decide) else None

    def play(self, action: str, dice: FixedDice) -> None:
        seat = self.actor
        if seat is None:
            raise RulesError(f"{action}: nobody is to act")
        self.state, facts = play(self.rules, self.state, seat, action, dice)
        number = len(self.moves) + 1
        self.moves.append(Move(number=number, seat=seat, action=action, facts=dict(facts)))


def _read(moves: str) -> Iterator[tuple[str, FixedDice]]:
    for word in moves.split():
        action, _, face = word.partition("=")
        yield action, FixedDice([int(face)] if face else [])


def taught() -> list[str]:
    """The games that have a rules page and a tutorial: all that are offered."""
    return [title.key for title in offered()]


def examples(key: str) -> Mapping[str, Example]:
    """The figures of the rules page; of a room without any, how the game starts."""
    if not TITLES[key].is_taught:
        return {"start": _opening(key)}
    found: Mapping[str, Example] = part(key, "examples").FIGURES
    return found


def scenes(key: str) -> Sequence[Scene]:
    """The tutorial; of a room without one, the first decision of a game."""
    if not TITLES[key].is_taught:
        return [Scene("first", _opening(key), decisions=1, dice=TITLES[key].rules.die[:1])]
    found: Sequence[Scene] = part(key, "lessons").SCENES
    return found


def window(key: str) -> Figure:
    """The position that stands for a game where it is shown to those who do not know it."""
    return figure(key, brings(key, "lessons", "WINDOW") or scenes(key)[-1].start)


@cache
def showcase(key: str) -> Sequence[Any]:
    """The boards of a real game, move by move, for those who have never seen it; none where the
    room brings no game to show."""
    example: Example | None = brings(key, "lessons", "SHOWCASE")
    if example is None:
        return ()
    moves = example.moves.split()
    return tuple(
        figure(key, replace(example, moves=" ".join(moves[:number]))).board
        for number in range(len(moves) - FRAMES + 1, len(moves) + 1)
    )


def _opening(key: str) -> Example:
    return Example(seats=TITLES[key].seats[0])


def figures(key: str) -> dict[str, Figure]:
    """All figures of a rules page, by name."""
    return {name: figure(key, example) for name, example in examples(key).items()}


def figure(key: str, example: Example) -> Figure:
    line = Line(ruleset(key), example)
    seen = line.rules.observe(line.state, line.actor)
    drawn = {**seen, "legal": [example.chosen]} if example.chosen else seen
    last = words.turns(line.moves)[-1].moves if line.moves else ()
    names = [_("Player %(number)d") % {"number": seat + 1} for seat in range(example.seats)]
    return Figure(
        example=example,
        observation=seen,
        facts=line.moves[-1].facts if line.moves else {},
        board=draw(
            drawn,
            interactive=example.asks or bool(example.chosen),
            chosen=example.chosen or example.tapped,
            last=[{"action": move.action, "seat": move.seat, **move.facts} for move in last],
        ),
        description=words.position_in_words(seen, names).splitlines(),
    )


def stage(key: str, number: int, played: Sequence[str], *, chosen: str = "") -> Stage | None:
    """The scene of this number after these decisions; None where there is no such thing."""
    all_scenes = scenes(key)
    if not 1 <= number <= len(all_scenes) or len(played) > all_scenes[number - 1].decisions:
        return None
    scene = all_scenes[number - 1]
    line = Line(ruleset(key), scene.start)
    dice = FixedDice(scene.dice)
    known = len(line.moves)
    said: Sequence[str] = ()
    for place, action in enumerate(played, start=1):
        known = len(line.moves)
        if line.actor != LEARNER or action not in line.rules.legal(line.state):
            return None
        if place == len(played):
            before = ",".join(played[: place - 1])
            said = [*_share(key, scene.key, before, action), *_answer(key, line, action)]
        line.play(action, dice)
    is_over = len(played) == scene.decisions
    if is_over:
        _let_others_play(line, scene.others)
    table = _table(key, line, scene.start, chosen=chosen, scene_is_over=is_over)
    return Stage(all_scenes, number, tuple(played), table, known, said)


def decisions_of(key: str, scene: Scene) -> Iterator[tuple[tuple[str, ...], Facts]]:
    """All decisions a learner can come to in a scene: what was played before, and what is seen."""
    ways: list[tuple[str, ...]] = [()]
    for _step in range(scene.decisions):
        following = []
        for played in ways:
            line, dice = Line(ruleset(key), scene.start), FixedDice(scene.dice)
            for action in played:
                line.play(action, dice)
            if line.actor == LEARNER:
                yield played, see(line.rules, line.state, LEARNER)
                following += [(*played, action) for action in line.rules.legal(line.state)]
        ways = following


def judged_file(key: str) -> Path:
    """Where the judge's word on the lessons of a game is kept, with the version of the judge."""
    return Path(str(part(key, "lessons").__file__)).with_name("judged_lessons.json")


@cache
def _judged(key: str) -> Mapping[str, Mapping[str, Mapping[str, int]]]:
    if not has_part(key, "lessons") or not judged_file(key).exists():
        return {}
    found: Mapping[str, Mapping[str, Mapping[str, int]]]
    found = json.loads(judged_file(key).read_text())["scenes"]
    return found


CLEARLY = POINT
"""Less than this is not worth speaking of."""


def _share(key: str, scene: str, before: str, action: str) -> list[str]:
    """The learner's win share after a choice, and after the best one, where a judge said so."""
    shares = _judged(key).get(scene, {}).get(before, {})
    if action not in shares:
        return []
    best = max(shares, key=lambda each: (shares[each], each == action))
    share = floatformat(shares[action] / POINT, 0)
    if shares[best] - shares[action] < CLEARLY:
        said = _("Your win share now: %(share)s points of 100. No choice is clearly better.")
        return [said % {"share": share}]
    said = _("Your win share now: %(share)s points of 100. With “%(choice)s” it would be %(best)s.")
    choice = words_of(key).choice(best, {})
    return [said % {"share": share, "choice": choice, "best": floatformat(shares[best] / POINT, 0)}]


def _answer(key: str, line: Line, action: str) -> Sequence[str]:
    """In the words of the room, where it has some."""
    own = brings(key, "answers", "answer")
    if own is None:
        return ()
    before = see(line.rules, line.state, LEARNER)

    def after(other: str) -> Facts:
        state, _facts = line.rules.decide(line.state, LEARNER, other)
        return line.rules.observe(state, LEARNER)

    answered: Sequence[str] = own(before, action, after)
    return answered


def _let_others_play(line: Line, moves: str) -> None:
    for action, dice in _read(moves):
        kind = action.partition(":")[0]
        like = [other for other in line.rules.legal(line.state) if other.startswith(kind)]
        if line.actor == LEARNER or not like:
            return
        line.play(action if action in like else like[0], dice)


def _table(
    key: str, line: Line, example: Example, *, chosen: str, scene_is_over: bool
) -> LessonTable:
    names = (_("You"), *map(str, OTHERS))[: example.seats]
    seats = [Seat(number=seat, player=Player(username=name)) for seat, name in enumerate(names)]
    observation = see(line.rules, line.state, LEARNER)
    return LessonTable(
        game=Game(ruleset=key, size=example.seats, status=Game.Status.RUNNING),
        sitters=[
            Sitter(seat, facts, to_act=seat.number == line.actor, own=seat.number == LEARNER)
            for seat, facts in zip(seats, observation["players"], strict=True)
        ],
        own_seat=seats[LEARNER],
        moves=line.moves,
        shown=len(line.moves),
        position=Position(line.rules, line.state, chance.SeededSource(SEED, WORDS)),
        states=(),
        observation=observation,
        chosen=chosen,
        scene_is_over=scene_is_over,
    )
