"""Whole turns and answers to invitations, from a mail, by somebody who is not signed in."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.core import mail, signing
from django.test import Client
from django.utils import timezone

from games.models import Game, Invitation, Player, Seat
from games.selectors.table import see_table
from games.services import lobby, table_talk
from games.services.notices import links
from games.titles.places import offer_of
from tests.notices.test_links import HOUR, decision, path
from tests.people import Tables, actor, decide, legal, open_game, take_turn, whose_turn

FORM = re.compile(r'<form method="post" action="(/mail/move/[^"]+)">(.*?)</form>', re.S)
BUTTON = re.compile(r'name="action"\s+value="([^"]+)"')


def buttons(page: str) -> list[tuple[str, str]]:
    """The numbered buttons that play at once: where they lead, and what they play."""
    listed = page.partition('<ol class="places">')[2].partition("</ol>")[0]
    found = []
    for address, form in FORM.findall(listed):
        played = BUTTON.search(form)
        assert played
        found.append((unescape(address), played[1]))
    return found


def press(client: Client, button: tuple[str, str]) -> str:
    answer = client.post(button[0], {"action": button[1]})
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.fixture
def game(tables: Tables) -> Game:
    return tables.game(now=timezone.now())


def test_a_whole_turn_is_played_from_the_mail_without_signing_in(
    game: Game, client: Client, drain
) -> None:
    seat = actor(game)
    drain(timezone.now() + HOUR)
    letter = next(one for one in mail.outbox if "Your turn" in one.subject)
    links_of = re.findall(r"http://127\.0\.0\.1:8000(/mail/move/\S+)", str(letter.body))
    assert [each.rpartition("%3A")[2] for each in links_of] == ["L", "S", "R"]
    page = client.get(links_of[1]).content.decode()
    assert 'value="turn:S"' in page
    assert f"Sign in as {seat.player}" in page
    ways = buttons(page)
    assert [action for _, action in ways] == ["turn:L", "turn:S", "turn:R"]
    page = press(client, ways[1])
    game.refresh_from_db()
    move = game.moves.get()
    assert move.action == "turn:S"
    assert f"rolled {move.facts['die']} to" in page
    assert f'href="#die-{move.facts["die"]}"' in page, "the die"
    assert 'class="trail"' in page, "the walk"
    places = buttons(page)
    assert [action for _, action in places] == legal(game)
    assert page.count('class="mark"') == len(places)
    assert all(address != ways[1][0] for address, _ in places), "another decision, another token"
    page = press(client, places[3])
    assert "You will hear from us when it is your turn again." in page
    assert f"laid a rug on {places[3][1][4:6]}" in page
    game.refresh_from_db()
    assert game.move_count == 2
    assert game.to_act_id != seat.pk
    assert "sessionid" not in client.cookies


def test_a_payment_is_told_on_the_page_of_the_mail(tables: Tables, client: Client) -> None:
    """Turns are taken until somebody has to pay."""
    game = tables.game(now=timezone.now())
    for _ in range(40):
        address = path(links.decision_url(actor(game), game))
        page = client.post(address, {"action": "turn:S"}).content.decode()
        paid = game.moves.latest("number").facts.get("paid")
        if paid and paid["amount"]:
            assert "paid" in page
            return
        take_turn(game, timezone.now())
    pytest.fail("nobody had to pay")


@pytest.mark.parametrize("pick", [0, 3])
def test_a_turn_of_ifrito_goes_from_carpet_to_cushion(
    tables: Tables, client: Client, pick: int
) -> None:
    """By the numbered choices alone, without scripts; whatever is chosen at each step."""
    game = tables.game(now=timezone.now(), ruleset="ifrito")
    for _ in range(6):
        seat, before = actor(game), game.move_count
        address = path(links.decision_url(seat, game))
        page = client.get(address).content.decode()
        for _ in range(4):
            offered = buttons(page)
            if offered:
                page = press(client, offered[pick % len(offered)])
                break
            chosen = re.findall(r'class="choice" name="choose"\s+value="([^"]+)"', page)
            assert chosen, "something can be chosen"
            query = {"choose": unescape(chosen[pick % len(chosen)])}
            page = client.get(address, query).content.decode()
        game.refresh_from_db()
        assert game.move_count == before + 1
        assert "You " in page


def test_a_genie_is_picked_and_the_turn_goes_on_from_the_same_mail(
    tables: Tables, client: Client
) -> None:
    game = tables.game(now=timezone.now(), ruleset="ifrito")
    for _ in range(200):
        capture = next((a for a in legal(game) if a.startswith("capture:")), "")
        actions = legal(game)
        decide(
            game, timezone.now(), pick=actions.index(capture) if capture else 7 * game.move_count
        )
        game.refresh_from_db()
        if game.status != "running":
            pytest.fail("the game ended before a genie was to be picked")
        if game.to_act_kind == "pick":
            break
    seat = actor(game)
    page = client.get(decision(game)).content.decode()
    picks = buttons(page)
    assert picks
    assert {a for _, a in picks} == set(legal(game))
    page = press(client, picks[-1])
    game.refresh_from_db()
    assert game.to_act_id == seat.pk
    assert 'name="choose"' in page, "the carpet that goes is asked on the same page"


def test_the_next_token_is_bound_to_the_next_decision(game: Game, client: Client) -> None:
    first = decision(game)
    page = client.post(first, {"action": "turn:S"}).content.decode()
    second, action = buttons(page)[0]
    assert client.get(second).status_code == 200
    assert client.post(second, {"action": action}).status_code == 200
    for used in (first, second):
        assert client.get(used).status_code == 410
        answer = client.post(used, {"action": "lay:a1a2"})
        assert answer.status_code == 409
        assert game.get_absolute_url() in answer.content.decode()
    game.refresh_from_db()
    assert game.move_count == 2


def test_the_owner_who_is_signed_in_goes_straight_to_the_table(game: Game, client: Client) -> None:
    client.force_login(whose_turn(game))
    answer = client.get(decision(game, "turn:L"))
    assert answer["Location"] == f"{game.get_absolute_url()}?choose=turn%3AL"
    dead = decision(game)
    take_turn(game, timezone.now())
    assert client.get(dead)["Location"] == game.get_absolute_url()


def test_somebody_else_who_is_signed_in_is_asked_before_anything(
    game: Game, tables: Tables, client: Client
) -> None:
    client.force_login(tables.player(username="sister"))
    link = decision(game)
    page = client.get(link)
    assert page.status_code == 200
    assert "Whose mail is this?" in page.content.decode()
    assert "Assam" not in page.content.decode()
    assert client.post(link, {"action": "turn:L"}).status_code == 409
    game.refresh_from_db()
    assert game.move_count == 0
    assert client.post(link, {"go_on": "1"}).status_code == 302
    assert "Assam" in client.get(link).content.decode()
    assert client.post(link, {"action": "turn:L"}).status_code == 200
    game.refresh_from_db()
    assert game.move_count == 1


def test_every_answer_has_a_place_in_every_game(tables: Tables) -> None:
    """What can be chosen by numbers is all that is allowed, wherever a game stands."""
    for key in ("marrakech", "ifrito"):
        game = tables.game(now=timezone.now(), ruleset=key)
        for number in range(8):
            table = see_table(game, whose_turn(game))
            assert _reachable(table.observation, table.names) == set(legal(game))
            decide(game, timezone.now(), pick=5 * number)


def _reachable(seen, names, chosen="", depth=0) -> set[str]:
    offer = offer_of(seen, chosen, names)
    found = {offer.action} - {""}
    for place in offer.places:
        found |= {place.action} - {""}
        if place.choose and not place.action and depth < 3:
            found |= _reachable(seen, names, place.choose, depth + 1)
    return found


@pytest.fixture
def invitation(tables: Tables) -> Invitation:
    host, friend = tables.player(username="host"), tables.player(username="friend")
    game = open_game(host, now=timezone.now(), visibility="named", invited=[friend])
    return Invitation.objects.get(game=game)


def answers(drain) -> dict[str, str]:
    drain(timezone.now() + HOUR)
    letter = next(one for one in mail.outbox if "invites you" in one.subject)
    found = re.findall(r"http://127\.0\.0\.1:8000(/mail/invitation/\S+)", str(letter.body))
    return {each.rpartition("=")[2]: each for each in found}


def test_an_invitation_is_accepted_from_the_mail(
    invitation: Invitation, client: Client, drain
) -> None:
    links_of = answers(drain)
    assert set(links_of) == {"accept", "decline"}
    page = client.get(links_of["accept"]).content.decode()
    assert "host invites you to a game" in page
    assert not Seat.objects.filter(player=invitation.player).exists(), "looking changes nothing"
    for _ in range(2):
        done = client.post(links_of["accept"], {"answer": "accept"})
        assert done.status_code == 200
        assert "You have a seat" in done.content.decode()
    game = Game.objects.get(pk=invitation.game_id)
    assert game.status == "running"
    own = game.seats.get(player=invitation.player)
    assert own.word_drawn
    assert ("and it is your turn" in done.content.decode()) == (game.to_act_id == own.pk)
    refused = client.post(links_of["decline"], {"answer": "decline"})
    assert refused.status_code == 409
    assert client.post(links_of["accept"], {"answer": "perhaps"}).status_code == 409


def test_an_invitation_is_declined_from_the_mail(
    invitation: Invitation, client: Client, drain
) -> None:
    link = answers(drain)["decline"]
    done = client.post(link, {"answer": "decline"})
    assert "You declined the invitation" in done.content.decode()
    invitation.refresh_from_db()
    assert invitation.declined_at
    lobby.cancel_game(
        game_id=invitation.game_id, player=invitation.game.creator, now=timezone.now()
    )
    assert client.get(link).status_code == 410
    assert client.post(link, {"answer": "accept"}).status_code == 409


def test_who_is_suspended_neither_plays_nor_joins_by_a_mail(
    invitation: Invitation, game: Game, client: Client
) -> None:
    now = timezone.now()
    Player.objects.update(suspended_at=now)
    token = links.invitation_url(invitation, "accept").split("/")[5]
    answer = client.post(f"/mail/invitation/{token}/", {"answer": "accept"})
    assert answer.status_code == 409
    assert "suspended" in answer.content.decode()
    assert client.post(decision(game), {"action": "turn:S"}).status_code == 422
    game.refresh_from_db()
    assert game.move_count == 0


def test_a_token_answers_no_other_question(
    invitation: Invitation, game: Game, tables: Tables, client: Client
) -> None:
    token = links.invitation_url(invitation, "accept").split("/")[5]
    assert client.get(f"/mail/move/{token}/").status_code == 404
    move = decision(game).split("/")[3]
    assert client.post(f"/mail/invitation/{move}/", {"answer": "accept"}).status_code == 404
    other = signing.dumps([invitation.pk, tables.player().pk], salt=links.INVITATION)
    assert client.get(f"/mail/invitation/{other}/").status_code == 404
    client.force_login(invitation.game.creator)
    mine = f"/mail/invitation/{token}/"
    assert "Whose mail is this?" in client.get(mine).content.decode()
    assert client.post(mine, {"answer": "accept"}).status_code == 409
    client.force_login(invitation.player)
    assert client.get(mine)["Location"] == f"/g/{invitation.game.public_id}/join/"


def test_the_subject_of_a_message_names_its_author(game: Game, drain) -> None:
    one, other = (seat.player for seat in game.seats.select_related("player"))
    one.display_name = "Mallory\r\nBcc: all@example.com\u202e gpj"
    one.save()
    drain(timezone.now() + HOUR)
    mail.outbox.clear()
    table_talk.post_message(game=game, player=one, text="Salaam", now=timezone.now())
    drain(timezone.now() + HOUR)
    letter = next(one for one in mail.outbox if other.email in one.to)
    assert letter.subject == (
        "Mallory Bcc: all@example.com gpj: a message at your table of Marrakech"
    )
    assert set(letter.message().keys()).isdisjoint({"Bcc"})
