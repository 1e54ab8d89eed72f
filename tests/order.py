"""Long tests first, so that no process sits alone with one at the end.

xdist deals the tests out in as many equal runs as there are processes; whoever has none left takes
half of somebody's last ones. So each run begins with one kind of long tests. That also keeps those
apart that would be in each other's way: few deployments are open at once, and what is to be
compiled is compiled by one process while no other waits for it.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

Kind = Callable[[pytest.Item], bool]


def under(*places: str) -> Kind:
    return lambda item: item.nodeid.startswith(places)


def is_compiled(item: pytest.Item) -> bool:
    return "compiled" in getattr(item, "fixturenames", ())


KINDS: tuple[Kind, ...] = (
    under("tests/outages/", "tests/site/test_serve.py", "tests/docs/test_add_a_game.py"),
    is_compiled,
    under("tests/browser/"),
    under("tests/operate/", "tests/upgrade/", "tests/tools/test_load_test.py"),
)


def long_first(items: list[pytest.Item], processes: int) -> list[pytest.Item]:
    kinds: list[list[pytest.Item]] = [[] for _ in range(processes)]
    others: list[pytest.Item] = []
    for item in items:
        number = next((n for n, kind in enumerate(KINDS) if kind(item)), None)
        (others if number is None else kinds[number % processes]).append(item)
    ordered: list[pytest.Item] = []
    for number, kind in enumerate(kinds):
        left = processes - number
        share = (len(items) - len(ordered)) // left
        filling = max(0, share - len(kind))
        ordered += kind + others[:filling]
        del others[:filling]
    return ordered + others
