"""After an account is deleted no row points at it, except those that are listed here."""

from __future__ import annotations

import pytest
from allauth.account.models import EmailAddress
from axes.models import AccessAttempt
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.test import Client

from games.models import Act, Bounce, Message, Notice, Player, Report, Seat, SharedYear
from games.services.accounts import delete_account
from tests.accounts.conftest import PASSWORD
from tests.accounts.traces import mentions, name_of, point_at, pointers, pointing_at
from tests.history.archive import people, stored_game
from tests.people import NOON

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

BOOKS = "follows from finished games alone, and is made again from them by `rate --rebuild`"
MODERATION = "the log of moderation says who did what to whom, and is never changed"
MAY_STAY = {
    "admin.LogEntry.user": "the history of the admin says who of the staff changed what",
    "games.Game.creator": "the games of the others stay whole",
    "games.Player.invited_by": "moderators can trace an abused link to its sender",
    "games.Seat.player": "the games of the others stay whole",
    "games.Seat.stand_in": "only bots stand in for somebody",
    "games.Message.player": "what was said at a table is part of the talk of the others",
    "games.Act.actor": MODERATION,
    "games.Act.player": MODERATION,
    "games.Report.closed_by": MODERATION,
    "games.Report.player": "a line that was reported is still there to be looked at",
    "games.Tally.player": BOOKS,
    "games.Rivalry.low": BOOKS,
    "games.Rivalry.high": BOOKS,
    "games.Opponent.player": BOOKS,
    "games.Opponent.other": BOOKS,
    "games.Rating.player": BOOKS,
    "games.Sheet.player": BOOKS,
    "games.Performance.player": BOOKS,
}


@pytest.fixture
def company(db: None) -> list[Player]:
    """One with a lower number, the one who goes, and two with a higher one."""
    return people("Aaron", "Ysolde", "Omar", "Wei")


def test_no_row_points_at_a_deleted_account(company: list[Player]) -> None:
    aaron, gone, *others = company
    stored_game([gone, aaron])
    point_at(gone, [aaron, *others])
    assert len(pointing_at(gone)) == len(pointers()), "each foreign key is tried"
    delete_account(player=gone, now=NOON)
    assert sorted(pointing_at(gone) - set(MAY_STAY)) == []


def test_what_may_stay_is_there_to_stay() -> None:
    """A row that is forgotten by now needs no leave."""
    assert sorted(set(MAY_STAY) - {name_of(field) for field in pointers()}) == []


def test_a_report_about_somebody_goes_with_them_and_one_about_a_line_stays(
    company: list[Player],
) -> None:
    aaron, gone, *_ = company
    game = stored_game([aaron, gone])
    line = Message.objects.create(game=game, player=gone, text="hello", at=NOON)
    for message in (None, line):
        Report.objects.create(reporter=aaron, player=gone, message=message, text="rude", at=NOON)
    delete_account(player=gone, now=NOON)
    assert [report.message for report in Report.objects.all()] == [line]


def test_neither_name_nor_address_is_left_in_any_column(company: list[Player]) -> None:
    aaron, gone, *_ = company
    browser = Client()
    for login in ("Ysolde", "ysolde@souk.example"):
        browser.post("/accounts/login/", {"login": login, "password": "wrong-sesame"})
    browser.post("/accounts/login/", {"login": "Ysolde", "password": PASSWORD})
    Player.objects.filter(pk=gone.pk).update(display_name="Ysolde the Fair", calendar_token="y")
    EmailAddress.objects.create(user=gone, email="ysolde2@souk.example", verified=False)
    written = {"created_at": NOON, "kind": Notice.Kind.ACCOUNT, "content": {"to": "Ysolde"}}
    letter = Notice.objects.create(address="ysolde2@souk.example", **written)
    Bounce.objects.create(address="ysolde@souk.example", notice=letter, reason="no", at=NOON)
    other = Notice.objects.create(address="other@souk.example", **{**written, "content": None})
    Bounce.objects.create(address="ysolde2@souk.example", notice=other, reason="no", at=NOON)
    Act.objects.create(
        kind="rename", actor=aaron, player=gone, reason="rude", was="Ysolde (y)", at=NOON
    )
    players = ContentType.objects.get_for_model(Player)
    LogEntry.objects.create(
        user=aaron,
        content_type=players,
        object_id=str(gone.pk),
        object_repr="Ysolde",
        action_flag=CHANGE,
    )
    assert AccessAttempt.objects.exists()
    gone.refresh_from_db()
    delete_account(player=gone, now=NOON)
    assert sorted(mentions(["ysolde"])) == []


def test_what_only_the_player_saw_at_a_table_is_forgotten(company: list[Player]) -> None:
    aaron, gone, *_ = company
    game = stored_game([aaron, gone])
    private = {"notes": "she bluffs", "starred_at": NOON, "mail": Seat.Mail.NONE}
    game.seats.update(**private)
    delete_account(player=gone, now=NOON)
    left = game.seats.get(player=gone)
    assert (left.notes, left.starred_at, left.mail) == ("", None, Seat.Mail.DEFAULT)
    kept = game.seats.get(player=aaron)
    assert (kept.notes, kept.starred_at, kept.mail) == tuple(private.values())


def test_a_deleted_member_of_the_staff_has_no_rights_left(company: list[Player]) -> None:
    gone = company[1]
    group = Group.objects.create(name="helpers")
    group.permissions.add(Permission.objects.get(codename="moderate"))
    gone.groups.add(group)
    gone.user_permissions.add(Permission.objects.get(codename="view_report"))
    gone.is_staff = gone.is_superuser = True
    gone.save()
    delete_account(player=gone, now=NOON)
    former = Player.objects.get(pk=gone.pk)
    rights = former.is_staff, former.is_superuser, former.is_active
    assert rights == (False, False, False)
    assert not former.groups.exists()
    assert not former.user_permissions.exists()


def test_a_year_that_was_shared_is_shared_no_more(company: list[Player]) -> None:
    gone = company[1]
    SharedYear.objects.create(player=gone, year=2025, at=NOON)
    delete_account(player=gone, now=NOON)
    assert not SharedYear.objects.exists()
