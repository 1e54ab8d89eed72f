"""What open pages show, as stamps: one query tells for all of them whether anything is new."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import CharField, Count, F, IntegerField, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Cast, Coalesce, Concat
from django.utils.crypto import salted_hmac

from games import bell
from games.models import Game, Invitation, Player, Seat
from games.selectors.prepared import Given, prepared
from games.selectors.table import newest_line, stamp

UNFINISHED = (Game.Status.OPEN, Game.Status.RUNNING)
STARTED = (Game.Status.RUNNING, Game.Status.OVER)
AT_ONCE = 5_000
"""Topics in one query; SQLite takes no more than some ten thousand values."""

COLUMNS = (
    *("of_topic", "of_game", "of_status", "of_moves"),
    *("of_line", "of_rematch", "of_seats", "of_declined"),
)
Found = tuple[str, int, str, int, int, str, int, int]


def stamps_of(topics: Collection[str]) -> dict[str, str]:
    """The stamp of each page of a game (`g…`) and each first page (`p…`) that there is."""
    wanted = sorted(topics)
    found: dict[str, str] = {}
    for start in range(0, len(wanted), AT_ONCE):
        found |= _stamps(wanted[start : start + AT_ONCE])
    return found


def home_stamp(player: Player) -> str:
    topic, rows = bell.home_topic(player.pk), _on_home(player=player.pk)
    return _stamp_of(topic, sorted(rows, key=itemgetter(1)))


@prepared
def _on_home() -> QuerySet[Any, Found]:
    return _union(_of_players(player=Given("player")))


def room_stamp(public_id: str, status: str, seats: int, declined: int) -> str:
    """Of a game that has not started: who came, who declined, whether it is still open."""
    return _word("games.room", public_id, status, seats, declined)


def _stamps(topics: list[str]) -> dict[str, str]:
    games = [topic[1:] for topic in topics if topic.startswith("g")]
    players = [int(topic[1:]) for topic in topics if topic.startswith("p")]
    rows = sorted(_rows(games, players), key=itemgetter(0, 1))
    found = {topic: _stamp_of(topic, []) for topic in topics if topic.startswith("p")}
    for topic, about in groupby(rows, key=itemgetter(0)):
        found[topic] = _stamp_of(topic, list(about))
    return found


def _stamp_of(topic: str, rows: list[Found]) -> str:
    if topic.startswith("p"):
        return _word("games.home", topic[1:], *(each[1:] for each in rows))
    public_id, (_, _, status, moves, last_line, again, seats, declined) = topic[1:], rows[0]
    if status in STARTED:
        return stamp(public_id, moves, last_line or None, again)
    return room_stamp(public_id, status, seats, declined)


def _rows(games: Iterable[str], players: Iterable[int]) -> Iterable[Found]:
    """All in one query: a line for each game that is looked at, and for each unfinished game
    or open invitation of those whose first page is."""
    parts: list[QuerySet[Any, Any]] = []
    if games:
        looked_at = Game.objects.filter(public_id__in=games)
        parts.append(
            _lines(
                looked_at,
                topic=Concat(Value("g"), "public_id"),
                game="",
                line=Coalesce(newest_line(), Value(0), output_field=IntegerField()),
                again=Coalesce(F("rematch__status"), Value("")),
                declined=_count(Invitation.objects.filter(declined_at__isnull=False)),
            )
        )
    if players:
        parts += _of_players(player__in=players)
    return _union(parts) if parts else []


def _of_players(**whose: Any) -> list[QuerySet[Any, Any]]:
    mine = Seat.objects.filter(ended_at=None, game__status__in=UNFINISHED, **whose)
    asked = Invitation.objects.filter(declined_at=None, game__status=Game.Status.OPEN, **whose)
    return [
        _lines(
            rows,
            topic=Concat(Value("p"), Cast("player_id", CharField())),
            game="game__",
            line=Coalesce(F("game__to_act_id"), Value(0), output_field=IntegerField()),
            again=Coalesce(Cast("game__deadline", CharField()), Value("")),
            declined=_count(Invitation.objects.filter(declined_at__isnull=False), of="game__pk"),
        )
        for rows in (mine, asked)
    ]


def _union(parts: list[QuerySet[Any, Any]]) -> QuerySet[Any, Found]:
    return parts[0].union(*parts[1:], all=True) if len(parts) > 1 else parts[0]


def _lines(rows: Any, *, topic: Any, game: str, line: Any, again: Any, declined: Any) -> Any:
    key = f"{game}pk" if game else "pk"
    return (
        rows.order_by()
        .annotate(
            of_topic=topic,
            of_game=F(key),
            of_status=F(f"{game}status"),
            of_moves=F(f"{game}move_count"),
            of_line=line,
            of_rematch=again,
            of_seats=_count(Seat.objects.all(), of=key),
            of_declined=declined,
        )
        .values_list(*COLUMNS)
    )


def _count(rows: QuerySet[Any], of: str = "pk") -> Coalesce:
    counted = rows.filter(game=OuterRef(of)).order_by().values("game").annotate(n=Count("pk"))
    return Coalesce(Subquery(counted.values("n"), output_field=IntegerField()), Value(0))


def _word(salt: str, *parts: Any) -> str:
    return salted_hmac(salt, repr(parts)).hexdigest()[:20]
