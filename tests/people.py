"""Players and games for tests, made by the services that make them in life."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from allauth.account.models import EmailAddress

from games.models import Game, Player
from games.services import lobby, play

NOON = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
NAMES = ("Yasmin", "Omar", "Ileana", "Wei")


def new_player(name: str, **fields: Any) -> Player:
    email = f"{name.lower()}@souk.example"
    player = Player.objects.create_user(name, email, "open-sesame-42", **fields)
    EmailAddress.objects.create(user=player, email=email, verified=True, primary=True)
    return player


def new_players(count: int) -> list[Player]:
    return [new_player(name) for name in NAMES[:count]]


def open_game(creator: Player, size: int = 2, *, now: datetime = NOON, **wishes: Any) -> Game:
    terms: dict[str, Any] = {
        "ruleset": "marrakech",
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


def whose_turn(game: Game) -> Player:
    game.refresh_from_db()
    assert game.to_act
    return game.to_act.player


def play_on(game: Game, count: int, *, now: datetime = NOON, pick: int = 0) -> None:
    """Play so many moves, each the legal action at place `pick` of the list."""
    from games.selectors.table import see_table

    for _ in range(count):
        player = whose_turn(game)
        legal = see_table(game, player).observation["legal"]
        play.play_move(
            game_id=game.pk,
            player=player,
            action=legal[pick % len(legal)],
            on_move=game.move_count,
            now=now,
        )
        game.refresh_from_db()
