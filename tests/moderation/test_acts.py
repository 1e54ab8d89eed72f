"""What moderators do, by the services: who may, what follows, who is told, what is kept."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core import management
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.utils import timezone

from games import tasks
from games.engine.record import read, verify, write
from games.models import Act, Game, Message, Notice, Player, Report, Seat
from games.selectors.accounts import everything_about
from games.selectors.notices import lines_for
from games.selectors.records import record_of
from games.selectors.table import chat
from games.services import lobby, play, soundness, stats, table_talk, timeouts
from games.services.accounts import delete_account
from games.services.errors import Refused
from games.services.moderation import people, reports, talk, verdicts
from games.services.moderation.log import NotAllowed
from games.services.notices import links, trust
from tests.history.archive import stored_game
from tests.moderation.staff import new_moderator
from tests.people import NOON, Tables, actor, decide, new_players, open_game, started_game, sweep

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
WHY: dict[str, Any] = {"reason": "Not at our tables.", "now": NOON}


@pytest.fixture
def zahra() -> Player:
    return new_moderator()


def the_act(kind: str) -> Act:
    act = Act.objects.get()
    assert (act.kind, act.reason, act.at) == (kind, "Not at our tables.", NOON)
    return act


def letters_to(player: Player) -> list[str]:
    found = Notice.objects.filter(kind=Notice.Kind.ACCOUNT, address=player.email)
    return [notice.content["text"] for notice in found]


def all_sound() -> None:
    wrong = [fault for game in soundness.games() for fault in soundness.faults(game, now=NOON)]
    assert wrong + stats.differences(stats.recount()) == []


def every_act(moderator: Player, player: Player, game: Game) -> list[Callable[[], Any]]:
    line = Message.objects.filter(game=game, event="").first()
    on_player = {"moderator": moderator, "player": player, **WHY}
    on_game = {"moderator": moderator, "game_id": game.pk, **WHY}
    return [
        lambda: people.warn(**on_player),
        lambda: people.mute(until=NOON + DAY, **on_player),
        lambda: people.unmute(**on_player),
        lambda: people.suspend(until=None, **on_player),
        lambda: people.reinstate(**on_player),
        lambda: people.rename(name="Amal", **on_player),
        lambda: people.trust_address(**on_player),
        lambda: talk.hide(moderator=moderator, message_id=line.pk if line else 0, **WHY),
        lambda: verdicts.grant_time(more=HOUR, **on_game),
        lambda: verdicts.remove(player=player, **on_game),
        lambda: verdicts.award(player=player, **on_game),
        lambda: verdicts.annul(**on_game),
        lambda: reports.close(moderator=moderator, report_id=1, now=NOON),
    ]


def test_nobody_else_can_do_any_of_it_and_nothing_is_without_a_reason(zahra: Player) -> None:
    yasmin, omar = new_players(2)
    game = started_game([yasmin, omar])
    table_talk.post_message(game=game, player=omar, text="hello", now=NOON)
    looker = Player.objects.create(username="looker", is_staff=True)
    partner = started_game([zahra, omar])
    for somebody in (yasmin, looker):
        for act in every_act(somebody, omar, game):
            with pytest.raises(NotAllowed):
                act()
    for act in every_act(zahra, omar, partner)[8:12]:
        with pytest.raises(NotAllowed, match="You sit at this table"):
            act()
    with pytest.raises(NotAllowed, match="their own judge"):
        people.warn(moderator=zahra, player=zahra, **WHY)
    with pytest.raises(NotAllowed, match="staff"):
        people.suspend(moderator=zahra, player=looker, until=None, **WHY)
    for reason in ("", " \n", "x" * 501):
        with pytest.raises(Refused):
            people.warn(moderator=zahra, player=omar, reason=reason, now=NOON)
    assert not Act.objects.exists()


def test_the_log_is_only_added_to(zahra: Player) -> None:
    _, omar = new_players(2)
    act = people.warn(moderator=zahra, player=omar, **WHY)
    act.reason = "Never mind."
    for change in (
        act.save,
        act.delete,
        Act.objects.all().delete,
        lambda: Act.objects.update(reason=""),
    ):
        with pytest.raises(TypeError):
            change()
    assert the_act("warn").actor == zahra


def test_a_server_keeps_the_log_from_whoever_goes_round_the_models(zahra: Player) -> None:
    _, omar = new_players(2)
    people.rename(moderator=zahra, player=omar, name="Amal", **WHY)

    def is_refused(statement: str) -> bool:
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(statement)
                transaction.set_rollback(True)
        except IntegrityError:
            return True
        return False

    on_a_server = connection.vendor == "postgresql"
    for change in ("UPDATE games_act SET reason = 'Never mind.'", "DELETE FROM games_act"):
        assert is_refused(change) == on_a_server
    omar.refresh_from_db()
    delete_account(player=omar, now=NOON)
    assert the_act("rename").was == "", "what a player leaves behind is forgotten"


def test_a_warning_is_told_by_mail_and_on_pages(zahra: Player, client: Client) -> None:
    yasmin, omar = new_players(2)
    people.warn(moderator=zahra, player=omar, **WHY)
    (letter,) = letters_to(omar)
    assert "You have been warned." in letter
    assert "Not at our tables." in letter
    omar.refresh_from_db()
    client.force_login(omar)
    for page in ("/", omar.get_absolute_url()):
        assert "Not at our tables." in client.get(page).content.decode()
    client.force_login(yasmin)
    assert "Not at our tables." not in client.get(omar.get_absolute_url()).content.decode()


def test_who_is_muted_plays_on_in_silence(zahra: Player) -> None:
    yasmin, omar = new_players(2)
    game = started_game([yasmin, omar])
    people.mute(moderator=zahra, player=omar, until=NOON + DAY, **WHY)
    with pytest.raises(Refused, match="until"):
        table_talk.post_message(game=game, player=omar, text="hello", now=NOON + HOUR)
    decide(game, NOON + HOUR)
    table_talk.post_message(game=game, player=omar, text="hello", now=NOON + DAY)
    with pytest.raises(Refused):
        people.mute(moderator=zahra, player=omar, until=NOON, **WHY)
    people.unmute(moderator=zahra, player=omar, **WHY)
    table_talk.post_message(game=game, player=omar, text="hello", now=NOON)
    assert len(letters_to(omar)) == 2


def test_who_is_suspended_neither_plays_nor_comes_in(zahra: Player, client: Client) -> None:
    yasmin, omar = new_players(2)
    client.post("/accounts/login/", {"login": "omar", "password": "open-sesame-42"})
    assert client.get("/settings/").status_code == 200
    game = started_game([yasmin, omar])
    own, joined = open_game(omar), open_game(yasmin, 3)
    lobby.join_game(game_id=joined.pk, player=omar, entropy="mint", now=NOON)
    while actor(game).player != omar:
        decide(game, NOON)
    people.suspend(moderator=zahra, player=omar, until=NOON + DAY, **WHY)
    omar.refresh_from_db()
    assert client.get("/settings/").status_code == 302, "the session is over"
    with pytest.raises(Refused, match="suspended"):
        decide(game, NOON + HOUR)
    with pytest.raises(Refused, match="cannot play"):
        open_game(yasmin, invited=[omar])
    with pytest.raises(Refused, match="suspended"):
        lobby.join_game(game_id=joined.pk, player=omar, entropy="mint", now=NOON)
    own.refresh_from_db()
    assert own.status == Game.Status.CANCELLED
    assert not joined.seats.filter(player=omar).exists()
    decide(game, NOON + DAY)
    people.reinstate(moderator=zahra, player=omar, **WHY)
    decide(game, NOON)
    assert [("suspended until" in text) for text in letters_to(omar)] == [True, False]


def test_a_suspended_player_runs_out_of_time_like_anybody(zahra: Player) -> None:
    yasmin, omar = new_players(2)
    omar.auto_vacation = True
    omar.save()
    game = started_game([yasmin, omar])
    while actor(game).player != omar:
        decide(game, NOON)
    people.suspend(moderator=zahra, player=omar, until=None, **WHY)
    by_mail = Client().post(links.path_of_decision(actor(game), game), {"action": "turn:S"})
    assert "suspended" in by_mail.content.decode(), "nor does a link in an older mail"
    assert game.deadline
    assert sweep(game.deadline) == 1, "no vacation puts it off"
    game.refresh_from_db()
    assert game.status == Game.Status.OVER


def test_sign_in_says_why_not_and_until_when(zahra: Player, client: Client) -> None:
    _, omar = new_players(2)
    now = timezone.now()
    people.suspend(moderator=zahra, player=omar, until=now + DAY, reason="Cheating.", now=now)
    form = {"login": "omar", "password": "open-sesame-42"}
    answer = client.post("/accounts/login/", form)
    assert answer.status_code == 403
    assert "Cheating." in answer.content.decode()
    assert "_auth_user_id" not in client.session
    wrong = client.post("/accounts/login/", {**form, "password": "open-barley"})
    assert "Cheating." not in wrong.content.decode(), "for whoever knows the password alone"
    Player.objects.filter(pk=omar.pk).update(suspended_until=now - HOUR)
    assert client.post("/accounts/login/", form).status_code == 302


def test_a_new_name_for_the_old_one_and_for_the_one_shown(zahra: Player) -> None:
    yasmin, omar = new_players(2)
    omar.display_name = "The Winner"
    omar.save()
    people.rename(moderator=zahra, player=omar, name="Amal", **WHY)
    omar.refresh_from_db()
    assert (omar.username, str(omar)) == ("Amal", "Amal")
    assert the_act("rename").was == "The Winner (Omar)"
    with pytest.raises(Refused, match="taken"):
        people.rename(moderator=zahra, player=yasmin, name="amal", **WHY)
    delete_account(player=omar, now=NOON)
    assert the_act("rename").was == ""


def test_an_address_is_trusted_again(zahra: Player) -> None:
    _, omar = new_players(2)
    with pytest.raises(Refused, match="not given up"):
        people.trust_address(moderator=zahra, player=omar, **WHY)
    trust.give_up(address=omar.email, reason="550 5.1.1", now=NOON)
    people.trust_address(moderator=zahra, player=omar, **WHY)
    omar.refresh_from_db()
    assert not omar.address_refused
    the_act("trust")


def test_a_hidden_message_reaches_nobody(zahra: Player, client: Client) -> None:
    yasmin, omar = new_players(2)
    game = started_game([yasmin, omar])
    line = table_talk.post_message(game=game, player=omar, text="you camel", now=NOON)
    client.force_login(yasmin)
    before = client.get(game.get_absolute_url())
    assert "you camel" in before.content.decode()
    notice = Notice.objects.get(kind=Notice.Kind.MESSAGE, player=yasmin)
    reports.report(reporter=yasmin, player=omar, message=line, text="rude", now=NOON)
    talk.hide(moderator=zahra, message_id=line.pk, **WHY)
    for reader in (yasmin, omar, None):
        assert "you camel" not in [each.text for each in chat(game, reader)]
    assert not lines_for(notice).exists()
    assert "you camel" not in str(everything_about(omar))
    stamp = before.context["stamp"]
    news = client.get(f"{game.get_absolute_url()}changes/?stamp={stamp}&on=0")
    assert news.status_code == 200, "open pages forget it, too"
    assert "you camel" not in news.content.decode()
    assert "hidden by the moderators" in news.content.decode()
    assert Report.objects.get().closed_by == zahra
    client.force_login(zahra)
    for page in ("/moderation/", f"/moderation/talk/{line.pk}/"):
        assert "you camel" not in client.get(page).content.decode()
    with pytest.raises(Refused):
        talk.hide(moderator=zahra, message_id=line.pk, **WHY)


def test_what_somebody_left_behind_can_be_reported_and_hidden(
    zahra: Player, client: Client
) -> None:
    yasmin, omar, ileana = new_players(3)
    game = started_game([yasmin, omar, ileana])
    line = table_talk.post_message(game=game, player=omar, text="you camel", now=NOON)
    delete_account(player=omar, now=NOON)
    client.force_login(yasmin)
    assert f"/talk/{line.pk}/report/" in client.get(game.get_absolute_url()).content.decode()
    client.post(f"/talk/{line.pk}/report/", {"text": "rude"})
    assert Report.objects.get().message == line
    client.force_login(zahra)
    assert "rude" in client.get("/moderation/").content.decode()
    assert client.get(f"/moderation/talk/{line.pk}/").status_code == 200
    talk.hide(moderator=zahra, message_id=line.pk, **WHY)
    assert "you camel" not in client.get(game.get_absolute_url()).content.decode()
    omar.refresh_from_db()
    with pytest.raises(NotAllowed, match="has an account"):
        people.warn(moderator=zahra, player=omar, **WHY)


def test_time_is_granted_for_a_turn_and_fits_the_moves(zahra: Player) -> None:
    game = Tables().game(now=NOON)
    decide(game, NOON)
    all_sound()
    before = game.deadline
    seat = actor(game)
    verdicts.grant_time(moderator=zahra, game_id=game.pk, more=14 * DAY, **WHY)
    game.refresh_from_db()
    assert before
    assert game.deadline == before + 14 * DAY
    all_sound()
    assert timeouts.sweep_deadlines(now=before + HOUR) == 0
    while actor(game) == seat:
        decide(game, NOON + 10 * DAY)
    seat.refresh_from_db()
    assert seat.bank == Game.Pace(game.pace).cap, "what is left of it is not kept"
    later = [
        fault for each in soundness.games() for fault in soundness.faults(each, now=NOON + 10 * DAY)
    ]
    assert later == []
    assert the_act("time").granted == 14 * DAY
    with pytest.raises(Refused):
        verdicts.grant_time(moderator=zahra, game_id=game.pk, more=31 * DAY, **WHY)


def test_somebody_is_taken_from_the_table_and_the_others_play_on(
    zahra: Player, client: Client
) -> None:
    players = new_players(3)
    game = started_game(players)
    verdicts.remove(moderator=zahra, game_id=game.pk, player=players[0], **WHY)
    game.refresh_from_db()
    assert game.status == Game.Status.RUNNING
    assert game.moves.get().action == "removed"
    assert Seat.objects.get(game=game, player=players[0]).left_by == "removed"
    for player in players:
        assert "Not at our tables." in letters_to(player)[0]
    all_sound()
    with pytest.raises(Refused, match="plays no more"):
        verdicts.remove(moderator=zahra, game_id=game.pk, player=players[0], **WHY)
    client.force_login(players[1])
    page = client.get(game.get_absolute_url()).content.decode()
    assert "Yasmin was taken from the table." in page
    assert "Not at our tables." in page
    client.logout()
    assert "Not at our tables." not in client.get(game.get_absolute_url()).content.decode()


def test_an_awarded_game_counts_and_its_record_says_how_it_was_won(
    zahra: Player, client: Client
) -> None:
    players = new_players(3)
    game = started_game(players, rated=True)
    for _ in range(24):
        decide(game, NOON, pick=1)
    verdicts.award(moderator=zahra, game_id=game.pk, player=players[1], **WHY)
    game.refresh_from_db()
    assert game.status == Game.Status.OVER
    assert Seat.objects.get(game=game, player=players[1]).place == 1
    assert game.rating_changes.count() == 3
    all_sound()
    record = write(record_of(game))
    assert record.count('"removed"') == 2
    assert verify(read(record)).pending
    proof = client.get(f"{game.get_absolute_url()}proof/").content.decode()
    assert "The game was awarded to Omar." in proof
    assert "Not at our tables." not in proof


def test_a_running_game_is_annulled_and_stands_still(zahra: Player, client: Client) -> None:
    yasmin, omar = new_players(2)
    game = started_game([yasmin, omar])
    decide(game, NOON)
    verdicts.grant_time(moderator=zahra, game_id=game.pk, more=HOUR, **WHY)
    verdicts.annul(moderator=zahra, game_id=game.pk, **WHY)
    game.refresh_from_db()
    assert game.status == Game.Status.ANNULLED
    assert game.deadline is None
    all_sound()
    management.call_command("verify", "--all", verbosity=0)
    for player in (yasmin, omar):
        client.force_login(player)
        page = client.get(game.get_absolute_url()).content.decode()
        assert "This game was annulled" in page
        with pytest.raises(Refused):
            play.play_move(game_id=game.pk, player=player, action="turn:L", on_move=1, now=NOON)
        assert client.get("/").status_code == 200
    assert client.get(f"{game.get_absolute_url()}proof/").status_code == 200
    assert client.get(f"{game.get_absolute_url()}record.json").status_code == 200
    with pytest.raises(Refused):
        verdicts.annul(moderator=zahra, game_id=game.pk, **WHY)


@pytest.mark.parametrize("which", [0, 1, 2, 3])
def test_an_annulled_game_goes_out_of_the_books(zahra: Player, which: int) -> None:
    yasmin, omar, ileana = new_players(3)
    games = []
    for number, players in enumerate(
        ([yasmin, omar], [omar, ileana], [yasmin, omar], [ileana, yasmin])
    ):
        ended = NOON - timedelta(days=10 - number)
        rated = number != 3
        games.append(stored_game(players, seed=number, ended_at=ended, rated=rated))
    assert stats.differences(stats.recount()) == []
    verdicts.annul(moderator=zahra, game_id=games[which].pk, **WHY)
    assert stats.differences(stats.recount()) == []
    stored_game([omar, yasmin], seed=9, ended_at=NOON + DAY)
    verdicts.annul(moderator=zahra, game_id=games[which - 1].pk, reason="Too.", now=NOON + 2 * DAY)
    assert stats.differences(stats.recount()) == []
    assert not Seat.objects.filter(game=games[which], tally__isnull=False).exists()


def test_a_large_house_counts_again_in_a_worker(
    zahra: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stats, "FEW_GAMES", 0)
    yasmin, omar = new_players(2)
    game = stored_game([yasmin, omar])
    verdicts.annul(moderator=zahra, game_id=game.pk, **WHY)
    assert yasmin.ratings.exists(), "until then it is in the books"
    all_sound()
    tasks.leave_out_annulled()
    assert not yasmin.ratings.exists()
    all_sound()
    assert not stats.leave_out_annulled_if_due()


def test_the_last_game_that_is_annulled_leaves_ratings_as_they_were(zahra: Player) -> None:
    yasmin, omar = new_players(2)
    stored_game([yasmin, omar], seed=1, ended_at=NOON - 2 * DAY)
    before = list(yasmin.ratings.values_list("mu", "sigma", "games", "streak"))
    last = stored_game([yasmin, omar], seed=2, ended_at=NOON - DAY)
    assert list(yasmin.ratings.values_list("mu", "sigma", "games", "streak")) != before
    verdicts.annul(moderator=zahra, game_id=last.pk, **WHY)
    assert list(yasmin.ratings.values_list("mu", "sigma", "games", "streak")) == before


def test_reports_are_limited_and_made_once() -> None:
    yasmin, omar = new_players(2)
    for _ in range(10):
        reports.report(reporter=yasmin, player=omar, text="rude", now=NOON)
    assert Report.objects.count() == 1
    with pytest.raises(Refused, match="tomorrow"):
        reports.report(reporter=yasmin, player=omar, text="rude", now=NOON)
    for text in ("", "x" * 501):
        with pytest.raises(Refused):
            reports.report(reporter=yasmin, player=omar, text=text, now=NOON + DAY)
    with pytest.raises(Refused, match="nobody"):
        reports.report(reporter=yasmin, player=yasmin, text="me", now=NOON + DAY)
