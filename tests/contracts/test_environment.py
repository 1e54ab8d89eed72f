"""The environment variables of operators: their names, what each sets, and their defaults."""

from __future__ import annotations

import ast
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as running

from tests.contracts.site_settings import Environment, settings_of, settings_with

ROOT = Path(__file__).parents[2]

# Variable: the default as one would write it (None: it is no text), something else, and the
# settings that follow from that. # may be renamed: the names of settings, not those of variables.
VARIABLES: dict[str, tuple[str | None, str, dict[str, Any]]] = {
    "ADMINS": (
        "",
        "a@b.example,c@b.example",
        {"ADMINS": [("a@b.example",) * 2, ("c@b.example",) * 2]},
    ),
    "ALLOWED_HOSTS": (None, "a.example,b.example", {"ALLOWED_HOSTS": ["a.example", "b.example"]}),
    "ATTEMPTS_KEPT_DAYS": ("30", "2", {"ATTEMPTS_KEPT": timedelta(days=2)}),
    "BODY_TIMEOUT": ("20", "2", {"BODY_TIMEOUT": 2}),
    "BOUNCE_ADDRESS": ("", "back@b.example", {"BOUNCE_ADDRESS": "back@b.example"}),
    "BOUNCE_MAILBOX": ("", "imaps://u:p@h:993/I", {"BOUNCE_MAILBOX": "imaps://u:p@h:993/I"}),
    "CONN_MAX_AGE": ("60", "2", {"DATABASES.default.CONN_MAX_AGE": 2}),
    "CONTACT_FILE": ("", "/c.txt", {"HOUSE_TEXTS.contact": "/c.txt"}),
    "DATABASE_URL": (None, "postgres://u:p@h:5/n", {"DATABASES.default.HOST": "h"}),
    "DEBUG": ("off", "on", {"DEBUG": True}),
    "DEFAULT_FROM_EMAIL": (
        "Souk <souk@souk.example>",
        "Club <a@b.example>",
        dict.fromkeys(("DEFAULT_FROM_EMAIL", "SERVER_EMAIL", "REPLY_TO"), "Club <a@b.example>"),
    ),
    "DISK_LEAST_FREE_MB": ("1024", "2", {"DISK_LEAST_FREE": 2 * 2**20}),
    "DKIM_SELECTOR": ("", "key1", {"DKIM_SELECTOR": "key1"}),
    "EMAIL_TIMEOUT": ("20", "2", {"EMAIL_TIMEOUT": 2}),
    "EMAIL_URL": (
        *(None, "smtp+tls://u:p@h:587"),
        {"EMAIL_HOST": "h", "EMAIL_PORT": 587, "EMAIL_USE_TLS": True, "EMAIL_HOST_USER": "u"},
    ),
    "EXHIBITIONS": ("0", "2", {"EXHIBITIONS": 2}),
    "EXHIBITION_EVERY_HOURS": ("6", "0.5", {"EXHIBITION_EVERY": timedelta(minutes=30)}),
    "EXHIBITION_PAUSE": ("30", "2", {"EXHIBITION_PAUSE": timedelta(seconds=2)}),
    "GUESTS_KEPT_DAYS": ("60", "2", {"GUESTS_KEPT": timedelta(days=2)}),
    "HOST": ("127.0.0.1", "0.0.0.0", {"HOST": "0.0.0.0"}),
    "HSTS_SECONDS": ("31536000", "2", {"SECURE_HSTS_SECONDS": 2}),
    "HSTS_SUBDOMAINS": (
        *("on", "off"),
        {"SECURE_HSTS_INCLUDE_SUBDOMAINS": False, "SECURE_HSTS_PRELOAD": False},
    ),
    "HTTPS": (
        *("on", "off"),
        {"SECURE_SSL_REDIRECT": False, "SESSION_COOKIE_SECURE": False, "SECURE_HSTS_SECONDS": 0},
    ),
    "LIVE_PORT": ("8001", "2", {"LIVE_PORT": 2}),
    "LIVE_STREAMS": ("10000", "2", {"LIVE_STREAMS": 2}),
    "LIVE_STREAMS_OF_ONE": ("100", "2", {"LIVE_STREAMS_OF_ONE": 2}),
    "LOCK_TIMEOUT": ("10", "2", {}),
    "LOG_LEVEL": ("INFO", "ERROR", {"LOGGING.root.level": "ERROR"}),
    "MAIL_AFTER_PUSH": ("3600", "2", {"MAIL_AFTER_PUSH": timedelta(seconds=2)}),
    "MAIL_RETRY_PAUSE": ("60", "2", {"MAIL_RETRY_PAUSE": timedelta(seconds=2)}),
    "METRICS_TOKEN": ("", "token", {"METRICS_TOKEN": "token"}),
    "NOTICES_KEPT_DAYS": ("60", "2", {"NOTICES_KEPT": timedelta(days=2)}),
    "NOTICE_LEASE": ("300", "2", {"NOTICE_LEASE": timedelta(seconds=2)}),
    "OUTBOUND_ALLOWED": ("", "10.0.0.0/8,::1/128", {"OUTBOUND_ALLOWED": ["10.0.0.0/8", "::1/128"]}),
    "OUTBOUND_CA": ("", "/ca.pem", {"OUTBOUND_CA": "/ca.pem"}),
    "PORT": ("8000", "2", {"PORT": 2, "LIVE_PORT": 3}),
    "PURGE_HOUR": ("4", "2", {"CELERY_BEAT_SCHEDULE.purge.schedule.hour": {2}}),
    "RECORDS_KEPT_DAYS": ("60", "2", {"RECORDS_KEPT": timedelta(days=2)}),
    "REDIS_URL": (
        *(None, "redis://h:6379/0"),
        {"CELERY_BROKER_URL": "redis://h:6379/0", "CACHES.default.LOCATION": "redis://h:6379/0"},
    ),
    "RELEASE": ("", "1.2", {"RELEASE": "1.2"}),
    "REPLY_TO": ("Souk <souk@souk.example>", "a@b.example", {"REPLY_TO": "a@b.example"}),
    "SECRET_KEY": (None, "sesame", {"SECRET_KEY": "sesame"}),
    "SECRET_KEY_FALLBACKS": ("", "old,older", {"SECRET_KEY_FALLBACKS": ["old", "older"]}),
    "SENTRY_DSN": ("", "https://k@e.example/1", {"SENTRY_DSN": "https://k@e.example/1"}),
    "SIGN_UPS": ("open", "closed", {"SIGN_UPS": "closed"}),
    "SIGN_UPS_KEPT_DAYS": ("7", "2", {"SIGN_UPS_KEPT": timedelta(days=2)}),
    "SITE_URL": (
        *("https://souk.example", "https://club.example/"),
        {"SITE_URL": "https://club.example", "CSRF_TRUSTED_ORIGINS": ["https://club.example"]},
    ),
    "SOUK_DATA": (None, "{data}/other", {}),
    "STAFF_SECOND_FACTOR": ("on", "off", {"STAFF_SECOND_FACTOR": False}),
    "STATEMENT_TIMEOUT": ("30", "2", {}),
    "TERMS_FILE": ("", "/t.txt", {"HOUSE_TEXTS.terms": "/t.txt"}),
    "TRUSTED_PROXIES": ("1", "2", {"TRUSTED_PROXIES": 2}),
    "TURN_MAIL_DELAY": ("180", "2", {"TURN_MAIL_DELAY": timedelta(seconds=2)}),
    "VAPID_PRIVATE_KEY": ("", "key", {"VAPID_PRIVATE_KEY": "key"}),
}

