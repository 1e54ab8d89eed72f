"""Souk's own commands against a database that a test prepared, each in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests import environment
from tools.patience import PATIENCE

NOTE_BOARDS = """
from games.models import Heartbeat
from games.services import soundness
left = Heartbeat.objects.latest("at").at
for game in soundness.games(status="running", sight=""):
    soundness.repair(game_id=game.pk, now=left)

"""
"""What `verify --all --repair` does for games of release 0.1, when the site was left."""

PROVE = """
from games.engine.record import write
from games.models import Game, Heartbeat
from games.selectors.records import record_of
from games.services import soundness, stats
left = Heartbeat.objects.latest("at").at
wrong = [fault for game in soundness.games() for fault in soundness.faults(game, now=left)]
wrong += stats.differences(stats.recount())
assert not wrong, wrong
started = Game.objects.filter(status__in=("running", "over")).order_by("pk")
print("\\n".join(write(record_of(game)) for game in started))
"""


def manage(
    *arguments: str, data: Path, text: str = "", **variables: str
) -> subprocess.CompletedProcess[str]:
    """`manage.py` to its end, whatever that is."""
    own = {"SOUK_DATA": str(data), "LOG_LEVEL": "ERROR"}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=environment.ROOT,
        env={**os.environ, **own, **variables},
        input=text,
        capture_output=True,
        text=True,
        timeout=3 * PATIENCE,
        check=False,
    )


def command(*arguments: str, data: Path, text: str = "", **variables: str) -> str:
    """What `manage.py` prints; a failure is that of the test, with all that was said."""
    done = manage(*arguments, data=data, text=text, **variables)
    assert done.returncode == 0, f"{arguments}: {done.stdout}\n{done.stderr}"
    return done.stdout


def proven_records(*, data: Path, before: str = "", **variables: str) -> list[str]:
    """The record of every game that has started, once all that `verify --all` looks at was right
    at the moment at which the site was left; `before` that, something else is done."""
    text = f"{before}\n{PROVE}"
    return command("shell", "--no-imports", data=data, text=text, **variables).splitlines()
