"""Doors, settings and the local mailbox, as a person with a browser meets them."""

from __future__ import annotations

import re
from collections.abc import Callable
from email.mime.image import MIMEImage
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.core.mail import EmailMultiAlternatives
from django.utils import timezone
from PIL import Image
from playwright.sync_api import Page, expect

from games.models import Player
from games.services.notices import outbox
from tests.browser.everybody import obstacles
from tests.people import new_player

PASSWORD = "open-sesame-42"
CODE = re.compile(r"\b[A-Z]{4}-[A-Z]{4}\b")
OpenAs = Callable[..., Page]


@pytest.fixture(autouse=True)
def _kept_mail(settings: Any, tmp_path: Path) -> None:
    settings.EMAIL_BACKEND = "games.kept_mail.folder.EmailBackend"
    settings.MAIL_KEPT_IN = tmp_path / "mail"


def sender_comes_by(page: Page) -> None:
    """The page that asks for the code is there, so its mail is queued; a worker sends it."""
    expect(page.get_by_label("Code")).to_be_visible()
    outbox.drain(clock=timezone.now)


def code_from_mailbox(page: Page) -> str:
    """Follow the banner to the local mailbox and read the newest mail."""
    sender_comes_by(page)
    with page.expect_popup() as popup:
        page.get_by_role("link", name="Open the local mailbox").click()
    mailbox = popup.value
    mailbox.get_by_role("main").get_by_role("listitem").first.get_by_role("link").click()
    found = CODE.search(mailbox.locator("pre").inner_text())
    assert found
    mailbox.close()
    return found[0]


def confirm(page: Page) -> None:
    page.get_by_label("Code").fill(code_from_mailbox(page))
    page.get_by_role("button", name="Continue").click()


@pytest.mark.parametrize("scripts", [True, False])
def test_sign_up_with_a_code_from_the_mailbox(open_as: OpenAs, scripts: bool) -> None:
    page = open_as(
        path="/accounts/signup/?next=/settings/",
        java_script_enabled=scripts,
        timezone_id="Africa/Casablanca",
    )
    page.get_by_label("Name").fill("Omar")
    page.get_by_label("E-mail address").fill("omar@souk.example")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    confirm(page)
    expect(page).to_have_url(re.compile("/settings/$"))
    zone = "Africa/Casablanca" if scripts else ""
    place = "Casablanca (Morocco)" if scripts else ""
    expect(page.get_by_label("Time zone")).to_have_value(place)
    assert Player.objects.get().time_zone == zone


def test_sign_in_with_a_code_and_sign_out(open_as: OpenAs) -> None:
    new_player("Yasmin")
    page = open_as(path="/settings/")
    page.get_by_role("link", name="Send me a code by mail").click()
    page.get_by_label("E-mail address").fill("yasmin@souk.example")
    page.get_by_role("button", name="Send the code").click()
    confirm(page)
    expect(page).to_have_url(re.compile("/settings/$"))
    page.get_by_role("button", name="Yasmin").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign in").first).to_be_visible()


def test_settings_are_saved_as_they_are_made(open_as: OpenAs) -> None:
    page = open_as(new_player("Yasmin"), "/settings/", color_scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_label("Display name").fill("Jasmine")
    with page.expect_event("load"):
        page.get_by_label("Dark").check()
    assert page.evaluate(ground) != light
    expect(page.get_by_label("Display name")).to_have_value("Jasmine")
    page.get_by_label("From").fill("22:00")
    page.get_by_label("Until").focus()
    expect(page.get_by_role("status")).to_contain_text("Quiet hours: not saved.")
    page.get_by_label("Until").fill("07:00")
    page.get_by_label("From").focus()
    expect(page.get_by_role("status")).to_have_text("Saved.")
    expect(page.get_by_label("Dark")).to_be_checked()


def test_a_mail_is_shown_as_mail_programs_do(open_as: OpenAs) -> None:
    new_player("Yasmin")
    page = open_as(path="/accounts/login/code/")
    page.get_by_label("E-mail address").fill("yasmin@souk.example")
    page.get_by_role("button", name="Send the code").click()
    sender_comes_by(page)
    page.goto("/mailbox/")
    page.get_by_role("link", name="Your code for Souk").click()
    code = CODE.search(page.locator("pre").inner_text())
    assert code
    framed = page.frame_locator("iframe")
    expect(framed.get_by_text(code[0])).to_be_visible()
    framed.get_by_role("link").click()
    expect(page).not_to_have_url(re.compile("/mailbox/"))


def test_a_mail_brings_its_pictures(open_as: OpenAs) -> None:
    mail = EmailMultiAlternatives("Your turn", "A board", to=["yasmin@souk.example"])
    mail.attach_alternative('<img src="cid:board" alt="The board">', "text/html")
    drawn = BytesIO()
    Image.new("RGB", (30, 20)).save(drawn, "PNG")
    picture = MIMEImage(drawn.getvalue())
    picture["Content-ID"] = "<board>"
    mail.attach(picture)
    mail.send()
    page = open_as(path="/mailbox/")
    page.get_by_role("link", name="Your turn").click()
    shown = page.frame_locator("iframe").get_by_alt_text("The board")
    expect(shown).to_have_js_property("naturalWidth", 30)


STRANGERS = (
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/login/code/",
    "/accounts/password/reset/",
    "/accounts/inactive/",
    "/mailbox/",
)
PLAYERS = (
    "/settings/",
    "/settings/notices/",
    "/settings/delete/",
    "/accounts/email/",
    "/accounts/password/change/",
    "/accounts/sessions/",
    "/accounts/logout/",
    "/accounts/reauthenticate/",
)


def test_every_page_is_for_everybody(open_as: OpenAs) -> None:
    """Nothing for axe to find, nothing that the content policy stops, no sideways scrolling."""
    page = open_as(viewport={"width": 320, "height": 640})
    complaints: list[str] = []
    page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)

    def check(path: str) -> None:
        assert obstacles(page) == [], path
        assert page.locator("html").evaluate("html => html.scrollWidth") <= 320, path
        assert complaints == [], path

    for path in STRANGERS:
        page.goto(path)
        check(path)
    page.goto("/accounts/signup/")
    page.get_by_label("Name").fill("Om ar")
    page.get_by_label("E-mail address").fill("omar@souk.example")
    page.get_by_label("Password").fill("x")
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    expect(page.get_by_text("This password is too short.")).to_be_visible()
    check("sign-up with errors")
    page.get_by_label("Name").fill("Omar")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    page.get_by_text("Use another address").click()
    check("confirmation")
    sender_comes_by(page)
    page.get_by_role("link", name="Local mailbox", exact=True).click()
    page.get_by_role("main").get_by_role("listitem").first.get_by_role("link").click()
    check("mail")
    page.goto("/accounts/confirm-email/")
    confirm(page)
    page.goto("/accounts/reauthenticate/")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()
    for path in PLAYERS:
        page.goto(path)
        check(path)
