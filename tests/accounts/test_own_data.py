from __future__ import annotations

import json

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from axes.models import AccessAttempt
from django.contrib.sessions.models import Session
from django.test import Client

from games.models import Block, Game, Invitation, Message, Player, Seat
from games.selectors.accounts import everything_about
from games.services import lobby, play
from games.services.accounts import FORGOTTEN, delete_account
from games.services.errors import Refused
from tests.accounts.conftest import PASSWORD
from tests.people import NOON, new_player, open_game, play_on, signed_in, started_game

pytestmark = pytest.mark.both_databases

PRIVATE_COLUMNS_KEPT = {"id", "password", "is_superuser", "is_staff", "is_active", "date_joined"}


@pytest.fixture
def omar(db) -> Player:
    return new_player("Omar")


@pytest.fixture
def busy(yasmin, omar) -> Game:
    """A running game with moves, talk and notes, and all else that a player leaves behind."""
    game = started_game([yasmin, omar])
    play_on(game, 3)
    for player in (yasmin, omar):
        Message.objects.create(game=game, player=player, text=f"{player} was here", at=NOON)
        Seat.objects.filter(player=player).update(notes=f"secret of {player}")
        other = omar if player == yasmin else yasmin
        Block.objects.create(blocker=player, blocked=other, at=NOON)
    wei = new_player("Wei")
    Invitation.objects.create(game=open_game(wei), player=yasmin, at=NOON)
    return game


def test_the_download_holds_all_that_is_mine(yasmin, busy):
    client = Client()
    client.post("/accounts/login/", {"login": "Yasmin", "password": PASSWORD})
    response = client.get("/settings/data/")
    assert response.headers["Content-Disposition"] == 'attachment; filename="souk-Yasmin.json"'
    data = response.json()

    assert data["account"]["name"] == "Yasmin"
    assert data["addresses"] == [
        {"email": "yasmin@souk.example", "verified": True, "primary": True}
    ]
    assert [m["text"] for m in data["messages"]] == ["Yasmin was here"]
    assert [b["player"] for b in data["blocked"]] == ["Omar"]
    assert [i["from"] for i in data["invitations"]] == ["Wei"]
    assert len(data["sign_ins"]) == 1
    (game,) = data["games"]
    assert (game["game"], game["notes"]) == (busy.public_id, "secret of Yasmin")
    seat = Seat.objects.get(player=yasmin)
    mine = busy.moves.filter(seat=seat.number)
    assert 0 < mine.count() < busy.moves.count()
    assert [(m["number"], m["action"]) for m in game["moves"]] == list(
        mine.values_list("number", "action")
    )


def test_the_download_holds_nothing_of_others_and_no_secret(yasmin, busy, client):
    client.force_login(yasmin)
    text = client.get("/settings/data/").content.decode()
    for secret in (
        "omar@souk.example",
        "Omar was here",
        "secret of Omar",
        yasmin.password,
        bytes(busy.seed).hex(),
        client.session.session_key,
    ):
        assert secret not in text
    assert '"seed"' not in text
    assert "password" not in text


def test_every_setting_is_in_the_download(yasmin):
    """Whoever adds a column about a player decides what becomes of it."""
    columns = {field.name for field in Player._meta.concrete_fields}
    data = everything_about(yasmin)
    told = {*data["settings"], *data["moderation"]} - {"acts", "reports"}
    told |= {"username", "display_name", "last_login", "email", "invited_by"}
    internal = {"calendar_token", "quiet_counts_from", "deleted_at", "bot_level", "is_guest"}
    internal.add("likeness")  # follows from the display name
    internal.add("link_counter")  # counts how often links were ended, and says nothing else
    assert columns - PRIVATE_COLUMNS_KEPT == told | internal


def test_every_setting_is_forgotten():
    columns = {field.name for field in Player._meta.concrete_fields}
    assert columns - PRIVATE_COLUMNS_KEPT - {"username", "deleted_at"} == set(FORGOTTEN)


def delete(client: Client, name: str):
    return client.post("/settings/delete/", {"name": name})


def test_deletion_asks_for_the_password_and_the_name(yasmin, client):
    client.force_login(yasmin)
    response = client.get("/settings/delete/")
    assert response.headers["Location"].startswith("/accounts/reauthenticate/")
    client.post("/accounts/reauthenticate/", {"password": "wrong"})
    assert delete(client, "Yasmin").headers["Location"].startswith("/accounts/reauthenticate/")
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    assert delete(client, "Omar").status_code == 422
    assert Player.objects.get().username == "Yasmin"
    assert delete(client, "yasmin").headers["Location"] == "/"
    assert Player.objects.get().username.startswith("gone-")
    assert client.get("/settings/").status_code == 302


def test_deletion_forgets_the_person(yasmin, busy):
    client = Client()
    client.post("/accounts/login/", {"login": "Yasmin", "password": "wrong-sesame"})
    client.post("/accounts/login/", {"login": "yasmin@souk.example", "password": "wrong-sesame"})
    client.post("/accounts/login/", {"login": "yasmin@souk.example", "password": PASSWORD})
    delete_account(player=yasmin, now=NOON)

    gone = Player.objects.get(pk=yasmin.pk)
    assert (gone.email, gone.display_name, gone.is_active) == ("", "", False)
    assert str(gone) == "Former player"
    assert not gone.has_usable_password()
    assert not EmailAddress.objects.filter(user=gone).exists()
    assert not UserSession.objects.filter(user=gone).exists()
    assert not Session.objects.exists()
    assert not AccessAttempt.objects.exists()
    assert not Block.objects.exists()
    assert not Invitation.objects.filter(player=gone).exists()
    assert Seat.objects.get(game=busy, player=gone).notes == ""
    everything = json.dumps(everything_about(gone), default=str).lower()
    assert "yasmin@" not in everything
    assert "notes of" not in everything


def test_the_games_of_the_others_stay_whole(yasmin, omar, busy):
    before = list(busy.moves.values_list("number", "action"))
    Block.objects.all().delete()
    waiting = open_game(omar, 3)
    lobby.join_game(game_id=waiting.pk, player=yasmin, entropy="mint", now=NOON)
    own = open_game(yasmin)

    delete_account(player=yasmin, now=NOON)

    busy.refresh_from_db()
    assert busy.status == Game.Status.OVER
    assert busy.seats.get(player=yasmin).left_by
    assert busy.seats.get(player=omar).place == 1
    assert list(busy.moves.values_list("number", "action"))[: len(before)] == before
    assert busy.messages.get(player=yasmin).text == "Yasmin was here"
    assert [s.player for s in waiting.seats.all()] == [omar]
    own.refresh_from_db()
    assert own.status == Game.Status.CANCELLED
    assert Seat.objects.get(game=busy, player=omar).notes == "secret of Omar"


def test_a_deleted_name_and_address_are_free_again(yasmin, sign_up):
    delete_account(player=yasmin, now=NOON)
    response, _ = sign_up(name="Yasmin", email="yasmin@souk.example")
    assert response.status_code == 302
    assert Player.objects.filter(username="Yasmin").exists()


def test_nothing_happens_when_a_table_cannot_be_left(yasmin, busy, monkeypatch):
    def refuse(**_):
        raise Refused("not now")

    monkeypatch.setattr(play, "resign", refuse)
    client = signed_in(yasmin)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    response = delete(client, "Yasmin")
    assert response.status_code == 422
    assert "not now" in response.content.decode()
    assert Player.objects.get(pk=yasmin.pk).username == "Yasmin"
