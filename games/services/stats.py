"""Numbers about finished games: kept as each game ends, rebuilt from the moves at will."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any, TypeVar

from django.db import connection, models, transaction
from django.db.models import Prefetch, Q, Sum

from games.models import (
    Game,
    Meeting,
    Move,
    Opening,
    Opponent,
    Performance,
    Player,
    Rating,
    RatingChange,
    Reckoning,
    Rivalry,
    Seat,
    Sheet,
    Shelf,
    Standing,
    Tally,
)
from games.selectors.course import Course, course_of
from games.selectors.finished import finished
from games.selectors.performances import appraisal_of
from games.services import performances
from games.services.ledger import Kind, Ledger
from games.services.open_books import ledger_for, open_ratings, open_sheets

M = TypeVar("M", bound=models.Model)

CHANGING = {
    Shelf: ("games", "sums"),
    Tally: ("games", "sums", "peaks"),
    Rivalry: ("games", "low_ahead", "high_ahead"),
    Opponent: ("games", "ahead", "behind", "met_at"),
    Rating: (
        "mu",
        "sigma",
        "games",
        "timeouts",
        "late_since",
        "streak",
        "best_streak",
        "counted_at",
        *performances.OF_RATING,
    ),
    Standing: ("games", "won", "mu", "sigma", "settled"),
}
OF_GAME = ["shelf", "uncounted", "margin", "comeback", "highest", "traits", "band", "opening"]
OF_SEAT = ["tally", "ended_at", "margin", "comeback", "highest", "move_count", "traits", "opening"]
"""What the books write on the rows of a finished game and its seats."""

TICK = timedelta(microseconds=1)
CHUNK = 500
FEW_GAMES = 1000


def count_game(*, course: Course) -> None:
    """Enter a game in the books. Runs in the transaction that ends it; the caller saves the game.

    Games that end at the same moment are put in order: of the games of one player, the later
    entry ends later, so that a rebuild goes through them in the same order.
    """
    game, seats = course.game, course.seats
    assert game.ended_at is not None
    players = sorted(seat.player_id for seat in seats)
    ratings = open_ratings(game, players)
    for rating in ratings:
        if rating.counted_at and rating.counted_at >= game.ended_at:
            game.ended_at = rating.counted_at + TICK
    result = finished(course)
    ledger = ledger_for(result, ratings)
    ledger.enter(result)
    ledger.forget({seat.player_id for seat in seats if seat.player.deleted_at})
    for rows in (
        ledger.ratings,
        ledger.tallies,
        ledger.rivalries,
        ledger.opponents,
        ledger.standings,
        ledger.shelves,
    ):
        _save(rows.values())
    Sheet.objects.bulk_create(
        ledger.sheets.values(),
        update_conflicts=True,
        unique_fields=["key"],
        update_fields=["counts"],
    )
    for tree in ledger.trees.values():
        Opening.objects.bulk_create(
            tree.places.values(),
            update_conflicts=True,
            unique_fields=["ruleset", "size", "path"],
            update_fields=["games", "counts"],
        )
    Meeting.objects.bulk_create(ledger.meetings)
    RatingChange.objects.bulk_create(ledger.changes)
    Seat.objects.bulk_update(ledger.seats, ["tally"])
    Seat.objects.filter(game=game).update(
        **{name: getattr(seats[0], name) for name in OF_SEAT if name != "tally"}
    )


@transaction.atomic
def count_reckoning(*, row: Reckoning, now: datetime) -> None:
    """Enter a finished reckoning of a game of the house, once. Of those of one player, the later
    entry has the later time, so that a rebuild goes through them in the same order."""
    row = Reckoning.objects.select_for_update(of=("self",)).select_related("game").get(pk=row.pk)
    game = row.game
    if row.entered_at or game is None or game.status != Game.Status.OVER:
        return
    ratings = open_ratings(game, sorted(game.seats.values_list("player", flat=True)))
    at = max([now, *(each.judged_at + TICK for each in ratings if each.judged_at)])
    found = appraisal_of(row, game, at)
    ledger = Ledger(ratings={(each.player_id, each.ruleset): each for each in ratings})
    ledger.sheets = open_sheets([scope for scope, _ in performances.entries(found)])
    ledger.judge(found)
    Performance.objects.bulk_create(ledger.performances)
    Rating.objects.bulk_update(ledger.ratings.values(), performances.OF_RATING)
    Sheet.objects.bulk_update(ledger.sheets.values(), ["counts"])
    row.entered_at = at
    row.save(update_fields=["entered_at"])


def leave_out_annulled() -> bool:
    """Count again without games that were annulled since; whether that was done.

    Whoever annuls a game in a small house has it done at once. In a large one it takes minutes,
    and a worker does it; until then such a game is in the books as before.
    """
    if (Shelf.objects.aggregate(games=Sum("games"))["games"] or 0) > FEW_GAMES:
        return False
    return leave_out_annulled_if_due()


def leave_out_annulled_if_due() -> bool:
    due = Game.objects.filter(annulled_at__isnull=False, shelf__isnull=False).exists()
    if due:
        rebuild()
    return due


@transaction.atomic
def rebuild(*, progress: Callable[[int], None] = lambda count: None) -> int:
    """Forget all numbers and count every finished game again; how many there were."""
    _close_books()
    for model in (
        *(RatingChange, Rating, Standing, Meeting, Rivalry, Opponent),
        *(Sheet, Opening, Performance),
    ):
        model._default_manager.all().delete()
    Seat.objects.exclude(tally=None).update(tally=None)
    Seat.objects.filter(game__annulled_at__isnull=False).update(ended_at=None)
    Game.objects.exclude(shelf=None).update(shelf=None)
    Tally.objects.all().delete()
    Shelf.objects.all().delete()
    ledger = recount(progress=progress)
    for rows in (ledger.shelves, ledger.tallies, ledger.rivalries):
        _create(rows.values())
    for more in (ledger.ratings, ledger.standings, ledger.opponents):
        _create(more.values())
    _create(ledger.sheets.values())
    _create(_places(ledger))
    _create(ledger.meetings)
    _create(ledger.changes)
    _create(ledger.performances)
    _save_all(ledger.games, OF_GAME)
    _save_all(ledger.seats, OF_SEAT)
    return len(ledger.games)


def _close_books() -> None:
    """Games that end meanwhile wait with their entry. SQLite lets nobody else write anyway."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {Rating._meta.db_table} IN EXCLUSIVE MODE")


