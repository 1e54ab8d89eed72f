"""A small house with everybody in it: eleven roles, games of three kinds in all their states."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import Permission
from django.db import transaction
from django.test import Client
from django.utils import timezone

from games.management.commands.moderator import moderators
from games.models import (
    Block,
    Device,
    Errand,
    Game,
    Invitation,
    Message,
    Notice,
    Player,
    Report,
    Seat,
    Vacation,
    Webhook,
)
from games.selectors.guests import KEPT_AS
from games.services import lobby, play, table_talk
from games.services.guests import welcome_guest
from games.services.moderation import verdicts
from games.services.notices import links
from tests.people import NOON, confirm, open_game, play_on
from tests.puzzles.invented import puzzle_of

ROLES = (
    *("visitor", "guest", "stranger", "creator", "partner"),
    *("invited", "decliner", "blocked", "watcher", "moderator", "chief"),
)
KINDS = tuple(Game.Visibility.values)
STATES = tuple(Game.Status.values)
AT_THE_TABLE = {"creator", "partner"}
ASKED = {"invited", "decliner"}
OPERATORS = {"watcher", "moderator", "chief"}
MODERATORS = {"moderator", "chief"}
STARTED = ("running", "over", "annulled")


@dataclass
class World:
    players: dict[str, Player] = field(default_factory=dict)
    games: dict[tuple[str, str], Game] = field(default_factory=dict)
    clients: dict[str, Client] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)

    def values_for(self, game: Game) -> dict[str, Any]:
        return {**self.values, "public_id": game.public_id}

    def may_see(self, role: str, kind: str, state: str) -> bool:
        """What the rules of the house say, in other words than the code."""
        if role in AT_THE_TABLE:
            return True
        if kind == "named":
            return role in ASKED and state not in STARTED
        return not (role == "blocked" and state == "open")

    def secrets(self, role: str, *, path: str) -> dict[str, bytes]:
        """What nobody in this role may read in an answer, by what it is."""
        own = self.players.get(role)
        found: dict[str, bytes] = {}
        for (kind, state), game in self.games.items():
            if state not in ("over", "annulled"):
                seed = bytes(game.seed)
                found[f"seed of {kind} {state}"] = seed
                found[f"seed of {kind} {state} in hexadecimal"] = seed.hex().encode()
                found[f"seed of {kind} {state} in base64"] = base64.b64encode(seed)
            if role in OPERATORS and path.startswith("/admin/"):
                continue
            if not self.may_see(role, kind, state):
                found[f"chat of {kind} {state}"] = f"chat-{kind}-{state}-".encode()
        for name, player in self.players.items():
            if player == own:
                continue
            found[f"notes of {name}"] = f"notes-of-{name}".encode()
            if player.calendar_token and player.calendar_token not in path:
                found[f"calendar of {name}"] = player.calendar_token.encode()
            if player.email and not (role in OPERATORS and path.startswith("/admin/")):
                found[f"address of {name}"] = player.email.encode()
        if role == "blocked":
            found["what the blocker says"] = b"-by-creator"
        return found


def build() -> World:
    world = World()
    for role in ROLES:
        if role == "visitor":
            continue
        world.players[role] = (
            welcome_guest(now=timezone.now()) if role == "guest" else _member(role)
        )
    people = world.players
    people["chief"].is_superuser = True
    for role in OPERATORS:
        people[role].is_staff = True
        people[role].save()
    views = Permission.objects.filter(codename__startswith="view_")
    people["watcher"].user_permissions.set(views)
    people["moderator"].groups.add(moderators())
    now = timezone.now()
    Block.objects.create(blocker=people["creator"], blocked=people["blocked"], at=now)
    for kind in KINDS:
        for state in STATES:
            world.games[kind, state] = _game(people, kind, state)
    own = lobby.play_against_bots(
        player=people["guest"], ruleset="marrakech", opponents=1, level="apprentice", now=now
    )
    start = now + timedelta(days=3)
    vacation = Vacation.objects.create(
        player=people["creator"], start=start, end=start + timedelta(days=1)
    )
    running = world.games["public", "running"]
    line = Message.objects.filter(game=running, player=people["creator"]).first()
    assert line
    report = Report.objects.create(
        reporter=people["partner"], player=line.player, message=line, text="rude", at=now
    )
    for role in ROLES:
        world.clients[role] = _client(people.get(role))
    world.values = _values(people["creator"], world.games["public", "running"], own, vacation)
    world.values |= {"message_id": line.pk, "report_id": report.pk}
    puzzle = puzzle_of(world.games["public", "over"], 1, day=now.date())
    world.values |= {
        "day": puzzle.day.isoformat(),
        "puzzle_token": links.puzzle_url(puzzle, people["partner"]).split("/")[-2],
    }
    return world


def _member(role: str) -> Player:
    player = Player.objects.create(
        username=f"the-{role}", email=f"{role}@souk.example", calendar_token=f"calendar-of-{role}"
    )
    confirm(player)
    return player


def _game(people: Mapping[str, Player], kind: str, state: str) -> Game:
    creator, partner = people["creator"], people["partner"]
    now = timezone.now()
    game = open_game(creator, 3, now=now, visibility="link", fill_level="apprentice")
    lobby.join_game(game_id=game.pk, player=partner, entropy="mint", now=now)
    for role in ASKED:
        declined = now if role == "decliner" else None
        Invitation.objects.create(game=game, player=people[role], at=now, declined_at=declined)
    if state in STARTED:
        lobby.fill_with_bots(game_id=game.pk, player=creator, now=now)
        game.refresh_from_db()
        _to_the_turn_of(game, creator)
        for role in AT_THE_TABLE:
            line = f"chat-{kind}-{state}-by-{role}"
            table_talk.post_message(game=game, player=people[role], text=line, now=now)
    if state == "over":
        play.resign(game_id=game.pk, player=partner, now=now)
        play.resign(game_id=game.pk, player=creator, now=now)
    elif state == "annulled":
        chief = people["chief"]
        verdicts.annul(moderator=chief, game_id=game.pk, reason="A test.", now=now)
    elif state != "running":
        Game.objects.filter(pk=game.pk).update(status=state)
    Game.objects.filter(pk=game.pk).update(visibility=kind)
    for role in AT_THE_TABLE:
        Seat.objects.filter(game=game, player=people[role]).update(notes=f"notes-of-{role}")
    game.refresh_from_db()
    assert game.status == state
    return game


def _to_the_turn_of(game: Game, player: Player) -> None:
    for _ in range(20):
        assert game.to_act
        if game.to_act.player_id == player.pk:
            return
        play_on(game, 1)


def _client(player: Player | None) -> Client:
    client = Client(raise_request_exception=False)
    if player and player.is_guest:
        session = client.session
        session[KEPT_AS] = player.pk
        session.save()
        client.cookies["sessionid"] = session.session_key or ""
    elif player:
        client.force_login(player)
    return client


def _asked() -> Invitation:
    """Somebody who has not answered yet."""
    asked = Invitation.objects.filter(game__status="open", game__visibility="named")
    return asked.filter(declined_at=None).latest("pk")


def _values(creator: Player, game: Game, own: Game, vacation: Vacation) -> dict[str, Any]:
    """Something for every parameter that an address of the site may have."""
    seat = Seat.objects.get(game=game, player=creator)
    notice = Notice.objects.order_by("pk").first()
    assert notice
    reached = _reached(creator)
    return {
        **reached,
        "app_label": "games",
        "content_type_id": 1,
        "digest": "0" * 64,
        "drawing": "0123456789ab",
        "form": "csv",
        "invitation_token": links.invitation_url(_asked(), "accept").split("/")[-2],
        "key": "marrakech",
        "mail_id": "20261116-120000-000000-abcdef01",
        "number": 1,
        "object_id": game.pk,
        "other": "the-partner",
        "played": "turn:L",
        "public_id": own.public_id,
        "ruleset": "marrakech",
        "token": links.decision_url(seat, game).split("/")[-2],
        "uidb36": "1",
        "url": "nowhere/",
        "username": creator.username,
        "vacation_id": vacation.pk,
        "which": "turn",
        "year": 2025,
    }


def _reached(creator: Player) -> dict[str, Any]:
    """A device and a webhook of this player."""
    device = Device.objects.create(player=creator, endpoint="https://push.example/1", made_at=NOON)
    webhook = Webhook.objects.create(
        owner=creator, url="https://chat.example/1", format="standard", made_at=NOON
    )
    errand = Errand.objects.create(webhook=webhook, kind=Errand.Kind.TEST, created_at=NOON)
    return {
        "device_id": device.pk,
        "webhook_id": webhook.pk,
        "errand_id": errand.pk,
        "what": "test",
    }


@contextmanager
def undone() -> Iterator[None]:
    """Whatever is done inside has not happened afterwards."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
