"""The port to addresses that people gave us: nothing private can be reached through it.

A name is looked up once, and the connection goes to the very address that was looked at, so
nobody can say one thing to the check and another to the connection. Redirects are not followed.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

WITHIN = 5.0
"""Seconds for all of it: the name, the connection, the answer."""
READ_AT_MOST = 4096
LATE = "no answer in time"
SCHEMES = {"https": 443, "http": 80}
# What Python's lists leave out: old networks of sites (fec0::/10) are not public either.
PUBLIC_IPV6 = ip_network("2000::/3")
RESERVED = (ip_network("3fff::/20"), ip_network("192.88.99.0/24"))
LOOK_UPS = ThreadPoolExecutor(8, "names")


class NotAllowed(ValueError):
    """Nothing is sent to such an address."""


@dataclass(frozen=True)
class Answer:
    """What came back; a status of 0 says that nothing did, and `reason` why."""

    status: int
    reason: str
    took_ms: int
    retry_after: int | None = None

    @property
    def is_good(self) -> bool:
        return 200 <= self.status < 300


def check(url: str) -> SplitResult:
    """The parts of an address as somebody typed it, or `NotAllowed`."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise NotAllowed("this is not an address") from None
    if parts.scheme not in SCHEMES or (parts.scheme == "http" and settings.PUBLIC):
        raise NotAllowed("only https is spoken")
    if not parts.hostname or parts.username is not None or port == 0 or not url.isascii():
        raise NotAllowed("this is not an address")
    return parts


def addresses(host: str, port: int) -> list[str]:
    """Where a name leads, if all of that is public."""
    found = LOOK_UPS.submit(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    try:
        numbers = list(dict.fromkeys(str(each[4][0]) for each in found.result(WITHIN)))
    except (OSError, UnicodeError, TimeoutError):
        raise OSError("the name leads nowhere") from None
    if not all(is_public(number) for number in numbers):
        raise NotAllowed("this address is not public")
    return numbers


def is_public(number: str) -> bool:
    address: IPv4Address | IPv6Address = ip_address(number.partition("%")[0])
    if any(address in ip_network(allowed) for allowed in settings.OUTBOUND_ALLOWED):
        return True
    if isinstance(address, IPv6Address):
        # Addresses that carry another one inside.
        if mapped := address.ipv4_mapped:
            return is_public(str(mapped))
        if address not in PUBLIC_IPV6 or address.teredo or address.sixtofour:
            return False
    if any(address in network for network in RESERVED):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def post(url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Never an exception."""
    started = time.monotonic()

    def took() -> int:
        return round(1000 * (time.monotonic() - started))

    try:
        parts = check(url)
        port = parts.port or SCHEMES[parts.scheme]
        assert parts.hostname
        connection = _connect(parts, addresses(parts.hostname, port), port, started)
    except (OSError, NotAllowed) as error:
        return Answer(0, _named(error), took())
    # Whoever answers byte by byte is cut off when the time is up, too.
    end = threading.Timer(_left(started), _cut, [connection.sock])
    end.start()
    try:
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", path, body, dict(headers))
        answer = connection.getresponse()
        said = answer.read(READ_AT_MOST)
        after = answer.headers.get("Retry-After", "")
        return Answer(
            answer.status,
            " ".join(f"{answer.status} {said[:150].decode(errors='replace')}".split()),
            took(),
            int(after) if after.isascii() and after.isdigit() and len(after) < 7 else None,
        )
    except (OSError, http.client.HTTPException, ValueError) as error:
        late = time.monotonic() - started >= WITHIN
        return Answer(0, LATE if late else _named(error), took())
    finally:
        end.cancel()
        connection.close()


def _connect(
    parts: SplitResult, numbers: list[str], port: int, started: float
) -> http.client.HTTPConnection:
    sock = _reach(numbers, port, started)
    try:
        if not is_public(sock.getpeername()[0]):
            raise NotAllowed("this address is not public")
        if parts.scheme == "https":
            context = ssl.create_default_context(cafile=settings.OUTBOUND_CA or None)
            sock = context.wrap_socket(sock, server_hostname=parts.hostname)
    except Exception:
        sock.close()
        raise
    connection = http.client.HTTPConnection(parts.netloc.rpartition("@")[2], timeout=WITHIN)
    connection.sock = sock
    return connection


def _reach(numbers: list[str], port: int, started: float) -> socket.socket:
    """The first of these addresses where somebody is; they share the time that is left."""
    failure = OSError("the name leads nowhere")
    for more in range(len(numbers), 0, -1):
        try:
            within = _left(started) / more
            sock = socket.create_connection((numbers[-more], port), timeout=within)
        except OSError as error:
            failure = error
        else:
            sock.settimeout(_left(started))
            return sock
    raise failure


def _left(started: float) -> float:
    return max(WITHIN - (time.monotonic() - started), 0.01)


def _cut(sock: socket.socket) -> None:
    try:
        sock.shutdown(socket.SHUT_RDWR)
    except OSError:
        return


def _named(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return LATE
    return str(error) or type(error).__name__
