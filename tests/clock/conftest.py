from __future__ import annotations

import pytest

from tests.people import Tables


@pytest.fixture
def tables(db: None) -> Tables:
    return Tables()
