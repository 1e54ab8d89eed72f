"""Notices on devices, by a push service of our own that opens what is sealed."""

from __future__ import annotations

import base64
import json
from datetime import time, timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from django.test import Client

from games import outbound
from games.models import Device, Errand, Game, Notice, Player
from games.services.errors import Refused
from games.services.notices import outbox, subscriptions
from games.services.notices.wishes import GROUPS
from games.services.reach import devices, errands, keys
from tests.people import NOON, new_players, play_on, signed_in, started_game, whose_turn
from tests.reach.places import Browser, Place, place

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
HOUR = timedelta(hours=1)


@pytest.fixture
def phone() -> Browser:
    return Browser()


def device_of(player: Player, service: Place, phone: Browser, path: str = "/one") -> Device:
    return devices.add(
        player=player, endpoint=service.url + path, name="Phone", now=NOON, **phone.keys
    )


def two_with_devices(service: Place, phone: Browser) -> list[Player]:
    """Whoever of them is told, the address of the device says it."""
    players = new_players(2)
    for player in players:
        device_of(player, service, phone, f"/{player.username}")
    return players


def run(now=NOON) -> None:
    errands.drain(clock=lambda: now)


def mails(player: Player, state: str = "queued"):
    return Notice.objects.filter(player=player, state=state)


def choose(player: Player, **ways: str) -> None:
    given = dict.fromkeys(GROUPS, "unless")
    subscriptions.choose_ways(player=player, ways={**given, **ways}, now=NOON)


def test_a_turn_is_told_at_once_and_closed_when_it_was_played(
    service: Place, phone: Browser
) -> None:
    yasmin, omar = two_with_devices(service, phone)
    game = started_game([yasmin, omar])
    actor = whose_turn(game)
    game.refresh_from_db()
    run()
    told = {path: (headers, phone.read(body)) for path, headers, body in service.came}
    headers, said = told[f"/{actor.username}"]
    assert said["title"].startswith("Your turn: Marrakech with ")
    assert said["url"].endswith(game.get_absolute_url())
    assert (said["tag"], said["badge"]) == (game.public_id, 1)
    assert game.deadline
    assert int(headers["ttl"]) == int((game.deadline - NOON).total_seconds())
    assert (headers["topic"], headers["urgency"]) == (game.public_id, "high")
    assert headers["content-encoding"] == "aes128gcm"
    _check_signature(headers["authorization"], service.url)
    device = Device.objects.get(player=actor)
    assert (device.reached_at, device.last_error) == (NOON, "")

    service.came.clear()
    while whose_turn(game) == actor:
        play_on(game, 1)
    run()
    after = {path: phone.read(body) for path, _, body in service.came}
    assert after[f"/{actor.username}"] == {"tag": game.public_id, "close": True, "badge": 0}
    assert after[f"/{whose_turn(game).username}"]["title"].startswith("Your turn")
    service.came.clear()
    run()
    assert service.came == [], "nothing is said twice"


def test_what_closes_a_notice_late_leaves_that_of_the_next_turn(
    service: Place, phone: Browser
) -> None:
    yasmin, omar = new_players(2)
    game = started_game([yasmin, omar])
    actor = whose_turn(game)
    device_of(actor, service, phone)
    Errand.objects.create(
        device=Device.objects.get(),
        game=game,
        kind="close",
        move_number=0,
        created_at=NOON,
        due_at=NOON,
    )
    run()
    assert not [said for *_, body in service.came if (said := phone.read(body)).get("close")]
    assert Errand.objects.get(kind="close").state == "withdrawn"


def _check_signature(header: str, audience: str) -> None:
    token, key = (part.split("=", 1)[1] for part in header.removeprefix("vapid ").split(","))
    assert key == keys.public_key(now=NOON)

    def raw(text: str) -> bytes:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))

    signed, _, signature = token.rpartition(".")
    numbers = raw(signature)
    pair = (int.from_bytes(numbers[:32], "big"), int.from_bytes(numbers[32:], "big"))
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), raw(key))
    public.verify(encode_dss_signature(*pair), signed.encode(), ec.ECDSA(hashes.SHA256()))
    claims = json.loads(raw(signed.partition(".")[2]))
    assert claims["aud"] == audience
    assert claims["sub"].startswith("mailto:")
    assert type(claims["exp"]) is int, "some push services take no text for a time"
    assert timedelta() < timedelta(seconds=claims["exp"] - NOON.timestamp()) < timedelta(days=1)


