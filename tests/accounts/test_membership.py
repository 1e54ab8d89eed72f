"""Who may sign up, and what the operator of a site has to say."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.checks import run_checks
from django.core.signing import TimestampSigner
from django.test import Client

from games.models import Player
from games.services import membership
from tests.people import NOON, new_player, signed_in

pytestmark = pytest.mark.django_db

FORM = {"username": "amal", "email": "amal@souk.example", "password1": "open-sesame-42"}


def signs_up(client: Client) -> bool:
    page = client.get("/accounts/signup/")
    assert page.status_code == 200
    client.post("/accounts/signup/", FORM)
    return Player.objects.filter(username="amal").exists()


def test_everybody_may_unless_the_operator_says_otherwise(client: Client, settings) -> None:
    settings.SIGN_UPS = membership.CLOSED
    assert not signs_up(client)
    assert "takes no new players" in client.get("/accounts/signup/").content.decode()
    assert "/accounts/signup/" not in client.get("/learn/").content.decode()
    settings.SIGN_UPS = membership.OPEN
    assert signs_up(client)


def test_by_invitation_of_a_member_only(
    client: Client, settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SIGN_UPS = membership.INVITATION
    assert not signs_up(client)
    assert "ask somebody who plays here" in client.get("/accounts/signup/").content.decode()
    member = new_player("Yasmin")
    of_member = signed_in(member)
    assert "/invite/" in of_member.get("/settings/").content.decode()
    link = of_member.get("/invite/").context["link"]
    assert link.startswith(settings.SITE_URL)
    path = link.removeprefix(settings.SITE_URL)
    assert "Yasmin invites you" in client.get(path, follow=True).content.decode()
    member.suspended_at = NOON
    member.save()
    assert not signs_up(client), "whoever invited is suspended by now"
    member.suspended_at = None
    member.save()
    assert signs_up(client)
    stranger = Client()
    monkeypatch.setattr(TimestampSigner, "timestamp", lambda self: "0")
    old = membership.invitation_link(member=member).removeprefix(settings.SITE_URL)
    for address in ("/invited/nonsense/", old):
        assert "Ask for another" in stranger.get(address, follow=True).content.decode()


def test_terms_and_contact_are_files(client: Client, settings, tmp_path: Path) -> None:
    assert client.get("/terms/").status_code == 404
    assert "/terms/" not in client.get("/learn/").content.decode()
    (tmp_path / "terms.txt").write_text("Be kind.\n\n<b>Always</b>: https://souk.example")
    (tmp_path / "terms.pl.txt").write_text("Bądź miły.")
    settings.HOUSE_TEXTS = {"terms": str(tmp_path / "terms.txt"), "contact": str(tmp_path / "no")}
    page = client.get("/terms/").content.decode()
    assert "<p>Be kind.</p>" in page
    assert "&lt;b&gt;Always" in page
    assert "Bądź miły." in client.get("/pl/terms/").content.decode()
    assert client.get("/contact/").status_code == 404
    assert "/terms/" in client.get("/accounts/signup/").content.decode()
    assert "souk.W007" in {each.id for each in run_checks()}
    settings.SIGN_UPS = "perhaps"
    assert "souk.E001" in {each.id for each in run_checks()}
