"""Who may sign up, and what the operator of a site has to say."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings as site
from django.core.checks import run_checks
from django.core.signing import TimestampSigner
from django.test import Client

from games.models import Player
from games.selectors.accounts import everything_about
from games.services import guests, membership
from games.services.accounts import delete_account, forget_unfinished_sign_ups
from tests.moderation.staff import new_moderator
from tests.people import NOON, new_player, signed_in

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
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


def invited_by(member: Player, name: str) -> Player:
    client = Client()
    client.get(membership.invitation_link(member=member).removeprefix(site.SITE_URL))
    client.post("/accounts/signup/", {**FORM, "username": name, "email": f"{name}@souk.example"})
    return Player.objects.get(username=name)


@pytest.mark.parametrize("sign_ups", [membership.OPEN, membership.INVITATION])
def test_who_invited_whom_is_stored_and_moderators_can_follow_it(settings, sign_ups: str) -> None:
    settings.SIGN_UPS = sign_ups
    member = new_player("Yasmin")
    amal, basma = invited_by(member, "amal"), invited_by(member, "basma")
    assert amal.invited_by == basma.invited_by == member
    moderator = signed_in(new_moderator())
    settings.STAFF_SECOND_FACTOR = False
    page = moderator.get("/moderation/players/amal/").content.decode()
    assert "Invited to the site by" in page
    assert "/moderation/players/Yasmin/" in page
    page = moderator.get("/moderation/players/Yasmin/").content.decode()
    assert "Invited to the site by" not in page
    assert page.index("/moderation/players/basma/") < page.index("/moderation/players/amal/")
    for stranger in (signed_in(member), signed_in(amal), Client()):
        assert stranger.get("/moderation/players/amal/").status_code == 404
    assert "nvited to the site" not in signed_in(amal).get("/players/Yasmin/").content.decode()


def test_who_signs_up_without_a_link_was_invited_by_nobody(client: Client) -> None:
    assert signs_up(client)
    assert Player.objects.get(username="amal").invited_by is None
    page = signed_in(new_moderator()).get("/moderation/players/amal/", follow=True).content.decode()
    assert "nvited to the site" not in page


def test_an_abused_link_is_stored_also_if_its_member_was_suspended_meanwhile() -> None:
    member, client = new_player("Yasmin"), Client()
    client.get(membership.invitation_link(member=member).removeprefix(site.SITE_URL))
    Player.objects.filter(pk=member.pk).update(suspended_at=NOON)
    client.post("/accounts/signup/", FORM)
    assert Player.objects.get(username="amal").invited_by == member


def test_both_find_it_in_their_data_and_deletion_leaves_no_name() -> None:
    member = new_player("Yasmin")
    amal, basma = invited_by(member, "amal"), invited_by(member, "basma")
    assert everything_about(amal)["account"]["invited_by"] == "Yasmin"
    assert everything_about(member)["invited_players"] == ["amal", "basma"]
    delete_account(player=amal, now=NOON)
    amal.refresh_from_db()
    assert amal.invited_by is None
    delete_account(player=member, now=NOON)
    basma.refresh_from_db()
    assert everything_about(basma)["account"]["invited_by"] == "Former player"
    assert basma.invited_by == member, "moderators can still see what came of one link"


def test_a_purge_of_unfinished_sign_ups_takes_the_trail_along() -> None:
    member = new_player("Yasmin")
    amal = invited_by(member, "amal")
    forget_unfinished_sign_ups(now=amal.date_joined + 30 * DAY)
    assert not member.invited_players.exists()


def test_a_guest_again_was_invited_by_nobody() -> None:
    amal = invited_by(new_player("Yasmin"), "amal")
    guests.back_to_guest(amal)
    amal.refresh_from_db()
    assert amal.invited_by is None


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