def recount(*, progress: Callable[[int], None] = lambda count: None) -> Ledger:
    """The books as they follow from the moves of all finished games; nothing is written."""
    ledger = Ledger()
    for count, game in enumerate(_finished_games(), start=1):
        ledger.enter(finished(course_of(game)))
        progress(count)
    _judge_again(ledger)
    former = Player.objects.filter(deleted_at__isnull=False)
    ledger.forget(set(former.values_list("pk", flat=True)))
    return ledger


def _judge_again(ledger: Ledger) -> None:
    """What reckonings say, from what is stored of them: nobody is judged again."""
    games = {game.pk: game for game in ledger.games}
    entered = Reckoning.objects.exclude(entered_at=None).exclude(game=None)
    for row in entered.order_by("entered_at", "pk").iterator(CHUNK):
        if row.game_id in games:
            assert row.entered_at
            ledger.judge(appraisal_of(row, games[row.game_id], row.entered_at))


def differences(ledger: Ledger) -> list[str]:
    """Where the stored numbers are not those of this ledger, in words for an operator."""
    found: list[str] = []
    for model, rows in (
        (Shelf, ledger.shelves.values()),
        (Tally, ledger.tallies.values()),
        (Rivalry, ledger.rivalries.values()),
        (Opponent, ledger.opponents.values()),
        (Rating, ledger.ratings.values()),
        (Standing, ledger.standings.values()),
        (Meeting, ledger.meetings),
        (RatingChange, ledger.changes),
        (Sheet, ledger.sheets.values()),
        (Opening, _places(ledger)),
        (Performance, ledger.performances),
        (Game, ledger.games),
        (Seat, ledger.seats),
    ):
        found += _compare(model, rows)
    return found


# What a row is about: foreign keys of derived rows by what those are about.
ABOUT: Mapping[type[models.Model], tuple[str, ...]] = {
    Shelf: Kind._fields,
    Tally: ("player_id", "shelf"),
    Rivalry: ("low_id", "high_id", "shelf"),
    Opponent: ("player_id", "other_id", "public"),
    Rating: ("player_id", "ruleset"),
    Standing: ("player_id", "ruleset", "year", "size"),
    Meeting: ("rivalry", "game_id"),
    RatingChange: ("rating", "game_id"),
    Sheet: ("key",),
    Opening: ("ruleset", "size", "path"),
    Performance: ("seat_id",),
    Game: ("public_id",),
    Seat: ("id",),
}
SAYS: Mapping[type[models.Model], Sequence[str]] = {Game: OF_GAME, Seat: OF_SEAT}
"""What is compared of rows that are not books alone; of books it is all that a row is not about,
so that a column which nobody saves is found."""
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
        stored = stored.filter(_in_the_books())
    if model is Seat:
        stored = stored.filter(game__in=Game.objects.filter(_in_the_books()))
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
    return None if row is None else tuple(_named(row, name) for name in ABOUT[type(row)])


def _says(row: models.Model) -> tuple[Any, ...]:
    return tuple(_named(row, name) for name in _compared(type(row)))


@cache
def _compared(model: type[models.Model]) -> Sequence[str]:
    about = ABOUT[model]
    own = [field for field in model._meta.concrete_fields if not field.primary_key]
    rest = [each.attname for each in own if not {each.name, each.attname} & {*about}]
    return SAYS.get(model, rest)


def _named(row: models.Model, name: str) -> Any:
    value = getattr(row, name)
    return _about(value) if isinstance(value, models.Model) else value


def _in_the_books() -> Q:
    """Finished games, and those that were annulled and not left out yet."""
    return Q(status=Game.Status.OVER) | Q(annulled_at__isnull=False, shelf__isnull=False)


def _finished_games() -> Iterator[Game]:
    games = Game.objects.filter(_in_the_books()).order_by("ended_at", "pk")
    seats = Seat.objects.select_related("player").order_by("number")
    moves = Move.objects.order_by("number")
    yield from games.prefetch_related(Prefetch("seats", seats), Prefetch("moves", moves)).iterator(
        CHUNK
    )


def _places(ledger: Ledger) -> list[Opening]:
    return [place for tree in ledger.trees.values() for place in tree.places.values()]


def _save(rows: Iterable[models.Model]) -> None:
    found = list(rows)
    if found:
        _save_all(found, CHANGING[type(found[0])])


def _save_all(rows: Sequence[M], columns: Sequence[str]) -> None:
    """All of them are there and locked: what they would be made anew is what they become, which
    costs a third of an update that names each."""
    if rows:
        type(rows[0])._default_manager.bulk_create(
            rows,
            batch_size=CHUNK,
            update_conflicts=True,
            unique_fields=["pk"],
            update_fields=columns,
        )


def _create(rows: Iterable[M]) -> None:
    found = list(rows)
    if found:
        type(found[0])._default_manager.bulk_create(found, batch_size=CHUNK)
