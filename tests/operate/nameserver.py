"""A real DNS server with the TXT records that a test gives it."""

from __future__ import annotations

import socketserver
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Thread

import dns.message
import dns.rcode
import dns.rrset


class Answers(socketserver.BaseRequestHandler):
    records: Mapping[str, str]

    def handle(self) -> None:
        data, reply_to = self.request
        query = dns.message.from_wire(data)
        answer = dns.message.make_response(query)
        name = query.question[0].name
        text = self.records.get(name.to_text(omit_final_dot=True))
        if text is None:
            answer.set_rcode(dns.rcode.NXDOMAIN)
        else:
            answer.answer.append(dns.rrset.from_text(name, 60, "IN", "TXT", f'"{text}"'))
        reply_to.sendto(answer.to_wire(), self.client_address)


@contextmanager
def nameserver(records: Mapping[str, str]) -> Iterator[str]:
    handler = type("Handler", (Answers,), {"records": records})
    with socketserver.UDPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_address[1]}"
        server.shutdown()
