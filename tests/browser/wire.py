"""A line between a browser and its server that a test can cut."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress


class Wire:
    def __init__(self, to: int) -> None:
        self.to = to
        self.whole = True
        self.ends: list[socket.socket] = []
        self.server = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://localhost:{self.server.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        self.whole = False
        for end in self.ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        self.whole = True

    def close(self) -> None:
        self.cut()
        with suppress(OSError):
            self.server.shutdown(socket.SHUT_RDWR)
        for end in (self.server, *self.ends):
            end.close()

    def _accept(self) -> None:
        while True:
            try:
                here = self.server.accept()[0]
            except OSError:
                return
            if not self.whole:
                here.close()
                continue
            there = socket.create_connection(("127.0.0.1", self.to))
            self.ends += (here, there)
            for pair in ((here, there), (there, here)):
                threading.Thread(target=_copy, args=pair, daemon=True).start()


def _copy(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_RDWR)
