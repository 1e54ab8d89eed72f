"""What ends with the sessions of a player: devices, the calendar address, links in old emails."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from allauth.account.models import EmailAddress
from django.contrib.sessions.models import Session
from django.core import signing
from django.test import Client
from django.utils import timezone

from games.models import Device, Game, Notice, Player, Puzzle, Webhook
from games.services import limits, play
from games.services.accounts import sign_out_everywhere
from games.services.moderation import people
from games.services.notices import links, subscriptions
from games.services.reach import webhooks
from tests.accounts.conftest import CODE, PASSWORD, delivered
from tests.moderation.staff import new_moderator
from tests.people import NOON, actor, legal, new_player, open_game, started_game
from tests.reach.places import Browser, Place, place

pytestmark = pytest.mark.both_databases

NEW_PASSWORD = "closed-sesame-43"
DEVICES, PAGE, KEPT = "/settings/devices/", "/settings/notices/", "/settings/webhooks/kept/"


@pytest.fixture(autouse=True)
def _at_home(settings: Any) -> None:
    settings.OUTBOUND_ALLOWED = ["127.0.0.0/8"]


@pytest.fixture
def service() -> Any:
    with place() as here:
        yield here


@pytest.fixture
def here(yasmin: Player) -> Client:
    return browser_of("Yasmin")


def browser_of(name: str) -> Client:
    client = Client()
    assert client.post("/accounts/login/", {"login": name, "password": PASSWORD}).status_code == 302
    return client


def add_device(client: Client, endpoint: str) -> Any:
    return client.post(DEVICES, {"endpoint": endpoint, **Browser().keys})


def add_webhook(client: Client, service: Place, path: str = "/hook") -> Any:
    form = {"url": service.url + path, "format": "slack", "game": "", "mentions": ""}
    return client.post("/settings/webhooks/", form)


def path(url: str) -> str:
    parts = urlsplit(url)
    return parts.path


def code() -> str:
    """Among emails about what was added."""
    (found,) = (CODE.search(str(each.body)) for each in delivered() if "code" in each.subject)
    assert found
    return found[0]


def change_password(client: Client) -> Any:
    form = {"oldpassword": PASSWORD, "password1": NEW_PASSWORD}
    return client.post("/accounts/password/change/", form)


def reset_password(client: Client) -> Any:
    stranger = Client()
    asked = stranger.post("/accounts/password/reset/", {"email": "yasmin@souk.example"})
    stranger.post(asked["Location"], {"code": code()})
    answer = stranger.post("/accounts/password/reset/complete/", {"password1": NEW_PASSWORD})
    assert answer.status_code == 302
    return answer


def change_address(client: Client) -> Any:
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    client.post("/accounts/email/", {"email": "new@souk.example", "action_add": ""})
    answer = client.post("/accounts/confirm-email/", {"code": code()})
    assert EmailAddress.objects.get(email="new@souk.example").primary
    return answer


def sign_out(client: Client) -> Any:
    return client.post("/settings/sign-out-everywhere/")


def sign_out_elsewhere(client: Client) -> Any:
    return client.post("/accounts/sessions/")


WAYS: list[Callable[[Client], Any]] = [
    sign_out,
    sign_out_elsewhere,
    change_password,
    reset_password,
    change_address,
]
KEEP_THE_PRESENT_DEVICE = (change_password, sign_out_elsewhere)


@pytest.mark.parametrize("end", WAYS)
def test_what_outlived_the_sessions_ends_with_them(
    yasmin: Player, here: Client, service: Place, end: Callable[[Client], Any]
) -> None:
    omar = new_player("Omar")
    game = started_game([yasmin, omar], now=timezone.now())
    there = browser_of("Yasmin")
    for client, name in ((here, "/here"), (there, "/there")):
        assert add_device(client, service.url + name).json() == {}
    subscriptions.renew_calendar(player=yasmin)
    old_calendar = yasmin.calendar_token
    old_links = [links.decision_url(each, game) for each in game.seats.select_related("player")]

    end(here)

    kept = ["/here"] if end in KEEP_THE_PRESENT_DEVICE else []
    assert [each.endpoint.removeprefix(service.url) for each in Device.objects.all()] == kept
    yasmin.refresh_from_db()
    assert yasmin.has_device == bool(kept)
    assert Client().get(f"/calendar/{old_calendar}.ics").status_code == 404
    assert Client().get(f"/calendar/{yasmin.calendar_token}.ics").status_code == 200
    assert yasmin.link_counter == 1
    for seat, old in zip(game.seats.select_related("player"), old_links, strict=True):
        ended = seat.player_id == yasmin.pk
        answer = Client().get(path(old))
        assert (answer.status_code == 410 and b"no longer valid" in answer.content) == ended


def test_an_ended_link_changes_nothing_and_a_fresh_one_works(yasmin: Player) -> None:
    game = started_game([yasmin, new_player("Omar")], now=timezone.now())
    seat = actor(game)
    old, action = links.path_of_decision(seat, game), legal(game)[0]
    sign_out_everywhere(player=seat.player, now=NOON)
    answer = Client().post(old, {"action": action})
    assert answer.status_code == 410
    game.refresh_from_db()
    assert game.move_count == 0
    assert game.public_id not in answer.content.decode().split("next=")[0]
    fresh = links.path_of_decision(actor(game), game)
    assert Client().post(fresh, {"action": action}).status_code == 200
    game.refresh_from_db()
    assert game.move_count == 1


def test_who_is_signed_in_follows_an_ended_link_to_where_it_led(yasmin: Player) -> None:
    game = started_game([yasmin, new_player("Omar")], now=timezone.now())
    seat = actor(game)
    old = links.path_of_decision(seat, game)
    sign_out_everywhere(player=seat.player, now=NOON)
    client = Client()
    client.force_login(seat.player)
    assert client.get(old)["Location"] == game.get_absolute_url()


def test_answers_to_invitations_end_and_unsubscribing_does_not(yasmin: Player) -> None:
    game = open_game(new_player("Omar"), visibility=Game.Visibility.NAMED, invited=[yasmin])
    asked = game.invitations.get(player=yasmin)
    old, off = path(links.invitation_url(asked, "accept")), path(links.unsubscribe_url(yasmin))
    assert Client().get(old).status_code == 200
    sign_out_everywhere(player=yasmin, now=NOON)
    assert Client().post(old, {"answer": "accept"}).status_code == 410
    assert game.seats.count() == 1
    asked.refresh_from_db()
    assert (
        Client().get(path(links.invitation_url(game.invitations.get(), "accept"))).status_code
        == 200
    )
    assert Client().post(off).status_code == 200
    yasmin.refresh_from_db()
    assert yasmin.mail == "none"


def test_answers_to_puzzles_end(yasmin: Player) -> None:
    old = path(links.puzzle_url(Puzzle(pk=7, day=NOON.date()), yasmin))
    assert Client().get(old).status_code == 404, "there is no such puzzle"
    sign_out_everywhere(player=yasmin, now=NOON)
    assert Client().get(old).status_code == 410


def test_links_of_earlier_releases_open_until_the_counter_changes(yasmin: Player) -> None:
    game = started_game([yasmin, new_player("Omar")], now=timezone.now())
    seat = actor(game)
    token = signing.dumps([seat.pk, game.move_count], salt=links.DECISION)
    assert Client().get(f"/mail/move/{token}/").status_code == 200
    sign_out_everywhere(player=seat.player, now=NOON)
    assert Client().get(f"/mail/move/{token}/").status_code == 410


def test_a_link_leads_on_to_links_of_its_own_generation_alone(
    yasmin: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else an old link that is pressed at the moment of the sign-out would win a fresh one."""
    game = started_game([yasmin, new_player("Omar")], now=timezone.now())
    seat, play_move = actor(game), play.play_move

    def after_signing_out(**how: Any) -> Any:
        sign_out_everywhere(player=seat.player, now=NOON)
        return play_move(**how)

    monkeypatch.setattr(play, "play_move", after_signing_out)
    answer = Client().post(links.path_of_decision(seat, game), {"action": legal(game)[0]})
    (onward,) = set(re.findall(r'action="(/mail/move/[^"?]+)', answer.content.decode()))
    assert Client().get(onward).status_code == 410


