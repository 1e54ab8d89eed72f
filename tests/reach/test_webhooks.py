"""Webhooks: what is sent and how it is signed, what failures do, and where nothing is sent."""

from __future__ import annotations

import base64
import hmac
import json
import socket
from concurrent.futures import Future
from datetime import timedelta
from hashlib import sha256
from itertools import count
from typing import Any

import pytest
from django.db import connection

from games import outbound
from games.models import Errand, Notice, Player, Webhook
from games.services import limits
from games.services.errors import Refused
from games.services.reach import errands, webhooks
from tests.people import NOON, new_players, play_on, started_game, whose_turn
from tests.reach.places import Place, place

pytestmark = pytest.mark.django_db


def hook(owner: Player, service: Place, **how) -> Webhook:
    terms = {"game": None, "url": f"{service.url}/hook", "format": "standard", "mentions": ""}
    return webhooks.add(owner=owner, now=NOON, **{**terms, **how})


class AtOnce:
    """Work for other threads, done by this one."""

    def submit(self, work, *args, **kwargs) -> Future:
        done: Future = Future()
        try:
            done.set_result(work(*args, **kwargs))
        except OSError as error:
            done.set_exception(error)
        return done


def run(now=NOON) -> None:
    errands.drain(clock=lambda: now)


def test_a_turn_is_told_signed_as_the_standard_says(service: Place) -> None:
    yasmin, omar = new_players(2)
    made = {player: hook(player, service) for player in (yasmin, omar)}
    game = started_game([yasmin, omar])
    run()
    ((path, headers, body),) = service.came
    assert path == "/hook"
    assert len(body) < 20_000
    secret = made[whose_turn(game)].secret
    assert secret.startswith("whsec_")
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    digest = hmac.digest(base64.b64decode(secret[6:]), signed, sha256)
    assert headers["webhook-signature"] == f"v1,{base64.b64encode(digest).decode()}"
    said = json.loads(body)
    assert said["type"] == "game.turn"
    assert said["data"]["to_move"]["username"] == whose_turn(game).username
    assert said["data"]["game"] == game.public_id
    assert "seed" not in body.decode()
    assert "@souk.example" not in body.decode()


def test_a_table_is_told_in_a_chat_with_a_mention(service: Place) -> None:
    yasmin, omar = new_players(2)
    game = started_game([yasmin, omar])
    mentions = "yasmin = 111\nOmar = 222"
    hook(yasmin, service, game=game, format="discord", mentions=mentions)
    with place() as slack:
        hook(yasmin, slack, game=game, format="slack", mentions="yasmin=U0AAAAAA1\nomar=omar")
        game.refresh_from_db()
        before = whose_turn(game)
        while whose_turn(game) == before:
            play_on(game, 1)
        run()
        told = json.loads(slack.came[-1][2])["text"]
    actor = whose_turn(game)
    number, called = {"Yasmin": ("111", "<@U0AAAAAA1>"), "Omar": ("222", "@omar")}[str(actor)]
    said = json.loads(service.came[-1][2])
    assert said["content"].startswith(f"<@{number}> {actor} is to move: Marrakech with ")
    assert said["allowed_mentions"] == {"parse": [], "users": [number]}
    assert told.startswith(f"{called} {actor} is to move")
    assert game.get_absolute_url() in told
    with pytest.raises(Refused):
        hook(omar, service, game=game)


def test_names_cannot_call_everybody(service: Place) -> None:
    new_players(2)
    Player.objects.update(display_name="@all @everyone <!here>")
    players = list(Player.objects.order_by("pk"))
    for player in players:
        hook(player, service, format="slack")
    started_game(players)
    run()
    text = json.loads(service.came[-1][2])["text"]
    assert "<" not in text
    assert "@everyone" not in text


def test_failures_are_tried_for_about_a_day_and_then_it_is_off(service: Place) -> None:
    (yasmin,) = new_players(1)
    made = hook(yasmin, service)
    service.mood = 500
    webhooks.send_test(owner=yasmin, webhook_id=made.pk, now=NOON)
    now = NOON
    while (errand := Errand.objects.get()).state == "queued":
        assert errand.due_at
        now = errand.due_at
        run(now)
    assert timedelta(hours=12) < now - NOON < timedelta(days=2)
    assert errand.state == "failed"
    assert (errand.status, errand.attempts) == (500, errands.MOST_ATTEMPTS)
    made.refresh_from_db()
    assert made.off_since == now
    assert "switched off" in Notice.objects.filter(kind="account").latest("pk").content["subject"]
    bodies = {body for _, _, body in service.came}
    assert len(bodies) == 1
    assert len({headers["webhook-id"] for _, headers, _ in service.came}) == 1
    service.mood = 200
    webhooks.send_again(owner=yasmin, webhook_id=made.pk, errand_id=errand.pk, now=now)
    run(now)
    errand.refresh_from_db()
    made.refresh_from_db()
    assert (errand.state, errand.status, made.off_since) == ("sent", 200, None)
    assert service.came[-1][2] in bodies


@pytest.mark.parametrize(("status", "again"), [(302, True), (404, True), (429, True), (410, False)])
def test_any_answer_but_gone_may_be_put_right(service: Place, status: int, again: bool) -> None:
    (yasmin,) = new_players(1)
    made = hook(yasmin, service)
    service.mood = status
    webhooks.send_test(owner=yasmin, webhook_id=made.pk, now=NOON)
    run()
    made.refresh_from_db()
    assert (Errand.objects.get().state == "queued") == again
    assert (made.off_since is None) == again


