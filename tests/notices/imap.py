"""A tiny IMAP server on loopback: one mailbox, one user, just the commands that are used."""

from __future__ import annotations

import re
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

USER, PASSWORD = "bounces@souk.example", "p@ss:word"


@dataclass
class Mailbox:
    messages: list[bytes] = field(default_factory=list)
    seen: set[int] = field(default_factory=set)
    port: int = 0

    def answer(self, command: str, rest: str) -> tuple[list[bytes], str]:
        """Lines before the last one, and the last one."""
        match command:
            case "CAPABILITY":
                return [b"* CAPABILITY IMAP4rev1"], "OK done"
            case "LOGIN":
                known = rest == f'{USER} "{PASSWORD}"'
                return [], "OK come in" if known else "NO who are you"
            case "SELECT":
                return [f"* {len(self.messages)} EXISTS".encode()], "OK [READ-WRITE] selected"
            case "SEARCH":
                numbers = [n for n in range(1, len(self.messages) + 1) if n not in self.seen]
                return [b"* SEARCH " + " ".join(map(str, numbers)).encode()], "OK done"
            case "FETCH":
                return self._fetch(rest), "OK done"
            case "STORE":
                self.seen.add(int(rest.split()[0]))
                return [], "OK stored"
        return ([b"* BYE"] if command == "LOGOUT" else []), "OK"

    def _fetch(self, rest: str) -> list[bytes]:
        found = re.fullmatch(r"(\d+) \(BODY\.PEEK\[\]<0\.(\d+)>\)", rest)
        assert found, rest
        content = self.messages[int(found[1]) - 1][: int(found[2])]
        head = f"* {found[1]} FETCH (BODY[]<0> {{{len(content)}}}\r\n".encode()
        return [head + content + b")"]


@contextmanager
def imap_server() -> Iterator[Mailbox]:
    mailbox = Mailbox()

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.wfile.write(b"* OK ready\r\n")
            for line in self.rfile:
                tag, _, rest = line.decode().strip().partition(" ")
                command, _, rest = rest.partition(" ")
                lines, last = mailbox.answer(command.upper(), rest)
                for each in [*lines, f"{tag} {last}".encode()]:
                    self.wfile.write(each + b"\r\n")
                if command.upper() == "LOGOUT":
                    return

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        mailbox.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield mailbox
        finally:
            server.shutdown()
            thread.join()
