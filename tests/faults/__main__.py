"""`python -m tests.faults`: does a test notice each deliberate fault? Takes a while.

`python -m tests.faults lock vacation` tries those faults only whose names have such a word.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.faults.catalogue import FAULTS
from tests.faults.fault import Fault

ROOT = Path(__file__).parents[2]
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "var", ".*_cache", "__pycache__")
NOTICED = 1
"""What pytest exits with when a test failed; anything else says nothing about the fault."""


def main(words: list[str]) -> int:
    chosen = [fault for fault in FAULTS if not words or any(word in fault.name for word in words)]
    unnoticed = 0
    with tempfile.TemporaryDirectory(prefix="souk-faults-") as folder:
        copy = Path(folder) / "souk"
        shutil.copytree(ROOT, copy, ignore=LEFT_OUT)
        for fault in chosen:
            noticed = is_noticed(fault, copy)
            unnoticed += not noticed
            print(f"{'noticed  ' if noticed else 'UNNOTICED'}  {fault.name}", flush=True)
    print(f"{len(chosen) - unnoticed} of {len(chosen)} faults were noticed")
    return 1 if unnoticed else 0


def is_noticed(fault: Fault, copy: Path) -> bool:
    file = copy / fault.file
    sound = file.read_text()
    if sound.count(fault.text) != 1:
        print(f"           ({fault.file} has changed: bring the catalogue up to date)")
        return False
    file.write_text(sound.replace(fault.text, fault.instead))
    try:
        return pytest(fault.tests, copy) == NOTICED
    finally:
        file.write_text(sound)


def pytest(tests: str, copy: Path) -> int:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    # The environment of a test run would name the database of that run.
    own = {name: value for name, value in os.environ.items() if not name.startswith("SOUK_")}
    ran = subprocess.run(
        [*command, *tests.split()],
        cwd=copy,
        env=own,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    return ran.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
