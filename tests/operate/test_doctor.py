"""Each thing that can be wrong is made wrong, and the doctor names it."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.cache import cache
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from kombu import Connection
from redis import Redis

from games import workers
from games.models import Game, Heartbeat, Notice
from games.services import checkup, health
from games.services.checkup import host, mail, stores
from games.services.checkup.findings import Finding
from marrakech_site.celery import app
from tests.notices.post_office import PostOffice
from tests.operate.nameserver import nameserver
from tests.operate.site_of import command, manage
from tests.people import new_players, started_game
from tools.local_servers import free_port

NAMES = {
    "souk.example": "v=spf1 mx -all",
    "mail._domainkey.souk.example": "v=DKIM1; k=rsa; p=MIIB",
    "_dmarc.souk.example": "v=DMARC1; p=quarantine",
}


def found(**options: str) -> list[Finding]:
    return list(checkup.examine(now=timezone.now(), **options))


def complaints(**options: str) -> str:
    return "\n".join(f"{each.about}: {each.text}" for each in found(**options) if each.is_fault)


@pytest.fixture(autouse=True)
def _healthy(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is wrong but what the test makes so."""
    # Tests do not collect static files; that they are looked at has a test of its own.
    monkeypatch.setattr(host, "_static_files", lambda: Finding("static files", "ok", ""))
    if request.node.get_closest_marker("django_db"):
        request.getfixturevalue("db")
        for role in workers.ROLES:
            health.record_heartbeat(role=role, now=timezone.now())


@pytest.fixture
def post_office(settings) -> Iterator[PostOffice]:
    with PostOffice() as office:
        settings.EMAIL_URL = f"smtp://127.0.0.1:{office.port}"
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", office.port
        settings.DEFAULT_FROM_EMAIL = "Souk <souk@souk.example>"
        yield office


@pytest.mark.django_db
@pytest.mark.both_databases
def test_a_healthy_site_has_no_fault() -> None:
    assert not complaints()
    assert {"database", "broker", "cache", "disk", "versions", "migrations", "mail"} <= {
        each.about for each in found()
    }


def test_a_database_that_does_not_answer(tmp_path: Path) -> None:
    gone = f"postgres://souk@127.0.0.1:{free_port()}/souk"
    answer = manage("doctor", "--json", data=tmp_path, DATABASE_URL=gone, LOG_LEVEL="CRITICAL")
    assert answer.returncode == 1
    assert "Traceback" not in answer.stderr
    faults = {
        finding["about"]: finding["text"]
        for finding in map(json.loads, answer.stdout.splitlines())
        if finding["verdict"] == "fault"
    }
    assert "does not answer" in faults["database"]
    assert "Not collected" in faults["static files"]


def test_what_breaks_while_it_is_looked_at_is_a_fault_like_any_other(tmp_path: Path) -> None:
    (tmp_path / "souk.sqlite3").write_bytes(b"This is no database. " * 1000)
    (tmp_path / "cache").write_text("This is no folder.")
    answer = manage("doctor", data=tmp_path, LOG_LEVEL="CRITICAL")
    assert answer.returncode == 1
    assert "Traceback" not in answer.stderr
    assert "file is not a database" in answer.stdout
    assert "FAULT   cache" in answer.stdout


@pytest.mark.django_db
def test_a_migration_that_was_not_applied() -> None:
    ((_, newest),) = MigrationLoader(connection).graph.leaf_nodes("games")
    MigrationRecorder(connection).record_unapplied("games", newest)
    assert f"migrations: Not applied: games.{newest}" in complaints()


@pytest.mark.django_db
def test_a_broker_that_does_not_answer(monkeypatch) -> None:
    nobody = Connection(f"redis://127.0.0.1:{free_port()}/0")
    monkeypatch.setattr(app, "connection_for_write", lambda **_: nobody)
    assert "broker: " in complaints()


