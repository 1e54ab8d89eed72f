"""A site runs from `requirements.txt` and what the image contains: no tools, no tests, no packages
of developers."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import venv
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

from tests.contracts.test_commands import FOR_OPERATORS
from tests.environment import ROOT
from tools import prepared_database

PINNED = re.compile(r"^([\w.-]+)(?:\[[\w,]+\])?==", re.MULTILINE)
COPIED = re.compile(r"^COPY (?!--from)(.+) (\S+)$", re.MULTILINE)

# `compilemessages` and `serve` have tests of their own; `restore` needs an empty database.
OPERATE = """
import json, sys
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
import django
django.setup()
from django.core.management import CommandError, call_command, get_commands
from games.models import Player
from games.titles import TITLES, part
import games.tasks, games.urls
import marrakech_site.celery, marrakech_site.gunicorn, marrakech_site.live, marrakech_site.wsgi

Player.objects.create_user("yasmin", "yasmin@souk.example")
said = {}
def run(name, *arguments):
    out = StringIO()
    try:
        call_command(name, *arguments, stdout=out)
    except CommandError:
        if name != "doctor":  # It misses the processes of the site.
            raise
    said[name] = out.getvalue()

run("moderator", "yasmin")
run("verify", "--all")
run("verify", "--analyses")
for name in ("recompute_statistics", "rate", "find_collusion", "company"):
    run(name)
run("reactivate_address", "--all")
run("doctor", "--json")
run("backup", sys.argv[1])
for key, title in TITLES.items():
    for module in ("levels", "prospects") if title.is_judged else ():
        part(key, f"bots.{module}")
there = [name for name in ("tools", "tests", "pytest", "mypy", "playwright") if find_spec(name)]
print(json.dumps({"said": said, "commands": get_commands(), "there": there}))
"""


def environment_of_a_site(folder: Path) -> Path:
    """A Python that has the packages of `requirements.txt` and no others."""
    venv.create(folder, symlinks=True, with_pip=False)
    packages = next(folder.glob("lib/python*/site-packages"))
    for name in PINNED.findall((ROOT / "requirements.txt").read_text()):
        try:
            found = distribution(name)
        except PackageNotFoundError:
            continue  # Of other systems: the list is for all of them.
        for top in {file.parts[0] for file in found.files or ()} - {"..", "__pycache__"}:
            if not (packages / top).exists():
                (packages / top).symlink_to(Path(str(found.locate_file(top))))
    return folder / "bin" / "python"


def content_of_the_image(folder: Path) -> None:
    text = (ROOT / "deploy" / "Dockerfile").read_text()
    for sources, target in COPIED.findall(text):
        for source in sources.split() if target.startswith("/souk") else ():
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, folder / source)
            else:
                shutil.copy(ROOT / source, folder)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("image")
    content_of_the_image(folder)
    return folder, environment_of_a_site(tmp_path_factory.mktemp("venv"))


def test_operators_need_neither_tools_nor_packages_of_developers(
    site: tuple[Path, Path], migrated_folder: Path, tmp_path: Path
) -> None:
    folder, python = site
    done = subprocess.run(
        [python, "-c", OPERATE, tmp_path / "backup"],
        cwd=folder,
        env=os.environ | {"SOUK_DATA": str(migrated_folder), "LOG_LEVEL": "ERROR"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["there"] == []
    assert found["commands"].keys() >= FOR_OPERATORS.keys()
    assert "tools" not in found["commands"].values()
    assert "ok" in found["said"]["verify"]
    findings = [json.loads(line) for line in found["said"]["doctor"].splitlines()]
    assert {each["verdict"] for each in findings if each["about"] == "migrations"} == {"ok"}
    assert (tmp_path / "backup").exists()

    fresh = tmp_path / "fresh"
    fresh.mkdir()
    prepared_database.copy(fresh / "souk.sqlite3")
    restored = subprocess.run(
        [python, "manage.py", "restore", tmp_path / "backup"],
        cwd=folder,
        env=os.environ | {"SOUK_DATA": str(fresh), "LOG_LEVEL": "ERROR"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert restored.returncode == 0, restored.stdout + restored.stderr
    assert "rows restored" in restored.stdout


def test_the_image_does_not_contain_the_tools() -> None:
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert ignored[0] == "*"
    assert not [line for line in ignored if re.match(r"!(tools|tests)\b", line)]
    copied = {
        name
        for sources, _ in COPIED.findall((ROOT / "deploy" / "Dockerfile").read_text())
        for name in sources.split()
    }
    assert not copied & {"tools", "tests"}
