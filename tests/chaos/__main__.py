"""`python -m tests.chaos [--minutes 4] [--seed 1]`; exits with 1 if anything went wrong."""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from threading import Event

import django

from tests.chaos.deployment import Deployment
from tests.chaos.post_office import MoodyPostOffice
from tests.outages.processes import Site
from tools import local_servers as servers
from tools.patience import wait_until

TABLES = 8
CALM = 15.0
"""Seconds before the first and after the last trouble in which deadlines still pass."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--minutes", type=float, default=4.0)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    wishes = parser.parse_args()
    print(f"chaos for {wishes.minutes:g} minutes, seed {wishes.seed}", flush=True)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="souk-chaos-")))
        database = stack.enter_context(servers.postgres(folder))
        redis = stack.enter_context(servers.redis(folder))
        post_office = MoodyPostOffice()
        stack.enter_context(post_office)
        site = Site(
            folder / "data", post_office.port, database, redis.url, lease=20, mail_timeout=2
        )
        site.more |= {"LOCK_TIMEOUT": "10", "PGAPPNAME": "souk", "WEB_CONCURRENCY": "1"}
        (folder / "data").mkdir()
        os.environ |= site.variables | {"PGAPPNAME": "chaos"}
        django.setup()
        stack.callback(site.stop)
        site.run("manage.py", "migrate", "--verbosity", "0")
        site.run("manage.py", "collectstatic", "--noinput", "--verbosity", "0")
        return run(Deployment(site, redis, post_office), wishes.minutes * 60, wishes.seed)


def run(deployment: Deployment, seconds: float, seed: int) -> int:
    from tests.chaos.scene import all_work, doomed_games, seated_tables, settled
    from tests.chaos.verdict import judge

    chance = random.Random(seed)
    enough = Event()
    deployment.open()
    tables = seated_tables(TABLES, deployment.ports, enough, seed)
    wait_until(all_work)
    doomed = doomed_games(within=seconds, first_after=2 * CALM)
    for table in tables:
        table.start()
    make_trouble(deployment, seconds, chance)
    deployment.post_office.mood = "works"
    time.sleep(CALM)
    enough.set()
    for table in tables:
        table.join()
    wait_until(lambda: settled(doomed))
    findings = list(judge(deployment, tables, doomed))
    for finding in findings:
        print(f"{'ok    ' if finding.holds else 'FAILED'}  {finding.what}: {finding.value}")
    return 0 if all(finding.holds for finding in findings) else 1


def make_trouble(deployment: Deployment, seconds: float, chance: random.Random) -> None:
    """Every trouble once, in any order, then again until the time is over."""
    until = time.monotonic() + seconds
    time.sleep(min(CALM, seconds / 4))
    while True:
        troubles = list(deployment.troubles().items())
        chance.shuffle(troubles)
        for name, trouble in troubles:
            if time.monotonic() > until:
                return
            print(f"{until - time.monotonic():5.0f} s left: {name}", flush=True)
            trouble(chance.uniform(3, 8))
            time.sleep(chance.uniform(1, 3))


if __name__ == "__main__":
    sys.exit(main())
