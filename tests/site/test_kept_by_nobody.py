"""What a player sees stays in no cache, except for the pages that are kept to be read offline."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game, Player
from games.selectors.table import current_stamp
from tests.people import new_players, open_game, signed_in, started_game

pytestmark = pytest.mark.django_db

NO_STORE = "private, no-store"
KEPT = "private, no-cache"


def kept(client: Client, path: str, headers: dict[str, str] | None = None) -> str:
    return str(client.get(path, headers=headers)["Cache-Control"])


@pytest.fixture
def yasmin(db: None) -> Player:
    return new_players(2)[0]


def test_the_pages_of_a_player_are_stored_by_nobody(yasmin: Player) -> None:
    client = signed_in(yasmin)
    for path in (
        *("/settings/", "/archive/mine/", "/archive/", "/games/mine/over/", "/numbers/", "/help/"),
        *("/settings/data/", "/nowhere/", "/pl/settings/", "/manifest.webmanifest", "/play/"),
        *("/admin/", "/accounts/2fa/", "/accounts/sessions/", f"/players/{yasmin.username}/"),
    ):
        assert kept(client, path) == NO_STORE, path
    assert kept(client, "/%00") == NO_STORE
    strange = client.post("/settings/", {}, headers={"Content-Type": "text/plain; charset=latin-1"})
    assert (strange.status_code, strange["Cache-Control"]) == (415, NO_STORE)
    download = client.get("/archive/mine/games.csv")
    assert download["Cache-Control"] == NO_STORE


def test_parts_of_pages_and_answers_without_any_are_stored_by_nobody(yasmin: Player) -> None:
    game = started_game(list(Player.objects.all()))
    client = signed_in(yasmin)
    address = game.get_absolute_url()
    idle = f"{address}changes/?stamp={current_stamp(game.public_id)}"
    assert client.get(idle).status_code == 204
    for path in (idle, f"{address}changes/", address):
        answer = client.get(path, headers={"HX-Request": "true"})
        assert answer["Cache-Control"] == NO_STORE, (path, answer.status_code)
    assert (
        client.post("/settings/", {}, headers={"HX-Request": "true"})["Cache-Control"] == NO_STORE
    )
    assert kept(client, "/", headers={"If-None-Match": "*", "If-Modified-Since": "x"}) == KEPT


def test_what_is_kept_to_be_read_offline(yasmin: Player) -> None:
    game = started_game(list(Player.objects.all()))
    client = signed_in(yasmin)
    for path in ("/", game.get_absolute_url(), "/offline/"):
        assert kept(client, path) == KEPT, path
    watching = signed_in(new_player_called("Wei"))
    assert kept(watching, game.get_absolute_url()) == NO_STORE


def new_player_called(name: str) -> Player:
    return Player.objects.create_user(name, f"{name}@souk.example", "open-sesame-42")


def test_a_guest_is_a_player(client: Client) -> None:
    first = client.get("/play/")
    assert "no-store" not in first["Cache-Control"]
    form = {name: first.context["form"][name].value() for name in first.context["form"].fields}
    entered = client.post("/play/", {name: text for name, text in form.items() if text is not None})
    assert entered["Cache-Control"] == NO_STORE, "the answer that makes a guest, too"
    for path in ("/play/", "/help/", "/nowhere/"):
        assert kept(client, path) == NO_STORE, path
    assert kept(client, Game.objects.get().get_absolute_url()) == KEPT


def test_the_answers_that_sign_in_and_out(client: Client, yasmin: Player) -> None:
    form = {"login": yasmin.username, "password": "open-sesame-42"}
    assert client.post(reverse("account_login"), form)["Cache-Control"] == NO_STORE
    assert client.post(reverse("account_logout"))["Cache-Control"] == NO_STORE
    assert kept(Client(), "/help/") == "private", "nobody is signed in"


def test_what_is_the_same_for_everybody_may_be_kept(yasmin: Player) -> None:
    client = signed_in(yasmin)
    for path in ("/robots.txt", "/records/key.pem", "/favicon.svg?n=1"):
        answer = client.get(path)
        assert "public" in answer["Cache-Control"], path
        assert not answer.cookies


def test_the_waiting_room_of_a_private_game(yasmin: Player) -> None:
    omar = Player.objects.exclude(pk=yasmin.pk).get()
    game = open_game(yasmin, visibility="named", invited=[omar])
    assert kept(signed_in(yasmin), game.get_absolute_url()) == NO_STORE
