"""Whether mail gets out, and whether the world has reasons to believe that it is ours."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from email.utils import parseaddr

import dns.exception
import dns.resolver
from django.conf import settings
from django.core.mail import EmailMessage, get_connection

from games.reckon.verdicts import judge
from games.services.checkup.findings import Finding, advice, fault, first_line, ok

PATIENCE = 5
"""Seconds for one name."""

USUAL_SELECTORS = ("default", "dkim", "mail", "souk", "s1", "s2", "k1", "selector1", "google")


def examine_server(mail_to: str) -> Iterator[Finding]:
    if not settings.EMAIL_URL:
        yield ok("mail", f"Kept in {settings.MAIL_KEPT_IN}, not sent")
        return
    connection = get_connection()
    try:
        connection.open()
        if mail_to:
            EmailMessage(
                "Souk can send mail",
                "This mail was asked for by `manage.py doctor`. That you read it means that "
                "Souk's mail gets out.\n",
                to=[mail_to],
                connection=connection,
            ).send()
    except Exception as error:
        yield fault("mail", f"The mail server does not take mail: {judge(error).reason}")
        return
    finally:
        connection.close()
    if mail_to:
        yield ok("mail", f"The server took a message for {mail_to}: see whether it arrives")
    else:
        yield advice("mail", "The server answers; `doctor --mail you@example.org` sends a message.")


def examine_names(nameserver: str) -> Iterator[Finding]:
    """Advice only: a relay may have names of its own."""
    domain = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2]
    if not settings.EMAIL_URL or "." not in domain or domain.replace(".", "").isdigit():
        return
    try:
        yield from _examine_names(domain, _resolver(nameserver))
    except dns.exception.Timeout:
        yield advice("DNS", f"Nobody answered about {domain} within {PATIENCE} seconds.")
    except (dns.exception.DNSException, OSError, ValueError) as error:
        yield advice("DNS", f"Nobody could be asked about {domain}: {first_line(error)}")


def _examine_names(domain: str, resolver: dns.resolver.Resolver) -> Iterator[Finding]:
    policies = [text for text in _texts(resolver, domain) if text.lower().startswith("v=spf1")]
    if len(policies) != 1:
        yield advice(
            "SPF",
            f"{domain} has {'no' if not policies else 'more than one'} SPF record. Publish one "
            f'TXT record, for example "v=spf1 mx a:{_own_name()} -all", naming who sends for you.',
        )
    elif policies[0].lower().endswith(("+all", "?all")):
        yield advice("SPF", f"{policies[0]!r} lets everybody send in the name of {domain}.")
    else:
        yield ok("SPF", policies[0])

    selectors = [settings.DKIM_SELECTOR] if settings.DKIM_SELECTOR else USUAL_SELECTORS
    signing = [
        selector
        for selector in selectors
        if any("p=" in text for text in _texts(resolver, f"{selector}._domainkey.{domain}"))
    ]
    if signing:
        yield ok("DKIM", f"A key under {signing[0]}._domainkey.{domain}")
    else:
        yield advice(
            "DKIM",
            f"No key found under {', '.join(selectors)} of {domain}. Have your mail server sign, "
            "publish its key, and set DKIM_SELECTOR to its name.",
        )

    rules = [text for text in _texts(resolver, f"_dmarc.{domain}") if text.startswith("v=DMARC1")]
    if rules:
        yield ok("DMARC", rules[0])
    else:
        yield advice(
            "DMARC",
            f'{domain} has none. Publish a TXT record at _dmarc.{domain}: "v=DMARC1; p=none; '
            f'rua=mailto:postmaster@{domain}", and a stricter p= when all is well.',
        )


def _texts(resolver: dns.resolver.Resolver, name: str) -> list[str]:
    try:
        answer = resolver.resolve(name, "TXT")
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return []
    return [b"".join(row.strings).decode(errors="replace") for row in answer]


def _resolver(nameserver: str) -> dns.resolver.Resolver:
    resolver = dns.resolver.Resolver(configure=not nameserver)
    if nameserver:
        host, _, port = nameserver.partition(":")
        resolver.nameservers, resolver.port = [host], int(port or 53)
    resolver.lifetime = PATIENCE
    return resolver


def _own_name() -> str:
    return socket.getfqdn()
