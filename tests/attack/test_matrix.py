"""Every route in every role, for games of every kind in every state: no leak, no breakdown.

Routes come from the resolver, so a new one is attacked as soon as it is there; one with a
parameter that `world` has no value for fails here. Within `make test` each role tries each
route on one of the games, the next role on the next; `make attack` tries them all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from itertools import islice
from typing import Any

import pytest
from django.db import connection
from django.urls import resolve
from django.utils import timezone

from games.models import Act, Game, Message, Report
from games.services.notices import trust
from tests.attack.routes import Route, every_route
from tests.attack.world import (
    AT_THE_TABLE,
    KINDS,
    MODERATORS,
    ROLES,
    STARTED,
    STATES,
    World,
    undone,
)
from tests.contracts.addresses import WRITTEN_BY_GET

pytestmark = pytest.mark.django_db

# One of each is enough where what is shown does not depend on any game.
FORM = {
    "action": "turn:L",
    "on": "0",
    "text": "hello",
    "entropy": "mint",
    "mail": "each",
    "game": "marrakech",
    "opponents": "1",
    "level": "apprentice",
    "size": "2",
    "pace": "daily",
    "visibility": "public",
    "rated": "no",
    "language": "pl",
    "display_name": "Jasmine",
    "first": "2026-12-24",
    "last": "2026-12-26",
    "username": "jasmine",
    "email": "j@souk.example",
    "password1": "open-sesame-42",
    "login": "the-creator",
    "password": "open-sesame-42",
    "code": "ABCDEF",
    "_selected_action": "1",
    "index": "0",
    "url": "https://127.0.0.1/hook",
    "format": "discord",
    "mentions": "the-partner = 1",
    "endpoint": "https://push.example/2",
    "p256dh": "BA",
    "auth": "c2l4dGVlbiBieXRlcyBvaw",
    "answer": "accept",
    "share": "yes",
    "reason": "A test.",
    "turn": "push",
}
# Whose link a mail has is the key to one decision, whoever holds it.
BY_TOKEN = "mail/"
FEW = 1
MODERATION = "moderation/"
HEALTH = "healthz"
"""Says 503 where no workers run."""


WRITTEN_BY_LOOKING = {resolve(path).route: tables for path, tables in WRITTEN_BY_GET.items()}
CHANGE = re.compile(r"\s*(?:INSERT INTO|UPDATE|DELETE FROM) \"(\w+)\"")


@contextmanager
def writes() -> Iterator[set[str]]:
    """The tables that are changed inside; sessions, with messages for the next page, apart."""
    changed: set[str] = set()

    def watch(execute: Any, sql: str, *rest: Any) -> Any:
        if (found := CHANGE.match(sql)) and found[1] != "django_session":
            changed.add(found[1])
        return execute(sql, *rest)

    with connection.execute_wrapper(watch):
        yield changed


def games_for(world: World, route: Route, number: int, thorough: bool) -> Iterator[Game]:
    games = list(world.games.values())
    if not route.of_a_game:
        yield games[0]
        return
    turn = number % len(games)
    yield from islice(games[turn:] + games[:turn], None if thorough else FEW)


@pytest.mark.parametrize("role", ROLES)
def test_no_route_leaks_or_breaks(role: str, house: World, thorough: bool) -> None:
    client = house.clients[role]
    known = copy(client.cookies)
    number = ROLES.index(role)
    state_of = {game.pk: key for key, game in house.games.items()}
    for route in every_route():
        for method in ("GET", "POST"):
            number += 7  # has nothing in common with the number of games: all of them come up
            for game in games_for(house, route, number, thorough):
                path = route.path(house.values_for(game))
                client.cookies = copy(known)  # whoever just signed out is still in
                with undone(), writes() as written:
                    answer = client.get(path) if method == "GET" else client.post(path, FORM)
                    content = b"".join(answer) if answer.streaming else answer.content
                where = f"{role}: {method} {route.pattern} ({answer.status_code})"
                kind, state = state_of[game.pk]
                assert answer.status_code < 500 or route.pattern == HEALTH, where
                if method == "GET":
                    assert written <= WRITTEN_BY_LOOKING.get(route.pattern, set()), where
                seen = content + str(answer.headers).encode()
                for what, secret in house.secrets(role, path=path).items():
                    if what.startswith("chat") and route.pattern.startswith(BY_TOKEN):
                        continue
                    assert secret not in seen, f"{what} in {where}"
                if route.pattern.startswith(MODERATION):
                    assert role in MODERATORS or answer.status_code in (302, 404), where
                elif route.of_a_game and not house.may_see(role, kind, state):
                    assert answer.status_code != 200, f"{kind} {state} seen by {where}"


ACTS = {
    "players/the-partner/": ("warn", "mute", "suspend", "rename", "trust"),
    "talk/{message}/": ("hide",),
    "games/{game}/": ("time", "remove", "award", "annul"),
}
MORE = {"reason": "A test.", "days": "7", "hours": "24", "name": "Amal", "player": "the-partner"}


@pytest.mark.parametrize("role", ROLES)
def test_acts_are_for_moderators_alone(role: str, house: World) -> None:
    """Each of them, sent as the form sends it; a moderator needs no superuser's rights."""
    client, game = house.clients[role], house.games["public", "running"]
    known = copy(client.cookies)
    partner = house.players["partner"]
    trust.give_up(address=partner.email, reason="550 5.1.1", now=timezone.now())
    for address, acts in ACTS.items():
        path = address.format(message=house.values["message_id"], game=game.public_id)
        for act in acts:
            client.cookies = copy(known)
            with undone():
                before = Act.objects.count()
                answer = client.post(f"/{MODERATION}{path}", {"act": act, **MORE})
                done = Act.objects.count() - before
                assert done == (role in MODERATORS), f"{role}: {act} ({answer.status_code})"
                if done:
                    made = Act.objects.order_by("pk").last()
                    assert made
                    assert (made.kind, made.actor) == (act, house.players[role])


def test_moderators_read_no_private_talk_that_nobody_reported(house: World) -> None:
    """The numbers of lines follow each other, so all of them could be tried."""
    game = house.games["named", "running"]
    line = Message.objects.get(game=game, event="", player=house.players["creator"])
    moderator, path = house.clients["moderator"], f"/{MODERATION}talk/{line.pk}/"
    row = f"/admin/games/message/{line.pk}/change/"
    assert moderator.get(path).status_code == 404
    assert line.text not in moderator.get(row).content.decode()
    assert line.text in house.clients["chief"].get(row).content.decode()
    with undone():
        reporter = house.players["partner"]
        Report.objects.create(
            reporter=reporter, player=line.player, message=line, text="rude", at=timezone.now()
        )
        assert moderator.get(path).status_code == 200
        assert line.text in moderator.get(row).content.decode()


def test_the_house_is_what_it_says(house: World) -> None:
    """The matrix would notice: what it looks for is there for those who may see it."""
    assert set(house.games) == {(kind, state) for kind in KINDS for state in STATES}
    assert len(every_route()) > 100
    for (kind, state), game in house.games.items():
        for role in ROLES:
            answer = house.clients[role].get(game.get_absolute_url())
            assert (answer.status_code == 200) is house.may_see(role, kind, state), (role, kind)
            if state in STARTED and role in AT_THE_TABLE:
                shown = answer.content.decode()
                assert f"chat-{kind}-{state}-by-creator" in shown
                assert f"notes-of-{role}" in shown


def test_a_route_that_nobody_thought_of_is_noticed(house: World) -> None:
    with pytest.raises(KeyError):
        Route("g/<slug:public_id>/<str:surprise>/").path(house.values)
