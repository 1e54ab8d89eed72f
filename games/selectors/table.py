"""The table as one viewer may see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import OuterRef, Prefetch, QuerySet, Subquery
from django.utils.crypto import salted_hmac

from games import titles
from games.engine.interface import TIMEOUT, Facts, Observation, SeenPending
from games.models import Game, Message, Move, Player, Seat
from games.selectors import words
from games.selectors.clock import back_at
from games.selectors.position import Position, position

CHAT_LINES = 100


@dataclass(frozen=True)
class Place:
    """A seat at the table, with what the observation says about it."""

    seat: Seat
    facts: Facts
    to_act: bool
    own: bool


@dataclass(frozen=True)
class Table:
    """A position of a game, in the eyes of a viewer."""

    game: Game
    places: Sequence[Place]
    own_seat: Seat | None
    moves: Sequence[Move]
    shown: int
    position: Position
    observation: Observation
    chosen: str
    """What the viewer tapped so far; only the board of the game knows what it means."""

    @property
    def is_current(self) -> bool:
        return self.shown == len(self.moves)

    @property
    def may_act(self) -> bool:
        """The viewer is to decide, and looks at the position to decide on."""
        return (
            self.is_current
            and self.own_seat is not None
            and self.own_seat.stand_in_id is None
            and self.game.to_act_id == self.own_seat.pk
        )

    @property
    def own_place(self) -> Place | None:
        return next((place for place in self.places if place.own), None)

    @property
    def pending(self) -> SeenPending:
        return self.observation["pending"]

    @property
    def names(self) -> list[str]:
        return [str(place.seat.player) for place in self.places]

    @property
    def actor(self) -> Place | None:
        return next((place for place in self.places if place.to_act), None)

    @cached_property
    def turns(self) -> list[words.Turn]:
        return words.turns(self.moves)

    @property
    def last_turn(self) -> words.Turn | None:
        """The turn that led here, as far as it has come."""
        turns = words.turns(self.moves[: self.shown])
        return turns[-1] if turns else None

    def turns_since(self, seen: int) -> list[words.Turn]:
        return words.turns(self.moves[seen:])

    def news_since(self, seen: int) -> list[words.Turn]:
        """What the viewer did not do: the turns of others, and a seat that was taken away."""
        own = self.own_seat.number if self.own_seat else None
        return [
            turn
            for turn in self.turns_since(seen)
            if turn.seat != own or turn.moves[-1].action == TIMEOUT
        ]

    @property
    def ranking(self) -> list[Place]:
        return sorted(self.places, key=lambda place: place.seat.place or 0)

    def board(self, *, seen: int | None = None) -> Any:
        """The picture; what happened after move `seen` plays out in it."""
        turn = self.last_turn
        last = turn.moves if turn else ()
        news = [move for move in last if seen is not None and move.number > seen]
        return titles.draw(
            self.observation,
            interactive=self.may_act,
            chosen=self.chosen,
            last=[{"action": move.action, "seat": move.seat, **move.facts} for move in last],
            moving=len(news),
        )


def find_game(public_id: str) -> Game | None:
    """The game of this address with all that its page asks of it, but for the moves."""
    seats = Seat.objects.select_related("player").annotate(back_at=back_at())
    return (
        Game.objects.select_related("creator", "rematch__creator")
        .prefetch_related(Prefetch("seats", seats.order_by("number", "joined")))
        .annotate(last_line=_newest_line())
        .filter(public_id=public_id)
        .first()
    )


def see_table(
    game: Game, viewer: Player | None, *, at: int | None = None, chosen: str = ""
) -> Table:
    """The table after move `at` (now, if not given), for a game that has started."""
    seats = sorted(_seats(game), key=lambda seat: seat.number or 0)
    # Not those made since the game was read: what it says of whose turn it is would not fit.
    known = (move for move in game.moves.all() if move.number <= game.move_count)
    moves = sorted(known, key=lambda move: move.number)
    shown = len(moves) if at is None else min(at, len(moves))
    own = next((seat for seat in seats if viewer and seat.player_id == viewer.pk), None)
    here = position(game, seats, moves[:shown])
    observation = here.observe(own.number if own else None)
    acting = observation["pending"].get("seat")
    return Table(
        game=game,
        places=[
            Place(seat, facts, to_act=seat.number == acting, own=seat is own)
            for seat, facts in zip(seats, observation["players"], strict=True)
        ],
        own_seat=own,
        moves=moves,
        shown=shown,
        position=here,
        observation=observation,
        chosen=chosen,
    )


def chat(game: Game, viewer: Player | None) -> list[Message]:
    """The lines of the table's chat, without those of players the viewer does not want to hear."""
    lines = game.messages.select_related("player").order_by("-id")
    if viewer:
        lines = lines.exclude(player__blocks_made__blocked=viewer)
        lines = lines.exclude(player__blocks_received__blocker=viewer)
    return list(reversed(lines[:CHAT_LINES]))


def current_stamp(public_id: str) -> str | None:
    """The stamp of the table as it is now: all that an idle page asks for, in one query."""
    found = (
        Game.objects.filter(public_id=public_id)
        .annotate(last_line=_newest_line())
        .values_list("move_count", "last_line")
        .first()
    )
    return stamp(public_id, *found) if found else None


def stamp(public_id: str, moves: int, last_line: int | None) -> str:
    """What a page shows, as a word that nobody can guess who has not seen that page."""
    return salted_hmac("games.table", f"{public_id} {moves} {last_line}").hexdigest()[:20]


def _newest_line() -> Subquery:
    """Of the chat, whether or not the viewer wants to see it."""
    lines: QuerySet[Message] = Message.objects.filter(game=OuterRef("pk")).order_by("-id")
    return Subquery(lines.values("id")[:1])


def _seats(game: Game) -> list[Seat]:
    if "seats" in getattr(game, "_prefetched_objects_cache", ()):
        return list(game.seats.all())
    return list(game.seats.select_related("player"))
