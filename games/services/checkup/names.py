"""Whether any two players could be taken for each other."""

from __future__ import annotations

from collections.abc import Iterator

from games.selectors.players import names_without_key
from games.services.checkup.findings import Finding, advice, ok


def examine() -> Iterator[Finding]:
    names = [name for _player, name in names_without_key()]
    if not names:
        yield ok("names", "No two players have names that look alike")
    else:
        yield advice(
            "names",
            f"{len(names)} look like those of other players, and could be changed by a moderator: "
            + ", ".join(names),
        )
