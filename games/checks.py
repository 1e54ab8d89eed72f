"""What an operator should hear before players do."""

from __future__ import annotations

from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.http.request import validate_host

from games.services.membership import SIGN_UPS
from games.services.reach import keys
from games.titles import BROKEN, TITLES
from games.titles.completeness import missing_parts


@register(Tags.security, deploy=True)
def public_site_sends_mail(**_: Any) -> list[CheckMessage]:
    if settings.PUBLIC and not settings.EMAIL_URL:
        return [
            Warning(
                "ALLOWED_HOSTS makes this site public, but EMAIL_URL is not set: "
                "nobody gets the code to sign up with, or any turn mail.",
                hint="Set EMAIL_URL, for example smtp+tls://user:password@mail.example.org:587",
                id="souk.W001",
            )
        ]
    return []


@register(Tags.security, deploy=True)
def hosts_are_named(**_: Any) -> list[CheckMessage]:
    if "*" in settings.ALLOWED_HOSTS:
        return [
            Warning(
                "ALLOWED_HOSTS has a *: whoever asks decides what links in mail start with.",
                hint="Name the hosts of the site, for example ALLOWED_HOSTS=souk.example.org",
                id="souk.W003",
            )
        ]
    return []


@register(Tags.security, deploy=True)
def public_site_has_a_server_for_its_data(**_: Any) -> list[CheckMessage]:
    if settings.PUBLIC and settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        return [
            Warning(
                "This site is public and keeps everything in one SQLite file: all who play "
                "wait for each other's moves, and no second host can help.",
                hint="Set DATABASE_URL to a PostgreSQL; backup and restore bring the data over.",
                id="souk.W004",
            )
        ]
    return []


@register(Tags.security, deploy=True)
def links_lead_to_the_site(**_: Any) -> list[CheckMessage]:
    """Links in mail start with SITE_URL; the rest of the settings must mean the same place."""
    site = urlsplit(settings.SITE_URL)
    found: list[CheckMessage] = []
    if settings.PUBLIC and not settings.HTTPS and site.scheme == "https":
        found.append(
            Warning(
                "SITE_URL says https, but HTTPS is off: cookies are sent in the clear, and "
                "browsers are not told to insist on TLS.",
                hint="Leave HTTPS on. Behind a proxy with TLS, set TRUSTED_PROXIES instead.",
                id="souk.W005",
            )
        )
    if settings.HTTPS and site.scheme != "https":
        found.append(
            Warning(
                "SITE_URL says http, but HTTPS is on: every link in a mail is a detour "
                "that can be listened to.",
                hint=f"Set SITE_URL=https://{site.netloc}",
                id="souk.W005",
            )
        )
    if settings.PUBLIC and not validate_host(site.hostname or "", settings.ALLOWED_HOSTS):
        found.append(
            Warning(
                f"SITE_URL leads to {site.hostname}, which is not among ALLOWED_HOSTS: "
                "whoever follows a link in a mail is refused.",
                hint="Add the host to ALLOWED_HOSTS, or correct SITE_URL.",
                id="souk.W006",
            )
        )
    return found


@register
def house_rules(**_: Any) -> list[CheckMessage]:
    """What an operator wrote about sign-ups and texts makes sense."""
    found: list[CheckMessage] = []
    if settings.SIGN_UPS not in SIGN_UPS:
        found.append(
            Error(
                f"SIGN_UPS is {settings.SIGN_UPS!r}: nobody can sign up.",
                hint=f"Set it to one of: {', '.join(SIGN_UPS)}.",
                id="souk.E001",
            )
        )
    for kind, named in settings.HOUSE_TEXTS.items():
        if named and not Path(named).is_file():
            found.append(
                Warning(
                    f"{kind.upper()}_FILE names {named}, and there is no such file.",
                    hint="Links to that page lead nowhere until it is there.",
                    id="souk.W007",
                )
            )
    return found


@register
def places_can_be_told(**_: Any) -> list[CheckMessage]:
    """What an operator wrote about push and webhooks can be read; else every one of them fails."""
    found: list[CheckMessage] = []
    try:
        keys.push_key_of(settings.VAPID_PRIVATE_KEY)
    except ValueError:
        found.append(
            Error(
                "VAPID_PRIVATE_KEY is no key: no device can be told anything.",
                hint="It is 32 bytes in base64url. Without it, a key is made and kept.",
                id="souk.E002",
            )
        )
    for network in settings.OUTBOUND_ALLOWED:
        try:
            ip_network(network)
        except ValueError as error:
            found.append(Error(f"OUTBOUND_ALLOWED is wrong: {error}.", id="souk.E003"))
    if settings.OUTBOUND_CA and not Path(settings.OUTBOUND_CA).is_file():
        found.append(
            Error(f"OUTBOUND_CA names {settings.OUTBOUND_CA}: no such file.", id="souk.E004")
        )
    return found


@register(Tags.templates)
def offered_games_are_complete(**_: Any) -> list[CheckMessage]:
    """A warning, because the other games can be played."""
    broken = [f"{room}: its title.py cannot be used: {error}." for room, error in BROKEN.items()]
    missing = [
        sentence
        for title in TITLES.values()
        if title.is_offered
        for sentence in missing_parts(title)
    ]
    hint = "Until it is complete, nobody can open this game. See docs/add-a-game.md."
    return [Warning(sentence, hint=hint, id="souk.W002") for sentence in (*broken, *missing)]
