"""A declined or expired invitation is told to the player who invited, who can act on it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from games.models import Game, Notice, Player
from games.services import empty_seats, lobby, seating
from games.services.errors import Refused
from games.services.notices import outbox
from tests.people import NOON, new_player, new_players, open_game, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

Kind, Status = Notice.Kind, Game.Status
DAY = timedelta(days=1)
LATER = NOON + DAY


@pytest.fixture
def people() -> list[Player]:
    return new_players(4)


def asked(people: list[Player], **wishes: object) -> Game:
    host, *guests = people
    terms = {"visibility": "named", "invited": guests, **wishes}
    return open_game(host, len(people), **terms)  # type: ignore[arg-type]


def decline(game: Game, player: Player) -> None:
    lobby.decline_invitation(game_id=game.pk, player=player, now=LATER)


def mails_to(player: Player) -> list[mail.EmailMessage]:
    mail.outbox.clear()
    outbox.drain(clock=lambda: LATER + DAY)
    return [letter for letter in mail.outbox if letter.to == [player.email]]


def test_a_declined_invitation_is_mailed_to_the_player_who_invited(people: list[Player]) -> None:
    host, omar = people[:2]
    game = asked([host, omar])
    decline(game, omar)
    [letter] = mails_to(host)
    assert letter.subject == "Omar declined: Marrakech"
    for way in ("Open to all", "Invite another player", "Fill with a bot"):
        assert way in letter.body
    assert f"{game.get_absolute_url()}#empty-seats" in letter.body


def test_declining_twice_is_told_once(people: list[Player]) -> None:
    game = asked(people[:2])
    decline(game, people[1])
    decline(game, people[1])
    assert Notice.objects.filter(kind=Kind.DECLINED).count() == 1
    assert not Notice.objects.filter(kind=Kind.INVITATION, state="queued").exists()


def test_who_declined_and_comes_all_the_same_is_no_news(people: list[Player]) -> None:
    game = asked(people[:3])
    decline(game, people[1])
    lobby.join_game(game_id=game.pk, player=people[1], entropy="mint", now=LATER)
    assert not mails_to(people[0])


def test_an_expired_invitation_is_told_once_with_all_who_did_not_answer(
    people: list[Player],
) -> None:
    host = people[0]
    game = asked(people)
    decline(game, people[1])
    Notice.objects.all().delete()
    late = NOON + seating.OPEN_FOR
    assert lobby.expire_open_games(now=late) == 1
    assert lobby.expire_open_games(now=late) == 0
    mail.outbox.clear()
    outbox.drain(clock=lambda: late)
    [letter] = mail.outbox
    assert letter.to == [host.email]
    assert letter.subject == "No answer to your invitation: Marrakech"
    assert "Ileana, Wei" in letter.body
    assert "Omar" not in letter.body


def test_a_game_that_expires_without_invitations_is_told_to_nobody(people: list[Player]) -> None:
    open_game(people[0])
    lobby.expire_open_games(now=NOON + seating.OPEN_FOR)
    assert not Notice.objects.exists()


@pytest.mark.parametrize("url", ["/", "/games/mine/open/", "table"])
def test_first_page_and_waiting_room_say_who_declined_and_what_can_be_done(
    people: list[Player], url: str
) -> None:
    game = asked(people[:3])
    lobby.join_game(game_id=game.pk, player=people[2], entropy="mint", now=LATER)
    decline(game, people[1])
    url = game.get_absolute_url() if url == "table" else url
    page = signed_in(people[0]).get(url).content.decode()
    assert "Omar declined" in page
    for name in ("open-to-all", "invite-another", "fill-a-seat"):
        assert f"{game.public_id}/{name}/" in page
    page = signed_in(people[2]).get(url).content.decode()
    assert "Omar declined" in page
    assert "fill-a-seat" not in page, "the player who opened the game decides"


def test_the_first_page_shows_a_game_that_expired_unanswered() -> None:
    host, omar = new_players(2)
    now = timezone.now()
    game = open_game(host, now=now - seating.OPEN_FOR, visibility="named", invited=[omar])
    lobby.expire_open_games(now=now)
    page = signed_in(host).get("/").content.decode()
    assert "Omar did not answer in time" in page
    assert f"{game.public_id}/fill-a-seat/" in page
    client = signed_in(host)
    client.post(f"{game.get_absolute_url()}cancel/")
    assert "did not answer" not in client.get("/").content.decode()


def test_opened_to_all_it_can_be_joined_by_anybody(people: list[Player]) -> None:
    game = asked(people[:2])
    decline(game, people[1])
    client = signed_in(people[0])
    client.post(f"{game.get_absolute_url()}open-to-all/")
    lobby.join_game(game_id=game.pk, player=people[2], entropy="mint", now=LATER)
    game.refresh_from_db()
    assert (game.status, game.visibility) == (Status.RUNNING, "public")


def test_another_player_is_invited_by_name(people: list[Player]) -> None:
    game = asked(people[:2])
    decline(game, people[1])
    client = signed_in(people[0])
    url = f"{game.get_absolute_url()}invite-another/"
    client.post(url, {"invited": "ileana"})
    assert Notice.objects.filter(player=people[2], kind=Kind.INVITATION).exists()
    page = client.post(url, {"invited": "Wei"}, follow=True).content.decode()
    assert "No seat is free" in page, "it is held for Ileana"
    page = client.post(url, {"invited": "Nobody"}, follow=True).content.decode()
    assert "Nobody here is called Nobody" in page


def test_who_declined_is_not_asked_again(people: list[Player]) -> None:
    game = asked(people[:2])
    decline(game, people[1])
    with pytest.raises(Refused, match="already"):
        empty_seats.invite_another(game_id=game.pk, player=people[0], invited=people[1], now=LATER)


def test_a_bot_takes_the_seat_and_the_others_are_still_waited_for(people: list[Player]) -> None:
    game = asked(people[:3])
    decline(game, people[1])
    empty_seats.fill_a_seat(game_id=game.pk, player=people[0], now=LATER)
    game.refresh_from_db()
    assert game.status == Status.OPEN
    lobby.join_game(game_id=game.pk, player=people[2], entropy="mint", now=LATER)
    game.refresh_from_db()
    assert game.status == Status.RUNNING
    with pytest.raises(Refused, match="started"):
        empty_seats.fill_a_seat(game_id=game.pk, player=people[0], now=LATER)


def test_a_rated_game_becomes_casual_with_a_bot_only_if_nobody_else_joined_it(
    people: list[Player],
) -> None:
    alone = asked(people[:2], rated=True)
    decline(alone, people[1])
    empty_seats.fill_a_seat(game_id=alone.pk, player=people[0], now=LATER)
    alone.refresh_from_db()
    assert (alone.rated, alone.status) == (False, Status.RUNNING)
    joined = asked(people[:3], rated=True)
    lobby.join_game(game_id=joined.pk, player=people[2], entropy="mint", now=LATER)
    decline(joined, people[1])
    with pytest.raises(Refused, match="casual"):
        empty_seats.fill_a_seat(game_id=joined.pk, player=people[0], now=LATER)


@pytest.mark.parametrize("way", ["open_to_all", "fill_a_seat"])
def test_an_expired_game_is_opened_again_by_what_its_creator_chooses(
    people: list[Player], way: str
) -> None:
    game = asked(people[:2])
    late = NOON + seating.OPEN_FOR
    lobby.expire_open_games(now=late)
    getattr(empty_seats, way)(game_id=game.pk, player=people[0], now=late)
    game.refresh_from_db()
    assert game.status == (Status.OPEN if way == "open_to_all" else Status.RUNNING)
    assert not game.invitations.exists(), "it holds no seat any more"


def test_two_weeks_after_it_expired_it_stays_closed(people: list[Player]) -> None:
    game = asked(people[:2])
    late = NOON + seating.OPEN_FOR
    lobby.expire_open_games(now=late)
    with pytest.raises(Refused):
        empty_seats.open_to_all(game_id=game.pk, player=people[0], now=late + 14 * DAY)


def test_nobody_else_decides_about_the_seats(people: list[Player], client: Client) -> None:
    game = asked(people[:3])
    decline(game, people[1])
    for who in (people[1], people[2], new_player("Stranger")):
        with pytest.raises(Refused):
            empty_seats.open_to_all(game_id=game.pk, player=who, now=LATER)
        client.force_login(who)
        client.post(f"{game.get_absolute_url()}fill-a-seat/")
    game.refresh_from_db()
    assert game.seats.count() == 1
