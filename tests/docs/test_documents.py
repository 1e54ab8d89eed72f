"""What the documents say can be done, and where they point to is there."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)")
CODE = re.compile(r"`((?:games|marrakech_site|templates|tests|docs)/[\w./-]+)`")


def test_the_example_of_the_engine_runs() -> None:
    found = doctest.testfile(str(ROOT / "docs" / "engine.md"), module_relative=False)
    assert found.failed == 0
    assert found.attempted >= 10


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_and_paths_lead_somewhere(document: Path) -> None:
    text = document.read_text()
    for path, anchor in LINK.findall(text):
        target = document.parent / path if path else document
        assert target.exists(), path
        if anchor:
            headings = re.findall(r"^#+ (.+)$", target.read_text(), re.MULTILINE)
            assert anchor in {heading.lower().replace(" ", "-") for heading in headings}, anchor
    made = set(re.findall(r"file=(\S+)", text))
    for path in CODE.findall(text):
        assert path in made or (ROOT / path).exists(), path
