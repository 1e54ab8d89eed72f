"""Pages that mail leads to: good for one thing each, and safe to open."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.core import mail, signing
from django.test import Client
from django.utils import timezone

from games.models import Game, Notice, Player, Seat
from games.services import vacation
from games.services.notices import links
from tests.people import Tables, actor, decide, legal, settings_of, take_turn

HOUR = timedelta(hours=1)


@pytest.fixture
def game(tables: Tables) -> Game:
    return tables.game(now=timezone.now())


def path(url: str) -> str:
    return url.split("127.0.0.1:8000", 1)[1]


def decision(game: Game, action: str = "") -> str:
    url = path(links.decision_url(actor(game), game))
    return links.with_action(url, action) if action else url


def test_the_mail_s_own_buttons_lead_to_the_decision(game: Game, client: Client, drain) -> None:
    drain(timezone.now() + HOUR)
    letter = next(one for one in mail.outbox if "Your turn" in one.subject)
    buttons = re.findall(r"http://127\.0\.0\.1:8000(/mail/move/\S+)", str(letter.body))
    assert len(buttons) == 3
    for button in buttons:
        page = client.get(button)
        assert page.status_code == 200
        assert b'id="confirm"' in page.content


def test_opening_a_link_changes_nothing_and_signs_nobody_in(game: Game, client: Client) -> None:
    link = decision(game, legal(game)[0])
    for method in (client.get, client.head, client.get):
        method(link)
    game.refresh_from_db()
    assert game.move_count == 0
    assert "sessionid" not in client.cookies
    assert actor(game).seen_moves == 0
    assert b"Assam stands on" in client.get(link).content


def test_every_link_of_a_mail_answers_a_mail_program_that_asks_for_its_head(
    game: Game, client: Client, drain
) -> None:
    drain(timezone.now() + HOUR)
    letter = next(one for one in mail.outbox if "Your turn" in one.subject)
    found = re.findall(r"http://127\.0\.0\.1:8000(/\S+)", str(letter.body))
    assert len(found) >= 6
    for link in found:
        answer, asked = client.get(link), client.head(link)
        assert asked.status_code == answer.status_code, link
        assert asked.content == b""


def test_a_press_plays_the_decision_and_the_link_dies_with_it(game: Game) -> None:
    client = Client(enforce_csrf_checks=True)
    link, action = decision(game), legal(game)[0]
    client.get(link)
    token = client.cookies["csrftoken"].value
    done = client.post(link, {"action": action, "csrfmiddlewaretoken": token})
    assert done.status_code == 200
    game.refresh_from_db()
    assert game.move_count == 1
    assert game.moves.get().action == action
    assert client.get(link).status_code == 410
    other = next(each for each in ("turn:L", "turn:R", "turn:S") if each != action)
    assert client.post(link, {"action": other, "csrfmiddlewaretoken": token}).status_code == 409
    game.refresh_from_db()
    assert game.move_count == 1
    assert client.get(f"/g/{game.public_id}/resign/").status_code == 302, "not signed in"


def test_the_same_press_twice_is_one_move(game: Game, client: Client) -> None:
    link, action = decision(game), legal(game)[0]
    for _ in range(2):
        assert client.post(link, {"action": action}).status_code == 200
    game.refresh_from_db()
    assert game.move_count == 1


def test_a_link_does_nothing_else(game: Game, client: Client) -> None:
    link = decision(game)
    for action in ("resign", "timeout", "lay:a1a2", ""):
        assert client.post(link, {"action": action}).status_code == 422
    game.refresh_from_db()
    assert game.move_count == 0


def test_a_link_of_an_earlier_turn_is_dead(game: Game, client: Client) -> None:
    link = decision(game)
    take_turn(game, timezone.now())
    take_turn(game, timezone.now())
    page = client.get(link)
    assert page.status_code == 410
    assert b"Assam" not in page.content
    assert client.post(link, {"action": "turn:R"}).status_code == 409


def test_forged_and_foreign_tokens_are_not_found(game: Game, client: Client) -> None:
    link = decision(game)
    token = link.split("/")[3]
    forged = [
        token[:-1] + ("A" if token[-1] != "A" else "B"),
        signing.dumps([actor(game).pk, 0], salt="other"),
        signing.dumps([10**9, 0], salt=links.DECISION),
        "nonsense",
    ]
    for each in forged:
        assert client.get(f"/mail/move/{each}/").status_code == 404
        assert client.post(f"/mail/move/{each}/", {"action": "turn:L"}).status_code == 404
    assert client.post(f"/mail/off/{token}/").status_code == 404


def test_a_decision_on_the_board_can_be_made_from_the_link_too(game: Game, client: Client) -> None:
    decide(game, timezone.now())
    spot = legal(game)[0]
    link = decision(game)
    page = client.get(link, {"choose": spot}).content.decode()
    assert f'id="confirm" name="action"\n  value="{spot}"' in page
    assert client.post(link, {"action": spot}).status_code == 200
    game.refresh_from_db()
    assert game.move_count == 2


def test_unsubscribing_from_everything_works_signed_out(game: Game) -> None:
    client = Client(enforce_csrf_checks=True)
    player = actor(game).player
    link = path(links.unsubscribe_url(player))
    assert b"Turn it off" in client.get(link).content
    player.refresh_from_db()
    assert player.mail == "each", "looking changes nothing"
    done = client.post(link, "List-Unsubscribe=One-Click", "application/x-www-form-urlencoded")
    assert done.status_code == 200
    assert b"no more mail from Souk" in done.content
    player.refresh_from_db()
    assert (player.mail, player.reminders) == ("none", False)
    assert not Notice.objects.filter(player=player, state="queued").exists()


def test_unsubscribing_from_one_game_leaves_the_others(game: Game, client: Client) -> None:
    seat = actor(game)
    done = client.post(path(links.unsubscribe_url(seat.player, seat)))
    assert b"about this game" in done.content
    assert Seat.objects.get(pk=seat.pk).mail == "none"
    assert Player.objects.get(pk=seat.player_id).mail == "each"


def test_the_calendar_shows_deadlines_to_whoever_has_the_address(
    game: Game, client: Client
) -> None:
    player = actor(game).player
    Player.objects.filter(pk=game.seats.exclude(player=player).get().player_id).update(
        display_name="Zoë; a, very long name, é"
    )
    client.force_login(player)
    client.post("/settings/calendar/")
    player.refresh_from_db()
    old = f"/calendar/{player.calendar_token}.ics"
    feed = Client().get(old)
    assert feed["Content-Type"] == "text/calendar"
    lines = feed.content.split(b"\r\n")
    assert all(len(line) <= 75 for line in lines)
    unfolded = feed.content.replace(b"\r\n ", b"").decode()
    assert game.deadline
    assert f"DTEND:{game.deadline:%Y%m%dT%H%M%SZ}" in unfolded
    assert r"Zoë\; a\, very long name\, é" in unfolded
    client.post("/settings/calendar/")
    assert Client().get(old).status_code == 404
    take_turn(game, timezone.now())
    player.refresh_from_db()
    assert b"VEVENT" not in Client().get(f"/calendar/{player.calendar_token}.ics").content


def test_wishes_are_changed_in_the_settings(game: Game, client: Client) -> None:
    player = actor(game).player
    client.force_login(player)
    page = client.get("/settings/").content.decode()
    assert "30 days" in page

    def save(**changes: str) -> int:
        player.refresh_from_db()
        return client.post("/settings/", settings_of(player, **changes)).status_code

    assert save(mail="digest", digest_hour="21", reminders="off") == 302
    player.refresh_from_db()
    assert (player.mail, player.digest_hour, player.reminders) == ("digest", 21, False)
    assert save(quiet_from="20:00", quiet_to="08:00") == 422
    assert save(quiet_from="20:00", quiet_to="") == 422
    assert save(quiet_from="23:00", quiet_to="08:00") == 302
    player.refresh_from_db()
    assert player.quiet_from
    assert save(quiet_from="", quiet_to="", auto_vacation="on") == 302
    player.refresh_from_db()
    assert (player.quiet_from, player.auto_vacation) == (None, True)


def test_vacations_are_taken_and_ended_in_the_settings(game: Game, client: Client) -> None:
    player = actor(game).player
    client.force_login(player)
    today = timezone.now().date()
    days = {"first": str(today), "last": str(today + timedelta(days=4))}
    client.post("/settings/vacation/", days)
    taken = player.vacations.get()
    assert "I am back" in client.get("/settings/").content.decode()
    refused = client.post("/settings/vacation/", days, follow=True)
    assert "already" in refused.content.decode()
    client.post("/settings/vacation/", {"first": "soon"})
    Client().post(f"/settings/vacation/{taken.pk}/end/")
    taken.refresh_from_db()
    assert taken.end > timezone.now()
    client.post(f"/settings/vacation/{taken.pk}/end/")
    taken.refresh_from_db()
    assert taken.end <= timezone.now()


def test_mail_about_one_game_is_chosen_at_its_table(game: Game, client: Client) -> None:
    seat = actor(game)
    client.force_login(seat.player)
    link = f"/g/{game.public_id}/mail/"
    client.post(link, {"mail": "none"})
    assert Seat.objects.get(pk=seat.pk).mail == "none"
    client.post(link, {"mail": "everything"})
    assert Seat.objects.get(pk=seat.pk).mail == "none"
    client.force_login(Player.objects.create(username="stranger"))
    assert client.post(link, {"mail": "each"}).status_code == 404


def test_the_table_shows_who_is_away_and_who_was_told(game: Game, client: Client, drain) -> None:
    waiting = actor(game).player
    other = game.seats.exclude(player=waiting).get().player
    client.force_login(other)
    page = client.get(game.get_absolute_url()).content.decode()
    assert "A notice was sent" not in page
    assert "on vacation" not in page
    drain(timezone.now() + HOUR)
    now = timezone.now()
    vacation.take_vacation(player=waiting, start=now, end=now + 24 * HOUR, now=now)
    page = client.get(game.get_absolute_url()).content.decode()
    assert "A notice was sent" in page
    assert f"{waiting} is on vacation until" in page
