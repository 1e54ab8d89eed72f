"""The pages of notices, devices and webhooks, and who may touch what."""

from __future__ import annotations

import re

import pytest
from django.contrib.sessions.models import Session
from django.contrib.staticfiles import finders
from django.test import Client
from django.utils import timezone

from games.models import Device, Errand, Player, Webhook
from games.selectors.reach import device_name
from games.services.reach import keys, webhooks
from tests.people import new_players, open_game, play_on, signed_in, started_game, whose_turn
from tests.reach.places import Browser, Place

pytestmark = pytest.mark.django_db
PAGE = "/settings/notices/"
WAYS = {
    "turn": "push",
    "reminder": "both",
    "game": "none",
    "invitation": "mail",
    "message": "unless",
}
ANDROID = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36"


def on_android(player: Player) -> Client:
    return signed_in(player, headers={"User-Agent": ANDROID})


def test_ways_are_chosen_and_nonsense_is_not() -> None:
    (yasmin,) = new_players(1)
    me = on_android(yasmin)
    assert me.post(PAGE, {**WAYS, "turn": "pigeon"}).status_code == 422
    assert me.post(PAGE, {}).status_code == 422
    assert me.post(PAGE, WAYS).status_code == 302
    yasmin.refresh_from_db()
    assert yasmin.channels == WAYS
    assert '<option value="none" selected>' in me.get(PAGE).content.decode()


def test_a_device_comes_is_tested_and_goes(service: Place) -> None:
    yasmin, omar = new_players(2)
    me, other = on_android(yasmin), on_android(omar)
    key = me.get("/settings/devices/").json()["key"]
    assert key == keys.public_key(now=timezone.now())
    phone = {"endpoint": f"{service.url}/me", **Browser().keys}
    assert me.post("/settings/devices/", {**phone, "auth": ""}).status_code == 422
    assert me.post("/settings/devices/", phone).json() == {}
    assert "Chrome · Android" in me.get(PAGE).content.decode()
    place = f"/settings/devices/{Device.objects.get().pk}"
    other.post(f"{place}/remove/")
    other.post(f"{place}/test/")
    assert Device.objects.exists()
    assert not Errand.objects.exists()
    me.post(f"{place}/test/")
    assert Errand.objects.get().kind == "test"
    assert me.post(f"{place}/dance/").status_code == 404
    # Whoever is signed in to the same browser next has the device from then on.
    other.post("/settings/devices/", phone)
    yasmin.refresh_from_db()
    assert (Device.objects.get().player, yasmin.has_device) == (omar, False)
    other.post(f"{place}/remove/")
    for path in (PAGE, "/settings/devices/"):
        assert Client().get(path).status_code == 302


def test_the_worker_can_follow_its_push_service_to_another_address(service: Place) -> None:
    """There is no page then whose token it could use."""
    (yasmin,) = new_players(1)
    worker = signed_in(yasmin, enforce_csrf_checks=True)
    token = worker.get("/settings/devices/").json()["token"]
    phone = {"endpoint": f"{service.url}/moved", **Browser().keys}
    assert worker.post("/settings/devices/", phone).status_code == 403
    assert worker.post("/settings/devices/", phone, headers={"X-CSRFToken": token}).json() == {}
    assert Device.objects.get().endpoint.endswith("/moved")


def test_a_webhook_is_made_seen_and_deleted_by_its_owner_alone(service: Place) -> None:
    yasmin, omar = new_players(2)
    me, other = on_android(yasmin), on_android(omar)
    game = open_game(yasmin, 2)
    form = {"url": f"{service.url}/x", "format": "standard", "game": game.public_id, "mentions": ""}
    assert other.post("/settings/webhooks/", form).status_code == 422, "not the table's creator"
    assert me.post("/settings/webhooks/", {**form, "url": "nowhere"}).status_code == 422
    made = me.post("/settings/webhooks/", form)
    hook = Webhook.objects.get()
    assert made["Location"] == f"/settings/webhooks/{hook.pk}/"
    html = me.get(made["Location"]).content.decode()
    assert hook.secret in html
    named = f"Marrakech · Yasmin · {game.public_id}"
    assert named in html
    assert me.get(PAGE).content.decode().count(named) == 2, "on the list, and to choose from"
    game.refresh_from_db()
    assert game.has_webhook
    me.post(f"{made['Location']}test/")
    errand = Errand.objects.get()
    for path in ("", "test/", "remove/", "on/", f"again/{errand.pk}/"):
        answer = other.post(made["Location"] + path) if path else other.get(made["Location"])
        assert answer.status_code == 404
    me.post(f"{made['Location']}again/{errand.pk}/")
    assert "test" in me.get(made["Location"]).content.decode()
    me.post(f"{made['Location']}remove/")
    game.refresh_from_db()
    assert not Webhook.objects.exists()
    assert not game.has_webhook