@pytest.mark.django_db
def test_a_cache_that_does_not_answer(settings) -> None:
    settings.CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": f"redis://127.0.0.1:{free_port()}/0",
        }
    }
    said = complaints()
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    cache.clear()
    assert "cache: It does not work" in said


@pytest.mark.django_db
def test_a_cache_that_forgets(settings) -> None:
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}
    assert "cache: It forgets" in complaints()


@pytest.mark.django_db
def test_a_real_redis_with_its_clock(settings, redis_url: str) -> None:
    settings.REDIS_URL = redis_url
    assert not complaints()
    late = timezone.now() - timedelta(minutes=2)
    told = [each for each in stores.examine_broker(late) if each.is_fault]
    assert re.search(r"1[2-9]\d seconds ahead of", told[0].text), "and whatever passed meanwhile"


@pytest.mark.django_db
def test_a_redis_that_takes_nothing_though_something_stands_in(settings, redis_url: str) -> None:
    settings.REDIS_URL = redis_url
    with Redis.from_url(redis_url) as server:
        server.config_set("min-replicas-to-write", 1)
        try:
            said = complaints()
        finally:
            server.config_set("min-replicas-to-write", 0)
    assert "cache: Redis keeps nothing" in said
    assert "NOREPLICAS" in said or "Not enough good replicas" in said


@pytest.mark.both_databases
@pytest.mark.django_db
def test_a_clock_that_is_wrong() -> None:
    ahead = timezone.now() + timedelta(minutes=3)
    told = [each.text for each in stores.examine_database(ahead) if each.is_fault]
    if connection.vendor == "postgresql":
        assert "seconds behind the one here" in told[0]
    else:
        assert not told, "a file has no clock"


@pytest.mark.django_db
def test_a_disk_that_is_full(settings) -> None:
    settings.DISK_LEAST_FREE = 2**60
    assert "disk: Only " in complaints()


@pytest.mark.django_db
def test_a_secret_key_that_others_can_read(settings, tmp_path: Path) -> None:
    settings.DATA = tmp_path
    (tmp_path / "secret-key").write_text("sesame")
    (tmp_path / "secret-key").chmod(0o644)
    assert "secret key: Others can read" in complaints()


def test_packages_other_than_those_that_were_tested(tmp_path: Path) -> None:
    lock = tmp_path / "requirements.txt"
    lines = ["django==5.2.1 \\", "    --hash=sha256:aa", "no-such-carpet==1.0"]
    lock.write_text("\n".join([*lines, 'nope==1 ; python_version < "3"']))
    said = host._packages(lock)
    assert said.is_fault
    assert "django 5.2" in said.text
    assert "no-such-carpet missing" in said.text
    assert "nope" not in said.text


@pytest.mark.django_db
def test_translations_that_were_not_compiled(settings, tmp_path: Path) -> None:
    settings.LOCALE_PATHS = [tmp_path]
    (tmp_path / "pl" / "LC_MESSAGES").mkdir(parents=True)
    (tmp_path / "pl" / "LC_MESSAGES" / "django.po").touch()
    assert "translations: Not compiled: pl" in complaints()


@pytest.mark.django_db
def test_settings_that_make_no_sense(settings) -> None:
    settings.PUBLIC, settings.ALLOWED_HOSTS = True, ["*"]
    assert "settings: ALLOWED_HOSTS has a *" in complaints()


@pytest.mark.django_db
def test_a_worker_that_fell_silent_and_a_beat_that_did() -> None:
    long_ago = timezone.now() - timedelta(minutes=10)
    health.record_heartbeat(role="mail", now=long_ago)
    said = complaints()
    assert "work: The last heartbeat of mail is 10 minutes old" in said
    assert "beat" not in said.replace("heartbeat", "")
    for role in workers.ROLES:
        health.record_heartbeat(role=role, now=long_ago)
    assert "work: No worker has heard of beat" in complaints()


@pytest.mark.django_db
def test_what_waits_is_told_though_a_clock_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Finding("clocks", "fault", "")
    monkeypatch.setattr(stores, "examine_database", lambda now: iter([wrong]))
    Heartbeat.objects.all().delete()
    assert "work: Nobody has ever worked for mail" in complaints()


