"""Each thing that can be wrong is made wrong, and the doctor names it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
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

from games import workers
from games.models import Game, Notice
from games.services import checkup, health
from games.services.checkup import host, stores
from games.services.checkup.findings import Finding
from marrakech_site.celery import app
from tests import environment
from tests.notices.post_office import PostOffice
from tests.operate.nameserver import nameserver
from tests.operate.site_of import command
from tests.people import new_players, started_game
from tests.servers import free_port

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
    variables = {"SOUK_DATA": str(tmp_path), "DATABASE_URL": gone, "LOG_LEVEL": "CRITICAL"}
    answer = subprocess.run(
        [sys.executable, "manage.py", "doctor", "--json"],
        cwd=environment.ROOT,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 1
    assert "Traceback" not in answer.stderr
    faults = {
        finding["about"]: finding["text"]
        for finding in map(json.loads, answer.stdout.splitlines())
        if finding["verdict"] == "fault"
    }
    assert "does not answer" in faults["database"]
    assert "Not collected" in faults["static files"]


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
    assert "120 seconds ahead of" in told[0].text


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
def test_a_beat_that_fell_silent() -> None:
    health.record_heartbeat(role="mail", now=timezone.now() - timedelta(minutes=10))
    assert "work: The last heartbeat of mail is 10 minutes old" in complaints()


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


def test_the_command_is_content_with_a_new_site(data_folder: Path) -> None:
    beat = (
        "from django.core.management import call_command\n"
        "from django.utils import timezone\n"
        "from games.services import health\n"
        "call_command('migrate', verbosity=0)\n"
        "call_command('collectstatic', interactive=False, verbosity=0)\n"
        "from games.workers import ROLES\n"
        "[health.record_heartbeat(role=role, now=timezone.now()) for role in ROLES]\n"
    )
    command("shell", "--no-imports", data=data_folder, text=beat)
    said = command("doctor", data=data_folder)
    assert "FAULT" not in said
    assert "ok      database: SQLite" in said
