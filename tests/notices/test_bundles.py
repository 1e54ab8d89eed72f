"""Few mails: what is due together goes out together, and nothing that is no longer news."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.core import mail

from games.models import Game, Notice, Player
from games.services import timeouts
from games.services.notices import queue
from tests.people import START, Tables, actor, take_turn

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
Kind, State = Notice.Kind, Notice.State
Drain = Callable[[datetime], None]

pytestmark = pytest.mark.both_databases


def games_of(player: Player, tables: Tables, count: int, apart: timedelta) -> list[Game]:
    """Games that wait for this player, started one after the other."""
    games = []
    for number in range(count):
        now = START + number * apart
        game = tables.game([player, tables.player(mail="none")], now=now)
        if actor(game).player_id != player.pk:
            take_turn(game, now)
        games.append(game)
    Notice.objects.filter(kind=Kind.STARTED).delete()
    return games


def live(drain: Drain, until: datetime, step: timedelta = HOUR) -> None:
    now = START
    while now <= until:
        drain(now)
        timeouts.sweep_deadlines(now=now)
        now += step


def mails_to(player: Player) -> list[mail.EmailMessage]:
    return [letter for letter in mail.outbox if letter.to == [player.email]]


@pytest.mark.parametrize(
    ("wish", "reminders", "most"), [("digest", True, 5), ("each", True, 8), ("none", True, 0)]
)
def test_twelve_games_and_four_silent_days_are_a_handful_of_mails(
    tables: Tables, drain: Drain, wish: str, reminders: bool, most: int
) -> None:
    player = tables.player(mail=wish, reminders=reminders)
    games_of(player, tables, 12, timedelta(minutes=2))
    live(drain, START + 4 * DAY)
    assert len(mails_to(player)) <= most
    size = sum(len(letter.message().as_bytes()) for letter in mails_to(player))
    assert size < 100_000
    assert not Game.objects.filter(status="running").exists(), "four days were too long"


def test_one_mail_a_day_is_one_mail_a_day_with_the_reminders_in_it(
    tables: Tables, drain: Drain
) -> None:
    player = tables.player(mail="digest", digest_hour=8)
    games_of(player, tables, 2, HOUR)
    live(drain, START + 3 * DAY - HOUR)
    days = [notice.sent_at for notice in Notice.objects.filter(kind=Kind.DIGEST, state="sent")]
    assert [letter.subject for letter in mails_to(player)] == ["Your games today"] * len(days)
    assert [day.date() for day in days if day] == [
        (START + number * DAY).date() for number in (1, 2, 3)
    ][: len(days)]
    assert len(days) >= 2
    last = str(mails_to(player)[-1].body)
    assert last.count("Your turn") == 2
    assert last.count("until") == 2


def test_a_game_that_wants_a_mail_for_each_turn_gets_its_reminder_in_time(
    tables: Tables, drain: Drain
) -> None:
    player = tables.player(mail="digest", digest_hour=8)
    game, _ = games_of(player, tables, 2, HOUR)
    game.seats.filter(player=player).update(mail="each")
    Notice.objects.filter(game=game, kind=Kind.TURN).update(due_at=START + 3 * MINUTE)
    half = Notice.objects.get(game=game, kind=Kind.HALF)
    due = half.due_at
    assert due
    live(drain, due)
    half.refresh_from_db()
    assert half.state == State.SENT
    assert half.sent_at
    assert half.sent_at > due - HOUR


def test_what_is_due_within_the_hour_goes_out_with_what_is_due(
    tables: Tables, drain: Drain
) -> None:
    player = tables.player()
    games = games_of(player, tables, 5, timedelta(minutes=2))
    drain(START + 12 * MINUTE)
    [letter] = mails_to(player)
    assert letter.subject == "Your turn in 5 games"
    for game in games:
        assert game.public_id in letter.body
    assert not getattr(letter, "picture", None)
    drain(START + HOUR)
    assert len(mails_to(player)) == 1
    assert Notice.objects.filter(player=player, kind=Kind.TURN, state=State.SENT).count() == 5


def test_one_alone_is_the_letter_it_always_was(tables: Tables, drain: Drain) -> None:
    player = tables.player()
    games_of(player, tables, 1, HOUR)
    drain(START + 12 * MINUTE)
    [letter] = mails_to(player)
    assert letter.subject.startswith("Your turn: Marrakech")
    assert letter.picture  # type: ignore[attr-defined]


def test_after_an_outage_one_mail_tells_how_it_stands(tables: Tables, drain: Drain) -> None:
    player = tables.player()
    [game] = games_of(player, tables, 1, HOUR)
    drain(START + 60 * HOUR)
    [letter] = mails_to(player)
    assert letter.subject.startswith("Your time is running out")
    states = dict(Notice.objects.filter(game=game, player=player).values_list("kind", "state"))
    assert states == {"turn": "withdrawn", "half": "withdrawn", "last": "sent"}


def test_after_an_outage_a_start_is_no_news(tables: Tables, drain: Drain) -> None:
    game = tables.game([tables.player(), tables.player()])
    first = take_turn(game, START + HOUR)
    second = actor(game)
    drain(START + 2 * HOUR)
    [letter] = mails_to(second.player)
    assert letter.subject.startswith("Your turn")
    started = Notice.objects.filter(kind=Kind.STARTED)
    assert set(started.values_list("state", flat=True)) == {State.WITHDRAWN}
    assert not mails_to(first.player)


def test_lines_of_the_chat_are_in_a_mail_of_several_things(tables: Tables, drain: Drain) -> None:
    from games.services import table_talk

    player = tables.player()
    games = games_of(player, tables, 2, MINUTE)
    other = games[0].seats.select_related("player").exclude(player=player).get().player
    table_talk.post_message(game=games[0], player=other, text="Mint tea?", now=START)
    drain(START + HOUR)
    [letter] = mails_to(player)
    assert "Mint tea?" in letter.body
    assert "Mint tea?" in str(letter.alternatives[0][0])  # type: ignore[attr-defined]


def test_a_bundle_that_is_refused_is_tried_again_whole(
    tables: Tables, post_office, drain: Drain
) -> None:
    player = tables.player()
    games_of(player, tables, 3, MINUTE)
    post_office.at_rcpt = "451 later"
    drain(START + HOUR)
    assert Notice.objects.filter(kind=Kind.TURN, state=State.QUEUED, attempts=1).count() == 3
    post_office.at_rcpt = ""
    drain(START + HOUR + MINUTE)
    assert len(post_office.letters) == 1
    assert Notice.objects.filter(kind=Kind.TURN, state=State.SENT).count() == 3


def test_a_test_of_the_address_goes_alone(tables: Tables, drain: Drain) -> None:
    player = tables.player()
    games_of(player, tables, 2, MINUTE)
    queue.send_test(player=player, now=START + HOUR)
    drain(START + HOUR)
    assert [letter.subject for letter in mails_to(player)] == [
        "A test from Souk: your address works",
        "Your turn in 2 games",
    ]
