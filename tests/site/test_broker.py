"""The broker made of files delivers every message once and never half of one."""

from pathlib import Path

import pytest
from kombu import Connection

from marrakech_site import broker
from tools.patience import PATIENCE


@pytest.fixture
def connection(tmp_path: Path):
    broker.register()
    options = broker.transport_options(tmp_path)
    with Connection(f"{broker.ALIAS}://localhost", transport_options=options) as link:
        yield link


def test_what_is_put_is_got_in_order(connection):
    queue = connection.SimpleQueue("souk")
    for number in range(20):
        queue.put({"number": number})
    got = []
    for _ in range(20):
        message = queue.get(timeout=PATIENCE)
        got.append(message.payload["number"])
        message.ack()
    queue.close()
    assert got == list(range(20))


def test_a_message_that_is_still_being_written_is_not_there_yet(connection, tmp_path):
    queue = connection.SimpleQueue("souk")
    (tmp_path / "messages" / ".1_x.souk.msg.partial").write_bytes(b'{"half')
    with pytest.raises(queue.Empty):
        queue.get_nowait()
    queue.close()
