"""The load test in small: a site is filled, played on by two hosts, and verified."""

from __future__ import annotations

import os
import re
import subprocess
import sys

from tests import environment
from tests.conftest import missing
from tools import local_servers as servers

SMALL = {
    "players": 80,
    "running": 40,
    "finished": 20,
    "seconds": 1,
    "people": 2,
    "pages": 20,
    "mails": 5,
}


def test_two_hosts_serve_a_small_site() -> None:
    if not (servers.postgres_binaries() and servers.redis_binary()):
        missing("PostgreSQL or Redis")
    sizes = [part for name, size in SMALL.items() for part in (f"--{name}", str(size))]
    command = [sys.executable, "-m", "tools", "load_test", *sizes, "--hosts", "2", "--bots", "0"]
    done = subprocess.run(
        command,
        cwd=environment.ROOT,
        env={**os.environ, "WEB_CONCURRENCY": "1"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    table = dict(re.findall(r"^\| (.+?) \| (.+?) \|$", done.stdout, re.MULTILINE))
    for measure in ("moves a second", "pages a second", "mails a second", "memory of web, MB"):
        assert re.search(r"\d", table[measure]), measure
    assert table["open pages, held as streams"] == "20"
    assert re.search(r"^\| move \| [\d,]+ \| [\d,]+ \|$", done.stdout, re.MULTILINE)
    assert "  5 mails sent" in done.stderr
    shares = re.findall(r"answers \((\S+) \d+, (\S+) \d+\)", done.stderr)
    assert len(shares) == 3, "pages, open pages and moves, on both hosts"
    assert {host.split(":")[0] for pair in shares for host in pair} == {"127.0.0.1"}
