"""What a real Prometheus client reads from /metrics is what stands in the database."""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.error
import urllib.request
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from games.models import Device, Errand, Game, Notice, Player, Reckoning, Webhook
from games.services import health, lobby
from tests import environment
from tests.people import new_players, open_game, play_on, started_game
from tools.local_servers import free_port, wait_for_port
from tools.patience import PATIENCE

TOKEN = "let-me-count"


def samples(text: str) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


class Figures:
    def __init__(self, client: Client) -> None:
        answer = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
        assert answer.status_code == 200
        self.values = samples(answer.content.decode())

    def __call__(self, name: str, **labels: str) -> float:
        return self.values.get((f"souk_{name}", frozenset(labels.items())), 0)


@pytest.mark.django_db
@pytest.mark.parametrize("token", ["", TOKEN])
@pytest.mark.parametrize("given", ["", "Bearer ", f"Basic {TOKEN}", "Bearer wrong", "Bearer ü"])
def test_there_is_no_such_page_without_the_token(client, settings, token, given) -> None:
    settings.METRICS_TOKEN = token
    headers = {"Authorization": given} if given else {}
    assert client.get("/metrics", headers=headers).status_code == 404


@pytest.mark.both_databases
@pytest.mark.django_db
def test_figures_are_those_of_the_database(client, settings) -> None:
    settings.METRICS_TOKEN = TOKEN
    now = timezone.now()
    yasmin, omar = new_players(2)
    late = started_game([yasmin, omar], now=now - timedelta(days=4))
    play_on(started_game([yasmin, omar], now=now), 3, now=now)
    open_game(yasmin, now=now)
    lobby.play_against_bots(
        player=omar, ruleset="marrakech", opponents=3, level="merchant", now=now
    )
    Notice.objects.filter(game=late).update(state=Notice.State.SENT)
    health.record_heartbeat(role="sweeps", now=now - timedelta(seconds=40))

    figures = Figures(client)

    assert figures("games", status="running") == Game.objects.filter(status="running").count() == 3
    assert figures("games", status="open") == 1
    assert figures("deadlines_late") == 1
    assert late.deadline
    known, age = now - late.deadline, figures("deadlines_late_oldest_seconds")
    assert known.total_seconds() <= age <= (timezone.now() - late.deadline).total_seconds()
    due = Game.objects.filter(bot_due_at__lte=now).count()
    assert figures("bots_due") == due
    for kind, state in Notice.objects.values_list("kind", "state"):
        kept = Notice.objects.filter(kind=kind, state=state).count()
        assert figures("mails", kind=kind, verdict=state) == kept
    unsent = Notice.objects.filter(state="queued")
    assert figures("notices_due") == unsent.filter(due_at__lte=timezone.now()).count()
    assert figures("players", kind="bot") == Player.objects.exclude(bot_level="").count() == 3
    assert figures("players", kind="account") == 2
    assert figures("heartbeat_age_seconds", process="sweeps") >= 40


@pytest.mark.django_db
def test_what_is_due_is_counted_from_when_it_is(client, settings) -> None:
    settings.METRICS_TOKEN = TOKEN
    assert Figures(client)("notices_due") == 0
    started_game(new_players(2), now=timezone.now() - timedelta(hours=1))
    figures = Figures(client)
    assert figures("notices_due") == Notice.objects.filter(due_at__lte=timezone.now()).count() > 0
    assert figures("notices_due_oldest_seconds") > 3000


@pytest.mark.django_db
def test_devices_webhooks_and_judges_are_counted_too(client, settings) -> None:
    settings.METRICS_TOKEN = TOKEN
    now, (yasmin, omar) = timezone.now(), new_players(2)
    game = started_game([yasmin, omar], now=now)
    Notice.objects.filter(kind="turn").update(push_at=now - timedelta(minutes=30))
    figures = Figures(client)
    assert figures("errands_due") == 1, "not made into errands yet, and due all the same"
    assert 1800 <= figures("errands_due_oldest_seconds") < 1900
    phone = Device.objects.create(player=yasmin, endpoint="https://push.example/x", made_at=now)
    hook = Webhook.objects.create(owner=omar, url="https://hook.example/x", made_at=now)
    at = {"created_at": now, "due_at": now - timedelta(hours=1), "kind": "turn"}
    places: list[dict[str, Any]] = [{"device": phone}, {"webhook": hook}]
    for where in places:
        for number, state in enumerate(("queued", "sending", "sent", "failed")):
            Errand.objects.create(**where, **at, game=game, move_number=number, state=state)
    Reckoning.objects.create(digest="ab", seed=1, asked_at=now, due_at=now - timedelta(hours=2))
    figures = Figures(client)
    assert figures("errands_due") == 1 + 4
    assert 3600 <= figures("errands_due_oldest_seconds") < 3700
    for channel, elsewhere in (("push", "webhook"), ("webhook", "device")):
        for state in ("queued", "sending", "sent", "failed", "withdrawn"):
            kept = Errand.objects.filter(state=state, **{elsewhere: None}).count()
            assert figures("errands", channel=channel, verdict=state) == kept
    assert figures("reckonings_due") == 1
    assert 7200 <= figures("reckonings_due_oldest_seconds") < 7300


def test_all_processes_of_a_server_count_together(migrated_folder: Path) -> None:
    port = free_port()
    own = {
        "SOUK_DATA": str(migrated_folder),
        "PORT": str(port),
        "METRICS_TOKEN": TOKEN,
        "WEB_CONCURRENCY": "3",
        "LOG_LEVEL": "ERROR",
    }
    variables = {**os.environ, **own}
    server = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", "--config", "python:marrakech_site.gunicorn"],
        cwd=environment.ROOT,
        env=variables,
    )
    try:
        wait_for_port(port)
        address = f"http://127.0.0.1:{port}"
        for _ in range(30):
            urllib.request.urlopen(f"{address}/robots.txt").close()
        for _ in range(5):
            with pytest.raises(urllib.error.HTTPError):
                urllib.request.urlopen(f"{address}/nowhere/")
        asked = urllib.request.Request(
            f"{address}/metrics", headers={"Authorization": f"Bearer {TOKEN}"}
        )
        with urllib.request.urlopen(asked) as answer:
            values = samples(answer.read().decode())
    finally:
        server.terminate()
        server.wait(PATIENCE)
    counted = {
        dict(labels)["route"]: value
        for (name, labels), value in values.items()
        if name == "souk_requests_total"
    }
    assert counted["robots.txt"] == 30
    assert counted["(none)"] == 5
    assert not list((migrated_folder / "metrics").iterdir()), "it cleans up behind itself"
