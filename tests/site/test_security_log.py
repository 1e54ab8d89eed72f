"""The security log: exact keys, no names, no addresses, no secrets."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP
from django.conf import settings as site
from django.db import transaction
from django.test import Client
from django.utils import timezone

from games import security_log
from games.models import Device, Player, Webhook
from games.services import accounts
from games.services.moderation import people
from marrakech_site.log_lines import log_lines
from marrakech_site.logs import JsonFormatter
from tests.accounts.conftest import CODE, PASSWORD, delivered
from tests.moderation.staff import new_moderator
from tests.people import new_player, signed_in
from tests.reach.places import Browser

pytestmark = pytest.mark.django_db(transaction=True)

ALWAYS = {"at", "level", "logger", "message", "event", "player", "network"}
OF_A_REQUEST = ALWAYS | {"request_id"}
MORE = {
    "factor_added": {"factor"},
    "factor_removed": {"factor"},
    "factor_reset": {"factor"},
    "moderation": {"act", "actor"},
}
IP, NEIGHBOUR, STRANGER = "203.0.113.7", "203.0.113.99", "198.51.100.7"
NEW_PASSWORD = "closed-sesame-43"
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
Lines = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(JsonFormatter())
    logging.getLogger().addHandler(handler)
    yield written
    logging.getLogger().removeHandler(handler)


@pytest.fixture
def lines(stream: io.StringIO) -> Lines:
    def read() -> list[dict[str, Any]]:
        """Those since the last time."""
        found = [json.loads(line) for line in stream.getvalue().splitlines()]
        stream.seek(0)
        stream.truncate()
        return [line for line in found if line["logger"] == "souk.security"]

    return read


@pytest.fixture
def yasmin() -> Player:
    return new_player("Yasmin")


def browser(ip: str = IP) -> Client:
    return Client(REMOTE_ADDR=ip)


def sign_in(client: Client, name: str = "Yasmin", password: str = PASSWORD) -> None:
    client.post("/accounts/login/", {"login": name, "password": password})


def check(line: dict[str, Any], event: str, player: Player | None) -> None:
    assert line["event"] == event
    assert line["player"] == (player.pk if player else None)
    assert set(line) - {"request_id"} == ALWAYS | MORE.get(event, set())


def test_sign_ins_and_failures(yasmin: Player, lines: Lines) -> None:
    client = browser()
    for typed in ("yasmin", "yasmin@souk.example", "open-sesame-42", "nobody@souk.example"):
        sign_in(client, typed, "wrong")
    failed = lines()
    for line, player in zip(failed, (yasmin, yasmin, None, None), strict=True):
        check(line, "sign_in_failed", player)
        assert set(line) == OF_A_REQUEST
    sign_in(client)
    client.post("/accounts/logout/")
    came, went = lines()
    check(came, "sign_in", yasmin)
    check(went, "sign_out", yasmin)
    assert {line["network"] for line in (*failed, came, went)} == {came["network"]}


def test_who_is_locked_out_or_asks_too_often_has_lines_of_their_own(
    yasmin: Player, lines: Lines
) -> None:
    client = browser()
    for _ in range(site.AXES_FAILURE_LIMIT + 1):
        sign_in(client, password="wrong")
    assert "sign_in_locked" in {line["event"] for line in lines()}
    for number in range(31):
        sign_in(client, f"nobody{number}", "wrong")
    check(lines()[-1], "sign_in_refused", None)


def test_a_suspended_player_is_refused(yasmin: Player, lines: Lines) -> None:
    Player.objects.update(suspended_at=timezone.now())
    sign_in(browser())
    (line,) = lines()
    check(line, "sign_in_refused", yasmin)


def test_networks_are_told_apart_and_cannot_be_read(
    yasmin: Player, lines: Lines, settings: Any
) -> None:
    for ip in (IP, NEIGHBOUR, STRANGER, "2001:db8:0:1::7", "2001:db8:0:1:9::7", "2001:db8:0:2::7"):
        sign_in(browser(ip))
    one, neighbour, stranger, six, beside, other = (line["network"] for line in lines())
    assert (one, six) == (neighbour, beside)
    assert len({one, stranger, six, other}) == 4
    settings.SECRET_KEY = "another"
    assert security_log.network_hash(IP) != one
    assert security_log.network_hash("") is None


def test_passwords_addresses_and_factors(yasmin: Player, lines: Lines) -> None:
    client = browser()
    sign_in(client)
    client.post("/accounts/reauthenticate/", {"password": "wrong"})
    form = {"oldpassword": PASSWORD, "password1": NEW_PASSWORD}
    client.post("/accounts/password/change/", form)
    _, wrong, changed = lines()
    check(wrong, "reauthentication_failed", yasmin)
    check(changed, "password_changed", yasmin)

    client.post("/accounts/reauthenticate/", {"password": NEW_PASSWORD})
    client.post("/accounts/email/", {"email": "new@souk.example", "action_add": ""})
    client.post("/accounts/confirm-email/", {"code": "BBBB-BBBB"})
    client.post("/accounts/confirm-email/", {"code": code()})
    failed, moved = lines()
    check(failed, "code_failed", yasmin)
    check(moved, "address_changed", yasmin)

    page = client.get("/accounts/2fa/totp/activate/")
    secret = page.context["form"].secret
    client.post("/accounts/2fa/totp/activate/", {"code": "000000"})
    assert secret
    TOTP.activate(yasmin, SECRET)
    client.post("/accounts/logout/")
    lines()
    sign_in(client, password=NEW_PASSWORD)
    client.post("/accounts/2fa/authenticate/", {"code": "000000"})
    (wrong_factor,) = lines()
    check(wrong_factor, "factor_failed", yasmin)


def code() -> str:
    found = [CODE.search(str(each.body)) for each in delivered()]
    return [each[0] for each in found if each][-1]


def test_factors_that_come_and_go(yasmin: Player, lines: Lines) -> None:
    from allauth.mfa import signals

    factor = TOTP.activate(yasmin, SECRET).instance
    for signal in (
        signals.authenticator_added,
        signals.authenticator_reset,
        signals.authenticator_removed,
    ):
        signal.send(sender=Authenticator, request=_request(), user=yasmin, authenticator=factor)
    for line, event in zip(
        lines(), ("factor_added", "factor_reset", "factor_removed"), strict=True
    ):
        check(line, event, yasmin)
        assert line["factor"] == "totp"


def test_a_factor_that_its_player_or_an_operator_removes(
    yasmin: Player, lines: Lines, settings: Any
) -> None:
    settings.STAFF_SECOND_FACTOR = False
    chief = signed_in(Player.objects.create_superuser("chief", "chief@souk.example", PASSWORD))
    mine = browser()
    sign_in(mine)
    mine.post("/accounts/reauthenticate/", {"password": PASSWORD})
    admin, many = "/admin/mfa/authenticator/", {"action": "delete_selected"}
    for client, path, form in (
        (mine, "/accounts/2fa/totp/deactivate/", {}),
        (chief, f"{admin}%d/delete/", {}),
        (chief, admin, many),
    ):
        factor = TOTP.activate(yasmin, SECRET).instance
        lines()
        path = path.replace("%d", str(factor.pk))
        client.post(path, {"post": "yes", "_selected_action": factor.pk, **form})
        assert not Authenticator.objects.exists()
        (line,) = lines()
        check(line, "factor_removed", yasmin)


def _request() -> Any:
    from django.contrib.sessions.backends.db import SessionStore
    from django.http import HttpRequest

    request = HttpRequest()
    request.session = SessionStore()
    return request


def test_a_reset_password(yasmin: Player, lines: Lines) -> None:
    client = browser()
    asked = client.post("/accounts/password/reset/", {"email": "yasmin@souk.example"})
    client.post(asked["Location"], {"code": code()})
    client.post("/accounts/password/reset/complete/", {"password1": NEW_PASSWORD})
    reset, came = lines()
    check(reset, "password_reset", yasmin)
    check(came, "sign_in", yasmin)


def test_devices_and_webhooks(yasmin: Player, lines: Lines, settings: Any) -> None:
    settings.OUTBOUND_ALLOWED = ["127.0.0.0/8"]
    client = browser()
    sign_in(client)
    lines()
    phone = {"endpoint": "http://127.0.0.1/one", **Browser().keys}
    for _ in range(2):
        client.post("/settings/devices/", phone)
    client.post(f"/settings/devices/{Device.objects.get().pk}/remove/")
    form = {"url": "http://127.0.0.1/hook", "format": "slack", "game": "", "mentions": ""}
    client.post("/settings/webhooks/", form)
    client.post(f"/settings/webhooks/{Webhook.objects.get().pk}/remove/")
    client.post("/settings/devices/", phone)
    client.post("/settings/sign-out-everywhere/")
    events = ["device_added", "device_removed", "webhook_added", "webhook_removed"]
    events += ["device_added", "device_removed", "sign_out_everywhere", "sign_out"]
    found = lines()
    assert [line["event"] for line in found] == events
    for line in found:
        check(line, line["event"], yasmin)
        assert set(line) == OF_A_REQUEST


def test_sessions_elsewhere_and_the_account_end(yasmin: Player, lines: Lines) -> None:
    client = browser()
    sign_in(client)
    sign_in(browser())
    lines()
    client.post("/accounts/sessions/")
    (elsewhere,) = lines()
    check(elsewhere, "sign_out_elsewhere", yasmin)
    accounts.delete_account(player=yasmin, now=timezone.now())
    (deleted,) = lines()
    check(deleted, "account_deleted", yasmin)


def test_what_moderators_do(yasmin: Player, lines: Lines) -> None:
    moderator = new_moderator()
    people.warn(
        moderator=moderator, player=yasmin, reason="Wrote to amal@souk.example", now=timezone.now()
    )
    (line,) = lines()
    check(line, "moderation", yasmin)
    assert set(line) == ALWAYS | {"act", "actor"}, "outside of a request"
    assert (line["act"], line["actor"], line["network"]) == ("warn", moderator.pk, None)


def test_what_is_rolled_back_is_not_noted(yasmin: Player, lines: Lines) -> None:
    with transaction.atomic():
        security_log.note_on_commit("device_added", player=yasmin.pk)
        transaction.set_rollback(True)
    assert lines() == []


def test_nothing_else_of_anybody_stands_in_any_line(
    yasmin: Player, stream: io.StringIO, settings: Any
) -> None:
    settings.OUTBOUND_ALLOWED = ["127.0.0.0/8"]
    client = browser()
    sign_in(client, "yasmin@souk.example", "wrong")
    sign_in(client)
    phone = {"endpoint": "http://127.0.0.1/sesame", **Browser().keys}
    client.post("/settings/devices/", phone)
    session = client.session.session_key
    form = {"oldpassword": PASSWORD, "password1": NEW_PASSWORD}
    client.post("/accounts/password/change/", form)
    client.post("/settings/sign-out-everywhere/")
    text = stream.getvalue()
    assert session
    for secret in (IP, "203.0.113", "Yasmin", "sesame", "wrong", "souk.example", "****"):
        assert secret.lower() not in text.lower(), secret
    for secret in (session, *phone.values()):
        assert secret not in text


def test_it_is_written_whatever_the_level_of_the_log() -> None:
    lines = log_lines("ERROR", plain=False)
    assert lines["loggers"]["souk.security"]["level"] == "INFO"
    assert not lines["loggers"]["souk.security"].get("filters")
