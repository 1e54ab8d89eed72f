"""Quarters of a town: one is settled, and the database copies it as often as it takes.

Nobody plays with somebody of another quarter, so all rows about players and their games come
again with other numbers, books included. What is counted for the whole site is multiplied.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any

from allauth.account.models import EmailAddress
from django.db import DEFAULT_DB_ALIAS, connection, models
from django.db.models import F, Max, Q, Value
from django.db.models.functions import Cast, Concat, LPad, Replace, Substr

from games.models import (
    Game,
    Meeting,
    Move,
    Notice,
    Opponent,
    Player,
    Rating,
    RatingChange,
    Rivalry,
    Seat,
    Sheet,
    Standing,
    Tally,
)
from games.services.ledger import Ledger
from games.services.sheets import FEATS

NUMBERED: tuple[type[models.Model], ...] = (
    *(Player, EmailAddress, Game, Seat, Move, Notice),
    *(Tally, Rivalry, Opponent, Rating, Standing, Meeting, RatingChange),
)
DIGITS = 12
"""Of the player in the key of a sheet."""

Changed = dict[str, Any]


def public_id_prefix(quarter: int) -> str:
    """How the public numbers of its games begin."""
    return f"q{quarter}g"


def scale_statistics(ledger: Ledger, quarters: int) -> None:
    """The books of the first quarter, with what they say of the site said of so many."""
    for shelf in ledger.shelves.values():
        shelf.games *= quarters
        shelf.sums = {name: quarters * count for name, count in shelf.sums.items()}
    for sheet in ledger.sheets.values():
        if sheet.player_id is None and sheet.topic != FEATS:
            sheet.counts = {name: quarters * count for name, count in sheet.counts.items()}
    for tree in ledger.trees.values():
        for place in tree.places.values():
            place.games *= quarters
            for facet, (games, won) in place.counts.items():
                place.counts[facet] = [quarters * games, quarters * won]


def copy_first_part(quarters: int) -> None:
    """So that there are so many; the first one has the rows that are there."""
    last: dict[type[models.Model], int] = {
        model: model._default_manager.aggregate(last=Max("pk"))["last"] or 0 for model in NUMBERED
    }
    copied: tuple[type[models.Model], ...] = (*NUMBERED, Sheet)
    for model in copied:
        first = Q(player__lte=last[Player]) if model is Sheet else Q(pk__lte=last[model])
        for quarter in range(1, quarters):
            shifts = {each: quarter * count for each, count in last.items()}
            _copy(model, first, dict(_changed(model, shifts, quarter)))
        sys.stderr.write(f"  {model._meta.verbose_name_plural} copied\n")


def _changed(
    model: type[models.Model], shifts: Mapping[type[models.Model], int], quarter: int
) -> Iterator[tuple[str, Any]]:
    """The columns that are not as they were."""
    for field in model._meta.concrete_fields:
        about = model if field.primary_key else field.related_model
        if isinstance(about, type) and about in shifts:
            yield field.attname, _plus(field.attname, shifts[about])
    if model is Player:
        own = Concat(Value("player"), _text(_plus("id", shifts[Player])))
        yield from {"username": own, "email": Concat(own, Value("@souk.example"))}.items()
    elif model is EmailAddress:
        number = _text(_plus("user_id", shifts[Player]))
        yield "email", Concat(Value("player"), number, Value("@souk.example"))
    elif model is Game:
        yield "public_id", _moved(F("public_id"), quarter)
    elif model is Sheet:
        player = LPad(_text(_plus("player_id", shifts[Player])), DIGITS, Value("0"))
        yield "key", Concat(player, Substr("key", DIGITS + 1))
        # Feats name the games in which they were done.
        feats = _moved(Cast("counts", models.TextField()), quarter)
        yield "counts", Cast(feats, models.JSONField())


def _copy(model: type[models.Model], which: Q, changed: Changed) -> None:
    fields = model._meta.concrete_fields
    rows = model._default_manager.filter(which).order_by("pk")
    wanted = {f"its_{f.attname}": changed.get(f.attname, F(f.attname)) for f in fields}
    chosen = rows.annotate(**wanted).values_list(*wanted)
    select, values = chosen.query.get_compiler(DEFAULT_DB_ALIAS).as_sql()
    columns = ", ".join(f'"{field.column}"' for field in fields)
    with connection.cursor() as cursor:
        cursor.execute(f'INSERT INTO "{model._meta.db_table}" ({columns}) {select}', values)


def _plus(column: str, shift: int) -> models.ExpressionWrapper[Any]:
    return models.ExpressionWrapper(F(column) + shift, models.BigIntegerField())


def _text(number: Any) -> Cast:
    return Cast(number, models.CharField(max_length=20))


def _moved(text: Any, quarter: int) -> Replace:
    return Replace(text, Value(public_id_prefix(0)), Value(public_id_prefix(quarter)))