# What single processes read, beside the settings: the default, and the place.
ELSEWHERE = {
    "ALIVE_FILE": ("", "marrakech_site/alive.py"),
    "BACKUP_PASSPHRASE": ("", "games/management/passphrases.py"),  # may be renamed: the path
    "WEB_CONCURRENCY": ("2", "marrakech_site/gunicorn.py"),
    "WEB_THREADS": ("4", "marrakech_site/gunicorn.py"),
    "WORKERS": ("2", "deploy/souk"),
}
# Of the libraries and of systemd.
OF_OTHERS = {
    "DJANGO_SETTINGS_MODULE",
    "NOTIFY_SOCKET",
    "NUMBA_CACHE_DIR",
    "PROMETHEUS_MULTIPROC_DIR",
}

# Where the column of defaults has words, they are these.
IN_WORDS = {
    "ADMINS": "none",
    "ALLOWED_HOSTS": "this machine only",
    "ALIVE_FILE": "none",
    "BACKUP_PASSPHRASE": "none: not encrypted",
    "BOUNCE_ADDRESS": "none",
    "BOUNCE_MAILBOX": "none",
    "CONTACT_FILE": "none",
    "DATABASE_URL": "SQLite in `var/`",
    "DEBUG": "off",
    "DEFAULT_FROM_EMAIL": "`Souk <souk@…>` with the host of `SITE_URL`",
    "DKIM_SELECTOR": "tries usual ones",
    "EMAIL_URL": "email is shown on a page",
    "EXHIBITIONS": "`1`, with `DATABASE_URL` `0`",
    "HSTS_SECONDS": "a year",
    "HSTS_SUBDOMAINS": "on",
    "HTTPS": "on when public",
    "LIVE_PORT": "`PORT` + 1",
    "METRICS_TOKEN": "none: no `/metrics`",
    "OUTBOUND_ALLOWED": "none",
    "OUTBOUND_CA": "those of the system",
    "REDIS_URL": "files in `var/`",
    "RELEASE": "none",
    "REPLY_TO": "`DEFAULT_FROM_EMAIL`",
    "NOTIFY_SOCKET": "set by systemd",
    "NUMBA_CACHE_DIR": "`compiled` in `SOUK_DATA`",
    "PROMETHEUS_MULTIPROC_DIR": "set by the web server",
    "SECRET_KEY": "generated, kept in `var/secret-key`",
    "SECRET_KEY_FALLBACKS": "none",
    "SENTRY_DSN": "none",
    "SITE_URL": "first host, or `http://127.0.0.1:PORT`",
    "SOUK_DATA": "`var/`",
    "STAFF_SECOND_FACTOR": "on",
    "TERMS_FILE": "none",
    "TRUSTED_PROXIES": "1 when public, else 0",
    "VAPID_PRIVATE_KEY": "generated, kept in the database",
}

