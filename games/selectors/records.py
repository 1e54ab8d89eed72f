"""Games as records, and records as tables that are stored nowhere."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from games.engine.chance import SeededSource, deal
from games.engine.games import ruleset
from games.engine.interface import LEAVING, Over, see
from games.engine.record import (
    Fairness,
    Record,
    RecordedMove,
    Step,
    build,
    recorded_facts,
    replay,
    verify,
)
from games.models import Game, Move, Player, Seat
from games.selectors.curves import Curve, draw_curves
from games.selectors.finished import places
from games.selectors.position import Position, starting_position
from games.selectors.rules import edition_with
from games.selectors.table import Sitter, Table


def record_of(game: Game) -> Record:
    """The record of a game that has started; of one that still runs, what is public of it."""
    seats = sorted(_seats(game), key=lambda seat: seat.number or 0)
    by_joining = sorted(seats, key=lambda seat: seat.joined)
    entropy = tuple(seat.entropy for seat in by_joining)
    joined = tuple(str(seat.player) for seat in by_joining)
    seed = bytes(game.seed)
    here = starting_position(game, seats)
    rules = here.rules
    moves = []
    for move in sorted(game.moves.all(), key=lambda move: move.number):
        here, facts = here.after(move.seat, move.action)
        kept = recorded_facts(rules, facts)
        moves.append(RecordedMove(move.number, move.seat, move.action, kept, _written(move.at)))
    return build(
        rules,
        here.state,
        id=game.public_id,
        options=game.options,
        names=[str(seat.player) for seat in seats],
        piles=deal(seed, entropy, rules.decks(game.size, game.options)),
        fairness=Fairness(game.commitment, entropy, seed, joined),
        moves=moves,
    )


def _seats(game: Game) -> list[Seat]:
    """With their players, which may be there already."""
    if "seats" in getattr(game, "_prefetched_objects_cache", ()):
        return list(game.seats.all())
    return list(game.seats.select_related("player"))


@dataclass(frozen=True)
class Replay:
    """A record that was verified, to be looked at move by move."""

    record: Record
    steps: tuple[Step, ...]

    @cached_property
    def moves(self) -> list[Move]:
        return [
            Move(
                number=step.move.n,
                seat=step.move.seat,
                action=step.move.action,
                facts=dict(step.facts),
            )
            for step in self.steps
        ]

    def table(self, at: int | None = None) -> Table:
        """The table after move `at`, made of rows that are in no database."""
        record, rules = self.record, ruleset(self.record.game)
        shown = len(self.steps) if at is None else max(0, min(at, len(self.steps)))
        state = self.steps[shown - 1].after if shown else self._start
        observation = see(rules, state, None)
        acting = observation["pending"].get("seat")
        return Table(
            game=self._game(),
            sitters=[
                Sitter(seat, facts, to_act=seat.number == acting, own=False)
                for seat, facts in zip(self._seats(), observation["players"], strict=True)
            ],
            own_seat=None,
            moves=self.moves,
            shown=shown,
            # The source is for what comes next, and of a record nothing does.
            position=Position(
                rules, state, SeededSource(record.fairness.seed or b"", record.fairness.entropy)
            ),
            observation=observation,
            chosen="",
            states=self._states,
        )

    def curves(self, shown: int) -> tuple[Curve, ...]:
        states = self._states if self.steps else []
        return draw_curves(self.record.game, self.record.names, states, shown)

    @property
    def _states(self) -> list[object]:
        return [self._start, *(step.after for step in self.steps)]

    @property
    def _start(self) -> object:
        if self.steps:
            return self.steps[0].before
        rules = ruleset(self.record.game)
        return rules.start(len(self.record.names), self.record.rules, self.record.piles)

    def _game(self) -> Game:
        record = self.record
        return Game(
            public_id=record.id,
            ruleset=record.game,
            options=dict(record.rules),
            edition=edition_with(record.game, record.rules),
            size=len(record.names),
            status=Game.Status.OVER if record.result else Game.Status.RUNNING,
            move_count=len(record.moves),
        )

    def _seats(self) -> list[Seat]:
        left = {
            step.move.seat: step.move.action for step in self.steps if step.move.action in LEAVING
        }
        pending = ruleset(self.record.game).pending(
            self.steps[-1].after if self.steps else self._start
        )
        taken = places(pending) if isinstance(pending, Over) else None
        return [
            Seat(
                player=Player(display_name=name),
                number=number,
                left_by=left.get(number, ""),
                place=taken[number] if taken else None,
            )
            for number, name in enumerate(self.record.names)
        ]


def replay_of(record: Record) -> Replay:
    """The record, once all of it holds; else `BadRecord`, which says where it does not."""
    verify(record)
    return Replay(record, tuple(replay(record)))


def _written(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
