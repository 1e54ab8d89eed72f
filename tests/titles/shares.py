"""What holds of the win shares of every judge."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from games.engine.interface import Facts
from games.titles.judging import Shares


def check_shares(shares: Shares, seen: Facts) -> None:
    """They are those of one win, and whoever is out has none. All of it, or nothing, has only who
    is sure of that: near the end it can be counted."""
    assert sum(shares) == pytest.approx(1, abs=1e-9)
    for share, player in zip(shares, seen["players"], strict=True):
        assert 0 <= share <= 1 if player["in"] else share == 0


def check_other_processor(script: str, folder: Path) -> None:
    """A script that prints what a judge says prints the same where its code is compiled for another
    kind of processor, which is kept in a folder of its own."""
    said = []
    for processor in ({}, {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}):
        environment = {**os.environ, **processor}
        if processor:
            environment["NUMBA_CACHE_DIR"] = str(folder)
        done = subprocess.run(
            [sys.executable, "-c", script],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        said.append(json.loads(done.stdout))
    assert len(said[0]) > 10
    assert said[0] == said[1]