@pytest.mark.parametrize("status", [404, 410])
def test_a_device_that_is_gone_is_taken_off(service: Place, phone: Browser, status: int) -> None:
    yasmin, omar = two_with_devices(service, phone)
    service.mood = status
    game = started_game([yasmin, omar])
    run()
    assert not Device.objects.exists()
    actor = whose_turn(game)
    actor.refresh_from_db()
    assert not actor.has_device
    assert not Errand.objects.exists()


def test_what_was_for_a_device_alone_comes_by_mail_when_the_device_is_gone(
    service: Place, phone: Browser
) -> None:
    """Or whoever chose devices alone would lose the seat without having been told."""
    yasmin, omar = two_with_devices(service, phone)
    for player in (yasmin, omar):
        choose(player, turn="push", reminder="push")
    service.mood = 410
    actor = whose_turn(started_game([yasmin, omar]))
    assert not mails(actor).filter(kind__in=["turn", "half", "last"]).exists()
    run()
    assert set(mails(actor).values_list("kind", flat=True)) >= {"turn", "half", "last"}


@pytest.mark.parametrize("mood", [429, 500, 503, "cuts"])
def test_a_service_in_trouble_is_tried_again(service: Place, phone: Browser, mood: object) -> None:
    (yasmin,) = new_players(1)
    device_of(yasmin, service, phone)
    service.mood, service.headers = mood, {"Retry-After": "900"}
    devices.send_test(player=yasmin, device_id=Device.objects.get().pk, now=NOON)
    run()
    errand = Errand.objects.get()
    assert (errand.state, errand.attempts) == ("queued", 1)
    assert errand.last_error
    pause = timedelta(minutes=1 if mood == "cuts" else 15)
    assert errand.due_at == NOON + pause
    service.mood = 201
    run(NOON + pause)
    errand.refresh_from_db()
    assert (errand.state, errand.last_error) == ("sent", "")
    assert phone.read(service.came[-1][2])["title"] == "A test from Souk"


def test_a_service_that_hangs_holds_up_nobody_else(
    service: Place, phone: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbound, "WITHIN", 0.3)
    yasmin, omar = new_players(2)
    with place(mood="hangs") as dumb:
        for number in range(3):
            device_of(yasmin, dumb, phone, f"/{number}")
        device_of(omar, service, phone)
        for device in Device.objects.all():
            devices.send_test(player=device.player, device_id=device.pk, now=NOON)
        run()
        assert len(dumb.came) == 1, "who hangs once is left alone"
    assert len(service.came) == 1
    assert Errand.objects.filter(state="queued").count() == 3
    assert Errand.objects.get(attempts=1, state="queued").last_error == "no answer in time"


def test_mail_follows_only_if_the_turn_was_not_looked_at(
    service: Place, phone: Browser, post_office, settings
) -> None:
    yasmin, omar = two_with_devices(service, phone)
    game = started_game([yasmin, omar])
    first = whose_turn(game)
    while whose_turn(game) == first:
        play_on(game, 1)
    later, due = whose_turn(game), NOON + settings.MAIL_AFTER_PUSH
    assert mails(later).get(kind="turn").due_at == due
    game.seats.filter(player=later).update(seen_moves=Game.objects.get().move_count)
    outbox.drain(clock=lambda: due)
    assert not mails(later, "sent").filter(kind="turn").exists()
    assert mails(later, "withdrawn").filter(kind="turn").exists()
    while whose_turn(game) == later:
        play_on(game, 1)
    assert mails(first).filter(kind="turn", due_at=due).exists()
    outbox.drain(clock=lambda: due)
    assert mails(first, "sent").filter(kind="turn").exists()


def test_the_first_turn_of_a_game_can_be_looked_at_too(
    service: Place, phone: Browser, settings
) -> None:
    yasmin, omar = two_with_devices(service, phone)
    games = [started_game([yasmin, omar]) for _ in range(2)]
    looked_at, other = games
    reader = signed_in(whose_turn(looked_at))
    reader.get(looked_at.get_absolute_url())
    assert mails(whose_turn(looked_at)).filter(game=looked_at, kind="turn").exists(), "not told yet"
    run()
    reader.get(looked_at.get_absolute_url())
    outbox.drain(clock=lambda: NOON + settings.MAIL_AFTER_PUSH)
    assert not mails(whose_turn(looked_at), "sent").filter(game=looked_at, kind="turn").exists()
    assert mails(whose_turn(other), "sent").filter(game=other, kind="turn").exists()


