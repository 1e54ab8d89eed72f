"""Names of metrics, of `/healthz` and of the security log: dashboards and alerts go by them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from games.models import Errand, Game, Heartbeat, Notice, Player, Webhook
from tests.people import NOON

ROOT = Path(__file__).parents[2]

# Each series, and its labels.
METRICS: dict[str, set[str]] = {
    "souk_requests_total": {"method", "route", "status"},
    "souk_request_seconds_bucket": {"route", "le"},
    "souk_request_seconds_count": {"route"},
    "souk_request_seconds_sum": {"route"},
    "souk_deadlines_late": set(),
    "souk_deadlines_late_oldest_seconds": set(),
    "souk_notices_due": set(),
    "souk_notices_due_oldest_seconds": set(),
    "souk_errands_due": set(),
    "souk_errands_due_oldest_seconds": set(),
    "souk_bots_due": set(),
    "souk_bots_due_oldest_seconds": set(),
    "souk_hints_due": set(),
    "souk_hints_due_oldest_seconds": set(),
    "souk_reckonings_due": set(),
    "souk_reckonings_due_oldest_seconds": set(),
    "souk_mails": {"kind", "verdict"},
    "souk_errands": {"channel", "verdict"},
    "souk_games": {"status"},
    "souk_players": {"kind"},
    "souk_heartbeat_age_seconds": {"process"},
}
# What the labels say.
LABELS = {
    ("souk_games", "status"): {"open", "running", "over"},
    ("souk_players", "kind"): {"account", "bot", "guest"},
    ("souk_errands", "channel"): {"push", "webhook"},
    ("souk_errands", "verdict"): {"queued"},
    ("souk_mails", "kind"): {"turn"},
    ("souk_mails", "verdict"): {"sent"},
    ("souk_heartbeat_age_seconds", "process"): {"sweeps", "mail", "bots", "live"},
}
BUCKETS = ["0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1.0", "2.5", "10.0", "+Inf"]
DOCUMENTED = {
    *("souk_requests_total", "souk_request_seconds", "souk_deadlines_late", "souk_notices_due"),
    *("souk_errands_due", "souk_bots_due", "souk_hints_due", "souk_reckonings_due"),
    *("souk_mails", "souk_errands", "souk_games", "souk_players", "souk_heartbeat_age_seconds"),
}

SECURITY = {
    *("sign_in", "sign_out", "sign_in_failed", "sign_in_locked", "sign_in_refused"),
    *("reauthentication_failed", "code_failed", "factor_failed"),
    *("sign_out_everywhere", "sign_out_elsewhere"),
    *("password_changed", "password_reset", "address_changed", "account_deleted"),
    *("factor_added", "factor_removed", "factor_reset"),
    *("device_added", "device_removed", "webhook_added", "webhook_removed", "moderation"),
}

HEALTH = {
    *("database", "broker", "mail_server"),
    *("beat", "beat_age_seconds", "sweeps", "sweeps_age_seconds"),
    *("mail", "mail_age_seconds", "bots", "bots_age_seconds", "live", "live_age_seconds"),
    *("notices", "oldest_due_notices_seconds", "errands", "oldest_due_errands_seconds"),
    *("deadlines", "oldest_due_deadlines_seconds", "bot_turns", "oldest_due_bot_turns_seconds"),
    *("clock", "clock_skew_seconds"),
}


@pytest.fixture
def lived_in(game: Game, two: list[Player]) -> None:
    """Something of everything that is counted by kind."""
    Notice.objects.all().delete()
    Notice.objects.create(player=two[0], game=game, kind="turn", state="sent", created_at=NOON)
    hook = Webhook.objects.create(owner=two[0], url="https://h.example", made_at=NOON)
    Errand.objects.create(webhook=hook, kind="test", created_at=NOON)
    for name in ("sweeps", "mail", "bots", "live"):
        Heartbeat.objects.create(name=name, at=NOON)


def scraped(client: Client) -> list[tuple[str, dict[str, str]]]:
    answer = client.get("/metrics", headers={"authorization": "Bearer sesame"})
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/plain; version=")
    families = text_string_to_metric_families(answer.content.decode())
    return [(each.name, each.labels) for family in families for each in family.samples]


@pytest.mark.django_db
def test_metrics_and_their_labels(lived_in: None, client: Client, settings) -> None:
    settings.METRICS_TOKEN = "sesame"
    client.get("/robots.txt")
    samples = [each for each in scraped(client) if not each[0].endswith("_created")]
    assert {name: set(labels) for name, labels in samples} == METRICS
    for (name, label), expected in LABELS.items():
        assert {labels[label] for found, labels in samples if found == name} == expected
    buckets = [
        labels["le"]
        for name, labels in samples
        if name == "souk_request_seconds_bucket" and labels["route"] == "robots.txt"
    ]
    assert buckets == BUCKETS
    assert (
        "souk_requests_total",
        {"method": "GET", "route": "robots.txt", "status": "200"},
    ) in samples


@pytest.mark.django_db
def test_metrics_are_for_whoever_knows_the_token(client: Client, settings) -> None:
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics", headers={"authorization": "Bearer "}).status_code == 404
    settings.METRICS_TOKEN = "sesame"
    assert client.get("/metrics", headers={"authorization": "Bearer open"}).status_code == 404
    assert client.get("/metrics", headers={"authorization": "Token sesame"}).status_code == 404


def test_the_documented_metrics_are_these() -> None:
    text = (ROOT / "docs" / "operate.md").read_text()
    table = re.search(r"^\| series \|.*?\n\n", text, re.MULTILINE | re.DOTALL)
    assert table
    assert set(re.findall(r"`(souk_\w+)`", table[0])) == DOCUMENTED
    bare = {re.sub(r"_(bucket|count|sum|oldest_seconds)$", "", name) for name in METRICS}
    assert bare == DOCUMENTED


def test_the_documented_events_of_the_security_log_are_these() -> None:
    text = (ROOT / "docs" / "operate.md").read_text()
    table = re.search(r"^\| events \| when \|.*?\n\n", text, re.MULTILINE | re.DOTALL)
    assert table
    rows = re.findall(r"^\| (`[^|]*) \|", table[0], re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", " ".join(rows))) == SECURITY
    said = {
        name
        for folder in ("games", "marrakech_site")
        for path in (ROOT / folder).rglob("*.py")
        for name in re.findall(r"(?:note(?:_on_commit)?\(|event = )\"(\w+)\"", path.read_text())
    }
    assert said == SECURITY


@pytest.mark.django_db(transaction=True)
def test_what_healthz_says(client: Client) -> None:
    Heartbeat.objects.create(name="live", at=NOON)
    report = client.get("/healthz").json()
    assert set(report) == HEALTH
    assert report["database"] == "ok"
    assert report["mail_server"] == "ok"
    assert report["sweeps"] in ("stale", "starting")
    assert report["notices"] == "ok"
    words = {value for value in report.values() if isinstance(value, str)}
    assert words <= {"ok", "starting", "stale", "late", "unreachable", "skewed", "refuses"}


@pytest.mark.django_db
def test_the_health_check_of_containers_reads_what_healthz_says(client: Client) -> None:
    script = (ROOT / "deploy" / "healthy").read_text()
    assert 'report.get("database") == "ok"' in script
    assert "/healthz" in script
    assert json.loads(client.get("/healthz").content)["database"] == "ok"
