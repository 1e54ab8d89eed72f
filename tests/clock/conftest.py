from __future__ import annotations

import pytest

from tests.tables import Tables


@pytest.fixture
def tables(db: None) -> Tables:
    return Tables()
