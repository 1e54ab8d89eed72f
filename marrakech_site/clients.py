"""Where a request comes from, seen past the proxies that we run ourselves."""

from __future__ import annotations

from ipaddress import IPv6Address, IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest

NOWHERE = "127.0.0.1"  # a socket file has no address: the peer is on this machine


def client_ip(request: HttpRequest) -> str:
    """The address of the client; what a client claims beyond our own proxies is not believed."""
    hops = [hop for hop in request.headers.get("X-Forwarded-For", "").split(",") if hop.strip()]
    if settings.TRUSTED_PROXIES and hops:
        claimed = _address(hops[max(-settings.TRUSTED_PROXIES, -len(hops))])
        if claimed:
            return claimed
    return _address(request.META.get("REMOTE_ADDR", "")) or NOWHERE


def client_network(request: HttpRequest) -> str:
    """What to count by: one subscriber owns a whole /64 of version 6, not one address."""
    ip = client_ip(request)
    if isinstance(ip_address(ip), IPv6Address):
        return str(IPv6Network(f"{ip}/64", strict=False).network_address)
    return ip


def _address(text: str) -> str:
    """The address in canonical form, without a port, or nothing."""
    text = text.strip()
    host, colon, port = text.rpartition(":")
    without_port = host.strip("[]") if colon and port.isdigit() else ""
    for candidate in (text.strip("[]"), without_port):
        try:
            address = ip_address(candidate)
        except ValueError:
            continue
        # A socket for both versions writes version 4 so; its /64 would be all of version 4.
        mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
        return str(mapped or address)
    return ""
