"""Lists of games: what waits for a player, what can be joined, what can be watched.

A list costs the same number of queries whether it has three rows or thirty.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from django.db.models import (
    Count,
    Exists,
    F,
    IntegerField,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Value,
    prefetch_related_objects,
)
from django.db.models.functions import Coalesce, Now

from games import titles
from games.models import Game, Invitation, Move, Player, Seat
from games.selectors.access import Viewer, without_kept_apart
from games.selectors.course import course
from games.selectors.empty_seats import OPEN_AGAIN_FOR, can_be_reopened, ways_on
from games.selectors.listings import Listing, listed, span
from games.selectors.prepared import Given, prepared
from games.titles.completeness import offered

PAGE = 20
HOME_LIMIT = 12
LISTS = ("turn", "invited", "theirs", "open", "finished")
"""Of somebody's first page, in this order."""
FEW = 3
"""Open games of others on a first page, newest first."""


@dataclass(frozen=True, slots=True)
class Sitter:
    name: str
    bot_level: str


@dataclass(frozen=True, slots=True)
class Card:
    """What a list shows of a game whoever looks, but for what time does to it."""

    public_id: str
    ruleset: str
    edition: str
    size: int
    pace: str
    rated: bool
    move_count: int
    free: int
    sitters: tuple[Sitter, ...]
    is_exhibition: bool = False

    @property
    def get_pace_display(self) -> str:
        return str(Game.Pace(self.pace).label)


@dataclass(frozen=True, slots=True)
class Row:
    """A game in a list, as one viewer sees it."""

    game: Game
    seats: Sequence[Seat]
    mine: Seat | None
    board: Any = None

    @property
    def card(self) -> Card:
        return self._card(self.seats)

    @property
    def card_of_others(self) -> Card:
        return self._card(self.others)

    def _card(self, seats: Sequence[Seat]) -> Card:
        game = self.game
        return Card(
            public_id=game.public_id,
            ruleset=game.ruleset,
            edition=game.edition,
            size=game.size,
            pace=game.pace,
            rated=game.rated,
            move_count=game.move_count,
            free=len(self.free),
            sitters=tuple(Sitter(str(seat.player), seat.player.bot_level) for seat in seats),
            is_exhibition=game.is_exhibition,
        )

    @property
    def declined(self) -> list[Invitation]:
        """Of a game that waits: who declined, and has not come all the same."""
        return [each for each in self._not_taken if each.declined_at]

    @property
    def unanswered(self) -> list[Invitation]:
        return [each for each in self._not_taken if not each.declined_at]

    @property
    def ways_on(self) -> dict[str, str]:
        """What the player who opened a game can do about a seat that nobody takes."""
        own = self.mine is not None and self.mine.player_id == self.game.creator_id
        if self.game.status == Game.Status.EXPIRED:
            is_empty = bool(self.unanswered) and can_be_reopened(self.game)
        else:
            free = len(self.free) - len(self.unanswered)
            is_empty = self.game.status == Game.Status.OPEN and bool(self.declined) and free > 0
        return ways_on(self.game) if own and is_empty else {}

    @property
    def _not_taken(self) -> list[Invitation]:
        """Where invitations were read along with the game."""
        sitting = {seat.player_id for seat in self.seats}
        asked = vars(self.game).get("asked", ())
        return [each for each in asked if each.player_id not in sitting]

    @property
    def others(self) -> list[Seat]:
        return [seat for seat in self.seats if seat is not self.mine]

    @property
    def free(self) -> range:
        return range(self.game.size - len(self.seats))

    @property
    def ranked(self) -> list[Seat]:
        """From the first place to the last."""
        return sorted(self.seats, key=lambda seat: seat.place or 0)

    @property
    def winners(self) -> list[Seat]:
        return [seat for seat in self.seats if seat.place == 1]


@dataclass(frozen=True, slots=True)
class Filters:
    """What the lobby is narrowed down to; None is everything."""

    ruleset: str | None = None
    size: int | None = None
    pace: str | None = None
    rated: bool | None = None

    def narrow(self, games: QuerySet[Game]) -> QuerySet[Game]:
        given = {
            "ruleset": self.ruleset,
            "size": self.size,
            "pace": self.pace,
            "rated": self.rated,
        }
        return games.filter(**{name: value for name, value in given.items() if value is not None})


def waiting_counts(player: Player, *, besides: str = "") -> tuple[int, int]:
    """How many games wait for the player, and how many of them are not the one that is shown."""
    waiting = _waiting(player=player.pk)
    return len(waiting), len(waiting) - (besides in waiting)


@prepared
def _waiting() -> QuerySet[Any, str]:
    return _to_act(Given("player")).values_list("public_id", flat=True)


