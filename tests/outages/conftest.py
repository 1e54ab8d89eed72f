from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import missing
from tests.notices.post_office import PostOffice
from tests.outages.processes import Site
from tools import local_servers as servers
from tools import prepared_database as prepared


@pytest.fixture
def post_office() -> Iterator[PostOffice]:
    with PostOffice() as office:
        yield office


@pytest.fixture
def embedded(migrated_folder: Path, post_office: PostOffice) -> Iterator[Site]:
    """SQLite and the broker made of files."""
    site = Site(migrated_folder, post_office.port)
    yield site
    site.stop()


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[servers.Redis]:
    if not servers.redis_binary():
        missing("Redis")
    with servers.redis(tmp_path) as server:
        yield server


@pytest.fixture
def served(
    data_folder: Path, post_office: PostOffice, postgres_url: str, redis: servers.Redis
) -> Iterator[Site]:
    """PostgreSQL and Redis."""
    database = prepared.copy_on_server(postgres_url, f"souk_{random.randrange(10**9)}")
    site = Site(data_folder, post_office.port, database, redis.url)
    yield site
    site.stop()
