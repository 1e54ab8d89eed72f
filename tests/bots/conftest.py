from __future__ import annotations

import pytest
from django.conf import settings

from games import bots

bots.keep_compiled_in(settings.DATA / "compiled")


@pytest.fixture(scope="session")
def compiled() -> None:
    bots.prepare()
