"""One JSON object a line, with the id of its request and without anybody's secrets."""

import io
import json
import logging

import pytest

from games.selectors import table
from games.services import health
from marrakech_site.logs import JsonFormatter, PlainFormatter
from tests.people import new_players, started_game


@pytest.fixture
def lines():
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonFormatter())
    logging.getLogger().addHandler(handler)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    logging.getLogger().removeHandler(handler)


@pytest.mark.django_db
def test_a_request_is_one_line_with_its_route_and_id(client, lines, caplog):
    caplog.set_level("INFO", "souk.access")
    answer = client.get("/robots.txt?token=abc", headers={"X-Request-ID": "proxy-12345"})
    (line,) = [line for line in lines() if line["logger"] == "souk.access"]
    assert line["route"] == "robots.txt"
    assert line["request_id"] == answer["X-Request-ID"] == "proxy-12345"
    assert "abc" not in json.dumps(line)


@pytest.mark.django_db
def test_an_open_page_that_learns_nothing_leaves_no_line(client, lines, caplog):
    caplog.set_level("INFO", "souk.access")
    game = started_game(new_players(2))
    address = f"/g/{game.public_id}/changes/"
    stamp = table.current_stamp(game.public_id)
    assert client.get(address, {"stamp": stamp}).status_code == 204
    assert not [line for line in lines() if line["logger"] == "souk.access"]
    assert client.get(address, {"stamp": "old"}).status_code == 200
    assert len([line for line in lines() if line["logger"] == "souk.access"]) == 1


@pytest.mark.django_db
def test_a_monitor_leaves_a_line_only_when_something_is_wrong(client, lines, monkeypatch, caplog):
    caplog.set_level("INFO", "souk.access")
    monkeypatch.setattr(health, "check_health", lambda now: (True, {}))
    client.get("/healthz")
    assert not [line for line in lines() if line["logger"] == "souk.access"]
    monkeypatch.setattr(health, "check_health", lambda now: (False, {}))
    client.get("/healthz")
    (line,) = lines()
    assert (line["logger"], line["status"]) == ("souk.access", 503), "and nothing broke"


@pytest.mark.django_db
def test_a_page_that_breaks_is_named_by_its_route(client, lines, monkeypatch):
    def broken(**_):
        raise ValueError("no such carpet")

    monkeypatch.setattr(health, "check_health", broken)
    client.raise_request_exception = False
    assert client.get("/healthz?token=abc").status_code == 500
    (line,) = [line for line in lines() if line["logger"] == "django.request"]
    assert line["message"] == "GET healthz broke"
    assert "no such carpet" in line["exception"]


def test_a_person_gets_one_short_line():
    facts = {"method": "GET", "route": "g/<slug:public_id>/", "status": 200, "ms": 12.3}
    record = logging.makeLogRecord({"name": "souk.access", "levelno": 20, "facts": facts})
    assert PlainFormatter().format(record).split(" ", 1)[1] == "GET /g/…/ → 200, 12 ms"
    warning = logging.makeLogRecord({"msg": "no broker", "levelno": 30, "levelname": "WARNING"})
    assert PlainFormatter().format(warning).split(" ", 1)[1] == "Warning: no broker"


@pytest.mark.django_db
@pytest.mark.parametrize("given", ["", "short", 'x" onload="evil', "y" * 65, "a\u00e4aaaaaaaaa"])
def test_a_strange_id_is_replaced(client, given):
    answer = client.get("/healthz", headers={"X-Request-ID": given})
    assert answer["X-Request-ID"] != given
    assert len(answer["X-Request-ID"]) == 32


def test_an_exception_is_part_of_its_line(lines):
    try:
        raise ValueError(f"no such carpet\nKey (email)=(yasmin@souk.example) {'a' * 100_000}")
    except ValueError:
        logging.getLogger("souk.test").exception("it broke")
    line = lines()[-1]
    assert line["level"] == "error"
    assert "no such carpet" in line["exception"]
    assert "yasmin" not in line["exception"]