def test_nothing_goes_to_what_is_not_public(settings) -> None:
    settings.OUTBOUND_ALLOWED = []
    (yasmin,) = new_players(1)
    terms: dict[str, Any] = {
        "owner": yasmin,
        "game": None,
        "format": "slack",
        "mentions": "",
        "now": NOON,
    }
    for url in (
        "http://127.0.0.1/x",
        "https://localhost/",
        "https://10.1.2.3/",
        "https://192.168.0.1/",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[fe80::1]/",
        "https://[64:ff9b::7f00:1]/",
        "https://[fec0::1]/",
        "https://[fd00::1]/",
        "https://[2002:7f00:1::]/",
        "https://[3fff::1]/",
        "https://192.88.99.1/",
        "https://0.0.0.0/",
        "https://2130706433/",
        "https://0x7f.1/",
        "https://100.64.0.1/",
        "https://224.0.0.1/",
        "https://user:word@example.com/",
        "gopher://example.com/",
        "https:///x",
        "https://no-such-name.invalid/",
    ):
        with pytest.raises(Refused):
            webhooks.check(url)
        assert outbound.post(url, b"", {}).status == 0
    settings.PUBLIC = True
    with pytest.raises(Refused, match="https"):
        webhooks.add(url="http://93.184.216.34/", **terms)


def test_the_address_that_is_connected_to_is_the_one_that_was_looked_at(
    service: Place, settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that answers differently the second time gains nothing by it."""
    settings.OUTBOUND_ALLOWED = []
    asked: list[str] = []

    def twisted(host: str, port: int, **_):
        asked.append(host)
        number = "93.184.216.34" if len(asked) == 1 else "127.0.0.1"
        return [(2, 1, 6, "", (number, port))]

    reached: list[str] = []

    def connect(address, timeout):
        reached.append(address[0])
        raise ConnectionRefusedError

    monkeypatch.setattr("socket.getaddrinfo", twisted)
    monkeypatch.setattr("socket.create_connection", connect)
    outbound.post(f"http://twisted.example:{service.port}/", b"", {})
    assert (asked, reached) == (["twisted.example"], ["93.184.216.34"])


def test_of_several_addresses_one_where_somebody_is_will_do(
    service: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name may lead to one that this machine cannot reach, such as those of IPv6."""
    numbers, tried = ["127.0.0.9", "127.0.0.1"], []
    monkeypatch.setattr(outbound, "addresses", lambda *_: numbers)
    real = socket.create_connection

    def connect(address, timeout):
        tried.append(address[0])
        if address[0] == numbers[0]:
            raise OSError("no route")
        return real(address, timeout)

    monkeypatch.setattr("socket.create_connection", connect)
    assert outbound.post(f"http://several.example:{service.port}/", b"{}", {}).is_good
    assert tried == numbers


def test_nobody_waits_for_a_name_that_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither is it looked up in a transaction, which holds up others, nor without an end."""
    (yasmin,) = new_players(1)
    outside = len(connection.savepoint_ids)
    deep: list[int] = []

    def slow(host: str, port: int, **_):
        deep.append(len(connection.savepoint_ids) - outside)
        raise OSError

    monkeypatch.setattr("socket.getaddrinfo", slow)
    terms: dict[str, Any] = {
        "game": None,
        "url": "https://slow.example/",
        "format": "slack",
        "mentions": "",
    }
    allowed = limits.LIMITS["webhook"]["sender"].times
    monkeypatch.setattr(outbound, "LOOK_UPS", AtOnce())
    for _ in range(allowed):
        with pytest.raises(Refused, match="nobody"):
            webhooks.add(owner=yasmin, now=NOON, **terms)
    with pytest.raises(limits.TooOften):
        webhooks.add(owner=yasmin, now=NOON, **terms)
    assert deep == [0] * allowed


def test_the_worker_is_free_again_soon(service: Place) -> None:
    """Whoever makes it wait for many hosts keeps mail waiting for some seconds at most."""
    (yasmin,) = new_players(1)
    made = hook(yasmin, service)
    for _ in range(5):
        webhooks.send_test(owner=yasmin, webhook_id=made.pk, now=NOON)
    passing = count(0, 6)
    errands.drain(clock=lambda: NOON, seconds=lambda: float(next(passing)))
    assert len(service.came) == 1
    left = Errand.objects.filter(state="queued", attempts=0, due_at=NOON)
    assert left.count() == 4
    run()
    assert len(service.came) == 5


def test_whoever_hangs_in_one_place_is_not_waited_for_in_others(
    service: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host of its own for each webhook does not buy more of the worker's time."""
    monkeypatch.setattr(outbound, "WITHIN", 0.3)
    yasmin, omar = new_players(2)
    with place(mood="hangs") as first, place(mood="hangs") as second:
        made = [hook(yasmin, first), hook(yasmin, second), hook(omar, service)]
        for each in made:
            webhooks.send_test(owner=each.owner, webhook_id=each.pk, now=NOON)
        run()
        assert [len(each.came) for each in (first, second, service)] == [1, 0, 1]


def test_answers_are_short_and_redirects_lead_nowhere(service: Place) -> None:
    service.mood, service.headers = 302, {"Location": f"{service.url}/elsewhere"}
    answer = outbound.post(f"{service.url}/hook", b"{}", {})
    assert (answer.status, len(service.came)) == (302, 1)
    with place(mood=200, headers={"X-Long": "x" * 5000}) as talkative:
        assert outbound.post(talkative.url, b"", {}).status == 200


def test_a_webhook_of_whoever_is_suspended_is_told_of_no_turn(service: Place) -> None:
    players = new_players(2)
    for player in players:
        hook(player, service)
    Player.objects.filter(pk=whose_turn(started_game(players)).pk).update(suspended_at=NOON)
    run()
    assert service.came == []
