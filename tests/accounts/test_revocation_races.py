"""Devices that are added while the player signs out everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone

from games.models import Device, Player
from games.services import sessions
from games.services.accounts import sign_out_everywhere
from games.services.reach import devices
from tests.hands import at_once
from tests.people import new_player, signed_in
from tests.reach.places import Browser

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]
HANDS = 6


@pytest.fixture(autouse=True)
def _at_home(settings: Any) -> None:
    settings.OUTBOUND_ALLOWED = ["127.0.0.0/8"]


def session_of(player: Player) -> SessionStore:
    client = signed_in(player)
    session = client.session
    assert isinstance(session, SessionStore)
    UserSession.objects.create(
        user=player, session_key=session.session_key, ip="127.0.0.1", user_agent=""
    )
    return session


def adding(player: Player, number: int) -> Callable[[], object]:
    session = session_of(player)
    own = Player.objects.get(pk=player.pk)
    return lambda: devices.add(
        player=own,
        endpoint=f"http://127.0.0.1/{number}",
        name="Phone",
        now=timezone.now(),
        session=session,
        **Browser().keys,
    )


def signing_out(player: Player) -> Callable[[], object]:
    own = Player.objects.get(pk=player.pk)
    return lambda: sign_out_everywhere(player=own, now=timezone.now())


def test_no_device_outlives_a_sign_out_that_meets_it() -> None:
    yasmin = new_player("Yasmin")
    hands = [adding(yasmin, number) for number in range(HANDS)]
    at_once([*hands[: HANDS // 2], signing_out(yasmin), *hands[HANDS // 2 :]])
    assert not Device.objects.exists()
    yasmin.refresh_from_db()
    assert not yasmin.has_device


@pytest.mark.parametrize("looks_again", [True, False])
def test_it_is_the_second_look_at_the_session_that_keeps_it_out(
    monkeypatch: pytest.MonkeyPatch, looks_again: bool
) -> None:
    yasmin = new_player("Yasmin")
    add = adding(yasmin, 0)
    if not looks_again:
        monkeypatch.setattr(sessions, "must_be_signed_in", lambda *_: None)
    check, end = devices._check, signing_out(yasmin)

    def checked(*given: str) -> None:
        check(*given)
        end()

    monkeypatch.setattr(devices, "_check", checked)
    at_once([add])
    assert Device.objects.exists() != looks_again
