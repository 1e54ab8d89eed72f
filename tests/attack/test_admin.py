"""Whoever may look at the operators' pages learns nothing that they do not show."""

from __future__ import annotations

import pytest
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from games.models import Bounce, Game, Notice, Player
from tests.moderation.staff import new_moderator
from tests.people import NOON, new_player, new_players, signed_in, started_game

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
REGISTERED = sorted(admin.site._registry, key=str)


def staff(*permissions: str) -> Client:
    player = new_player("watcher", is_staff=True)
    found = Permission.objects.all()
    if permissions:
        found = found.filter(codename__in=permissions)
    player.user_permissions.set(found.filter(codename__startswith="view_") | found)
    return signed_in(player)


@pytest.fixture
def watcher() -> Client:
    codenames = Permission.objects.filter(codename__startswith="view_")
    return staff(*codenames.values_list("codename", flat=True))


def changelist(model: type) -> str:
    meta = model._meta  # type: ignore[attr-defined]
    return reverse(f"admin:{meta.app_label}_{meta.model_name}_changelist")


def test_a_running_seed_and_a_session_cannot_be_asked_for(watcher: Client) -> None:
    started_game(new_players(2))
    for model, lookup in (
        (Game, "seed__regex"),
        (Game, "seed__startswith"),
        (Game, "seats__player__password__regex"),
        (UserSession, "session_key__regex"),
        (UserSession, "user__password__startswith"),
        (Player, "calendar_token__gt"),
        (Notice, "game__seed__contains"),
    ):
        assert watcher.get(changelist(model), {lookup: "a"}).status_code == 400, lookup


@pytest.mark.parametrize("model", REGISTERED, ids=lambda model: model._meta.label)
def test_no_list_answers_a_question_it_does_not_offer(watcher: Client, model: type[Game]) -> None:
    """By construction: whatever is registered, and whoever registered it."""
    assert watcher.get(changelist(model)).status_code == 200
    fields = [field for field in model._meta.get_fields() if not field.auto_created]
    for field in fields:
        for lookup in ("regex", "iregex", "startswith", "contains", "gt", "lte"):
            asked = watcher.get(changelist(model), {f"{field.name}__{lookup}": "1"})
            assert asked.status_code == 400, field.name


def test_the_filters_on_the_page_work(watcher: Client) -> None:
    started_game(new_players(2))
    for query in ({"status__exact": "running"}, {"pace__exact": "daily"}, {"stuck": "yes"}):
        model = Notice if "stuck" in query else Game
        assert watcher.get(changelist(model), query).status_code == 200


def test_no_session_key_or_seed_stands_on_a_page(watcher: Client) -> None:
    game = started_game(new_players(2))
    signed_in(game.creator).get("/")
    keys = list(Session.objects.values_list("session_key", flat=True))
    for key in keys:
        UserSession.objects.create(
            user=game.creator, session_key=key, ip="127.0.0.1", user_agent="x", last_seen_at=NOON
        )
    for row in (*UserSession.objects.all(), game, *Player.objects.all()):
        meta = row._meta
        page = reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=[row.pk])
        shown = watcher.get(page)
        assert shown.status_code == 200
        for secret in (*keys, bytes(game.seed).hex()):
            assert secret not in shown.content.decode()


def test_operators_sign_in_like_everybody() -> None:
    answer = Client().get("/admin/login/?next=/admin/games/game/")
    assert answer.status_code == 302
    assert answer["Location"].startswith("/accounts/login/?next=")
    tried = Client().post("/admin/login/", {"username": "watcher", "password": "open-sesame-42"})
    assert tried["Location"].startswith("/accounts/login/")
    nobody = signed_in(new_player("nobody"))
    assert nobody.get("/admin/login/").status_code == 403


@pytest.mark.parametrize("may_change", [False, True])
def test_an_action_needs_leave_to_change(may_change: bool) -> None:
    game = started_game(new_players(2))
    notice = Notice.objects.filter(game=game).first()
    assert notice
    Notice.objects.filter(pk=notice.pk).update(state=Notice.State.FAILED, due_at=NOON)
    client = staff("view_notice", *(["change_notice"] if may_change else []))
    data = {"action": "send_again", "_selected_action": [notice.pk]}
    client.post(changelist(Notice), data)
    notice.refresh_from_db()
    assert (notice.state == Notice.State.QUEUED) is may_change


def test_addresses_are_for_those_who_may_look_at_them() -> None:
    player, address = new_player("yasmin"), "yasmin.b@post.example"
    player.email = player.refused_address = address
    player.refused_reason = f"550 <{address}>: unknown"
    player.save()
    notice = Notice.objects.create(
        kind="account", address=address, created_at=NOON, last_error=f"450 {address}"
    )
    Bounce.objects.create(address=address, notice=notice, reason=f"{address}: no", at=NOON)
    rows = (player, notice, notice.bounce)
    pages = [page for row in rows for page in (changelist(type(row)), page_of(row))]
    moderator = signed_in(new_moderator())
    superuser = signed_in(new_player("root", is_staff=True, is_superuser=True))
    for page in pages:
        assert address.encode() in superuser.get(page).content, page
    for page in pages[:2]:
        shown = moderator.get(page).content
        assert b"yasmin.b@" not in shown
        assert b"y***@post.example" in shown
    # Whoever may look at all of these rows, and at no addresses.
    watcher = staff("view_player", "view_notice", "view_bounce")
    for page in pages:
        shown = watcher.get(page).content
        assert b"yasmin.b@" not in shown
        assert b"y***@post.example" in shown
    # A list that is searched by them would tell them letter by letter.
    found = superuser.get(changelist(Player), {"q": "yasmin.b@"}).context["cl"].result_count
    guessed = watcher.get(changelist(Player), {"q": "yasmin.b@"}).context["cl"].result_count
    assert (found, guessed) == (1, 0)


def page_of(row: Player | Notice | Bounce) -> str:
    meta = row._meta
    return reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=[row.pk])