READ = re.compile(r"""os\.environ(?:\.get\(|\.setdefault\(|\[)\s*f?["'](\w+)["']""")


@pytest.fixture
def public(tmp_path: Path) -> dict[str, str]:
    return {
        "SOUK_DATA": str(tmp_path),
        "ALLOWED_HOSTS": "souk.example",
        "DATABASE_URL": "postgres://u:p@database:5432/souk",
        "EMAIL_URL": "smtp://mail.example:25",
    }


def look(settings: Any, path: str) -> Any:
    for name in path.split("."):
        settings = settings[name] if isinstance(settings, dict) else getattr(settings, name)
    return settings


def plain(settings: dict[str, Any]) -> dict[str, Any]:
    """What can be compared."""
    return {name: repr(value) for name, value in settings.items() if name.isupper()}


def test_these_variables_are_read_and_no_others(public: dict[str, str]) -> None:
    asked: set[str] = set()
    for given in ({"SOUK_DATA": public["SOUK_DATA"]}, public):
        environment = Environment(given)
        settings_of(environment)
        asked |= environment.asked
    assert asked == set(VARIABLES)


@pytest.mark.parametrize("name", sorted(VARIABLES))
def test_each_variable_sets_what_it_is_for(name: str, public: dict[str, str]) -> None:
    _, given, expected = VARIABLES[name]
    given = given.format(data=public["SOUK_DATA"])
    found = settings_with(**{**public, name: given})
    assert {path: look(found, path) for path in expected} == expected
    assert plain(found) != plain(settings_with(**public)), "it is without effect"


@pytest.mark.parametrize(
    "name", sorted(name for name in VARIABLES if VARIABLES[name][0] is not None)
)
def test_the_default_is_what_is_so_without_the_variable(name: str, public: dict[str, str]) -> None:
    default = VARIABLES[name][0]
    assert default is not None
    assert plain(settings_with(**{**public, name: default})) == plain(settings_with(**public))


def test_timeouts_of_the_database(public: dict[str, str]) -> None:
    found = settings_with(**public, LOCK_TIMEOUT="2", STATEMENT_TIMEOUT="3")
    options = look(found, "DATABASES.default.OPTIONS.options")
    assert "lock_timeout=2" in options
    assert "statement_timeout=3" in options