def test_each_kind_comes_as_its_player_chose(service: Place, phone: Browser, settings) -> None:
    yasmin, omar = two_with_devices(service, phone)
    for way, by_push, by_mail in (
        ("push", True, None),
        ("mail", False, NOON + settings.TURN_MAIL_DELAY),
        ("both", True, NOON + settings.TURN_MAIL_DELAY),
        ("none", False, None),
        ("unless", True, NOON + settings.MAIL_AFTER_PUSH),
    ):
        for player in (yasmin, omar):
            choose(player, turn=way)
        game = started_game([yasmin, omar])
        service.came.clear()
        run()
        actor = whose_turn(game)
        pushed = [path for path, _, _ in service.came if path == f"/{actor.username}"]
        assert bool(pushed) == by_push, way
        mail = mails(actor).filter(game=game, kind="turn").first()
        assert (mail and mail.due_at) == by_mail, way
    for player in (yasmin, omar):
        choose(player, turn="push")
        devices.remove(player=player, device_id=player.devices.get().pk, now=NOON)
    game = started_game([yasmin, omar])
    assert mails(whose_turn(game)).filter(game=game, kind="turn").exists(), "no device: by mail"


def test_the_table_says_that_somebody_was_told_on_a_device(service: Place, phone: Browser) -> None:
    yasmin, omar = two_with_devices(service, phone)
    game = started_game([yasmin, omar])
    first = whose_turn(game)

    def says_so() -> bool:
        page = Client().get(game.get_absolute_url()).content.decode()
        return "A notice was sent" in page

    assert not says_so()
    run()
    assert says_so()
    while whose_turn(game) == first:
        play_on(game, 1)
    assert not says_so(), "of the turn that is on"


def test_quiet_hours_hold_for_devices_too(service: Place, phone: Browser, settings) -> None:
    yasmin, omar = two_with_devices(service, phone)
    Player.objects.update(quiet_from=time(11), quiet_to=time(14), time_zone="UTC")
    started_game([Player.objects.get(pk=yasmin.pk), Player.objects.get(pk=omar.pk)])
    run()
    assert service.came == []
    run(NOON + 2 * HOUR)
    assert service.came
    mail = Notice.objects.get(kind="turn")
    assert mail.due_at == NOON + 2 * HOUR + settings.MAIL_AFTER_PUSH, "there is time to look"


def test_a_turn_that_was_played_before_it_was_told_is_not_told(
    service: Place, phone: Browser
) -> None:
    yasmin, omar = two_with_devices(service, phone)
    game = started_game([yasmin, omar])
    errands.fan_out(now=NOON)
    actor = whose_turn(game)
    while whose_turn(game) == actor:
        play_on(game, 1)
    run()
    about = [phone.read(body) for path, _, body in service.came if path == f"/{actor.username}"]
    assert [each for each in about if "Your turn" in each.get("title", "")] == []


def test_only_what_a_browser_would_give_us_becomes_a_device(phone: Browser) -> None:
    (yasmin,) = new_players(1)
    good: dict[str, Any] = {"endpoint": "https://push.example/x", **phone.keys}
    for bad in (
        {"endpoint": "ftp://push.example/x"},
        {"endpoint": "https://user:word@push.example/x"},
        {"p256dh": "abc"},
        {"p256dh": "BA" + "A" * 85},  # as long as a point of the curve, but none
        {"auth": "%%%"},
        {"auth": ""},
    ):
        with pytest.raises(Refused):
            devices.add(player=yasmin, name="", now=NOON, **{**good, **bad})
    for number in range(devices.MOST):
        devices.add(
            player=yasmin, name="", now=NOON, **{**good, "endpoint": f"https://p.example/{number}"}
        )
    with pytest.raises(Refused, match="10 devices"):
        devices.add(player=yasmin, name="", now=NOON, **good)


def test_the_devices_of_whoever_is_suspended_are_silent(service: Place, phone: Browser) -> None:
    players = two_with_devices(service, phone)
    game = started_game(players)
    Player.objects.filter(pk=whose_turn(game).pk).update(suspended_at=NOON)
    run()
    assert f"/{whose_turn(game).username}" not in [path for path, _, _ in service.came]
