"""Many people at once, as far as a server can tell: each asks again when it was answered."""

from __future__ import annotations

import http.client
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count, cycle
from threading import Lock, Thread
from typing import Any
from urllib.parse import urlencode

from games.titles import TITLES

TOKEN = "s" * 32
"""Both cookie and form of whoever posts; a forger could not set the cookie."""


@dataclass
class LoadResult:
    """What came of one kind of load."""

    seconds: float = 0
    times: list[float] = field(default_factory=list)
    hosts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    @property
    def rate(self) -> float:
        return len(self.times) / self.seconds

    def milliseconds(self, share: float) -> float:
        return 1000 * statistics.quantiles(self.times, n=100)[int(share * 100) - 1]


@dataclass(frozen=True)
class LoadRequest:
    path: str
    cookie: str = ""
    form: dict[str, str] | None = None
    expected: int = 200


def run_load(
    addresses: list[str], asks: Iterator[LoadRequest], *, people: int, seconds: float
) -> LoadResult:
    """Send what comes out of `asks` as fast as it is answered."""
    outcome, lock = LoadResult(), Lock()
    until = time.monotonic() + seconds
    turns = cycle(addresses)

    def person() -> None:
        links: dict[str, http.client.HTTPConnection] = {}
        while time.monotonic() < until:
            with lock:
                ask, address = next(asks, None), next(turns)
            if ask is None:
                return
            if address not in links:
                links[address] = http.client.HTTPConnection(address, timeout=60)
            start = time.perf_counter()
            status = _asked_again(links[address], ask)
            spent = time.perf_counter() - start
            with lock:
                outcome.times.append(spent)
                outcome.hosts[address] += 1
                if status != ask.expected:
                    outcome.failures.append(f"{ask.path}: {status}")
                    return

    start = time.monotonic()
    crowd = [Thread(target=person) for _ in range(people)]
    for one in crowd:
        one.start()
    for one in crowd:
        one.join()
    outcome.seconds = time.monotonic() - start
    return outcome


def _asked_again(link: http.client.HTTPConnection, ask: LoadRequest) -> int:
    """As a browser does when a web process that has served long enough hangs up before it reads:
    once more, by a new connection. A move that is sent twice is played once."""
    try:
        return _answered(link, ask)
    except ConnectionError:
        link.close()
        return _answered(link, ask)


def _answered(link: http.client.HTTPConnection, ask: LoadRequest) -> int:
    headers = {"HX-Request": "true"} if ask.form else {}
    if ask.cookie:
        headers["Cookie"] = f"sessionid={ask.cookie}; csrftoken={TOKEN}"
    body = None
    if ask.form:
        headers |= {"X-CSRFToken": TOKEN, "Content-Type": "application/x-www-form-urlencoded"}
        body = urlencode(ask.form)
    link.request("POST" if ask.form else "GET", ask.path, body, headers)
    answer = link.getresponse()
    answer.read()
    return answer.status


def moves(plan: list[dict[str, Any]], people: int) -> Iterator[LoadRequest]:
    """Each game is played on by its players, one move after the other; a game rests while it is
    asked about, because nobody may move twice at once."""
    # As many games apart as there are people: the answer to one is here before the next.
    assert len(plan) > 2 * people
    for number in count():
        any_left = False
        for game in plan:
            if number < len(game["moves"]):
                any_left = True
                action, cookie = game["moves"][number]
                form = {"action": action, "on": str(game["on"] + number)}
                yield LoadRequest(f"/g/{game['game']}/move/", cookie, form)
        if not any_left:
            return


def pages(plan: list[dict[str, Any]]) -> Iterator[LoadRequest]:
    """What somebody looks at who comes to play: the own games, a table, now and then a list."""
    lists = ("/games/", "/archive/", f"/leaderboards/{next(iter(TITLES))}/")
    for number, game in enumerate(cycle(plan)):
        yield LoadRequest("/", game["cookie"])
        yield LoadRequest(f"/g/{game['game']}/", game["cookie"])
        if number % 4 == 0:
            yield LoadRequest(lists[number // 4 % 3])


def open_pages(plan: list[dict[str, Any]]) -> Iterator[LoadRequest]:
    """Pages that ask whether anything happened, and hear that nothing did."""
    for game in cycle(plan):
        query = urlencode({"stamp": game["stamp"], "on": game["on"]})
        yield LoadRequest(f"/g/{game['game']}/changes/?{query}", game["cookie"], expected=204)
