"""Games in progress for tests that are not about how a game comes to be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from typing import Any

from games.models import Game, Player, Seat
from games.selectors.position import position
from games.services import lobby, play

START = datetime(2026, 5, 4, 12, tzinfo=UTC)


@dataclass
class Tables:
    numbers: Any = field(default_factory=count)
    prefix: str = "player"

    def player(self, **fields: Any) -> Player:
        name = fields.pop("username", f"{self.prefix}{next(self.numbers)}")
        return Player.objects.create(username=name, email=f"{name}@example.org", **fields)

    def game(
        self,
        players: Sequence[Player] = (),
        *,
        pace: str = Game.Pace.DAILY,
        ruleset: str = "marrakech",
        size: int = 2,
        now: datetime = START,
    ) -> Game:
        players = [*players, *(self.player() for _ in range(size - len(players)))]
        game = lobby.create_game(
            creator=players[0],
            ruleset=ruleset,
            size=size,
            options={},
            edition="",
            pace=pace,
            visibility=Game.Visibility.PUBLIC,
            rated=False,
            invited=[],
            entropy="sesame",
            now=now,
        )
        for player in players[1:]:
            lobby.join_game(game_id=game.pk, player=player, entropy="sesame", now=now)
        game.refresh_from_db()
        return game


def actor(game: Game) -> Seat:
    """The seat that is to decide, fresh from the database."""
    game.refresh_from_db()
    assert game.to_act_id is not None
    return Seat.objects.select_related("player").get(pk=game.to_act_id)


def legal(game: Game) -> list[str]:
    seat = actor(game)
    here = position(game, list(game.seats.all()), list(game.moves.all()))
    return list(here.observe(seat.number)["legal"])


def decide(game: Game, now: datetime) -> Seat:
    """The first legal decision of whoever is to act; the seat that made it."""
    seat, action = actor(game), legal(game)[0]
    play.play_move(
        game_id=game.pk, player=seat.player, action=action, on_move=game.move_count, now=now
    )
    game.refresh_from_db()
    return seat


def take_turn(game: Game, now: datetime) -> Seat:
    """Decisions until somebody else is to act."""
    seat = decide(game, now)
    while game.to_act_id == seat.pk:
        decide(game, now)
    return seat
