"""Loaded before Django reads its settings: tests never touch the data of a running site.

`pytest --postgres` runs the tests marked `both_databases` against a throw-away PostgreSQL.
"""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

import pytest

from games.languages import compile_catalogues
from tools import local_servers as servers
from tools.patience import PATIENCE

ROOT = Path(__file__).parent.parent
# Outside the checkout, so that bots are compiled once for all checkouts on this machine.
COMPILED = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "souk" / "compiled"
# The server that the first process starts is for the workers that it starts, too.
SHARED = "SOUK_TESTS_POSTGRES_URL"
MARK = "both_databases"
FROM_OUTSIDE = (
    "ALIVE_FILE",
    "ALLOWED_HOSTS",
    "BACKUP_PASSPHRASE",
    "DATABASE_URL",
    "EMAIL_URL",
    "HTTPS",
    "LIVE_PORT",
    "METRICS_TOKEN",
    "NOTIFY_SOCKET",
    "PORT",
    "REDIS_URL",
    "RELEASE",
    "SECRET_KEY",
    "SECRET_KEY_FALLBACKS",
    "SENTRY_DSN",
    "SITE_URL",
    "TRUSTED_PROXIES",
)

# Tests start hundreds of processes, each of which would compile all of the code anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

_resources = ExitStack()
_folder = Path(_resources.enter_context(tempfile.TemporaryDirectory(prefix="souk-tests-")))
for _name in FROM_OUTSIDE:
    os.environ.pop(_name, None)
os.environ["SOUK_DATA"] = str(_folder / "data")
# Where collected static files would be; WhiteNoise warns of a folder that is not there.
(_folder / "data" / "static").mkdir(parents=True)
compile_catalogues(ROOT / "games" / "locale")
os.environ["NUMBA_CACHE_DIR"] = str(COMPILED)
# Games come from tests alone.
os.environ["EXHIBITIONS"] = "0"
# Only the tests of the second factor want one of the staff.
os.environ["STAFF_SECOND_FACTOR"] = "no"
# Pages ask by themselves, unless a test has a process for their streams.
os.environ["LIVE_PORT"] = "0"
# A busy machine must not fail a race.
os.environ["LOCK_TIMEOUT"] = str(round(PATIENCE))
# Playwright keeps an event loop in the thread of the test; the ORM must not mind.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
if "--postgres" in sys.argv:
    os.environ[SHARED] = _resources.enter_context(servers.postgres(_folder))
if SHARED in os.environ:
    os.environ["DATABASE_URL"] = os.environ[SHARED]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--postgres", action="store_true", help="run the tests marked both_databases on PostgreSQL"
    )
    parser.addoption(
        "--attack", action="store_true", help="try the whole matrix and 20,000 odd requests"
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Modules without a test for PostgreSQL need not be read for it."""
    if not config.getoption("--postgres") or config.getoption("--attack"):
        return None
    is_module = collection_path.match("test_*.py")
    return True if is_module and MARK not in collection_path.read_text() else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--postgres"):
        assert os.environ["DATABASE_URL"].startswith("postgres")
        # Who attacks spares neither database.
        everything = config.getoption("--attack")
        wanted = [item for item in items if everything or item.get_closest_marker(MARK)]
        config.hook.pytest_deselected(items=[item for item in items if item not in wanted])
        items[:] = wanted


def pytest_unconfigure() -> None:
    _resources.close()
