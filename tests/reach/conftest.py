from __future__ import annotations

from collections.abc import Iterator

import pytest

from games import outbound
from tests.reach.places import Place, place
from tools.patience import PATIENCE


@pytest.fixture(autouse=True)
def _at_home(settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers of tests are on this machine, which may be busy."""
    settings.OUTBOUND_ALLOWED = ["127.0.0.0/8"]
    monkeypatch.setattr(outbound, "WITHIN", PATIENCE)


@pytest.fixture
def service() -> Iterator[Place]:
    with place() as here:
        yield here
