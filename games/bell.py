"""The port to open pages: ring when something changed, so that whoever looks asks what.

A ring says which game or whose first page, and never what happened there. It may be lost: the
process that holds the streams also looks at the database now and then, and where there is no
Redis that is all it does (see games.live).
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from functools import cache

import redis
from django.conf import settings
from django.db import transaction
from django.utils.crypto import salted_hmac

from games.models import Game, Invitation, Seat
from games.rest import Rest

log = logging.getLogger(__name__)

silent = Rest(seconds=15)
# Nobody who makes a move waits longer than this for a server that hangs.
WAITS = {"socket_timeout": 0.5, "socket_connect_timeout": 0.5}


def game_topic(public_id: str) -> str:
    return f"g{public_id}"


def home_topic(player_id: int) -> str:
    return f"p{player_id}"


@cache
def channel() -> str:
    """Of this site alone, whoever else uses the same server."""
    return f"souk:{salted_hmac('games.bell', 'channel').hexdigest()[:16]}"


def game_changed(game: Game, players: Iterable[int] | None = None) -> None:
    """After the commit, tell whoever looks at this game, and the first pages of its players;
    who they are is looked up if it is not given."""
    if settings.REDIS_URL:
        given = None if players is None else set(players)
        transaction.on_commit(lambda: _ring_for(game, given), robust=True)


def ring(topics: Iterable[str]) -> None:
    if silent.is_on:
        return
    try:
        _server(settings.REDIS_URL).publish(channel(), " ".join(topics))
    except redis.RedisError as error:
        silent.begin()
        log.warning("open pages hear nothing for a while: %s", error)


def _ring_for(game: Game, players: set[int] | None) -> None:
    if silent.is_on:
        return
    topics = [game_topic(game.public_id)]
    if players is None:
        players = {
            *Seat.objects.filter(game=game).values_list("player", flat=True),
            *Invitation.objects.filter(game=game).values_list("player", flat=True),
        }
        # The page of a finished game shows what becomes of its rematch.
        before = Game.objects.filter(rematch=game).values_list("public_id", flat=True)
        topics += map(game_topic, before)
    ring([*topics, *map(home_topic, sorted(players))])


@cache
def _server(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, **WAITS)
