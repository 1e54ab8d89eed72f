"""A line is said at the moment at which a sender comes for the mail about the lines before."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core import mail
from django.db import connection, transaction

from games.models import Notice
from games.services import table_talk
from games.services.notices import outbox
from tests.hands import meanwhile, without_row_locks
from tests.people import START, Tables

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

DUE = START + timedelta(minutes=3)


def said_while_a_sender_comes() -> list[str]:
    """The mails about two lines; the second is said while a sender drains the outbox."""
    tables = Tables()
    author, reader = tables.player(), tables.player()
    game = tables.game([author, reader])
    Notice.objects.all().delete()
    table_talk.post_message(game=game, player=author, text="the first line", now=START)
    with transaction.atomic():
        table_talk.post_message(game=game, player=author, text="the second line", now=DUE)
        if connection.vendor == "postgresql":
            meanwhile(lambda: outbox.drain(clock=lambda: DUE))
    outbox.drain(clock=lambda: DUE + timedelta(minutes=3))
    return [str(letter.body) for letter in mail.outbox]


def test_a_line_that_is_said_while_a_sender_comes_is_in_the_mail() -> None:
    (letter,) = said_while_a_sender_comes()
    assert "the first line" in letter
    assert "the second line" in letter


def test_without_the_lock_the_line_is_in_no_mail(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control. On SQLite no sender claims anything while somebody writes, lock or not."""
    without_row_locks(monkeypatch)
    on_a_server = connection.vendor == "postgresql"
    assert ("the second line" in "".join(said_while_a_sender_comes())) != on_a_server