def test_a_suspended_player_is_not_told_on_devices(
    yasmin: Player, here: Client, service: Place
) -> None:
    add_device(here, service.url)
    people.suspend(
        moderator=new_moderator(), player=yasmin, until=None, reason="Spam", now=timezone.now()
    )
    assert not Device.objects.exists()


def test_of_several_devices_of_one_session_none_is_kept(here: Client, service: Place) -> None:
    """A browser has one: the others are somebody's who has a copy of its cookie."""
    for name in ("/mine", "/theirs"):
        add_device(here, service.url + name)
    change_password(here)
    assert not Device.objects.exists()


def test_turns_that_devices_alone_were_told_of_come_by_email(
    yasmin: Player, here: Client, service: Place
) -> None:
    ways = dict.fromkeys(("turn", "reminder", "game", "invitation", "message"), "push")
    add_device(here, service.url)
    here.post(PAGE, ways)
    game = started_game([yasmin, new_player("Omar")], now=timezone.now())
    Game.objects.filter(pk=game.pk).update(to_act=game.seats.get(player=yasmin))
    Notice.objects.filter(kind="turn").update(player=yasmin, state="elsewhere")
    sign_out(here)
    assert Notice.objects.get(kind="turn", player=yasmin).state == "queued"


# Webhooks.


