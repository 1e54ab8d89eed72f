"""`manage.py size` in small: a town is settled, played in on two hosts, and verified."""

from __future__ import annotations

import re
import subprocess
import sys

from games.management.sizing.hosts import networks_are_possible
from tests import environment, servers
from tests.conftest import missing

SMALL = {"players": 100, "running": 60, "finished": 40, "seconds": 1, "people": 2, "mails": 5}


def test_a_small_town_lives_on_two_hosts() -> None:
    if not (servers.postgres_binaries() and servers.redis_binary()):
        missing("PostgreSQL or Redis")
    sizes = [part for name, size in SMALL.items() for part in (f"--{name}", str(size))]
    done = subprocess.run(
        [sys.executable, "manage.py", "size", *sizes, "--hosts", "2", "--bots", "0"],
        cwd=environment.ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    table = dict(re.findall(r"^\| (.+?) \| (.+?) \|$", done.stdout, re.MULTILINE))
    for measure in ("moves a second", "pages a second", "mails a second", "memory of web, MB"):
        assert re.search(r"\d", table[measure]), measure
    shares = re.findall(r"answers \((\S+) \d+, (\S+) \d+\)", done.stderr)
    assert len(shares) == 3, "pages, open pages and moves, on both hosts"
    if networks_are_possible():
        assert {host.split(":")[1] for pair in shares for host in pair} == {"8000"}