def test_operators_see_what_is_told_where_and_no_secret(service: Place, client: Client) -> None:
    (yasmin,) = new_players(1)
    me, phone = on_android(yasmin), Browser().keys
    me.post("/settings/devices/", {"endpoint": f"{service.url}/sesame", **phone})
    form = {"url": f"{service.url}/open", "format": "slack", "game": "", "mentions": "U12345678"}
    me.post("/settings/webhooks/", form)
    hook, device = Webhook.objects.get(), Device.objects.get()
    me.post(f"/settings/webhooks/{hook.pk}/test/")
    errand = Errand.objects.get()
    pages = [
        f"/admin/games/{model}/{which}"
        for model, row in (("device", device), ("webhook", hook), ("errand", errand))
        for which in ("", f"{row.pk}/change/")
    ]
    client.force_login(Player.objects.create_superuser("root", "root@example.org", "secret"))
    for page in pages:
        answer = client.get(page)
        assert answer.status_code == 200
        html = answer.content.decode()
        assert "Yasmin" in html
        for secret in ("sesame", "/open", hook.secret, "U12345678", *phone.values()):
            assert secret not in html, f"{secret} on {page}"
        assert client.post(page, {"name": "mine", "_save": "1"}).status_code in (200, 403)
    client.force_login(Player.objects.create(username="looker", is_staff=True))
    assert {client.get(page).status_code for page in pages} == {403}


def test_there_is_an_end_to_webhooks(service: Place) -> None:
    (yasmin,) = new_players(1)
    form = {"url": f"{service.url}/x", "format": "slack", "game": "", "mentions": ""}
    me = on_android(yasmin)
    codes = [me.post("/settings/webhooks/", form).status_code for _ in range(webhooks.MOST + 1)]
    assert codes == [302] * webhooks.MOST + [422]


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (ANDROID, "Chrome · Android"),
        (
            "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0",
            "Firefox · Linux",
        ),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) Version/17 Safari/605", "Safari · Mac"),
        ("", ""),
    ],
)
def test_devices_have_names_that_people_know(agent: str, name: str) -> None:
    assert device_name(agent) == name


def test_the_app_can_be_installed_and_signing_out_empties_it() -> None:
    (yasmin,) = new_players(1)
    me = on_android(yasmin)
    said = me.get("/manifest.webmanifest").json()
    assert (said["display"], said["start_url"]) == ("standalone", "/")
    assert {icon["purpose"] for icon in said["icons"]} == {"any", "maskable"}
    assert [each["url"] for each in said["shortcuts"]] == ["/next/", "/play/"]
    worker = me.get("/service-worker.js")
    assert worker["Content-Type"].startswith("text/javascript")
    assert "VERSION" not in worker.content.decode()
    assert '"/en/offline/"' in worker.content.decode()
    assert yasmin.username not in me.get("/en/offline/").content.decode(), "it stays"
    assert me.get("/")["Souk-Keep"] == "seen"
    assert "Clear-Site-Data" not in me.get("/")
    assert me.post("/accounts/logout/")["Clear-Site-Data"] == '"cache", "storage"'
    assert "Souk-Keep" not in me.get("/")


def test_the_bar_of_the_browser_has_the_colour_of_the_theme() -> None:
    (yasmin,) = new_players(1)
    for theme, colours in (("system", ["#f6efe3", "#14121f"]), ("dark", ["#14121f"])):
        Player.objects.update(theme=theme)
        page = on_android(yasmin).get("/").content.decode()
        assert re.findall(r'name="theme-color"[^>]*content="([^"]+)"', page) == colours
        splash = on_android(yasmin).get("/manifest.webmanifest").json()["background_color"]
        assert splash == colours[0]


def test_who_was_signed_out_from_elsewhere_leaves_nothing_in_the_browser_either() -> None:
    (yasmin,) = new_players(1)
    me = on_android(yasmin)
    assert "Clear-Site-Data" not in me.get("/")
    Session.objects.all().delete()
    assert me.get("/")["Clear-Site-Data"] == '"cache", "storage"'
    assert "Clear-Site-Data" not in me.get("/"), "once"
    assert "Clear-Site-Data" not in Client().get("/")


def test_after_the_first_turn_a_device_is_offered_once() -> None:
    players = new_players(2)
    game = started_game(players)
    first = whose_turn(game)
    assert (
        "hidden data-tell-me" not in on_android(first).get(game.get_absolute_url()).content.decode()
    )
    while whose_turn(game) == first:
        play_on(game, 1)
    assert "hidden data-tell-me" in on_android(first).get(game.get_absolute_url()).content.decode()
    Player.objects.update(has_device=True)
    assert (
        "hidden data-tell-me" not in on_android(first).get(game.get_absolute_url()).content.decode()
    )


def test_the_worker_names_files_that_there_are() -> None:
    """One that is missing would keep it from being installed."""
    text = Client().get("/service-worker.js").content.decode()
    named = set(re.findall(r'"/static/([^"]+)"', text))
    assert named
    assert [path for path in named if finders.find(path) is None] == []
