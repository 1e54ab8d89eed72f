"""Nobody gets mail who did not ask for it, and nobody can have us send a flood of it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail

from games.models import Game, Notice, Player, Use
from games.services import blocks, limits, lobby, table_talk
from games.services.errors import Refused
from games.services.notices import outbox, queue
from tests.people import NOON, new_player, new_players, open_game, signed_in, started_game

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
LATER = NOON + timedelta(hours=2)


@pytest.fixture(autouse=True)
def _mailbox(settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


def sent() -> list[str]:
    outbox.drain(clock=lambda: LATER)
    return [to for letter in mail.outbox for to in letter.to]


def test_an_address_that_was_never_confirmed_gets_no_mail() -> None:
    yasmin, victim = new_players(2)
    EmailAddress.objects.filter(user=victim).update(verified=False)
    open_game(yasmin, visibility="named", invited=[victim])
    assert sent() == []
    with pytest.raises(Refused, match="Confirm"):
        queue.send_test(player=victim, now=NOON)


def test_nor_does_an_address_other_than_the_confirmed_one() -> None:
    yasmin, victim = new_players(2)
    Player.objects.filter(pk=victim.pk).update(email="somebody@else.example")
    open_game(yasmin, visibility="named", invited=[Player.objects.get(pk=victim.pk)])
    assert sent() == []


def invite_and_cancel(inviter: Player, invited: Player, times: int) -> int:
    """How often it went through."""
    for number in range(times):
        try:
            game = open_game(inviter, visibility="named", invited=[invited])
        except limits.TooOften:
            return number
        assert len(set(sent())) == 1
        lobby.cancel_game(game_id=game.pk, player=inviter, now=NOON)
    return times


def test_a_loop_of_invitations_ends_soon() -> None:
    yasmin, omar, ileana = new_players(3)
    assert invite_and_cancel(yasmin, omar, 40) <= 10
    before = len(mail.outbox)
    assert invite_and_cancel(ileana, omar, 3) == 3, "others may still ask"
    assert len(mail.outbox) == before + 3
    game = open_game(yasmin, visibility="named", invited=[omar], now=NOON + timedelta(days=1))
    assert game.status == Game.Status.OPEN


def test_many_senders_do_not_flood_one_player() -> None:
    omar = new_player("Omar")
    for number in range(limits.LIMITS["invitation"]["recipient"].times):
        open_game(new_player(f"sender{number}"), visibility="named", invited=[omar])
    with pytest.raises(limits.TooOften, match="many invitations"):
        open_game(new_player("onemore"), visibility="named", invited=[omar])


def test_one_player_does_not_flood_many() -> None:
    yasmin = new_player("Yasmin")
    allowed = limits.LIMITS["invitation"]["sender"].times
    for number in range(allowed):
        game = open_game(yasmin, visibility="named", invited=[new_player(f"guest{number}")])
        lobby.cancel_game(game_id=game.pk, player=yasmin, now=NOON)
    with pytest.raises(limits.TooOften, match="sent many invitations"):
        open_game(yasmin, visibility="named", invited=[new_player("onemore")])


def test_games_are_not_opened_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    yasmin, omar = new_players(2)
    monkeypatch.setitem(
        limits.LIMITS,
        "creation",
        {"sender": limits.Limit(3, limits.DAY), "network": limits.Limit(5, limits.DAY)},
    )
    for player, goes in ((yasmin, 3), (omar, 2)):
        client = signed_in(player)
        form = {"size": 2, "pace": "daily", "visibility": "public", "rated": "no"}
        answers = [
            client.post("/games/new/", {**form, "entropy": "mint"}).status_code for _ in range(4)
        ]
        assert answers == [302] * goes + [422] * (4 - goes)


def test_tests_of_an_address_are_few() -> None:
    yasmin = new_player("Yasmin")
    client = signed_in(yasmin)
    for _ in range(10):
        page = client.post("/settings/mail/test/", follow=True).content.decode()
    assert "Several tests are on their way" in page
    assert Notice.objects.filter(kind=Notice.Kind.ADDRESS).count() == 3


def test_somebody_talkative_is_stopped_and_chat_mails_are_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    yasmin, omar = new_players(2)
    monkeypatch.setattr(queue, "CHAT_MAILS_AN_HOUR", 2)
    monkeypatch.setitem(limits.LIMITS, "message", {"sender": limits.Limit(3, limits.HOUR)})
    for _ in range(3):
        table_talk.post_message(
            game=started_game([yasmin, omar]), player=yasmin, text="hello", now=NOON
        )
    with pytest.raises(limits.TooOften, match="a lot in an hour"):
        table_talk.post_message(
            game=started_game([yasmin, omar]), player=yasmin, text="hello", now=NOON
        )
    mails = Notice.objects.filter(player=omar, kind=Notice.Kind.MESSAGE)
    assert mails.filter(due_at__lt=NOON + limits.HOUR).count() == 2
    assert mails.filter(due_at__gte=NOON + limits.HOUR).count() == 1, "the third line waits"


@pytest.mark.parametrize("blocked_before", [True, False])
def test_whoever_is_blocked_is_not_heard_by_mail_either(blocked_before: bool) -> None:
    yasmin, omar, ileana = new_players(3)
    game = started_game([yasmin, omar, ileana])
    if blocked_before:
        blocks.block_player(blocker=omar, blocked=yasmin, now=NOON)
    table_talk.post_message(game=game, player=yasmin, text="never-for-omar", now=NOON)
    if not blocked_before:
        blocks.block_player(blocker=omar, blocked=yasmin, now=NOON)
    table_talk.post_message(game=game, player=ileana, text="hello all", now=NOON)
    outbox.drain(clock=lambda: LATER)
    letters = {letter.to[0]: letter.body for letter in mail.outbox if "hello all" in letter.body}
    assert "never-for-omar" not in "".join(
        str(letter.body) for letter in mail.outbox if letter.to == [omar.email]
    )
    assert omar.email in letters


def test_what_is_counted_names_nobody_and_is_forgotten() -> None:
    yasmin, omar = new_players(2)
    open_game(yasmin, visibility="named", invited=[omar])
    assert Use.objects.count() == 5
    assert not Use.objects.filter(key__contains="yasmin").exists()
    assert limits.forget_old_uses(now=NOON) == 0
    assert limits.forget_old_uses(now=NOON + timedelta(days=2)) == 5
