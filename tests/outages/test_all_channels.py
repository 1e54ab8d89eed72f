"""A thousand notices by mail, push and webhook, while those who send them are killed."""

from __future__ import annotations

import sqlite3
import sys
import time
from collections import Counter
from contextlib import closing

from tests.notices.post_office import PostOffice
from tests.outages.processes import Site
from tests.reach.places import place
from tools.local_servers import free_port, wait_for_port
from tools.patience import wait_until

MAILS, PUSHES, HOOKS = 200, 400, 400
KILLS = 4


def errands(site: Site) -> dict[str, int]:
    with closing(sqlite3.connect(site.data / "souk.sqlite3", timeout=20)) as file:
        return dict(file.execute("SELECT state, count(*) FROM games_errand GROUP BY state"))


def test_nothing_is_lost_on_any_channel(embedded: Site, post_office: PostOffice) -> None:
    embedded.more |= {"OUTBOUND_ALLOWED": "127.0.0.0/8", "LIVE_PORT": str(free_port())}
    numbers = [str(each) for each in (MAILS, PUSHES, HOOKS)]
    live = [sys.executable, "-m", "marrakech_site.live"]
    with place() as service, place(mood=200) as chat:
        embedded.run("-m", "tests.reach.fill", *numbers, service.url, f"{chat.url}/hook")
        workers = [embedded.worker(), embedded.worker()]
        streams = embedded.start(*live)
        embedded.beat()
        wait_until(lambda: len(service.came) > 20)
        for number in range(KILLS):
            embedded.kill(workers.pop(0))
            embedded.kill(streams)
            streams = embedded.start(*live)
            workers.append(embedded.worker())
            service.mood = 503 if number == 1 else 201
            time.sleep(1.5)
        service.mood = 201
        wait_until(lambda: set(errands(embedded)) == {"sent"})
        wait_until(lambda: set(embedded.states()) == {"sent"})
        wait_for_port(int(embedded.more["LIVE_PORT"]))
        pushed = Counter(path for path, _, _ in service.came)
        told = Counter(headers["webhook-id"] for _, headers, _ in chat.came)
    assert (len(pushed), len(told), len(post_office.copies)) == (PUSHES, HOOKS, MAILS)
    # Of those that were answered well; a refusal is not a delivery.
    assert told.total() - HOOKS <= KILLS, "twice only what was cut off before our commit"
    assert post_office.doubled <= post_office.cut
