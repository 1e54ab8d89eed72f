"""A push service and a receiver of webhooks, as real servers that a test puts into a mood."""

from __future__ import annotations

import base64
import hmac
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


@dataclass
class Place:
    """What came here, and how it is answered: a status, or "hangs"."""

    mood: Any = 201
    came: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    port: int = 0
    released: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def place(**how: Any) -> Iterator[Place]:
    here = Place(**how)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            here.came.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
            if here.mood == "hangs":
                here.released.wait(30)
                return
            if here.mood == "cuts":
                self.connection.close()
                return
            self.send_response(here.mood)
            for name, value in here.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"ok")

        def log_message(self, *_: Any) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    here.port = server.server_address[1]
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}).start()
    try:
        yield here
    finally:
        here.released.set()
        server.shutdown()
        server.server_close()


class Browser:
    """The keys of a subscription; reads what was sealed for it, as RFC 8291 says."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.secret = b"sixteen bytes ok"

    @property
    def point(self) -> bytes:
        return self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @property
    def keys(self) -> dict[str, Any]:
        return {"p256dh": _text(self.point), "auth": _text(self.secret)}

    def read(self, body: bytes) -> dict[str, Any]:
        salt, length = body[:16], body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        shared = self.key.exchange(ec.ECDH(), public)
        first = _derive(self.secret, shared, b"WebPush: info\0" + self.point + sender, 32)
        key = _derive(salt, first, b"Content-Encoding: aes128gcm\0", 16)
        nonce = _derive(salt, first, b"Content-Encoding: nonce\0", 12)
        plain = AESGCM(key).decrypt(nonce, sealed, None)
        assert plain.rstrip(b"\0").endswith(b"\2"), "the last record"
        return json.loads(plain.rstrip(b"\0")[:-1])


def _derive(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    """HKDF of one block."""
    inner = hmac.digest(salt, secret, sha256)
    return hmac.digest(inner, info + b"\1", sha256)[:length]


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
