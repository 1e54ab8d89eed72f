from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.live.streams import LiveProcess, live_process
from tools import local_servers as servers


@pytest.fixture
def live(transactional_db: None) -> Iterator[LiveProcess]:
    """As in the embedded default: without Redis."""
    with live_process(LIVE_STREAMS_OF_ONE="4") as process:
        yield process


@pytest.fixture
def redis(tmp_path, settings) -> Iterator[servers.Redis]:
    from games import bell
    from tests.conftest import missing

    if not servers.redis_binary():
        missing("Redis")
    with servers.redis(tmp_path) as server:
        settings.REDIS_URL = server.url
        yield server
        bell.silent.end()
