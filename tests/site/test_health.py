"""What operators see."""

import time
from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone
from kombu import Connection

from games.services import health
from marrakech_site.celery import app
from tests.servers import free_port

pytestmark = pytest.mark.django_db


@pytest.fixture
def long_running(monkeypatch):
    monkeypatch.setattr(health, "PROCESS_STARTED", health.PROCESS_STARTED - 3600)


def test_all_is_well_after_a_heartbeat(client, long_running):
    health.record_heartbeat(now=timezone.now() - timedelta(seconds=10))
    answer = client.get("/healthz")
    assert answer.status_code == 200
    assert answer.json()["beat"] == "ok"
    assert 10 <= answer.json()["beat_age_seconds"] < 30


def test_a_silent_beat_is_reported(client, long_running):
    too_long = timedelta(seconds=settings.HEARTBEAT_STALE_AFTER + 5)
    health.record_heartbeat(now=timezone.now() - too_long)
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
