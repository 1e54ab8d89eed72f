"""This machine and all others: what is kept here instead of sent is for this one alone."""

from __future__ import annotations

from ipaddress import ip_address

from django.core.exceptions import ImproperlyConfigured


def is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def check_host(host: str, *, public: bool) -> None:
    """Listening for others without being public would show them what is kept for one machine."""
    if not public and not is_loopback(host):
        raise ImproperlyConfigured(
            f"HOST={host} opens Souk to other machines: name those who may be served in "
            "ALLOWED_HOSTS too, or leave HOST out."
        )
