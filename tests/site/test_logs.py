"""One JSON object a line, with the id of its request and without anybody's secrets."""

import io
import json
import logging

import pytest

from marrakech_site.logs import JsonFormatter


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
    answer = client.get("/healthz?token=abc", headers={"X-Request-ID": "proxy-12345"})
    (line,) = [line for line in lines() if line["logger"] == "souk.access"]
    assert line["route"] == "healthz"
    assert line["request_id"] == answer["X-Request-ID"] == "proxy-12345"
    assert "abc" not in json.dumps(line)


@pytest.mark.django_db
@pytest.mark.parametrize("given", ["", "short", 'x" onload="evil', "y" * 65, "a\u00e4aaaaaaaaa"])
def test_a_strange_id_is_replaced(client, given):
    answer = client.get("/healthz", headers={"X-Request-ID": given})
    assert answer["X-Request-ID"] != given
    assert len(answer["X-Request-ID"]) == 32


def test_an_exception_is_part_of_its_line(lines):
    try:
        raise ValueError("no such carpet")
    except ValueError:
        logging.getLogger("souk.test").exception("it broke")
    line = lines()[-1]
    assert line["level"] == "error"
    assert "no such carpet" in line["exception"]
