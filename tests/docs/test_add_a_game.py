"""The tutorial makes a game: its code goes into a fresh copy of Souk and is played there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools import prepared_database as prepared

ROOT = Path(__file__).parents[2]
TUTORIAL = ROOT / "docs" / "add-a-game.md"
BLOCK = re.compile(r"^```\w+ file=(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COPIED = (
    *("games", "marrakech_site", "templates", "tests", "tools"),
    *("manage.py", "pyproject.toml", "requirements.txt"),
)


def files_of_the_tutorial() -> dict[str, str]:
    return dict(BLOCK.findall(TUTORIAL.read_text()))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Souk as it is here, and the four files of the tutorial."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, tmp_path / name)
    # The game adds no tables, so they need not be made a second time.
    kept = tmp_path / prepared.tables().relative_to(ROOT)
    kept.parent.mkdir(parents=True)
    prepared.copy(kept)
    for name, text in files_of_the_tutorial().items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_the_game_needs_two_python_files_and_two_templates() -> None:
    assert sorted(files_of_the_tutorial()) == [
        "games/titles/pebbles/board.py",
        "games/titles/pebbles/title.py",
        "templates/games/pebbles/_board.svg",
        "templates/games/pebbles/_question.html",
    ]


def test_the_game_of_the_tutorial_is_played_from_the_lobby_to_the_proof(tree: Path) -> None:
    own = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    own.pop("SOUK_TESTS_POSTGRES_URL", None)
    inside = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
            *("--show-capture=no", "-k", "pebbles"),
            *("tests/browser/pebbles.py", "tests/engine/test_conformance.py"),
        ],
        cwd=tree,
        env=own,
        capture_output=True,
        text=True,
        check=False,
    )
    assert inside.returncode == 0, inside.stdout[-6000:] + inside.stderr[-2000:]
    assert "skipped" not in inside.stdout
