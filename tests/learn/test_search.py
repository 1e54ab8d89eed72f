"""What search engines find."""

from __future__ import annotations

from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest
from django.conf import settings

pytestmark = pytest.mark.django_db
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
LINK = "{http://www.w3.org/1999/xhtml}link"
CODES = [code for code, _ in settings.LANGUAGES]


@pytest.mark.parametrize("path", ["/sitemap.xml", "/pl/sitemap.xml"])
def test_the_sitemap_names_each_page_in_each_language(client, path):
    response = client.get(path)
    assert response.headers["Content-Type"] == "application/xml"
    entries = ElementTree.fromstring(response.content).findall(f"{SITEMAP}url")
    found = [entry.findtext(f"{SITEMAP}loc") for entry in entries]
    assert len(found) == len(set(found))
    for page in ("/", "/games/", "/learn/", "/help/", "/rules/marrakech/", "/rules/ifrito/"):
        assert {f"{settings.SITE_URL}/{code}{page}" for code in CODES} <= set(found)
    for entry in entries:
        links = {link.get("hreflang"): link.get("href") for link in entry.findall(LINK)}
        assert set(links) == {*CODES, "x-default"}
        assert entry.findtext(f"{SITEMAP}loc") in links.values()
        assert "/pl/" not in str(links["x-default"])


def test_what_the_sitemap_names_is_there(client):
    entries = ElementTree.fromstring(client.get("/sitemap.xml").content)
    for entry in entries.findall(f"{SITEMAP}url"):
        address = urlsplit(entry.findtext(f"{SITEMAP}loc") or "").path
        if address.startswith("/ro/"):
            page = client.get(address)
            assert page.status_code == 200, address
            assert f'<link rel="canonical" href="{settings.SITE_URL}{address}">' in (
                page.content.decode()
            )


def test_robots_are_told_what_is_private(client):
    response = client.get("/robots.txt")
    text = response.content.decode()
    assert response.headers["Content-Type"].startswith("text/plain")
    assert f"Sitemap: {settings.SITE_URL}/sitemap.xml" in text
    for private in ("/accounts/", "/settings/", "/mail/", "/admin/"):
        assert f"Disallow: {private}\n" in text
