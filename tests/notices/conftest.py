from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest

from games.services.notices import outbox
from tests.people import Tables


@pytest.fixture
def tables(db: None) -> Tables:
    return Tables()


@pytest.fixture
def drain() -> Callable[[datetime], None]:
    """Send what is due at a moment, over the backend that tests use."""
    return lambda now: outbox.drain(clock=lambda: now)