def next_to_act(player: Player, *, after: str = "") -> Game | None:
    """The game to go to from the one that was shown: round all that wait, by urgency."""
    ring = list(by_urgency(_to_act(player)))
    shown = next((place for place, game in enumerate(ring) if game.public_id == after), None)
    if shown is None:
        return ring[0] if ring else None
    following = ring[(shown + 1) % len(ring)]
    return following if following.public_id != after else None


def by_urgency(games: QuerySet[Game]) -> QuerySet[Game]:
    """Least time left first; games without clock follow, the longest waiting first."""
    return games.order_by(F("deadline").asc(nulls_last=True), "acted_at", "pk")


def home_lists(player: Player) -> dict[str, Listing[Row]]:
    """All lists of a player's first page; those that wait for a move with small boards."""
    pages = {name: _start_of(name, player=player.pk) for name in LISTS}
    attach_seats(chain.from_iterable(pages.values()))
    attach_invitations(pages["open"])
    listings = {name: _listing(games, player, HOME_LIMIT) for name, games in pages.items()}
    return {**listings, "turn": with_boards(listings["turn"])}


@prepared
def _start_of(name: str) -> QuerySet[Game]:
    return _list_of(name, Given("player"))[: HOME_LIMIT + 1]


def my_list(player: Player, name: str, page: int) -> Listing[Row] | None:
    """One of the lists of the first page, in full; None where there is no such list."""
    if name not in LISTS:
        return None
    listing = _page(_list_of(name, player), player, page)
    return with_boards(listing) if name == "turn" else listing


def with_boards(listing: Listing[Row]) -> Listing[Row]:
    """The same games with a small board each; their moves come in one query."""
    moves: dict[int, list[Move]] = {row.game.pk: [] for row in listing.rows}
    for move in Move.objects.filter(game__in=moves).order_by("game", "number"):
        moves[move.game_id].append(move)
    drawn = [replace(row, board=_small_board(row, moves[row.game.pk])) for row in listing.rows]
    return replace(listing, rows=drawn)


def open_games(viewer: Viewer, filters: Filters, page: int) -> Listing[Row]:
    """Public games with a seat for this viewer."""
    games = _to_join(viewer, filters, *span(page, PAGE))
    return _listing(attach_seats(games), viewer, PAGE, page)


def newest_to_join(player: Player) -> Listing[Row]:
    """A few open games for somebody's first page; guests do not sit down with people."""
    games = [] if player.is_guest else _to_join(player, Filters(), 0, FEW)
    return _listing(attach_seats(games), player, FEW)


def running_games(viewer: Viewer, filters: Filters, page: int) -> Listing[Row]:
    """Public games to watch, the liveliest first."""
    games = _to_watch(filters, *span(page, PAGE))
    return _listing(attach_seats(games), viewer, PAGE, page)


@prepared
def _to_watch(filters: Filters, start: int, end: int) -> QuerySet[Game]:
    games = Game.objects.filter(status=Game.Status.RUNNING, visibility=Game.Visibility.PUBLIC)
    return filters.narrow(games).order_by("-acted_at", "-pk")[start:end]


def shop_window() -> dict[str, Any]:
    """What a visitor sees first: a game in play, and some that wait for players."""
    live = running_games(None, Filters(), 1)
    shown = with_boards(replace(live, rows=live.rows[:1]))
    return {
        "live": next((row for row in shown.rows if row.board), None),
        "open": open_games(None, Filters(), 1),
    }


def attach_seats(games: Iterable[Game]) -> list[Game]:
    """The games with their seats and players, in one query for all of them."""
    found = list(games)
    seats = Seat.objects.select_related("player").order_by("number", "joined")
    prefetch_related_objects(found, Prefetch("seats", seats))
    return found


def attach_invitations(games: Iterable[Game]) -> list[Game]:
    """Those that wait for players with the invitations, in one query for all of them; those of
    lists only if there is something to say of them."""
    found = list(games)
    waiting = [
        game
        for game in found
        if game.status == Game.Status.EXPIRED
        or (game.started_at is None and vars(game).get("has_refusals", True))
    ]
    invitations = Invitation.objects.select_related("player").order_by("pk")
    prefetch_related_objects(waiting, Prefetch("invitations", invitations, to_attr="asked"))
    return found


def row_of(game: Game, viewer: Viewer) -> Row:
    """A single game as in a list."""
    attach_invitations(attach_seats([game]))
    return _row(game, viewer)


def unanswered(row: Row) -> list[Invitation]:
    """The invitations of an open game that nobody came for, declined ones included."""
    return sorted([*row.declined, *row.unanswered], key=lambda each: each.pk)


