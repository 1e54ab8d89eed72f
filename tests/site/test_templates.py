"""Templates only lay out, in lines that one can read."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from django.template.loader import get_template

ROOT = Path(__file__).parents[2]
CHECK = ROOT / ".ci" / "narrow-templates"


def check(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(CHECK)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_a_wide_line_fails_the_check_and_is_named(tmp_path: Path) -> None:
    page = tmp_path / "templates" / "page.html"
    page.parent.mkdir()
    page.write_text(f"<p>\n{'ł' * 120}\n", encoding="utf-8")
    assert check(tmp_path).returncode == 0
    page.write_text(f"<p>\n{'ł' * 121}\n", encoding="utf-8")
    found = check(tmp_path)
    assert found.returncode == 1
    assert "page.html:2: 121 columns" in found.stderr


def test_no_template_is_wide() -> None:
    assert check(ROOT).stderr == ""


def test_every_template_can_be_read() -> None:
    for path in (ROOT / "templates").rglob("*.*"):
        get_template(str(path.relative_to(ROOT / "templates")))


def test_no_template_reads_notation() -> None:
    reading = [
        path.name
        for path in (ROOT / "templates").rglob("*")
        if path.is_file() and re.search(r"action\|slice", path.read_text(encoding="utf-8"))
    ]
    assert reading == []
