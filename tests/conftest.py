"""What all tests share: throw-away servers, and an honest account of what was not run."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from games import bots
from tests import environment, order
from tests.notices.post_office import PostOffice
from tools import local_servers as servers
from tools import prepared_database as prepared

# Speed is measured by benchmarks; a busy machine must not fail a property.
hypothesis.settings.register_profile(
    "souk", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("souk")


# Processes that tests start run as those of a site do, without the tools of developers.
os.environ["DJANGO_SETTINGS_MODULE"] = "marrakech_site.settings"
# Before anything imports Numba.
bots.keep_compiled_in(Path(os.environ["NUMBA_CACHE_DIR"]))


def missing(what: str) -> None:
    """Skip loudly: the reason stands in the last lines, and in CI it is a failure."""
    if os.environ.get("CI"):
        pytest.fail(f"{what} is missing, and CI must run everything")
    pytest.skip(f"{what} is missing")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """After whoever mixes them."""
    if processes := int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "0")):
        items[:] = order.long_first(items, processes)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    if skipped:
        terminalreporter.section("NOT RUN", red=True, bold=True)
        for report in skipped:
            reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
            terminalreporter.line(f"{report.nodeid}: {reason}")


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter and os.environ.get("CI") and reporter.stats.get("skipped") and exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """A database file, as in the embedded default, so that threads really meet in it."""
    from django.conf import settings
    from django.db import connections

    database = connections["default"].settings_dict
    if database["ENGINE"].endswith("sqlite3"):
        suffix = os.environ.get("PYTEST_XDIST_WORKER", "")
        file = settings.DATA / f"test{suffix}.sqlite3"
        database["TEST"]["NAME"] = str(file)
        prepared.copy(file)
    else:
        name = database["TEST"].get("NAME") or f"test_{database['NAME']}"
        prepared.copy_on_server(os.environ[environment.SHARED], name)


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """The tables are there already; database and server go when the tests end."""
    return True


@pytest.fixture(autouse=True)
def _quick_settings(settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }


class KnownChance(random.Random):
    """In place of the `secrets` of a service."""

    token_bytes = random.Random.randbytes
    randbelow = random.Random.randrange


@pytest.fixture(autouse=True)
def _known_dice(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The games of a test fall out the same whenever it is run."""
    for module in (f"games.services.{name}" for name in ("seating", "luck", "commitments")):
        monkeypatch.setattr(f"{module}.secrets", KnownChance(f"{module} {request.node.nodeid}"))


class AskedWhileRendering(AssertionError):
    """A template asked the database for what its view should have gathered."""


@pytest.fixture(autouse=True)
def _database_closed_to_templates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever page, part or letter a test renders, all it shows was gathered before."""
    from django.db import connection
    from django.template import Template

    render = Template._render  # type: ignore[attr-defined]

    def refuse(execute: Any, sql: str, *rest: Any) -> None:
        raise AskedWhileRendering(sql)

    def gathered(template: Template, context: Any) -> Any:
        # The pages of Django's own admin are not ours to gather for.
        if (template.name or "").startswith("admin/"):
            return render(template, context)
        with connection.execute_wrapper(refuse):
            return render(template, context)

    monkeypatch.setattr(Template, "_render", gathered)


@pytest.fixture(autouse=True)
def _fresh_cache() -> Iterator[None]:
    from django.core.cache import cache

    from games import workers

    cache.clear()
    yield
    cache.clear()
    workers.broker.end()


@pytest.fixture(scope="session")
def postgres_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A PostgreSQL server of our own, on a free port, gone afterwards."""
    if not servers.postgres_binaries():
        missing("PostgreSQL")
    with servers.postgres(tmp_path_factory.mktemp("postgres")) as url:
        yield url


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Redis server of our own, on a free port, gone afterwards."""
    if not servers.redis_binary():
        missing("Redis")
    with servers.redis(tmp_path_factory.mktemp("redis")) as server:
        yield server.url


@pytest.fixture(scope="session")
def compiled() -> None:
    """The bots as machine code: made by the first test that needs it, kept for later runs."""
    bots.prepare()


@pytest.fixture
def data_folder(tmp_path: Path) -> Path:
    """A data folder for processes that a test starts."""
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


@pytest.fixture
def migrated_folder(data_folder: Path) -> Path:
    """A data folder as after the first start, before the first player."""
    prepared.release(data_folder)
    return data_folder


@pytest.fixture
def post_office(settings) -> Iterator[PostOffice]:
    """A mail server that the outbox really talks to."""
    with PostOffice() as office:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", office.port
        settings.EMAIL_TIMEOUT = 20
        yield office
        office.mood = "works"