def _to_join(viewer: Viewer, filters: Filters, start: int, end: int) -> list[Game]:
    keys = tuple(title.key for title in offered())
    if isinstance(viewer, Player):
        return _with_a_seat(keys, filters, start, end, True, player=viewer.pk)
    return _with_a_seat(keys, filters, start, end, False)


@prepared
def _with_a_seat(
    keys: tuple[str, ...], filters: Filters, start: int, end: int, for_a_player: bool
) -> QuerySet[Game]:
    games = filters.narrow(_public_with_free_seats().filter(ruleset__in=keys))
    if for_a_player:
        sits = Seat.objects.filter(game=OuterRef("pk"), player=Given("player"))
        games = without_kept_apart(games, Given("player")).exclude(Exists(sits))
    return games.order_by("-created_at", "-pk")[start:end]


def _list_of(name: str, player: Player | Given) -> QuerySet[Game]:
    mine = Game.objects.filter(seats__in=_unfinished_seats(player))
    match name:
        case "turn":
            return by_urgency(_to_act(player))
        case "invited":
            asked = Invitation.objects.filter(player=player, declined_at=None)
            sits = Seat.objects.filter(game=OuterRef("pk"), player=player)
            invited = Game.objects.filter(status=Game.Status.OPEN, invitations__in=asked)
            return without_kept_apart(invited.exclude(Exists(sits)), player).order_by(
                "-created_at", "-pk"
            )
        case "theirs":
            running = mine.filter(status=Game.Status.RUNNING)
            return by_urgency(running.exclude(to_act__in=_deciding_seats(player)))
        case "open":
            waiting = Q(status=Game.Status.OPEN) | _expired_unanswered(player)
            refused = Invitation.objects.filter(game=OuterRef("pk"), declined_at__isnull=False)
            mine = mine.filter(waiting).annotate(has_refusals=Exists(refused))
            return mine.order_by("-created_at", "-pk")
    finished = Game.objects.filter(seats__player=player, seats__ended_at__isnull=False)
    return finished.order_by("-seats__ended_at", "-seats__game_id")


def _expired_unanswered(player: Player | Given) -> Q:
    """Games that this player can still bring to their start."""
    sits = Seat.objects.filter(game=OuterRef("game"), player=OuterRef("player"))
    asked = Invitation.objects.filter(~Exists(sits), game=OuterRef("pk"), declined_at=None)
    return Q(
        Exists(asked),
        status=Game.Status.EXPIRED,
        creator=player,
        expires_at__gt=Now() - OPEN_AGAIN_FOR,
    )


def _to_act(player: Player | Given) -> QuerySet[Game]:
    return Game.objects.filter(
        status=Game.Status.RUNNING,
        to_act__player=player,
        to_act__ended_at=None,
        to_act__stand_in=None,
    )


def _deciding_seats(player: Player | Given) -> QuerySet[Seat]:
    """Without those that a bot plays on for."""
    return _unfinished_seats(player).filter(stand_in=None)


def _unfinished_seats(player: Player | Given) -> QuerySet[Seat]:
    """Few, however many games the player has finished."""
    return Seat.objects.filter(player=player, ended_at=None)


def _public_with_free_seats() -> QuerySet[Game]:
    """Open games with a seat that is neither taken nor held for somebody; to be filtered."""
    games = Game.objects.filter(status=Game.Status.OPEN, visibility=Game.Visibility.PUBLIC)
    seats = Seat.objects.filter(game=OuterRef("pk"))
    sits = Seat.objects.filter(game=OuterRef("game"), player=OuterRef("player"))
    held = Invitation.objects.filter(~Exists(sits), game=OuterRef("pk"), declined_at=None)
    return games.alias(spoken_for=_count(seats) + _count(held)).filter(size__gt=F("spoken_for"))


def _count(rows: QuerySet[Any]) -> Coalesce:
    counted = rows.order_by().values("game").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), Value(0))


def _page(games: QuerySet[Game], viewer: Viewer, page: int) -> Listing[Row]:
    start, end = span(page, PAGE)
    read = attach_invitations(attach_seats(games[start:end]))
    return _listing(read, viewer, PAGE, page)


def _listing(games: Sequence[Game], viewer: Viewer, limit: int, page: int = 1) -> Listing[Row]:
    return listed([_row(game, viewer) for game in games], limit, page)


def _row(game: Game, viewer: Viewer) -> Row:
    seats = list(game.seats.all())
    mine = next((seat for seat in seats if viewer and seat.player_id == viewer.pk), None)
    return Row(game, seats, mine)


def _small_board(row: Row, moves: Sequence[Move]) -> Any:
    if not titles.find(row.game.ruleset):
        return None
    here = course(row.game, row.seats, moves).end
    return titles.draw(here.observe(row.mine.number if row.mine else None), compact=True)
