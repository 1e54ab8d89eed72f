"""The books that one more game will change: its rows, locked, always in the same order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import reduce
from itertools import combinations
from operator import or_
from typing import Any, TypeVar

from django.db import models
from django.db.models import Q

from games.models import Game, books
from games.selectors.finished import Finished
from games.services import sheets
from games.services.ledger import EVER, Kind, Ledger, opponent_keys, standing_keys
from games.services.openings import ROOT, InGames, Line, Tree
from games.services.ratings import REPEATS, Skill, newcomer

M = TypeVar("M", bound=models.Model)


def open_ratings(game: Game, players: Sequence[int]) -> list[books.Rating]:
    """First of all: whoever has locked them is alone with the numbers of these players."""
    keys = [{"player_id": player, "ruleset": game.ruleset} for player in players]
    return _open(books.Rating, keys, newcomer()._asdict())


def ledger_for(result: Finished, ratings: Sequence[books.Rating]) -> Ledger:
    """A ledger with the rows that this game will change."""
    game, seats = result.game, result.seats
    assert game.ended_at is not None
    assert game.result is not None
    players = sorted(seat.player_id for seat in seats)
    kind = Kind.of(game, game.result["reason"])
    shelf = books.Shelf.objects.get_or_create(**kind._asdict())[0]
    tallies = _open(
        books.Tally, [{"player_id": player, "shelf_id": shelf.pk} for player in players]
    )
    rivalries = _open(
        books.Rivalry,
        [
            {"low_id": low, "high_id": high, "shelf_id": shelf.pk}
            for low, high in combinations(players, 2)
        ],
    )
    pairs = [
        {"player_id": player, "other_id": other, "public": public}
        for player, other, public in opponent_keys(result)
    ]
    among = Q(player__in=players, other__in=players, public__in={pair["public"] for pair in pairs})
    met = _open(books.Opponent, pairs, among=among)
    ledger = Ledger(
        opponents={(each.player_id, each.other_id, each.public): each for each in met},
        tallies={(each.player_id, kind): each for each in tallies},
        rivalries={(each.low_id, each.high_id, kind): each for each in rivalries},
        ratings={(each.player_id, each.ruleset): each for each in ratings},
    )
    if ledger.counts(result):
        ledger.met = _met(game, players)
        if game.visibility == Game.Visibility.PUBLIC:
            staying = sorted(seat.player_id for seat in seats if not seat.player.deleted_at)
            ledger.standings = _open_standings(game, staying)
    # What games of other players wait for comes last.
    ledger.sheets = _open_sheets(result, ratings)
    if sheets.counts_for_the_site(game):
        ledger.trees = {(game.ruleset, game.size): _open_tree(result)}
    ledger.shelves = {kind: books.Shelf.objects.select_for_update().get(pk=shelf.pk)}
    return ledger


def _open_sheets(result: Finished, ratings: Sequence[books.Rating]) -> dict[str, books.Sheet]:
    """The sheets that this game adds to."""
    by_player = {rating.player_id: Skill(rating.mu, rating.sigma) for rating in ratings}
    skills = [by_player[seat.player_id] for seat in result.seats]
    entered = (*sheets.entries(result, skills), *sheets.feats(result))
    return open_sheets([scope for scope, _ in entered])


def open_sheets(scopes: Iterable[sheets.Scope]) -> dict[str, books.Sheet]:
    """These sheets, locked in the order of their keys."""
    fresh = {scope.key: scope.sheet() for scope in scopes}
    wanted = books.Sheet.objects.select_for_update().filter(pk__in=fresh).order_by("pk")
    found = {sheet.pk: sheet for sheet in wanted}
    if missing := [sheet for key, sheet in sorted(fresh.items()) if key not in found]:
        books.Sheet.objects.bulk_create(missing, ignore_conflicts=True)
        found = {sheet.pk: sheet for sheet in wanted.all()}
    return found


def _open_tree(result: Finished) -> Tree:
    """The places that this game came through; whoever has locked the root may change them all."""
    game = result.game
    tree = Tree(game.ruleset, game.size, InGames(game.ruleset, game.size))
    places = books.Opening.objects.filter(ruleset=game.ruleset, size=game.size)
    _open(books.Opening, [{"ruleset": game.ruleset, "size": game.size, "path": ROOT}])
    # Looked up only now: others may have grown the tree while we waited.
    through = Line(result.went.opening, "", frozenset()).places
    tree.places = {place.path: place for place in places.filter(path__in=through)}
    return tree


def _met(game: Game, players: Sequence[int]) -> dict[tuple[int, int, str], list[datetime]]:
    """When each two of the players met lately, in games that counted."""
    assert game.ended_at is not None
    lately = books.RatingChange.objects.filter(
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
) -> dict[tuple[int, str, int, int], books.Standing]:
    assert game.ended_at is not None
    if not players:
        return {}
    fresh = newcomer()
    keys = [key for player in players for key in standing_keys(player, game)]
    names = ("player_id", "ruleset", "year", "size")
    _open(
        books.Standing,
        [dict(zip(names, key, strict=True)) for key in keys],
        {**fresh._asdict(), "settled": False},
    )
    rows = books.Standing.objects.filter(
        player__in=players, ruleset=game.ruleset, year__in=(EVER, game.ended_at.year)
    )
    return {(row.player_id, row.ruleset, row.year, row.size): row for row in rows}


def _open(
    model: type[M],
    keys: Sequence[Mapping[str, Any]],
    fresh: Mapping[str, Any] | None = None,
    among: Q | None = None,
) -> list[M]:
    """The rows of these keys, locked; those that were not there are made, whoever is first.
    `among` finds the same rows in fewer words."""
    wanted = among or reduce(or_, (Q(**key) for key in keys))
    rows = model._default_manager
    locked = rows.select_for_update().filter(wanted).order_by("pk")
    found = list(locked)
    if len(found) < len(keys):
        rows.bulk_create([model(**key, **(fresh or {})) for key in keys], ignore_conflicts=True)
        found = list(locked.all())
    return found
