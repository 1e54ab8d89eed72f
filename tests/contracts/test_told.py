"""Webhooks and push messages: the whole of what is sent, in each format. Receivers are programs of
others, and service workers that were installed long ago.
"""

from __future__ import annotations

import base64
import hmac
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from games.models import Device, Errand, Game, Invitation, Message, Notice, Player, Webhook
from games.services import play
from games.services.reach import errands, push, webhooks
from tests.history.archive import stored_game
from tests.people import NOON, new_player
from tests.reach.places import Browser, Place, place

SECRET = "whsec_" + "A" * 43 + "="
KEY = bytes(32)

# may be renamed: the words.
TURN = "Omar is to move: Marrakech with Yasmin · until Thursday, 19 November, 12:00"
OVER = "The game is over: Marrakech with Omar"
TEST = "A test from Souk: turns will be told here."
SETTINGS = "https://souk.example/settings/notices/"  # may be renamed

GAME = "https://souk.example/g/c0ntract2345/"
PLAYERS = [{"username": "Yasmin", "name": "Yasmin"}, {"username": "Omar", "name": "Omar"}]
NOBODY: dict[str, list[str]] = {"parse": [], "users": []}

# By event and format, the whole body.
TOLD: dict[tuple[str, str], dict[str, Any]] = {
    ("turn", "standard"): {
        "type": "game.turn",
        "timestamp": "2026-11-16T12:00:00+00:00",
        "data": {
            "game": "c0ntract2345",
            "url": GAME,
            "title": "marrakech",
            "moves": 10,
            "players": PLAYERS,
            "to_move": {"username": "Omar", "name": "Omar"},
            "deadline": "2026-11-19T12:00:00+00:00",
            "text": TURN,
        },
    },
    ("turn", "discord"): {
        "content": f"<@222> {TURN} {GAME}",
        "allowed_mentions": {"parse": [], "users": ["222"]},
    },
    ("turn", "slack"): {"text": f"@222 {TURN} {GAME}"},
    ("over", "standard"): {
        "type": "game.over",
        "timestamp": "2026-11-16T12:00:00+00:00",
        "data": {
            "game": "c0ntract2345",
            "url": GAME,
            "title": "marrakech",
            "moves": 11,
            "players": PLAYERS,
            "to_move": None,
            "deadline": None,
            "text": OVER,
        },
    },
    ("over", "discord"): {"content": f"{OVER} {GAME}", "allowed_mentions": NOBODY},
    ("over", "slack"): {"text": f"{OVER} {GAME}"},
    ("test", "standard"): {
        "type": "test",
        "timestamp": "2026-11-16T12:00:00+00:00",
        "data": {"text": TEST},
    },
    ("test", "discord"): {"content": f"{TEST} {SETTINGS}", "allowed_mentions": NOBODY},
    ("test", "slack"): {"text": f"{TEST} {SETTINGS}"},
}
FORMATS = ("standard", "discord", "slack")

# may be renamed: the words.
PUSHED = {
    "turn": "Your turn: Marrakech with Yasmin",
    "half": "Half of your time is gone: Marrakech with Yasmin",
    "last": "Your time is running out: Marrakech with Yasmin",
    "after_3": "Waiting for you for 3 days: Marrakech with Yasmin",
    "after_7": "Waiting for you for 7 days: Marrakech with Yasmin",
    "go_on": "Soon without you: Marrakech with Yasmin",
    "vacation": "A day of vacation was spent: Marrakech with Yasmin",
    "declined": "Wei declined: Marrakech",
    "expired": "No answer to your invitation: Marrakech",
    "started": "The game has started: Marrakech with Yasmin",
    "over": "The game is over: Marrakech with Yasmin",
    "invitation": "Yasmin invites you to a game of Marrakech",
    "message": "Yasmin: a message at your table of Marrakech",
    "seat_lost": "A bot plays on: Marrakech with Yasmin",
}


@pytest.fixture
def service(settings) -> Iterator[Place]:
    settings.OUTBOUND_ALLOWED = ["127.0.0.0/8"]
    settings.SITE_URL = "https://souk.example"
    with place() as here:
        yield here


def notice(kind: str, reader: Player, game: Game, **columns: Any) -> Notice:
    return Notice(
        player=reader,
        game=game,
        kind=kind,
        move_number=10,
        created_at=NOON,
        **columns,
    )


def happens(event: str, yasmin: Player, omar: Player, game: Game) -> None:
    if event == "turn":
        notice("turn", omar, game, push_at=NOON).save()
    elif event == "over":
        play.resign(game_id=game.pk, player=omar, now=NOON)
    else:
        for webhook in Webhook.objects.all():
            webhooks.send_test(owner=yasmin, webhook_id=webhook.pk, now=NOON)
    errands.drain(clock=lambda: NOON)


