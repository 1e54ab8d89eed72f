"""Keys and links of somebody who is not that player any more, or no player at all, open nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.utils import timezone

from games import bell
from games.live.admission import Ticket, admit
from games.models import GUEST_PREFIX, BotLevel, Game, Invitation, Player
from games.selectors.accounts import owner_of
from games.selectors.guests import KEPT_AS, guest_of
from games.selectors.notices import owner_of_calendar
from games.services import accounts, guests, lobby, membership
from games.services.bot_seats import bots_of
from games.services.errors import Refused
from games.services.notices import links, subscriptions
from tests.accounts.conftest import PASSWORD
from tests.people import (
    NOON,
    new_player,
    new_players,
    open_game,
    play_on,
    started_game,
    whose_turn,
)
from tests.puzzles.invented import puzzle_of

pytestmark = pytest.mark.django_db


def guest_with_a_game(client: Client) -> tuple[Player, Game]:
    guest = guests.welcome_guest(now=NOON)
    session = client.session
    session[KEPT_AS] = guest.pk
    session.save()
    game = lobby.play_against_bots(
        player=guest, ruleset="marrakech", opponents=1, level=BotLevel.APPRENTICE, now=NOON
    )
    Game.objects.filter(pk=game.pk).update(visibility="named")
    return guest, game


def test_the_key_of_a_guest_who_became_an_account_is_nobodys(client: Client) -> None:
    guest, game = guest_with_a_game(client)
    assert guest_of(client.session) == guest
    assert client.get(game.get_absolute_url()).status_code == 200
    key = client.session.session_key or ""
    assert admit(Ticket(key, None)) is not None
    guests.come_in(player=guest, guest=guest)
    assert not Player.objects.get(pk=guest.pk).is_guest
    assert guest_of(client.session) is None
    assert client.get(game.get_absolute_url()).status_code == 404
    assert admit(Ticket(key, None)) is None
    assert admit(Ticket(key, game.public_id)) is None


def test_a_session_of_a_guest_is_a_guest_only_where_games_are(client: Client) -> None:
    guest, game = guest_with_a_game(client)
    Game.objects.filter(pk=game.pk).update(to_act=game.seats.get(player=guest))
    assert client.get("/next/")["Location"] == game.get_absolute_url()
    assert client.get("/").context["user"] == client.get("/play/").context["user"] == guest
    assert client.get("/settings/").status_code == 302
    assert client.get("/archive/mine/").status_code == 302


def test_a_guest_who_signs_in_takes_only_what_is_in_play_along(client: Client) -> None:
    guest, game = guest_with_a_game(client)
    _, done = guest_with_a_game(client)
    done.creator = guest
    Game.objects.filter(pk=done.pk).update(status="over", to_act=None, creator=guest)
    player = new_player("Yasmin")
    guests.come_in(player=player, guest=guest)
    assert list(player.games_created.all()) == [game]
    assert list(player.seats.values_list("game", flat=True)) == [game.pk]
    assert list(guest.games_created.all()) == [done]


def not_active(player: Player) -> None:
    Player.objects.filter(pk=player.pk).update(is_active=False)


def deleted(player: Player) -> None:
    accounts.delete_account(player=player, now=NOON)


WAYS_TO_GO = pytest.mark.parametrize("goes", [not_active, deleted])


@WAYS_TO_GO
def test_a_link_of_somebody_who_is_gone_opens_nothing(
    client: Client, goes: Callable[[Player], None]
) -> None:
    yasmin, omar, wei = new_players(3)
    game = started_game([yasmin, omar])
    actor = whose_turn(game)
    asked = open_game(wei, invited=[actor])
    invitation = Invitation.objects.get(game=asked)
    subscriptions.renew_calendar(player=actor)
    game.refresh_from_db()
    assert game.to_act
    played = started_game([wei, new_player("Mo")])
    play_on(played, 1)
    addresses = [
        links.decision_url(game.to_act, game),
        links.invitation_url(invitation, "accept"),
        links.calendar_url(actor),
    ]
    puzzle = links.puzzle_url(puzzle_of(played, 1), actor).rstrip("/").rsplit("/", 1)[1]
    assert links.read_puzzle(puzzle)[1] == actor
    paths = ["/" + each.split("/", 3)[3] for each in addresses]
    assert [client.get(path).status_code for path in paths] == [200] * 3
    token = actor.calendar_token or ""
    assert owner_of_calendar(token) == actor
    goes(actor)
    for path in paths:
        assert client.get(path).status_code == 404, path
        assert client.post(path, {"answer": "accept", "action": "turn:L"}).status_code in (404, 405)
    with pytest.raises(links.BadLink):
        links.read_puzzle(puzzle)
    assert owner_of_calendar(token) is None
    assert not asked.seats.filter(player=actor).exists()


def test_a_link_of_a_mail_is_for_whom_it_was_written_to() -> None:
    """Somebody else was invited since, and has the number of the old row."""
    yasmin, omar = new_players(2)
    game = open_game(yasmin, invited=[omar])
    invitation = Invitation.objects.get(game=game)
    token = links.invitation_url(invitation, "accept").split("/invitation/")[1].split("/")[0]
    assert links.read_invitation(token) == invitation
    Invitation.objects.filter(pk=invitation.pk).update(player=new_player("Mo"))
    with pytest.raises(links.BadLink):
        links.read_invitation(token)


MEMBERS: dict[str, Callable[[], Player]] = {
    "not active": lambda: new_player("Mo", is_active=False),
    "deleted": lambda: new_player("Mo", deleted_at=NOON),
    "guest": lambda: guests.welcome_guest(now=NOON),
    "bot": lambda: bots_of(BotLevel.APPRENTICE, 1)[0],
    "suspended": lambda: new_player("Mo", suspended_at=NOON),
}


@pytest.mark.parametrize("who", MEMBERS)
def test_only_a_member_invites_to_sign_up(settings, who: str) -> None:
    settings.SIGN_UPS = membership.INVITATION
    player, now = MEMBERS[who](), timezone.now()
    session: dict[str, Any] = {}
    token = membership.invitation_link(member=player).rstrip("/").rsplit("/", 1)[1]
    with pytest.raises(Refused):
        membership.accept(token, session=session, now=now)
    assert session == {}
    assert not membership.may_sign_up({membership.INVITED_BY: player.pk}, now)
    yasmin = new_player("Yasmin")
    assert membership.may_sign_up({membership.INVITED_BY: yasmin.pk}, now)
    assert not membership.may_sign_up({membership.INVITED_BY: str(yasmin.pk)}, now)


def unproven(name: str, **columns: object) -> Player:
    player = Player.objects.create_user(name, f"{name}@souk.example", PASSWORD)
    EmailAddress.objects.create(user=player, email=player.email, verified=False, primary=True)
    long_ago = NOON - timedelta(days=365)
    Player.objects.filter(pk=player.pk).update(**{"date_joined": long_ago, **columns})
    return player


def test_only_a_sign_up_that_nobody_finished_is_forgotten() -> None:
    unproven("lost")
    kept = [
        unproven("staff", is_staff=True),
        unproven("came", last_login=NOON),
        unproven("fresh", date_joined=NOON - timedelta(hours=2)),
        new_player("Proven", date_joined=NOON - timedelta(days=365)),
        Player.objects.create(username="operator", date_joined=NOON - timedelta(days=365)),
    ]
    assert accounts.forget_unfinished_sign_ups(now=NOON) == 1
    assert set(Player.objects.all()) == set(kept)


def test_a_name_comes_free_only_from_an_unfinished_sign_up_in_any_case() -> None:
    unproven("lost")
    unproven("came", last_login=NOON)
    for name in ("LOST", "CAME"):
        accounts.release_name(name=name, now=NOON)
    assert [player.username for player in Player.objects.all()] == ["came"]


def test_who_played_before_an_unfinished_sign_up_goes_on_as_a_guest(client: Client) -> None:
    guest, game = guest_with_a_game(client)
    EmailAddress.objects.create(user=guest, email="mo@souk.example", verified=False)
    long_ago = NOON - timedelta(days=365)
    Player.objects.filter(pk=guest.pk).update(
        is_guest=False, username="mo", email="mo@souk.example", date_joined=long_ago
    )
    accounts.forget_unfinished_sign_ups(now=NOON)
    again = Player.objects.get(pk=guest.pk)
    assert (again.is_guest, again.email, again.has_usable_password()) == (True, "", False)
    assert again.username.startswith(GUEST_PREFIX)
    assert game.seats.filter(player=again).exists()


def test_old_guests_go_with_the_games_that_nobody_can_come_back_to(
    client: Client, settings
) -> None:
    gone = NOON - settings.GUESTS_KEPT - timedelta(days=1)
    idle, idle_game = guest_with_a_game(client)
    busy, busy_game = guest_with_a_game(client)
    done, done_game = guest_with_a_game(client)
    Game.objects.filter(pk=done_game.pk).update(status="over", to_act=None, acted_at=gone)
    Player.objects.filter(is_guest=True).update(date_joined=gone)
    Game.objects.filter(pk=idle_game.pk).update(acted_at=gone)
    Game.objects.filter(pk=busy_game.pk).update(acted_at=NOON)
    fresh = guests.welcome_guest(now=NOON)
    assert guests.forget_old_guests(now=NOON) == 1
    assert set(Player.objects.filter(is_guest=True)) == {busy, done, fresh}
    assert set(Game.objects.all()) == {busy_game, done_game}, "a finished game stays"
    assert not Player.objects.filter(pk=idle.pk).exists()


def test_a_guest_has_a_first_page_of_its_own_to_listen_to(client: Client) -> None:
    guest, _ = guest_with_a_game(client)
    admitted = admit(Ticket(client.session.session_key or "", None))
    assert admitted is not None
    assert (admitted.topic, admitted.guarded) == (bell.home_topic(guest.pk), True)


def test_an_address_is_owned_by_who_proved_it_and_is_active() -> None:
    yasmin, lost = new_player("Yasmin"), unproven("lost")
    assert owner_of("Yasmin@Souk.example") == yasmin
    assert owner_of(lost.email) is None
    not_active(yasmin)
    assert owner_of(yasmin.email) is None
