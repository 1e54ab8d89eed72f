"""What operators see."""

from __future__ import annotations

import time
from datetime import timedelta
from threading import Event

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from kombu import Connection

from games import workers
from games.models import Game, Notice
from games.selectors import overdue
from games.services import health
from marrakech_site.celery import app
from tests.people import new_players, started_game
from tools.local_servers import free_port

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

TOO_LONG = timedelta(seconds=settings.HEARTBEAT_STALE_AFTER + 5)


@pytest.fixture
def _long_running(monkeypatch):
    monkeypatch.setattr(health, "PROCESS_STARTED", health.PROCESS_STARTED - 3600)


@pytest.fixture
def _all_alive():
    for role in workers.ROLES:
        health.record_heartbeat(role=role, now=timezone.now() - timedelta(seconds=10))


@pytest.mark.usefixtures("_long_running", "_all_alive")
def test_all_is_well_after_a_heartbeat(client):
    answer = client.get("/healthz")
    assert answer.status_code == 200
    for name in ("beat", "sweeps", "mail", "bots"):
        assert answer.json()[name] == "ok"
        assert answer.json()[f"{name}_age_seconds"] >= 10
    assert answer.json()["oldest_due_notices_seconds"] == 0
    assert answer.json()["oldest_due_deadlines_seconds"] == 0


@pytest.mark.usefixtures("_long_running", "_all_alive")
@pytest.mark.parametrize("silent", workers.ROLES)
def test_a_silent_worker_is_told_by_its_role(client, silent):
    health.record_heartbeat(role=silent, now=timezone.now() - TOO_LONG)
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert {role: answer.json()[role] for role in workers.ROLES} == {
        role: "stale" if role == silent else "ok" for role in workers.ROLES
    }
    assert answer.json()["beat"] == "ok", "somebody hears it"


@pytest.mark.usefixtures("_long_running")
def test_a_silent_beat_is_reported(client):
    for role in workers.ROLES:
        health.record_heartbeat(role=role, now=timezone.now() - TOO_LONG)
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["beat"] == "stale"


def test_a_young_process_waits_for_its_first_beat(client, monkeypatch):
    monkeypatch.setattr(health, "PROCESS_STARTED", time.monotonic())
    answer = client.get("/healthz")
    assert answer.status_code == 200
    assert answer.json()["beat"] == "starting"


def test_an_unreachable_broker_is_reported(client, monkeypatch):
    nobody = Connection(f"redis://127.0.0.1:{free_port()}/0")
    monkeypatch.setattr(app, "connection_for_write", lambda **_: nobody)
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["broker"] == "unreachable"


def test_a_database_that_hangs_is_reported_in_time(client, monkeypatch):
    never = Event()
    monkeypatch.setattr(health, "WITHIN", 0.3)
    monkeypatch.setattr(overdue, "look", lambda: never.wait(60))
    answer = client.get("/healthz")
    never.set()
    assert answer.status_code == 503
    assert answer.json()["database"] == "unreachable"


@pytest.mark.usefixtures("_all_alive")
def test_work_that_nobody_does_is_reported_with_its_age(client):
    game = started_game(new_players(2), now=timezone.now() - timedelta(hours=1))
    ago = timezone.now() - timedelta(hours=1)
    Game.objects.filter(pk=game.pk).update(deadline=ago, bot_due_at=ago)
    Notice.objects.update(due_at=ago, push_at=ago)
    answer = client.get("/healthz")
    assert answer.status_code == 503
    for name in ("notices", "errands", "deadlines", "bot_turns"):
        assert answer.json()[name] == "late"
        assert 3600 <= answer.json()[f"oldest_due_{name}_seconds"] < 4000


@pytest.mark.usefixtures("_all_alive")
@pytest.mark.parametrize("minutes", [-1, 1])
def test_a_host_whose_clock_is_wrong_is_reported(client, monkeypatch, minutes):
    real = timezone.now
    monkeypatch.setattr(overdue, "database_now", lambda: real() + timedelta(minutes=minutes))
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["clock"] == "skewed"


@pytest.mark.usefixtures("_all_alive")
def test_a_monitor_that_knows_only_the_address_gets_its_answer(settings):
    settings.ALLOWED_HOSTS = ["souk.example"]
    settings.SECURE_SSL_REDIRECT = True
    client = Client(HTTP_HOST="10.1.2.3")
    assert client.get("/healthz").status_code == 200
    assert client.get("/").status_code in (301, 400), "and for nothing else"
