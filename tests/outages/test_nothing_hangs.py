"""Servers that freeze: pages are answered all the same, and say what is wrong."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from django.core.cache import caches
from django.db import connection, transaction

from games.models import Game
from marrakech_site import caches as site_caches
from tests.outages.browser import Browser
from tests.outages.processes import Site
from tests.people import new_players, signed_in, started_game, whose_turn
from tools import local_servers as servers
from tools.patience import PATIENCE

PASSWORD = "open-sesame-42"


def test_pages_go_on_while_redis_is_frozen(served: Site, redis: servers.Redis) -> None:
    served.more["DEBUG"] = "true"  # no collected static files
    url, name = served.ask("-m", "tests.outages.people").split()
    browser = Browser(served.web())
    redis.freeze()
    health = browser.get("/healthz")
    assert health.status == 503
    assert json.loads(health.body)["broker"] == "unreachable"
    assert json.loads(health.body)["database"] == "ok"
    assert browser.sign_in(name, PASSWORD).status == 302, "limits are counted elsewhere"
    assert browser.post("/settings/mail/test/").status == 302, "senders cannot be woken"
    assert browser.post(f"{url}move/", action="turn:L", on="0").status == 200
    redis.thaw()
    redis.stop()
    assert Browser(browser.port).sign_in(name, PASSWORD).status == 302, "nor is it needed at all"


@pytest.mark.django_db(transaction=True)
def test_limits_count_on_in_the_database_while_redis_is_frozen(
    settings, redis: servers.Redis
) -> None:
    options = {"socket_timeout": 0.5, "TABLE": "souk_cache", "MAX_ENTRIES": 1000}
    settings.CACHES = {
        "default": {
            "BACKEND": "marrakech_site.caches.RedisOrDatabase",
            "LOCATION": redis.url,
            "OPTIONS": options,
        }
    }
    cache = caches["default"]
    cache.set("tries", 3)
    redis.freeze()
    assert cache.get("tries") is None
    assert cache.add("tries", 1)
    assert not cache.add("tries", 1), "a lock is a lock there, too"
    assert cache.incr("tries") == 2
    redis.thaw()
    assert cache.get("tries") == 2, "it is left alone for a while"
    site_caches.redis.end()
    assert cache.get("tries") == 3
    site_caches.redis.end()


@pytest.mark.django_db(transaction=True)
@pytest.mark.both_databases
def test_a_row_that_somebody_holds_gets_a_sentence_and_the_move_can_be_sent_again() -> None:
    game = started_game(new_players(2))
    client = signed_in(whose_turn(game))
    held, enough = Event(), Event()

    def hold() -> None:
        with transaction.atomic():
            Game.objects.select_for_update().get(pk=game.pk).save()
            held.set()
            enough.wait(PATIENCE)
        connection.close()

    def move() -> tuple[int, str]:
        answer = client.post(f"{game.get_absolute_url()}move/", {"action": "turn:L", "on": "0"})
        return answer.status_code, answer.content.decode()

    wait_briefly()
    with ThreadPoolExecutor(1) as pool:
        holding = pool.submit(hold)
        assert held.wait(PATIENCE)
        status, page = move()
        enough.set()
        holding.result()
    assert status == 503
    assert "try again in a moment" in page
    assert game.moves.count() == 0
    assert move()[0] in (200, 302)
    assert game.moves.count() == 1
    connection.close()


def wait_briefly() -> None:
    wait = (
        "SET lock_timeout = 300" if connection.vendor == "postgresql" else "PRAGMA busy_timeout=300"
    )
    with connection.cursor() as cursor:
        cursor.execute(wait)