@pytest.mark.django_db
@pytest.mark.parametrize("event", ["turn", "over", "test"])
def test_webhooks(event: str, game: Game, two: list[Player], service: Place) -> None:
    yasmin, omar = two
    Notice.objects.all().delete()
    for format in FORMATS:
        Webhook.objects.create(
            owner=yasmin,
            game=game,
            url=f"{service.url}/{format}",
            made_at=NOON,
            format=format,
            secret=SECRET,
            mentions="Omar = 222",
        )
    Game.objects.filter(pk=game.pk).update(has_webhook=True)
    happens(event, yasmin, omar, game)
    assert {path for path, *_ in service.came} == {f"/{format}" for format in FORMATS}
    for path, headers, body in service.came:
        format = path[1:]
        assert json.loads(body) == TOLD[event, format]
        assert headers["content-type"] == "application/json"
        assert headers["user-agent"] == "Souk"
        number = Errand.objects.get(webhook__format=format).pk
        if format == "standard":
            signed = f"msg_{number}.1794830400.".encode() + body
            digest = base64.b64encode(hmac.digest(KEY, signed, "sha256")).decode()
            assert headers["webhook-id"] == f"msg_{number}"
            assert headers["webhook-timestamp"] == "1794830400"
            assert headers["webhook-signature"] == f"v1,{digest}"
        else:
            assert not [name for name in headers if name.startswith("webhook-")]


def pushed(kind: str, game: Game | None, reader: Player, number: int = 10) -> dict[str, Any]:
    """What the service worker gets, with any signed link cut short."""
    told = None
    if kind in PUSHED:
        assert game
        told = notice(kind, reader, game)
        told.move_number = number
        if kind == "message":
            told.save()
    errand = Errand(
        device=Device(player=reader),
        notice=told,
        kind=kind,
        move_number=number,
        game=game and Game.objects.get(pk=game.pk),
    )
    said = json.dumps(push.payload(errand, now=NOON))
    return json.loads(re.sub(r"/mail/move/[^/]+/", "/mail/move/TOKEN/", said))


@pytest.mark.django_db
@pytest.mark.parametrize("kind", sorted(PUSHED))
def test_push_messages(kind: str, game: Game, two: list[Player], service: Place) -> None:
    yasmin, omar = two
    line = Message.objects.create(game=game, player=yasmin, text="Well met", at=NOON)
    asked = Invitation.objects.create(game=game, player=new_player("Wei"), at=NOON)
    about = {"message": line.pk, "declined": asked.pk}
    said = pushed(kind, game, omar, about.get(kind, 10))
    assert said.pop("body").strip()
    assert said == {"tag": "c0ntract2345", "title": PUSHED[kind], "url": GAME, "badge": 1}


@pytest.mark.django_db
def test_a_push_message_of_a_decision_with_one_or_two_answers_has_buttons(
    two: list[Player], service: Place
) -> None:
    names: dict[str, Any] = {"public_id": "c0ntract2345", "rated": False}
    game = stored_game(two, ruleset="ifrito", seed=2, until=11, **names)
    said = pushed("turn", game, two[1], 11)
    link = "https://souk.example/mail/move/TOKEN/?play=pass"
    assert said["actions"] == [{"action": "0", "title": "Pass", "url": link}]
    assert set(said) == {"tag", "title", "body", "url", "actions", "badge"}


@pytest.mark.django_db
def test_push_messages_that_close_and_test(game: Game, two: list[Player], service: Place) -> None:
    yasmin, _omar = two
    assert pushed("close", game, yasmin) == {"tag": "c0ntract2345", "close": True, "badge": 0}
    assert pushed("test", None, yasmin) == {
        "tag": "test",
        "title": "A test from Souk",  # may be renamed: the words
        "body": "This device hears when it is your turn.",  # may be renamed: the words
        "url": SETTINGS,
        "badge": 0,
    }


# By kind: how urgent, and for how many seconds a push service keeps it.
HEADERS = {
    "turn": ("high", "259200"),
    "half": ("high", "259200"),
    "last": ("high", "259200"),
    "after_3": ("high", "259200"),
    "after_7": ("high", "259200"),
    "go_on": ("high", "259200"),
    "declined": ("normal", "604800"),
    "expired": ("normal", "604800"),
    "vacation": ("normal", "604800"),
    "invitation": ("normal", "604800"),
    "message": ("normal", "604800"),
    "started": ("normal", "604800"),
    "over": ("normal", "604800"),
    "seat_lost": ("normal", "604800"),
    "close": ("normal", "86400"),
    "test": ("normal", "86400"),
}


def test_every_kind_of_push_message_is_here() -> None:
    assert set(Errand.Kind.values) == {*PUSHED, "close", "test"} == set(HEADERS)


OF_HTTP = {"host", "accept-encoding", "content-length", "user-agent"}


@pytest.mark.django_db
@pytest.mark.parametrize("kind", sorted(HEADERS))
def test_headers_of_push_messages(
    kind: str, game: Game, two: list[Player], service: Place, settings
) -> None:
    settings.REPLY_TO = "Club <club@souk.example>"
    browser, about = Browser(), None if kind == "test" else game
    device = Device(player=two[1], endpoint=f"{service.url}/one", **browser.keys)
    told = notice(kind, two[1], game)
    if kind == "message":
        told.save()
    errand = Errand(device=device, notice=told, game=about, kind=kind, move_number=10)
    assert push.deliver(errand, now=NOON).is_good
    ((path, headers, body),) = service.came
    urgency, seconds = HEADERS[kind]
    assert path == "/one"
    assert browser.read(body)["tag"] == ("c0ntract2345" if about else "test")
    assert headers.pop("authorization").startswith("vapid t=")
    assert {name: text for name, text in headers.items() if name not in OF_HTTP} == {
        "ttl": seconds,
        "urgency": urgency,
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        **({"topic": "c0ntract2345"} if about else {}),
    }