def test_webhooks_stay_and_the_page_asks(yasmin: Player, here: Client, service: Place) -> None:
    for name in ("/one", "/two"):
        add_webhook(here, service, name)
    assert b"Keep these webhooks?" not in here.get(PAGE).content
    assert change_password(here)["Location"] == f"{PAGE}#webhooks-in-question"
    page = here.get(PAGE).content.decode()
    assert "Keep these webhooks?" in page
    one, two = Webhook.objects.all()
    others = Webhook.objects.create(
        owner=new_player("Omar"), url=service.url, format="slack", secret="s", made_at=NOON
    )
    here.post(KEPT, {"shown": [one.pk, two.pk], "delete": [two.pk, others.pk, "x"]})
    assert set(Webhook.objects.all()) == {one, others}
    assert b"Keep these webhooks?" not in here.get(PAGE).content


@pytest.mark.parametrize("end", [reset_password, change_address, sign_out_elsewhere])
def test_the_next_page_asks_about_webhooks(
    here: Client, service: Place, end: Callable[[Client], Any]
) -> None:
    browser_of("Yasmin")
    add_webhook(here, service)
    assert end(here)["Location"] == f"{PAGE}#webhooks-in-question"


def test_of_a_game_that_is_over_nothing_is_asked(
    yasmin: Player, here: Client, service: Place
) -> None:
    game = started_game([yasmin, new_player("Omar")], now=timezone.now())
    form = {"url": service.url, "format": "slack", "game": game.public_id, "mentions": ""}
    here.post("/settings/webhooks/", form)
    assert Webhook.objects.get().game == game
    play.resign(game_id=game.pk, player=yasmin, now=timezone.now())
    change_password(here)
    assert not Webhook.objects.get().in_question


def test_signing_out_everywhere_offers_to_delete_webhooks(here: Client, service: Place) -> None:
    for name in ("/one", "/two"):
        add_webhook(here, service, name)
    one, two = Webhook.objects.all()
    page = here.get("/accounts/sessions/").content.decode()
    assert page.count('name="delete"') == 2
    here.post("/settings/sign-out-everywhere/", {"delete": [one.pk]})
    assert list(Webhook.objects.all()) == [two]
    back = Client().post("/accounts/login/", {"login": "Yasmin", "password": PASSWORD})
    assert back["Location"].endswith("#webhooks-in-question")


# What is added is announced.


def test_a_new_device_is_announced_to_its_owner_in_their_language(
    yasmin: Player, here: Client, service: Place
) -> None:
    Player.objects.update(language="pl")
    add_device(here, service.url)
    (mail,) = delivered()
    assert mail.to == ["yasmin@souk.example"]
    assert "urządzenie" in mail.subject.lower()
    assert "/settings/notices/" in str(mail.body)
    assert "/password/reset/" in str(mail.body)
    assert service.url not in str(mail.body)
    add_device(here, service.url)
    assert len(delivered()) == 1, "the same once more is no news"


def test_a_new_webhook_is_announced_without_its_address(here: Client, service: Place) -> None:
    add_webhook(here, service, "/sesame")
    (mail,) = delivered()
    assert mail.subject == "New webhook: Slack, Mattermost, Rocket.Chat"
    assert "sesame" not in str(mail.message())
    assert Webhook.objects.get().secret not in str(mail.message())


def test_nobody_fills_a_mailbox_and_nothing_is_added_unannounced(
    here: Client, service: Place
) -> None:
    most = limits.LIMITS["announcement"]["sender"].times
    for number in range(most + 5):
        add_device(here, f"{service.url}/{number}")
        added = Device.objects.filter(endpoint=f"{service.url}/{number}").delete()[0]
        assert added == (number < most)
    assert Notice.objects.filter(kind="account").count() == most


# Races.


@pytest.mark.parametrize("how", ["session deleted", "password changed"])
@pytest.mark.parametrize("what", ["devices", "webhooks"])
def test_a_session_that_ended_meanwhile_adds_nothing(
    yasmin: Player, service: Place, monkeypatch: pytest.MonkeyPatch, how: str, what: str
) -> None:
    """The request was let in; then the player signed out everywhere; then it went on."""
    late = Client()
    late.force_login(yasmin)

    def end(*_: object) -> None:
        if how == "session deleted":
            Session.objects.all().delete()
        else:
            change_password_of(yasmin)

    checked = {"devices": "devices._check", "webhooks": "webhooks.check"}[what]
    monkeypatch.setattr(f"games.services.reach.{checked}", end)
    answer = add_device(late, service.url) if what == "devices" else add_webhook(late, service)
    assert answer.status_code in (302, 422)
    assert not Device.objects.exists()
    assert not Webhook.objects.exists()


def change_password_of(player: Player) -> None:
    player.set_password(NEW_PASSWORD)
    player.save(update_fields=["password"])


def test_removed_webhooks_are_no_longer_counted(
    here: Client, service: Place, yasmin: Player
) -> None:
    add_webhook(here, service)
    hook = Webhook.objects.get()
    webhooks.answer_question(owner=yasmin, delete=[hook.pk])
    yasmin.refresh_from_db()
    assert not yasmin.has_webhook
