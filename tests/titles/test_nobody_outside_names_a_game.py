"""Games are named in their rooms, in catalogues, in tests and in prose, and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from games.titles import TITLES

ROOT = Path(__file__).parents[2]
HOUSE = ("games", "marrakech_site", "templates", "tools")
TEXTS = {".css", ".html", ".js", ".py", ".svg", ".txt", ".xml"}
# What the games of the house are made of, beside their names.
THINGS = ("assam", "carpet", "cushion", "dirham", "genie", "rug")
# The site was called after its first game before it had a second one.
PACKAGE = "marrakech_site"
# The house itself calls a year so, and draws it, whatever was played in it.
YEAR = re.compile("year in carpets|}} in carpets|year as a rug", re.IGNORECASE)


def outside() -> Iterator[Path]:
    """Every text of the site that is not in a room, and no history of the database."""
    rooms = {
        ROOT / folder / key
        for key in TITLES
        for folder in ("games/titles", "games/static/games", "templates/games", "tools/bots")
    }
    for path in (path for folder in HOUSE for path in (ROOT / folder).rglob("*")):
        is_text = path.suffix in TEXTS and "migrations" not in path.parts
        if is_text and not rooms & set(path.parents):
            yield path


def test_nobody_outside_names_a_game() -> None:
    names = {word.lower() for title in TITLES.values() for word in (title.key, str(title.name))}
    pattern = re.compile(rf"(?<![a-z])({'|'.join([*names, *THINGS])})s?(?![a-z])", re.IGNORECASE)
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:120]}"
        for path in outside()
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if pattern.search(YEAR.sub("", line.replace(PACKAGE, "")))
    ]
    assert found == []
