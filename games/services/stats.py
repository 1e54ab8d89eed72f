"""Numbers about finished games: kept as each game ends, rebuilt from the moves at will."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import reduce
from itertools import combinations
from operator import or_
from typing import Any, TypeVar

from django.db import models, transaction
from django.db.models import Prefetch, Q

from games.models import (
    Game,
    Meeting,
    Move,
    Player,
    Rating,
    RatingChange,
    Rivalry,
    Seat,
    Shelf,
    Standing,
    Tally,
)
from games.selectors.course import Course, course_of
from games.selectors.finished import Finished, finished
from games.services.ledger import EVER, Kind, Ledger, standing_keys
from games.services.ratings import REPEATS, newcomer

M = TypeVar("M", bound=models.Model)

CHANGING = {
    Shelf: ("games", "sums"),
    Tally: ("games", "sums", "peaks"),
    Rivalry: ("games", "low_ahead", "high_ahead"),
    Rating: (
        "mu",
        "sigma",
        "games",
        "timeouts",
        "late_since",
        "streak",
        "best_streak",
        "counted_at",
    ),
    Standing: ("games", "won", "mu", "sigma", "settled"),
}
TICK = timedelta(microseconds=1)
CHUNK = 500


def count_game(*, course: Course) -> None:
    """Enter a game in the books. Runs in the transaction that ends it; the caller saves the game.

    Games that end at the same moment are put in order: of the games of one player, the later
    entry ends later, so that a rebuild goes through them in the same order.
    """
    game, seats = course.game, course.seats
    assert game.ended_at is not None
    players = sorted(seat.player_id for seat in seats)
    ratings = _open(
        Rating,
        [{"player_id": player, "ruleset": game.ruleset} for player in players],
        newcomer()._asdict(),
    )
    for rating in ratings:
        if rating.counted_at and rating.counted_at >= game.ended_at:
            game.ended_at = rating.counted_at + TICK
    result = finished(course)
    ledger = _ledger_for(result, ratings)
    ledger.enter(result)
    ledger.forget({seat.player_id for seat in seats if seat.player.deleted_at})
    for rows in (
        ledger.ratings,
        ledger.tallies,
        ledger.rivalries,
        ledger.standings,
        ledger.shelves,
    ):
        _save(rows.values())
    Meeting.objects.bulk_create(ledger.meetings)
    RatingChange.objects.bulk_create(ledger.changes)
    Seat.objects.bulk_update(ledger.seats, ["tally", "ended_at"])


@transaction.atomic
def rebuild(*, progress: Callable[[int], None] = lambda count: None) -> int:
    """Forget all numbers and count every finished game again; how many there were."""
    for model in (RatingChange, Rating, Standing, Meeting, Rivalry):
        model._default_manager.all().delete()
    Seat.objects.exclude(tally=None).update(tally=None)
    Game.objects.exclude(shelf=None).update(shelf=None)
    Tally.objects.all().delete()
    Shelf.objects.all().delete()
    ledger = recount(progress=progress)
    for rows in (ledger.shelves, ledger.tallies, ledger.rivalries):
        _create(rows.values())
    for more in (ledger.ratings, ledger.standings):
        _create(more.values())
    _create(ledger.meetings)
    _create(ledger.changes)
    Game.objects.bulk_update(ledger.games, ["shelf", "uncounted"], CHUNK)
    Seat.objects.bulk_update(ledger.seats, ["tally", "ended_at"], CHUNK)
    return len(ledger.games)


def recount(*, progress: Callable[[int], None] = lambda count: None) -> Ledger:
    """The books as they follow from the moves of all finished games; nothing is written."""
    ledger = Ledger()
    for count, game in enumerate(_finished_games(), start=1):
        ledger.enter(finished(course_of(game)))
        progress(count)
    former = Player.objects.filter(deleted_at__isnull=False)
    ledger.forget(set(former.values_list("pk", flat=True)))
    return ledger


def differences(ledger: Ledger) -> list[str]:
    """Where the stored numbers are not those of this ledger, in words for an operator."""
    found: list[str] = []
    for model, rows in (
        (Shelf, ledger.shelves.values()),
        (Tally, ledger.tallies.values()),
        (Rivalry, ledger.rivalries.values()),
        (Rating, ledger.ratings.values()),
        (Standing, ledger.standings.values()),
        (Meeting, ledger.meetings),
        (RatingChange, ledger.changes),
        (Game, ledger.games),
        (Seat, ledger.seats),
    ):
        found += _compare(model, rows)
    return found


# What a row is about, and what it says: foreign keys of derived rows by what those are about.
ABOUT: Mapping[type[models.Model], tuple[tuple[str, ...], tuple[str, ...]]] = {
    Shelf: (Kind._fields, CHANGING[Shelf]),
    Tally: (("player_id", "shelf"), CHANGING[Tally]),
    Rivalry: (("low_id", "high_id", "shelf"), CHANGING[Rivalry]),
    Rating: (("player_id", "ruleset"), CHANGING[Rating]),
    Standing: (("player_id", "ruleset", "year", "size"), CHANGING[Standing]),
    Meeting: (("rivalry", "game_id"), ("ended_at",)),
    RatingChange: (("rating", "game_id"), ("at", "before", "mu", "sigma", "share")),
    Game: (("public_id",), ("shelf", "uncounted")),
    Seat: (("id",), ("tally", "ended_at")),
}
RELATED = {
    Tally: ("shelf",),
    Rivalry: ("shelf",),
    Meeting: ("rivalry__shelf",),
    RatingChange: ("rating",),
    Game: ("shelf",),
    Seat: ("tally__shelf",),
}


def _compare(model: type[models.Model], expected: Iterable[models.Model]) -> Iterator[str]:
    stored = model._default_manager.select_related(*RELATED.get(model, ()))
    if model is Game:
        stored = stored.filter(status=Game.Status.OVER)
    if model is Seat:
        stored = stored.filter(game__status=Game.Status.OVER)
    said = {_about(row): _says(row) for row in stored.iterator(CHUNK)}
    for row in expected:
        about, says = _about(row), _says(row)
        if about not in said:
            yield f"{model.__name__} {about} is missing"
        elif said.pop(about) != says:
            yield f"{model.__name__} {about} differs from what the moves say: {says}"
    for about in said:
        yield f"{model.__name__} {about} follows from no move"


def _about(row: models.Model | None) -> tuple[Any, ...] | None:
    return None if row is None else tuple(_named(row, name) for name in ABOUT[type(row)][0])


def _says(row: models.Model) -> tuple[Any, ...]:
    return tuple(_named(row, name) for name in ABOUT[type(row)][1])


def _named(row: models.Model, name: str) -> Any:
    value = getattr(row, name)
    return _about(value) if isinstance(value, models.Model) else value


def _finished_games() -> Iterator[Game]:
    games = Game.objects.filter(status=Game.Status.OVER).order_by("ended_at", "pk")
    seats = Seat.objects.select_related("player").order_by("number")
    moves = Move.objects.order_by("number")
    yield from games.prefetch_related(Prefetch("seats", seats), Prefetch("moves", moves)).iterator(
        CHUNK
    )


def _ledger_for(result: Finished, ratings: Sequence[Rating]) -> Ledger:
    """A ledger with the locked rows that this game will change; always in the same order."""
    game, seats = result.game, result.seats
    assert game.ended_at is not None
    assert game.result is not None
    players = sorted(seat.player_id for seat in seats)
    kind = Kind.of(game, game.result["reason"])
    shelf = Shelf.objects.get_or_create(**kind._asdict())[0]
    tallies = _open(Tally, [{"player_id": player, "shelf_id": shelf.pk} for player in players])
    rivalries = _open(
        Rivalry,
        [
            {"low_id": low, "high_id": high, "shelf_id": shelf.pk}
            for low, high in combinations(players, 2)
        ],
    )
    ledger = Ledger(
        tallies={(each.player_id, kind): each for each in tallies},
        rivalries={(each.low_id, each.high_id, kind): each for each in rivalries},
        ratings={(each.player_id, each.ruleset): each for each in ratings},
    )
    if ledger.counts(result):
        ledger.met = _met(game, players)
        staying = sorted(seat.player_id for seat in seats if not seat.player.deleted_at)
        ledger.standings = _open_standings(game, staying)
    # The shelf last: it is what games of other players wait for.
    ledger.shelves = {kind: Shelf.objects.select_for_update().get(pk=shelf.pk)}
    return ledger


def _met(game: Game, players: Sequence[int]) -> dict[tuple[int, int, str], list[datetime]]:
    """When each two of the players met lately, in games that counted."""
    assert game.ended_at is not None
    lately = RatingChange.objects.filter(
        rating__player__in=players,
        rating__ruleset=game.ruleset,
        at__gt=game.ended_at - REPEATS,
    )
    tables: dict[tuple[int, datetime], list[int]] = {}
    for table, at, player in lately.values_list("game", "at", "rating__player"):
        tables.setdefault((table, at), []).append(player)
    met: dict[tuple[int, int, str], list[datetime]] = {}
    for (_, at), present in tables.items():
        for low, high in combinations(sorted(present), 2):
            met.setdefault((low, high, game.ruleset), []).append(at)
    return met


def _open_standings(
    game: Game, players: Sequence[int]
) -> dict[tuple[int, str, int, int], Standing]:
    assert game.ended_at is not None
    if not players:
        return {}
    fresh = newcomer()
    keys = [key for player in players for key in standing_keys(player, game)]
    names = ("player_id", "ruleset", "year", "size")
    _open(
        Standing,
        [dict(zip(names, key, strict=True)) for key in keys],
        {**fresh._asdict(), "settled": False},
    )
    rows = Standing.objects.filter(
        player__in=players, ruleset=game.ruleset, year__in=(EVER, game.ended_at.year)
    )
    return {(row.player_id, row.ruleset, row.year, row.size): row for row in rows}


def _open(
    model: type[M], keys: Sequence[Mapping[str, Any]], fresh: Mapping[str, Any] | None = None
) -> list[M]:
    """The rows of these keys, locked; those that were not there are made, whoever is first."""
    rows = model._default_manager
    rows.bulk_create([model(**key, **(fresh or {})) for key in keys], ignore_conflicts=True)
    wanted = reduce(or_, (Q(**key) for key in keys))
    return list(rows.select_for_update().filter(wanted).order_by("pk"))


def _save(rows: Iterable[models.Model]) -> None:
    found = list(rows)
    if found:
        model = type(found[0])
        model._default_manager.bulk_update(found, CHANGING[model])


def _create(rows: Iterable[M]) -> None:
    found = list(rows)
    if found:
        type(found[0])._default_manager.bulk_create(found, batch_size=CHUNK)
