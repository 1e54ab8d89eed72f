"""Real workers, beats, brokers, databases and mail servers, and real faults in each of them."""

from __future__ import annotations

import random
import time

import psycopg

from tests.notices.post_office import PostOffice
from tests.outages.processes import Site
from tools import local_servers as servers
from tools.patience import wait_until

NOTICES = 500


def all_sent(site: Site) -> bool:
    return set(site.states()) == {"sent"}


def survive(site: Site, post_office: PostOffice, redis: servers.Redis | None) -> None:
    """Send everything while workers die, the broker stops and the mail server has bad days."""
    site.lease, site.mail_timeout = 20, 2
    site.run("-m", "tests.notices.fill", "5", str(NOTICES))
    workers = [site.worker(), site.worker()]
    site.beat(0)
    site.beat(1)
    wait_until(lambda: len(post_office.accepted) > 20)
    moods = iter(["busy", "works", "drops", "works", "stalls", "works"])
    for round_number in range(6):
        victim = workers.pop(0)
        site.kill(victim)
        workers.append(site.worker())
        post_office.mood = next(moods)
        if redis and round_number == 1:
            redis.stop()
        if round_number == 3:
            post_office.close()
        time.sleep(1.5 + random.random())
        if redis and round_number == 2:
            redis.start()
        if round_number == 4:
            post_office.open()
    post_office.mood = "works"
    wait_until(lambda: all_sent(site))
    assert len(post_office.copies) == NOTICES, "nothing is lost"
    assert post_office.doubled <= post_office.cut, "only what was cut off before our commit"


def test_the_embedded_default_survives(embedded: Site, post_office: PostOffice) -> None:
    survive(embedded, post_office, None)


def test_postgresql_and_redis_survive(
    served: Site, post_office: PostOffice, redis: servers.Redis
) -> None:
    survive(served, post_office, redis)


def test_twenty_workers_and_two_beats_send_nothing_twice(
    served: Site, post_office: PostOffice
) -> None:
    served.lease = 60
    served.run("-m", "tests.notices.fill", "5", "300")
    served.worker(concurrency=20)
    served.beat(0)
    served.beat(1)
    wait_until(lambda: bool(post_office.accepted))
    served.run("-m", "tests.notices.wake", "60")
    wait_until(lambda: all_sent(served))
    assert set(post_office.copies.values()) == {1}
    assert len(post_office.copies) == 300


def test_a_connection_that_is_cut_between_the_ok_and_our_commit_doubles_nothing(
    served: Site, post_office: PostOffice
) -> None:
    """The database hangs up on everybody right before the mail server says OK."""

    def hang_up() -> None:
        with psycopg.connect(
            served.database, autocommit=True, application_name="tests"
        ) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND application_name <> 'tests'"
            )

    served.lease = 4
    served.run("-m", "tests.notices.fill", "2", "20")
    post_office.before_the_ok = hang_up
    served.worker()
    served.beat()
    wait_until(lambda: all_sent(served))
    assert len(post_office.copies) == 20
    assert set(post_office.copies.values()) == {1}


def test_moves_are_played_without_redis_and_told_when_it_is_back(
    served: Site, post_office: PostOffice, redis: servers.Redis
) -> None:
    redis.stop()
    served.run("-m", "tests.notices.play")
    assert served.states()["queued"] >= 2
    assert post_office.accepted == []
    redis.start()
    served.worker()
    served.beat()
    # One start of the game, one turn; the reminders stay in the queue for a day or two.
    wait_until(lambda: len(post_office.accepted) == 2)
    assert set(post_office.copies.values()) == {1}
