from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import transaction

from tests.attack import world
from tests.conftest import KnownChance


@pytest.fixture(scope="module")
def house(django_db_setup: None, django_db_blocker: pytest.FixtureRequest) -> Iterator[world.World]:
    """Built once for all who attack it; each request is undone, and so is all of it."""
    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch:  # type: ignore[attr-defined]
        for module in ("games.services.seating", "games.services.luck"):
            patch.setattr(f"{module}.secrets", KnownChance(module))
        with transaction.atomic():
            yield world.build()
            transaction.set_rollback(True)


@pytest.fixture
def thorough(request: pytest.FixtureRequest) -> bool:
    """Whether to spare no time: `pytest --attack`."""
    return bool(request.config.getoption("--attack"))
