"""What moderators must not do, act by act; and what can be reported by whom."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import SESSION_KEY
from django.urls import reverse

from games.models import Act, Block, BotLevel, Game, Message, Player, Report, Seat
from games.services import table_talk
from games.services.bot_seats import bots_of
from games.services.errors import Refused
from games.services.guests import welcome_guest
from games.services.moderation import people, reports, talk, verdicts
from games.services.moderation.log import NotAllowed
from tests.moderation.staff import new_moderator
from tests.people import NOON, new_player, new_players, signed_in, started_game

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

DAY = timedelta(days=1)
ON_PLAYERS: dict[str, Callable[..., Act]] = {
    "warn": people.warn,
    "mute": lambda **how: people.mute(until=NOON + DAY, **how),
    "unmute": people.unmute,
    "suspend": lambda **how: people.suspend(until=None, **how),
    "reinstate": people.reinstate,
    "rename": lambda **how: people.rename(name="Amal", **how),
}
WHY: dict[str, Any] = {"reason": "Not here.", "now": NOON}


def in_trouble(**columns: Any) -> Player:
    """Muted and suspended, so that there is something to take back."""
    states = {"muted_until": NOON + DAY, "suspended_at": NOON - DAY}
    return new_player("Karim", **{**states, **columns})


@pytest.mark.parametrize("act", ON_PLAYERS)
def test_no_act_against_the_staff_but_by_the_operator(act: str) -> None:
    zahra, karim = new_moderator(), in_trouble(is_staff=True)
    with pytest.raises(NotAllowed, match="operator of the site"):
        ON_PLAYERS[act](moderator=zahra, player=karim, **WHY)
    assert not Act.objects.exists()
    zahra.is_superuser = True
    zahra.save()
    ON_PLAYERS[act](moderator=zahra, player=karim, **WHY)
    assert Act.objects.get().kind == act


@pytest.mark.parametrize("act", ON_PLAYERS)
def test_no_act_against_oneself_or_somebody_without_an_account(act: str) -> None:
    zahra = new_moderator()
    for nobody in (
        zahra,
        welcome_guest(now=NOON),
        bots_of(BotLevel.APPRENTICE, 1)[0],
        in_trouble(deleted_at=NOON),
    ):
        with pytest.raises(NotAllowed):
            ON_PLAYERS[act](moderator=zahra, player=nobody, **WHY)
    assert not Act.objects.exists()


def test_a_line_of_the_staff_is_hidden_by_the_operator_alone() -> None:
    zahra, karim, omar = new_moderator(), new_player("Karim", is_staff=True), new_player("Omar")
    game = started_game([karim, omar])
    line = table_talk.post_message(game=game, player=karim, text="hello", now=NOON)
    own = started_game([zahra, omar])
    mine = table_talk.post_message(game=own, player=zahra, text="hello", now=NOON)
    for message in (line, mine):
        with pytest.raises(NotAllowed):
            talk.hide(moderator=zahra, message_id=message.pk, **WHY)
    assert not Message.objects.filter(hidden_at__isnull=False).exists()


def test_a_session_that_began_at_the_moment_of_the_suspension_ends_with_the_next_page() -> None:
    omar = new_player("Omar")
    browser = signed_in(omar)
    assert browser.get("/settings/").status_code == 200
    Player.objects.filter(pk=omar.pk).update(suspended_at=NOON, suspended_until=None)
    assert browser.get("/settings/").status_code == 302
    assert SESSION_KEY not in browser.session
    Player.objects.filter(pk=omar.pk).update(suspended_at=None)
    assert browser.get("/settings/").status_code == 302, "and does not come back by itself"


def test_what_is_not_so_cannot_be_taken_back() -> None:
    zahra, omar = new_moderator(), new_player("Omar")
    for act in (people.unmute, people.reinstate, people.trust_address):
        with pytest.raises(Refused):
            act(moderator=zahra, player=omar, **WHY)
    with pytest.raises(Refused, match="past"):
        people.mute(moderator=zahra, player=omar, until=NOON, **WHY)
    with pytest.raises(Refused, match="past"):
        people.suspend(moderator=zahra, player=omar, until=NOON, **WHY)
    new_player("Amal")
    with pytest.raises(Refused, match="taken"):
        people.rename(moderator=zahra, player=omar, name="amal", **WHY)
    omar.refresh_from_db()
    assert omar.username == "Omar"


def test_each_act_on_a_player_changes_what_it_says_and_no_more() -> None:
    zahra, omar = new_moderator(), new_player("Omar")
    how: dict[str, Any] = {"moderator": zahra, "player": omar, **WHY}

    def states() -> tuple[object, ...]:
        found = Player.objects.get(pk=omar.pk)
        return found.muted_until, found.suspended_at, found.suspended_until

    ON_PLAYERS["mute"](**how)
    assert states() == (NOON + DAY, None, None)
    people.suspend(until=NOON + 2 * DAY, **how)
    assert states() == (NOON + DAY, NOON, NOON + 2 * DAY)
    people.unmute(**how)
    assert states() == (None, NOON, NOON + 2 * DAY)
    people.reinstate(**how)
    assert states() == (None, None, None)


def test_a_new_name_takes_the_shown_one_and_what_it_looks_like_along() -> None:
    zahra = new_moderator()
    omar = new_player("Omar", display_name="Zahra the First")
    assert omar.name_keys.count() == 2
    people.rename(moderator=zahra, player=omar, name="Amal", **WHY)
    found = Player.objects.get(pk=omar.pk)
    assert (found.username, found.display_name) == ("Amal", "")
    assert [each.key for each in found.name_keys.all()] == ["amal"]
    assert Act.objects.get().was == "Zahra the First (Omar)"


def test_the_moderator_at_the_table_does_not_judge_it() -> None:
    zahra, omar = new_moderator(), new_player("Omar")
    game = started_game([zahra, omar])
    on_game: dict[str, Any] = {"moderator": zahra, "game_id": game.pk, **WHY}
    for act in (
        lambda: verdicts.grant_time(more=DAY, **on_game),
        lambda: verdicts.remove(player=omar, **on_game),
        lambda: verdicts.award(player=omar, **on_game),
        lambda: verdicts.annul(**on_game),
    ):
        with pytest.raises(NotAllowed, match="You sit at this table"):
            act()
    game.refresh_from_db()
    assert game.status == Game.Status.RUNNING


@pytest.mark.parametrize("more", [timedelta(), -DAY, timedelta(days=31)])
def test_no_time_is_taken_and_none_without_end_granted(more: timedelta) -> None:
    zahra = new_moderator()
    game = started_game(new_players(2))
    with pytest.raises(Refused, match="Grant between"):
        verdicts.grant_time(moderator=zahra, game_id=game.pk, more=more, **WHY)


def test_nobody_who_has_left_is_taken_from_the_table_again() -> None:
    zahra, players = new_moderator(), new_players(3)
    game = started_game(players)
    Seat.objects.filter(game=game, player=players[0]).update(left_by="resign")
    for act in (verdicts.remove, verdicts.award):
        with pytest.raises(Refused, match="plays no more"):
            act(moderator=zahra, game_id=game.pk, player=players[0], **WHY)


@pytest.mark.parametrize("who_blocks", [0, 1])
def test_no_line_is_reported_by_whoever_keeps_apart_from_its_author(who_blocks: int) -> None:
    players = new_players(2)
    author, reader = players
    game = started_game(players)
    line = table_talk.post_message(game=game, player=author, text="hello", now=NOON)
    address = reverse("report_message", args=[line.pk])
    browser = signed_in(reader)
    assert browser.get(address).status_code == 200
    blocker, blocked = players[who_blocks], players[1 - who_blocks]
    Block.objects.create(blocker=blocker, blocked=blocked, at=NOON)
    assert browser.get(address).status_code == 404
    assert browser.post(address, {"text": "rude"}).status_code == 404
    assert not Report.objects.exists()


def test_a_line_of_a_private_table_is_reported_by_those_who_sit_there() -> None:
    yasmin, omar, wei = new_players(4)[:3]
    game = started_game([yasmin, omar], visibility="named", invited=[omar])
    line = table_talk.post_message(game=game, player=yasmin, text="hello", now=NOON)
    address = reverse("report_message", args=[line.pk])
    assert signed_in(wei).get(address).status_code == 404
    assert signed_in(omar).post(address, {"text": "rude"}).status_code == 302
    report = Report.objects.get()
    assert (report.reporter, report.player, report.message) == (omar, yasmin, line)


def test_there_is_nobody_to_report_where_there_is_no_person() -> None:
    yasmin = new_player("Yasmin")
    guest = welcome_guest(now=NOON)
    for nobody in (
        yasmin,
        guest,
        bots_of(BotLevel.APPRENTICE, 1)[0],
        new_player("Mo", deleted_at=NOON),
    ):
        with pytest.raises(Refused, match="nobody to report"):
            reports.report(reporter=yasmin, player=nobody, text="rude", now=NOON)
    with pytest.raises(Refused, match="Sign up"):
        reports.report(reporter=guest, player=yasmin, text="rude", now=NOON)
    for text in ("", "\n ", "x" * 501, "a\0b"):
        with pytest.raises(Refused):
            reports.report(reporter=yasmin, player=new_player(f"A{len(text)}"), text=text, now=NOON)


def test_what_is_done_about_somebody_closes_what_was_reported_until_then() -> None:
    zahra, (yasmin, omar) = new_moderator(), new_players(2)
    before = reports.report(reporter=yasmin, player=omar, text="rude", now=NOON)
    game = started_game([yasmin, omar])
    line = table_talk.post_message(game=game, player=omar, text="hello", now=NOON)
    about_line = reports.report(
        reporter=yasmin, player=omar, message=line, text="rude", now=NOON + DAY
    )
    other = reports.report(reporter=omar, player=yasmin, text="rude", now=NOON)
    people.warn(moderator=zahra, player=omar, **WHY)
    for report in (before, about_line, other):
        report.refresh_from_db()
    assert (before.closed_at, before.closed_by) == (NOON, zahra)
    assert about_line.closed_at is None, "it came later"
    assert other.closed_at is None, "it is about somebody else"
    reports.close(moderator=zahra, report_id=other.pk, now=NOON + DAY)
    reports.close(moderator=zahra, report_id=before.pk, now=NOON + DAY)
    other.refresh_from_db()
    before.refresh_from_db()
    assert (other.closed_at, before.closed_at) == (NOON + DAY, NOON)


def test_hiding_a_line_closes_reports_of_that_line_alone() -> None:
    zahra, (yasmin, omar) = new_moderator(), new_players(2)
    game = started_game([yasmin, omar])
    lines = [
        table_talk.post_message(game=game, player=omar, text=f"line {n}", now=NOON) for n in (1, 2)
    ]
    made = [
        reports.report(reporter=yasmin, player=omar, message=line, text="rude", now=NOON)
        for line in lines
    ]
    talk.hide(moderator=zahra, message_id=lines[0].pk, **WHY)
    assert [Report.objects.get(pk=each.pk).closed_at for each in made] == [NOON, None]