def test_a_site_without_any_variable_is_for_this_machine(tmp_path: Path) -> None:
    found = settings_with(SOUK_DATA=str(tmp_path))
    expected = {
        "ALLOWED_HOSTS": ["localhost", "127.0.0.1", "[::1]"],
        "SITE_URL": "http://127.0.0.1:8000",
        "DEFAULT_FROM_EMAIL": "Souk <souk@127.0.0.1>",
        "SECURE_SSL_REDIRECT": False,
        "SECURE_HSTS_SECONDS": 0,
        "SESSION_COOKIE_SECURE": False,
        "TRUSTED_PROXIES": 0,
        "EXHIBITIONS": 1,
        "LIVE_PORT": 8001,
        "EMAIL_BACKEND": "games.kept_mail.folder.EmailBackend",  # may be renamed
        "CELERY_BROKER_URL": "folder://localhost",
        # The names of files in the data folder.
        "DATABASES.default.NAME": str(tmp_path / "souk.sqlite3"),
        "MAIL_KEPT_IN": tmp_path / "mail",
        "STATIC_ROOT": tmp_path / "static",
        "CELERY_BEAT_SCHEDULE_FILENAME": str(tmp_path / "beat-schedule"),
        "CACHES.default.LOCATION": tmp_path / "cache",
    }
    assert {path: look(found, path) for path in expected} == expected
    assert found["SECRET_KEY"] == (tmp_path / "secret-key").read_text()
    assert (tmp_path / "broker" / "messages").is_dir()
    assert (tmp_path / "broker" / "control").is_dir()


def test_the_data_folder_is_var_unless_it_is_named() -> None:
    source = (ROOT / "marrakech_site" / "settings.py").read_text()
    (default,) = (
        ast.unparse(call.keywords[0].value)
        for call in ast.walk(ast.parse(source))
        if isinstance(call, ast.Call) and call.args and ast.unparse(call.args[0]) == "'SOUK_DATA'"
    )
    assert default == "str(BASE_DIR / 'var')"
    assert running.BASE_DIR == ROOT


def test_single_processes_read_these_variables_and_no_others() -> None:
    found: set[str] = set()
    for folder in ("marrakech_site", "games", "deploy"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix == ".py" or path.name in ("souk", "healthy"):
                found |= set(READ.findall(path.read_text()))
    by_constant = {"BACKUP_PASSPHRASE", "NUMBA_CACHE_DIR"}
    known = {"ALLOWED_HOSTS", "PORT", *ELSEWHERE, *OF_OTHERS}
    assert found == known - by_constant - {"WORKERS"}


@pytest.mark.parametrize("name", sorted(ELSEWHERE))
def test_a_variable_of_a_single_process_is_read_there(name: str) -> None:
    default, place = ELSEWHERE[name]
    source = (ROOT / place).read_text()
    if place == "deploy/souk":
        assert f"${{{name}:-{default}}}" in source
    else:
        assert f'"{name}"' in source
        assert not default or f'"{name}", "{default}"' in source


def documented() -> dict[str, str]:
    """From the tables: one name and one default each, also where a row tells of two."""
    found: dict[str, str] = {}
    text = (ROOT / "docs" / "settings.md").read_text()
    rows = re.findall(r"^\| ((?:`[A-Z_]+`(?:, )?)+) \| ([^|]*) \|", text, re.MULTILINE)
    for names, defaults in rows:
        several = re.findall(r"`(\w+)`", names)
        texts = defaults.split(", ") if len(several) > 1 else [defaults]
        if len(several) > 1 and len(texts) == 1:
            texts *= len(several)
        found.update(zip(several, texts, strict=True))
    return found


def test_every_variable_is_documented_with_its_default() -> None:
    defaults = {name: default for name, (default, *_) in VARIABLES.items()}
    defaults |= {name: default for name, (default, _) in ELSEWHERE.items()}
    defaults |= dict.fromkeys(OF_OTHERS - {"DJANGO_SETTINGS_MODULE"}, "")
    assert documented() == {
        name: IN_WORDS.get(name, f"`{default}`") for name, default in defaults.items()
    }
