"""What holds of the win shares of every judge."""

from __future__ import annotations

import pytest

from games.engine.interface import Facts
from games.titles.judging import Shares


def check_shares(shares: Shares, seen: Facts) -> None:
    """They are those of one win, and whoever is out has none."""
    assert sum(shares) == pytest.approx(1, abs=1e-9)
    for share, player in zip(shares, seen["players"], strict=True):
        assert 0 < share < 1 if player["in"] else share == 0
