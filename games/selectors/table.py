"""The table as one viewer may see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone
from django.utils.crypto import salted_hmac

from games import titles
from games.engine.interface import TIMEOUT, Facts, Observation, SeenPending
from games.models import Act, Block, Errand, Game, Message, Move, Notice, Player, Seat
from games.selectors import words
from games.selectors.clock import back_at
from games.selectors.course import Course, course_of
from games.selectors.position import Position
from games.selectors.prepared import Given, prepared
from games.selectors.silence import Silence, silence

CHAT_LINES = 100
TURN_KINDS = (Notice.Kind.TURN, Notice.Kind.HALF, Notice.Kind.LAST)


@dataclass(frozen=True)
class Sitter:
    """A seat at the table, with what the observation says about it."""

    seat: Seat
    facts: Facts
    to_act: bool
    own: bool


@dataclass(frozen=True)
class Table:
    """A position of a game, in the eyes of a viewer."""

    game: Game
    sitters: Sequence[Sitter]
    own_seat: Seat | None
    moves: Sequence[Move]
    shown: int
    position: Position
    observation: Observation
    chosen: str
    """What the viewer tapped so far; only the board of the game knows what it means."""
    states: Sequence[Any]
    """Those before and after each move, also of moves after the one that is shown."""

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
    def own_sitter(self) -> Sitter | None:
        return next((sitter for sitter in self.sitters if sitter.own), None)

    @property
    def pending(self) -> SeenPending:
        return self.observation["pending"]

    @cached_property
    def names(self) -> list[str]:
        return [str(sitter.seat.player) for sitter in self.sitters]

    @cached_property
    def actor(self) -> Sitter | None:
        return next((sitter for sitter in self.sitters if sitter.to_act), None)

    @cached_property
    def turns(self) -> list[words.Turn]:
        return words.turns(self.moves)

    @cached_property
    def last_turn(self) -> words.Turn | None:
        """The turn that led here, as far as it has come."""
        turns = words.turns(self.moves[: self.shown])
        return turns[-1] if turns else None

    @property
    def last_turns(self) -> list[tuple[Sitter, words.Turn]]:
        """The last turn of everybody but the viewer, the latest first."""
        last = {turn.seat: turn for turn in words.turns(self.moves[: self.shown])}
        found = [
            (sitter, last[sitter.seat.number])
            for sitter in self.sitters
            if not sitter.own and sitter.seat.number in last
        ]
        return sorted(found, key=lambda each: -each[1].last)

    def told(self, turn: words.Turn) -> str:
        """A turn, said to the viewer: You turned left, …"""
        own = self.own_seat is not None and self.own_seat.number == turn.seat
        tell = words.told_to_whoever_did_it if own else words.told
        return tell(self.game, self.names, turn)

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
    def silence(self) -> Silence | None:
        """Whoever keeps a game without clock waiting for very long."""
        return silence(self.game, [sitter.seat for sitter in self.sitters], timezone.now())

    @property
    def is_asked_to_go_on(self) -> bool:
        return bool(self.own_seat and self.silence and self.silence.asks(self.own_seat.player))

    @property
    def ranking(self) -> list[Sitter]:
        return sorted(self.sitters, key=lambda sitter: sitter.seat.place or 0)

    def board(self, *, seen: int | None = None, advised: str = "") -> Any:
        """The picture; what happened after move `seen` plays out in it, and a hint marks it."""
        turn = self.last_turn
        last = turn.moves if turn else ()
        news = [move for move in last if seen is not None and move.number > seen]
        return titles.draw(
            self.observation,
            interactive=self.may_act,
            chosen=self.chosen,
            last=[{"action": move.action, "seat": move.seat, **move.facts} for move in last],
            moving=len(news),
            advised=advised,
        )


def games() -> QuerySet[Game]:
    """Games with what their pages ask of them beside the seats and the moves; to be filtered."""
    return Game.objects.annotate(
        last_line=newest_line(),
        told=_told(),
        again=F("rematch__public_id"),
        again_status=F("rematch__status"),
        again_by=F("rematch__creator_id"),
        moderated=Exists(Act.objects.filter(game=OuterRef("pk"))),
    )


def seats() -> QuerySet[Seat]:
    """Seats with what the page of their game asks of them; to be filtered."""
    found = Seat.objects.select_related("player", "stand_in", "hint")
    found = found.annotate(back_at=back_at())
    return found.order_by("number", "joined")


@prepared
def _game_at() -> QuerySet[Game]:
    return games().filter(public_id=Given("public_id"))


@prepared
def _seats_at() -> QuerySet[Seat]:
    return seats().filter(game=Given("game"))


def find_game(public_id: str) -> Game | None:
    """The game of this address with all that its page asks of it, but for the moves."""
    game = next(iter(_game_at(public_id=public_id)), None)
    if game is None:
        return None
    for seat in sit_down(game, _seats_at(game=game.pk)):
        # Whoever opened a game sits there, so the row is here already.
        if seat.player_id == game.creator_id:
            game.creator = seat.player
    return game


def sit_down(game: Game, seats: list[Seat]) -> list[Seat]:
    """As `prefetch_related` would have it, for seats that were read in another way."""
    together = game.seats.all()
    together._result_cache = seats
    together._prefetch_done = True  # type: ignore[attr-defined]
    game._prefetched_objects_cache = {"seats": together}  # type: ignore[attr-defined]
    for seat in seats:
        seat.game = game
    return seats


def see_table(
    game: Game, viewer: Player | None, *, at: int | None = None, chosen: str = ""
) -> Table:
    """The table after move `at` (now, if not given), for a game that has started."""
    return table_of(course_of(game), viewer, at=at, chosen=chosen)


def table_of(
    course: Course, viewer: Player | None, *, at: int | None = None, chosen: str = ""
) -> Table:
    shown = len(course.moves) if at is None else min(at, len(course.moves))
    own = next((seat for seat in course.seats if viewer and seat.player_id == viewer.pk), None)
    here = course.at(shown)
    observation = here.observe(own.number if own else None)
    annulled = course.game.status == Game.Status.ANNULLED
    acting = None if annulled else observation["pending"].get("seat")
    return Table(
        game=course.game,
        sitters=[
            Sitter(seat, facts, to_act=seat.number == acting, own=seat is own)
            for seat, facts in zip(course.seats, observation["players"], strict=True)
        ],
        own_seat=own,
        moves=course.moves,
        shown=shown,
        position=here,
        observation=observation,
        chosen=chosen,
        states=course.states,
    )


def chat(game: Game, viewer: Player | None) -> list[Message]:
    """The lines of the table's chat, without those of players the viewer does not want to hear."""
    listens = {"viewer": viewer.pk} if viewer else {}
    found = _newest_lines(bool(viewer), game=game.pk, **listens)[::-1]
    players = {seat.player_id: seat.player for seat in game.seats.all()}
    # Whoever said something and left the table before the game began.
    players |= Player.objects.in_bulk({line.player_id for line in found} - players.keys())
    for line in found:
        line.player = players[line.player_id]
    return found