def test_names_that_nobody_answers_for_hold_up_nothing(settings, monkeypatch) -> None:
    settings.EMAIL_URL, settings.DEFAULT_FROM_EMAIL = "smtp://x", "Souk <souk@souk.example>"
    monkeypatch.setattr(mail, "PATIENCE", 0.2)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
        silent.bind(("127.0.0.1", 0))
        (said,) = mail.examine_names(f"127.0.0.1:{silent.getsockname()[1]}")
    assert said.verdict == "advice"
    assert "Nobody answered about souk.example within" in said.text


@pytest.mark.django_db
def test_work_that_nobody_does() -> None:
    yesterday = timezone.now() - timedelta(days=1)
    game = started_game(new_players(2), now=yesterday)
    assert "work: Mail is not sent" in complaints()
    Notice.objects.update(state=Notice.State.SENT)
    Game.objects.filter(pk=game.pk).update(deadline=yesterday, bot_due_at=yesterday)
    said = complaints()
    assert "work: No seat is taken" in said
    assert "work: Bots do not play" in said


@pytest.mark.django_db
def test_devices_that_nobody_tells() -> None:
    started_game(new_players(2), now=timezone.now())
    Notice.objects.update(push_at=timezone.now() - timedelta(hours=1))
    assert "work: Devices and webhooks are not told" in complaints()


@pytest.mark.django_db
def test_a_live_process_that_fell_silent(settings) -> None:
    settings.LIVE_PORT = 8001
    advised = [each.text for each in found() if each.verdict == "advice"]
    assert any("never was a live process" in text for text in advised)
    health.record_heartbeat(role=workers.LIVE, now=timezone.now())
    assert not complaints()
    health.record_heartbeat(role=workers.LIVE, now=timezone.now() - timedelta(minutes=5))
    assert "work: The last heartbeat of live is 5 minutes old" in complaints()


@pytest.mark.django_db
def test_a_mail_server_that_does_not_answer(settings) -> None:
    settings.EMAIL_URL = "smtp://127.0.0.1:1"
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", free_port()
    assert "mail: The mail server does not take mail" in complaints()


@pytest.mark.django_db
def test_a_real_message_is_sent_or_refused(post_office: PostOffice) -> None:
    with nameserver(NAMES) as dns:
        assert not complaints(mail_to="operator@souk.example", nameserver=dns)
        assert len(post_office.accepted) == 1
        said = complaints(mail_to="nobody@souk.example", nameserver=dns)
    assert "550 5.1.1 no such mailbox" in said


@pytest.mark.django_db
def test_names_that_make_mail_believable_are_advised(post_office: PostOffice) -> None:
    with nameserver(NAMES) as dns:
        said = {each.about: each.verdict for each in found(nameserver=dns)}
    assert [said[name] for name in ("SPF", "DKIM", "DMARC")] == ["ok"] * 3
    with nameserver({"souk.example": "v=spf1 +all"}) as dns:
        advised = {each.about: each for each in found(nameserver=dns)}
    assert [advised[name].verdict for name in ("SPF", "DKIM", "DMARC")] == ["advice"] * 3
    assert "everybody" in advised["SPF"].text
    assert "_dmarc.souk.example" in advised["DMARC"].text


def test_the_command_is_content_with_a_new_site(migrated_folder: Path) -> None:
    beat = (
        "from django.core.management import call_command\n"
        "from django.utils import timezone\n"
        "from games.services import health\n"
        "call_command('collectstatic', interactive=False, verbosity=0)\n"
        "from games.workers import ROLES\n"
        "[health.record_heartbeat(role=role, now=timezone.now()) for role in ROLES]\n"
    )
    command("shell", "--no-imports", data=migrated_folder, text=beat)
    said = command("doctor", data=migrated_folder)
    assert "FAULT" not in said
    assert "ok      database: SQLite" in said
