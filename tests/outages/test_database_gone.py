"""PostgreSQL is stopped under a site that runs: everybody gets the same page, and it goes on."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from django.db import InterfaceError, OperationalError
from django.http import Http404
from django.test import RequestFactory

from games import busy
from tests.conftest import missing
from tests.notices.post_office import PostOffice
from tests.outages.browser import Answer, Browser
from tests.outages.processes import Site
from tools import local_servers as servers
from tools import prepared_database as prepared
from tools.patience import wait_until

PASSWORD = "open-sesame-42"
WAITING = "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"


@pytest.fixture
def postgres(tmp_path: Path) -> Iterator[servers.Postgres]:
    """A server of this test alone, which may be stopped."""
    if not servers.postgres_binaries():
        missing("PostgreSQL")
    with servers.postgres_server(tmp_path) as server:
        yield server


@pytest.fixture
def site(data_folder: Path, post_office: PostOffice, postgres: servers.Postgres) -> Iterator[Site]:
    prepared.release(data_folder)
    database = prepared.copy_on_server(postgres.url, "souk_stopped")
    site = Site(data_folder, post_office.port, database)
    yield site
    site.stop()


def is_the_page(answer: Answer, language: str = "en") -> bool:
    """In the look of the site, and with all that guards its other pages."""
    return (
        answer.status == 503
        and answer.headers["Retry-After"] == "5"
        and "no-store" in answer.headers["Cache-Control"]
        and "script-src 'self'" in answer.headers["Content-Security-Policy"]
        and bool(answer.headers["X-Request-ID"])
        and answer.headers["Content-Language"] == language
        and f'<html lang="{language}"' in answer.body
        and "/static/games/css/frame." in answer.body
    )


def test_every_page_and_post_says_so_while_postgresql_is_stopped(
    site: Site, postgres: servers.Postgres
) -> None:
    url, name = site.ask("-m", "tests.outages.people").split()
    port = site.web()
    member, stranger = Browser(port), Browser(port)
    assert member.sign_in(name, PASSWORD).status == 302
    assert member.get(url).status == 200
    assert stranger.get("/accounts/login/").status == 200
    postgres.stop()
    shown = (url, f"{url}changes/?stamp=x", "/games/", "/archive/", "/puzzle/")
    posts = (f"{url}move/", "/accounts/logout/", "/settings/mail/test/", "/games/new/", "/play/")
    for more in ({}, {"HX-Request": "true"}):
        member.more = stranger.more = more
        answers = [stranger.get(page) for page in shown]
        answers += [member.get(page) for page in ("/", "/settings/", *shown)]
        answers += [member.post(page, action="turn:L", on="0") for page in posts]
        assert all(map(is_the_page, answers)), [each.status for each in answers]
    assert is_the_page(stranger.post("/accounts/login/", login=name, password=PASSWORD))
    assert is_the_page(member.get("/pl/games/"), "pl")
    member.more = {"Accept-Language": "ru"}
    assert is_the_page(member.get("/games/"), "ru")
    assert member.get("/healthz").status == 503
    postgres.start()
    member.more = {"HX-Request": "true"}
    assert member.get(url).status == 200, "still signed in"
    assert member.post(f"{url}move/", action="turn:L", on="0").status == 200


def test_a_server_that_goes_while_a_move_is_made_gets_the_same_page(
    site: Site, postgres: servers.Postgres
) -> None:
    url, name = site.ask("-m", "tests.outages.people").split()
    browser = Browser(site.web())
    assert browser.sign_in(name, PASSWORD).status == 302
    holder = psycopg.connect(site.database)
    watcher = psycopg.connect(site.database, autocommit=True)
    holder.execute("update games_game set move_count = move_count")
    with ThreadPoolExecutor(1) as pool:
        moving = pool.submit(browser.post, f"{url}move/", action="turn:L", on="0")
        wait_until(lambda: watcher.execute(WAITING).fetchone() == (1,))
        postgres.stop()
        assert is_the_page(moving.result())
    holder.close()
    watcher.close()
    postgres.start()
    assert browser.post(f"{url}move/", action="turn:L", on="0").status == 200


@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
def test_it_is_the_same_page_however_the_database_says_so(error: type[Exception]) -> None:
    lost = error("the connection is closed")
    caused = RuntimeError("no page")
    caused.__cause__ = lost
    for each in (lost, caused):
        answer = busy.answer(RequestFactory().get("/"), each)
        assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert busy.answer(RequestFactory().get("/"), Http404("no page")).status_code == 404