@prepared
def _newest_lines(to_somebody: bool) -> QuerySet[Message]:
    lines = Message.objects.filter(game=Given("game"), hidden_at=None).order_by("-id")
    return (heard_by(Given("viewer"), lines) if to_somebody else lines)[:CHAT_LINES]


def heard_by(viewer: Player | Given, lines: QuerySet[Message]) -> QuerySet[Message]:
    """Without the lines of players who are blocked by the viewer, or have blocked the viewer."""
    return lines.exclude(Exists(_block_between(viewer, OuterRef("player"))))


def _block_between(viewer: Player | Given, other: OuterRef) -> QuerySet[Block]:
    return Block.objects.filter(Q(blocker=viewer, blocked=other) | Q(blocked=viewer, blocker=other))


def current_stamp(public_id: str) -> str | None:
    """The stamp of the table as it is now: all that an idle page asks for, in one query."""
    found = _shown_of(public_id=public_id)
    return stamp(public_id, *found[0]) if found else None


@prepared
def _shown_of() -> QuerySet[Any, tuple[int, int | None, str | None]]:
    looked_at = Game.objects.filter(public_id=Given("public_id"))
    shown = looked_at.annotate(last_line=newest_line(), again=F("rematch__status"))
    return shown.values_list("move_count", "last_line", "again")


def stamp(public_id: str, moves: int, last_line: int | None, again: str | None) -> str:
    """What a page shows, as a word that nobody can guess who has not seen that page; `again` is
    how far a rematch has come."""
    shown = f"{public_id} {moves} {last_line} {again or ''}"
    return salted_hmac("games.table", shown).hexdigest()[:20]


def newest_line() -> Subquery:
    """Of the chat, whether or not the viewer wants to see it."""
    lines: QuerySet[Message] = Message.objects.filter(game=OuterRef("pk")).order_by("-id")
    return Subquery(lines.values("id")[:1])


def _told() -> Exists:
    """For a query of games: whether whoever is to act has been told, by mail or on a device;
    others learn no more than that."""
    about_turns = Notice.objects.filter(kind__in=TURN_KINDS)
    # The newest are about the turn that is on; older ones are about turns that are over.
    newest = about_turns.filter(game=OuterRef("game"), player=OuterRef("player"))
    on_device = Errand.objects.filter(
        notice=OuterRef("pk"), device__isnull=False, state=Notice.State.SENT
    )
    return Exists(
        about_turns.filter(
            Q(state=Notice.State.SENT) | Exists(on_device),
            game=OuterRef("pk"),
            player=OuterRef("to_act__player"),
            move_number=Subquery(newest.order_by("-move_number").values("move_number")[:1]),
        )
    )
