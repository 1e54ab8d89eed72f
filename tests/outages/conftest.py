from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests import servers
from tests.conftest import missing
from tests.notices.post_office import PostOffice
from tests.outages.processes import Site


@pytest.fixture
def post_office() -> Iterator[PostOffice]:
    with PostOffice() as office:
        yield office


@pytest.fixture
def embedded(data_folder: Path, post_office: PostOffice) -> Iterator[Site]:
    """SQLite and the broker made of files."""
    site = Site(data_folder, post_office.port)
    site.run("manage.py", "migrate", "--verbosity", "0")
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
    name = f"souk_{random.randrange(10**9)}"
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    site = Site(
        data_folder, post_office.port, postgres_url.rpartition("/")[0] + f"/{name}", redis.url
    )
    site.run("manage.py", "migrate", "--verbosity", "0")
    yield site
    site.stop()
