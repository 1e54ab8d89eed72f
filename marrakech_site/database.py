"""How long a process waits for PostgreSQL."""

from __future__ import annotations

import sys
from pathlib import Path


def waits(*, lock: int, statement: int) -> str:
    """In seconds. Whoever serves pages or sweeps gives up and says so; a command may take its
    time."""
    if Path(sys.argv[0]).name == "manage.py":
        return ""
    return f"-c lock_timeout={lock}s -c statement_timeout={statement}s"
