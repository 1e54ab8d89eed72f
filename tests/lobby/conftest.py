from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from django.utils import timezone


@pytest.fixture
def now() -> datetime:
    return timezone.now()


def text(response: Any) -> str:
    return str(response.content.decode())
