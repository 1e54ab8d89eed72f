"""Players and games for tests and measurements, made by the services that a site uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from typing import Any

from allauth.account.models import EmailAddress
from django.db.models import F

from games.engine.games import RULESETS
from games.models import Game, Notice, Player, Seat
from games.selectors.position import position
from games.services import lobby, play, timeouts

NOON = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
START = datetime(2026, 5, 4, 12, tzinfo=UTC)
"""Of games for which the season matters: summer time begins and ends far from here."""
NAMES = ("Yasmin", "Omar", "Ileana", "Wei")


def new_player(name: str, **fields: Any) -> Player:
    email = f"{name.lower()}@souk.example"
    player = Player.objects.create_user(name, email, "open-sesame-42", **fields)
    confirm(player)
    return player


def confirm(player: Player) -> None:
    """The player has proven to read the address."""
    EmailAddress.objects.create(user=player, email=player.email, verified=True, primary=True)


def new_players(number: int) -> list[Player]:
    return [new_player(name) for name in NAMES[:number]]


def open_game(creator: Player, size: int = 2, *, now: datetime = NOON, **wishes: Any) -> Game:
    terms: dict[str, Any] = {
        "ruleset": next(iter(RULESETS)),
        "options": {},
        "edition": "",
        "pace": Game.Pace.DAILY,
        "visibility": Game.Visibility.PUBLIC,
        "rated": False,
        "invited": (),
        "entropy": "saffron",
    }
    return lobby.create_game(creator=creator, size=size, now=now, **{**terms, **wishes})


def started_game(players: Sequence[Player], *, now: datetime = NOON, **wishes: Any) -> Game:
    game = open_game(players[0], len(players), now=now, **wishes)
    for player in players[1:]:
        lobby.join_game(game_id=game.pk, player=player, entropy="mint", now=now)
    game.refresh_from_db()
    return game


@dataclass
class Tables:
    """Strangers, and games full of them, where it does not matter who plays."""

    numbers: Any = field(default_factory=count)
    prefix: str = "player"

    def player(self, **fields: Any) -> Player:
        name = fields.pop("username", f"{self.prefix}{next(self.numbers)}")
        return new_player(name, **fields)

    def game(
        self,
        players: Sequence[Player] = (),
        *,
        size: int = 2,
        now: datetime = START,
        **wishes: Any,
    ) -> Game:
        strangers = [self.player() for _ in range(size - len(players))]
        return started_game([*players, *strangers], now=now, **wishes)


def actor(game: Game) -> Seat:
    """The seat that is to decide, fresh from the database."""
    game.refresh_from_db()
    assert game.to_act_id is not None
    return Seat.objects.select_related("player").get(pk=game.to_act_id)


def whose_turn(game: Game) -> Player:
    return actor(game).player


def legal(game: Game) -> list[str]:
    seat = actor(game)
    here = position(game, list(game.seats.all()), list(game.moves.all()))
    return here.observe(seat.number)["legal"]


def do(game: Game, action: str, now: datetime) -> Seat:
    """Play this action for the seat to act, and return that seat."""
    seat = actor(game)
    play.play_move(
        game_id=game.pk, player=seat.player, action=action, on_move=game.move_count, now=now
    )
    game.refresh_from_db()
    return seat


def decide(game: Game, now: datetime, *, pick: int = 0) -> Seat:
    """Play the legal action at index `pick` for the seat to act, and return that seat."""
    actions = legal(game)
    return do(game, actions[pick % len(actions)], now)


def play_on(game: Game, moves: int, *, now: datetime = NOON, pick: int = 0) -> None:
    for _ in range(moves):
        decide(game, now, pick=pick)


def take_turn(game: Game, now: datetime) -> Seat:
    """Play decisions until another seat is to act."""
    seat = decide(game, now)
    while game.to_act_id == seat.pk:
        decide(game, now)
    return seat


def tell_everybody() -> None:
    """Mark all emails about turns as sent when they were queued."""
    told = Notice.objects.filter(kind=Notice.Kind.TURN, state=Notice.State.QUEUED)
    told.update(state=Notice.State.SENT, sent_at=F("created_at"))


def sweep(now: datetime) -> int:
    """Take the seats whose time is up; their players were told in time that it was their turn."""
    tell_everybody()
    return timeouts.sweep_deadlines(now=now)
