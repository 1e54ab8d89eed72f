"""SECRET_KEY is changed: with the old one among SECRET_KEY_FALLBACKS nobody notices anything."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from datetime import date
from secrets import token_urlsafe
from typing import Any

import pytest
from allauth.account.forms import default_token_generator
from allauth.usersessions.models import UserSession
from django.contrib.messages.storage.base import Message
from django.contrib.messages.storage.cookie import CookieStorage
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from games.live.admission import Ticket, admit
from games.models import Invitation, Notice, Player, Puzzle
from games.services import membership, signing
from games.services.accounts import sign_out_everywhere
from games.services.errors import Refused
from games.services.notices import headers, links
from games.services.reach import keys
from games.views import puzzles
from tests.accounts.conftest import PASSWORD
from tests.environment import ROOT
from tests.people import NOON, actor, new_players, open_game, started_game
from tests.reach.places import Browser

pytestmark = pytest.mark.django_db

Opens = Callable[[], bool]


def change_key(settings: Any, *, keep: bool) -> None:
    older = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    settings.SECRET_KEY_FALLBACKS = older if keep else []
    settings.SECRET_KEY = token_urlsafe(64)


def token_of(url: str) -> str:
    return url.partition("?")[0].rstrip("/").rpartition("/")[2]


def opened(read: Callable[[str], object], url: str) -> Opens:
    """Whether the signed part of an address is taken."""

    def opens() -> bool:
        try:
            read(token_of(url))
        except (links.BadLink, Refused):
            return False
        return True

    return opens


def decision() -> Opens:
    game = started_game(new_players(2))
    return opened(links.read_decision, links.decision_url(actor(game), game))


def invitation() -> Opens:
    yasmin, omar = new_players(2)
    open_game(yasmin, visibility="named", invited=[omar])
    asked = Invitation.objects.get()
    return opened(links.read_invitation, links.invitation_url(asked, "accept"))


def puzzle() -> Opens:
    (player,) = new_players(1)
    return opened(links.read_puzzle, links.puzzle_url(Puzzle(pk=7, day=date(2026, 1, 1)), player))


def unsubscription() -> Opens:
    (player,) = new_players(1)
    return opened(links.read_unsubscription, links.unsubscribe_url(player))


def no_puzzles() -> Opens:
    (player,) = new_players(1)
    return opened(links.read_unsubscription, links.no_puzzles_url(player))


def membership_link() -> Opens:
    from django.utils import timezone

    (player,) = new_players(1)
    link = membership.invitation_link(member=player)
    return opened(lambda token: membership.accept(token, session={}, now=timezone.now()), link)


def return_address(settings: Any) -> Opens:
    settings.BOUNCE_ADDRESS = "bounces@souk.example"
    (player,) = new_players(1)
    notice = Notice.objects.create(kind=Notice.Kind.TURN, player=player, created_at=NOON)
    number, _, seal = headers.return_address(notice).split("+")[1].split("@")[0].partition("-")
    return lambda: headers.sent_from(number, seal.upper()) == notice


def password_reset() -> Opens:
    (player,) = new_players(1)
    token = default_token_generator.make_token(player)
    return lambda: bool(default_token_generator.check_token(player, token))


def first_answer() -> Opens:
    request = RequestFactory().get("/")
    request.COOKIES["tried"] = puzzles._signer().sign("7 A1")
    return lambda: puzzles._tried(request, Puzzle(pk=7)) == "A1"


def message() -> Opens:
    def storage() -> Any:
        return CookieStorage(RequestFactory().get("/"))

    text = storage()._encode([Message(20, "Saved.")])
    return lambda: bool(storage()._decode(text))


def session() -> Opens:
    new_players(1)
    client = signed_in_client()
    return lambda: client.get("/settings/").status_code == 200


def stream() -> Opens:
    new_players(1)
    key = signed_in_client().cookies["sessionid"].value
    return lambda: admit(Ticket(key, None)) is not None


def guest() -> Opens:
    client = Client()
    first = client.get("/play/").context["form"]
    form = {name: first[name].value() for name in first.fields}
    address = client.post("/play/", {n: text for n, text in form.items() if text is not None})
    return lambda: client.get(address["Location"]).wsgi_request.user.is_authenticated


def signed_in_client() -> Client:
    client = Client()
    client.post(reverse("account_login"), {"login": "yasmin", "password": PASSWORD})
    return client


KINDS = [
    *(decision, invitation, puzzle, unsubscription, no_puzzles, membership_link, return_address),
    *(password_reset, first_answer, message, session, stream, guest),
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_what_was_made_under_an_older_key(settings: Any, kind: Callable[..., Opens]) -> None:
    opens = kind(settings) if kind is return_address else kind()
    assert opens()
    change_key(settings, keep=True)
    assert opens()
    change_key(settings, keep=True)
    assert opens(), "two keys ago"
    settings.SECRET_KEY_FALLBACKS = settings.SECRET_KEY_FALLBACKS[:1]
    if kind not in (session, stream, guest):
        assert not opens()
    change_key(settings, keep=False)
    assert not opens()


def test_a_session_that_was_used_outlives_the_older_key(settings: Any) -> None:
    new_players(1)
    client = signed_in_client()
    change_key(settings, keep=True)
    client.get("/settings/")
    settings.SECRET_KEY_FALLBACKS = []
    assert client.get("/settings/").status_code == 200


def test_the_first_request_under_a_new_key_may_add_a_device(settings: Any) -> None:
    """Its session is stored under the older key until the request ends."""
    settings.OUTBOUND_ALLOWED = ["127.0.0.0/8"]
    (yasmin,) = new_players(1)
    client = signed_in_client()
    change_key(settings, keep=True)
    client.post("/settings/devices/", {"endpoint": "http://127.0.0.1/one", **Browser().keys})
    assert yasmin.devices.exists()


def test_requests_of_one_page_do_not_sign_each_other_out(settings: Any) -> None:
    """They come at the same time, each with the cookie that the page came with."""
    (yasmin,) = new_players(1)
    client = signed_in_client()
    key = client.cookies["sessionid"].value
    change_key(settings, keep=True)
    for path in ("/settings/", "/", "/games/"):
        beside = Client()
        beside.cookies["sessionid"] = key
        answer = beside.get(path)
        assert answer.wsgi_request.user == yasmin, path
        assert "Clear-Site-Data" not in answer
    assert admit(Ticket(key, None))
    assert client.get("/settings/").status_code == 200


def test_the_list_of_sessions_signs_no_other_device_out(settings: Any) -> None:
    (yasmin,) = new_players(1)
    phone, laptop = signed_in_client(), signed_in_client()
    change_key(settings, keep=True)
    assert laptop.get(reverse("usersessions_list")).status_code == 200
    third = signed_in_client()
    assert UserSession.objects.filter(user=yasmin).count() == 3
    assert phone.get("/settings/").status_code == 200
    sign_out_everywhere(player=yasmin, now=timezone.now())
    for each in (phone, laptop, third):
        assert each.get("/settings/").status_code == 302


def test_a_new_password_still_gives_the_session_a_new_name(settings: Any) -> None:
    (yasmin,) = new_players(1)
    client, other = signed_in_client(), signed_in_client()
    change_key(settings, keep=True)
    before = client.cookies["sessionid"].value
    form = {"oldpassword": PASSWORD, "password1": "open-barley-43"}
    client.post(reverse("account_change_password"), form)
    assert client.cookies["sessionid"].value != before
    assert client.get("/settings/").status_code == 200
    assert other.get("/settings/").status_code == 302
    assert Player.objects.get(pk=yasmin.pk).check_password("open-barley-43")


def test_a_session_of_a_stranger_under_the_older_key_is_none(settings: Any) -> None:
    """The older key proves only what it proved before: not a session whose password has changed."""
    (yasmin,) = new_players(1)
    client = signed_in_client()
    change_key(settings, keep=True)
    yasmin.set_password("open-barley-43")
    yasmin.save()
    assert client.get("/settings/").status_code == 302


def test_what_does_not_hang_on_the_key_stays_as_it_is(settings: Any) -> None:
    (yasmin,) = new_players(1)
    Player.objects.filter(pk=yasmin.pk).update(calendar_token="a" * 32)
    yasmin.refresh_from_db()
    before = (keys.public_key(now=NOON), signing.public_key(now=NOON).public_bytes_raw())
    feed = links.calendar_url(yasmin)
    change_key(settings, keep=False)
    assert before == (keys.public_key(now=NOON), signing.public_key(now=NOON).public_bytes_raw())
    assert links.calendar_url(yasmin) == feed


@pytest.mark.parametrize(
    ("given", "read"), [("", []), ("one", ["one"]), (" one , two,", ["one", "two"])]
)
def test_older_keys_are_named_in_the_environment(
    given: str, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_KEY_FALLBACKS", given)
    script = "from marrakech_site import settings; print(settings.SECRET_KEY_FALLBACKS)"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == str(read)
