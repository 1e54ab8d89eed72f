"""What nobody needs goes; what somebody may need stays."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from axes.models import AccessAttempt
from celery.schedules import crontab
from django.conf import settings as configured
from django.contrib.sessions.models import Session
from django.utils import timezone

from games.models import Game, Notice, Player, Reckoning, Webhook
from games.services import guests, lobby, play, purges
from games.services.notices import outbox, queue
from games.services.reach import webhooks
from tests.people import NOON, new_player, new_players, open_game, play_on, started_game

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
LATER = NOON + timedelta(days=61)


@pytest.fixture
def final() -> list[Notice]:
    """Notices of a running game, all of them dealt with."""
    game = started_game(new_players(2))
    play_on(game, 4)
    Notice.objects.update(state=Notice.State.SENT)
    return list(Notice.objects.all())


def test_old_notices_go_but_not_those_about_the_present_position(final) -> None:
    game = Game.objects.get()
    about_now = [notice.pk for notice in final if notice.move_number >= game.move_count]
    assert about_now
    assert purges.forget_notices(now=LATER) == len(final) - len(about_now) > 0
    assert set(Notice.objects.values_list("pk", flat=True)) == set(about_now)
    Game.objects.update(status=Game.Status.CANCELLED, to_act=None)
    assert purges.forget_notices(now=LATER) == len(about_now)


def test_young_and_unsent_notices_stay(final) -> None:
    assert purges.forget_notices(now=NOON + timedelta(days=59)) == 0
    Notice.objects.update(state=Notice.State.QUEUED)
    assert purges.forget_notices(now=LATER) == 0


def test_how_long_is_a_setting(final, settings) -> None:
    settings.NOTICES_KEPT = timedelta(days=3)
    assert purges.forget_notices(now=NOON + timedelta(days=4)) > 0


def test_an_address_can_still_be_checked_after_a_purge() -> None:
    player = new_player("Yasmin")
    queue.send_test(player=player, now=NOON)
    outbox.drain(clock=lambda: NOON)
    purges.purge(now=LATER)
    queue.send_test(player=player, now=LATER)
    assert Notice.objects.filter(kind="address", state="queued").count() == 1


def test_sessions_that_have_ended_go_and_so_does_what_lists_them(client) -> None:
    client.force_login(new_player("Yasmin"))
    client.get("/")
    alive = Session.objects.get()
    UserSession.objects.get_or_create(
        user=Player.objects.get(), session_key=alive.session_key, defaults={"ip": "127.0.0.1"}
    )
    UserSession.objects.create(user=Player.objects.get(), session_key="ended", ip="127.0.0.1")
    Session.objects.create(
        session_key="old", session_data="", expire_date=timezone.now() - timedelta(days=1)
    )
    assert purges.forget_sessions(now=timezone.now()) == 1
    assert Session.objects.get() == alive
    assert UserSession.objects.get().session_key == alive.session_key


def test_one_purge_does_it_all_in_batches(monkeypatch, final) -> None:
    monkeypatch.setattr(purges, "AT_ONCE", 2)
    guests.welcome_guest(now=NOON)
    AccessAttempt.objects.create(username="x", failures_since_start=1)
    AccessAttempt.objects.update(attempt_time=NOON)
    gone = purges.purge(now=LATER)
    assert gone["guests"] == gone["attempts"] == 1
    assert gone["notices"] > 2
    assert not any(purges.purge(now=LATER).values())


def test_records_that_somebody_brought_go_and_games_of_the_house_keep_theirs(settings) -> None:
    settings.RECORDS_KEPT = timedelta(days=3)
    game = started_game(new_players(2))
    for about in ({"digest": "ab"}, {"digest": "cd"}, {"game": game}):
        Reckoning.objects.create(**about, seed=1, asked_at=NOON)
    Reckoning.objects.filter(digest="cd").update(asked_at=NOON + timedelta(days=2))
    assert purges.forget_records(now=NOON + timedelta(days=4)) == 1
    assert not Reckoning.objects.filter(digest="ab").exists()


def test_webhooks_of_tables_that_are_done_with_go_and_stand_in_nobodys_way() -> None:
    yasmin, omar = new_players(2)
    game, forsaken = started_game([yasmin, omar]), open_game(yasmin)
    terms: dict[str, Any] = {"url": "http://93.184.216.34/x", "format": "slack", "mentions": ""}
    for where in (game, forsaken, None):
        webhooks.add(owner=yasmin, game=where, now=NOON, **terms)
    assert purges.forget_webhooks(now=LATER) == 0
    play.resign(game_id=game.pk, player=omar, now=NOON)
    lobby.cancel_game(game_id=forsaken.pk, player=yasmin, now=NOON)
    for _ in range(webhooks.MOST - 1):
        webhooks.add(owner=yasmin, game=None, now=NOON, **terms)
    assert purges.forget_webhooks(now=NOON + timedelta(days=1)) == 0
    assert purges.forget_webhooks(now=LATER) == 2
    assert Webhook.objects.filter(game=None).count() == webhooks.MOST


def test_it_is_on_the_schedule_at_a_fixed_hour() -> None:
    entry = configured.CELERY_BEAT_SCHEDULE["purge"]
    assert entry["task"] == "games.tasks.purge"
    assert isinstance(entry["schedule"], crontab)
