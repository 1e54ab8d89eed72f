"""Compiled code is kept beside pytest's own notes, so that it is compiled once."""

from __future__ import annotations

from pathlib import Path

import pytest

from games import bots

bots.keep_compiled_in(Path(__file__).parents[2] / ".pytest_cache" / "compiled")


@pytest.fixture(scope="session")
def compiled() -> None:
    bots.prepare()
