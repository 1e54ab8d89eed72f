"""Nothing is told to a device or a webhook that is off, gone, or somebody else's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.http import Http404

from games.models import Device, Errand, Game, Notice, Player, Seat, Webhook
from games.services import lobby
from games.services.errors import Refused
from games.services.notices import subscriptions
from games.services.reach import devices, errands, hooks, webhooks
from games.views.requests import own_seat_at
from tests.people import NOON, new_players, open_game, play_on, started_game, whose_turn
from tests.reach.places import Browser, Place

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
Kind, State = Errand.Kind, Errand.State
ERRANDS = "games.tasks.run_errands"


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    called: list[str] = []
    monkeypatch.setattr("games.workers.wake", lambda task, **_: called.append(task))
    return called


def run() -> None:
    errands.drain(clock=lambda: NOON)


def hook(owner: Player, service: Place, game: Game | None = None) -> Webhook:
    return webhooks.add(
        owner=owner,
        game=game,
        url=f"{service.url}/{owner.username}",
        format="standard",
        mentions="",
        now=NOON,
    )


def device(player: Player, service: Place) -> Device:
    address = f"{service.url}/{player.username}"
    return devices.add(player=player, endpoint=address, name="Phone", now=NOON, **Browser().keys)


def asked_at(service: Place) -> set[str]:
    return {path for path, _, _ in service.came}


def test_nothing_new_is_written_for_a_webhook_that_is_switched_off(service: Place) -> None:
    players = new_players(2)
    made = [hook(player, service) for player in players]
    Webhook.objects.update(off_since=NOON)
    started_game(players)
    run()
    assert not Errand.objects.exists()
    webhooks.switch_on(owner=players[0], webhook_id=made[0].pk)
    webhooks.switch_on(owner=players[0], webhook_id=made[1].pk)
    off = Webhook.objects.filter(off_since__isnull=False)
    assert [each.owner for each in off] == [players[1]], "that of somebody else stays off"


def test_what_waits_for_a_webhook_is_withdrawn_when_it_is_switched_off(service: Place) -> None:
    players = new_players(2)
    for player in players:
        hook(player, service)
    started_game(players)
    errands.fan_out(now=NOON)
    Webhook.objects.update(off_since=NOON)
    run()
    assert service.came == []
    assert [errand.state for errand in Errand.objects.all()] == [State.WITHDRAWN]


def test_what_is_sent_again_switches_its_webhook_on(service: Place) -> None:
    players = new_players(2)
    for player in players:
        hook(player, service)
    started_game(players)
    errands.fan_out(now=NOON)
    (errand,) = Errand.objects.all()
    assert errand.webhook
    Errand.objects.update(state=State.FAILED, attempts=errands.MOST_ATTEMPTS)
    Webhook.objects.update(off_since=NOON)
    owner = errand.webhook.owner
    webhooks.send_again(owner=owner, webhook_id=errand.webhook.pk, errand_id=errand.pk, now=NOON)
    run()
    assert asked_at(service) == {f"/{owner.username}"}
    errand.refresh_from_db()
    assert (errand.state, errand.attempts) == (State.SENT, 1)
    off = Webhook.objects.filter(off_since__isnull=False)
    assert [each.owner for each in off] == [each for each in players if each != owner]


def test_a_test_reaches_a_webhook_that_is_switched_off(service: Place) -> None:
    (yasmin,) = new_players(1)
    made = hook(yasmin, service)
    Webhook.objects.update(off_since=NOON)
    webhooks.send_test(owner=yasmin, webhook_id=made.pk, now=NOON)
    run()
    assert asked_at(service) == {"/Yasmin"}


@pytest.mark.parametrize("add", [hook, device])
def test_whoever_is_not_active_any_more_is_told_nothing_anywhere(
    service: Place, add: Callable[[Player, Place], object]
) -> None:
    players = new_players(2)
    for player in players:
        add(player, service)
    before = started_game(players)
    errands.fan_out(now=NOON)
    Player.objects.update(is_active=False)
    run()
    assert service.came == [], "what was on its way is held back"
    known = Errand.objects.count()
    started_game([Player.objects.get(pk=player.pk) for player in players])
    play_on(before, 1)
    run()
    assert service.came == []
    assert Errand.objects.count() == known, "nothing new is even written"


def test_a_turn_that_was_played_is_told_to_nobody_later(service: Place) -> None:
    players = new_players(2)
    for player in players:
        hook(player, service)
        device(player, service)
    game = started_game(players)
    first = whose_turn(game)
    while whose_turn(game) == first:
        play_on(game, 1)
    turn = Notice.objects.filter(player=first, kind="turn")
    assert not turn.filter(push_at__isnull=False).exists()
    turn.update(push_at=NOON)
    errands.fan_out(now=NOON)
    assert not Errand.objects.filter(kind=Kind.TURN, notice__player=first).exists()


def test_a_seat_that_wants_nothing_is_pushed_nothing(service: Place) -> None:
    players = new_players(2)
    for player in players:
        device(player, service)
    game = started_game(players)
    Seat.objects.update(mail=Seat.Mail.NONE)
    run()
    assert service.came == []
    actor = whose_turn(game)
    while whose_turn(game) == actor:
        play_on(game, 1)
    run()
    assert service.came == []


def test_a_turn_of_somebody_else_closes_what_the_device_shows(service: Place) -> None:
    players = new_players(2)
    for player in players:
        device(player, service)
    game = started_game(players)
    run()
    first = whose_turn(game)
    assert errands.take_back(now=NOON) == 0, "the turn is still on"
    while whose_turn(game) == first:
        play_on(game, 1)
    assert errands.take_back(now=NOON) == 1
    assert Errand.objects.get(kind=Kind.CLOSE).device == first.devices.get()


def test_devices_and_webhooks_are_woken_at_once(
    service: Place, woken: list[str], django_capture_on_commit_callbacks
) -> None:
    players = new_players(2)
    made = [(device(player, service), hook(player, service)) for player in players]
    with django_capture_on_commit_callbacks(execute=True):
        started_game(players)
    assert ERRANDS in woken
    phone, webhook = made[0]
    errand = Errand.objects.create(
        webhook=webhook, kind=Kind.TEST, content={}, created_at=NOON, state=State.FAILED
    )
    own: dict[str, Any] = {"owner": players[0], "webhook_id": webhook.pk, "now": NOON}
    for wakes in (
        lambda: devices.send_test(player=players[0], device_id=phone.pk, now=NOON),
        lambda: webhooks.send_test(**own),
        lambda: webhooks.send_again(errand_id=errand.pk, **own),
    ):
        woken.clear()
        with django_capture_on_commit_callbacks(execute=True):
            wakes()
        assert woken == [ERRANDS]


def test_nobody_touches_the_devices_and_webhooks_of_another(service: Place) -> None:
    yasmin, omar = new_players(2)
    phone, webhook = device(omar, service), hook(omar, service)
    errand = Errand.objects.create(
        webhook=webhook, kind=Kind.TEST, content={}, created_at=NOON, state=State.SENT
    )
    theirs: dict[str, Any] = {"owner": yasmin, "webhook_id": webhook.pk}
    with pytest.raises(Refused):
        devices.send_test(player=yasmin, device_id=phone.pk, now=NOON)
    with pytest.raises(Refused):
        webhooks.send_test(now=NOON, **theirs)
    with pytest.raises(Refused):
        webhooks.send_again(errand_id=errand.pk, now=NOON, **theirs)
    devices.remove(player=yasmin, device_id=phone.pk, now=NOON)
    webhooks.remove(**theirs)
    Webhook.objects.update(off_since=NOON, in_question=True)
    webhooks.switch_on(**theirs)
    webhooks.answer_question(owner=yasmin, delete=[webhook.pk], keep=[webhook.pk])
    kept = Webhook.objects.get(owner=omar)
    assert (kept.off_since, kept.in_question) == (NOON, True)
    assert Device.objects.filter(player=omar).exists()
    assert [each.state for each in Errand.objects.all()] == [State.SENT]


def test_only_whoever_opened_a_table_has_its_turns_told_elsewhere(service: Place) -> None:
    yasmin, omar = new_players(2)
    game = started_game([yasmin, omar])
    with pytest.raises(Refused):
        hook(omar, service, game)
    made = hook(yasmin, service, game)
    assert Game.objects.get(pk=game.pk).has_webhook
    assert not Player.objects.get(pk=yasmin.pk).has_webhook, "of all of her games"
    webhooks.remove(owner=yasmin, webhook_id=made.pk)
    assert not Game.objects.get(pk=game.pk).has_webhook
    Game.objects.update(status="cancelled", to_act=None)
    game.refresh_from_db()
    with pytest.raises(Refused):
        hook(yasmin, service, game)


def test_what_a_player_has_is_counted_when_it_comes_and_when_it_goes(service: Place) -> None:
    (yasmin,) = new_players(1)
    phone, webhook = device(yasmin, service), hook(yasmin, service)

    def counted() -> tuple[bool, bool]:
        found = Player.objects.get(pk=yasmin.pk)
        return found.has_device, found.has_webhook

    assert counted() == (True, True)
    devices.remove(player=yasmin, device_id=phone.pk, now=NOON)
    webhooks.remove(owner=yasmin, webhook_id=webhook.pk)
    assert counted() == (False, False)


def test_a_device_that_changes_hands_is_the_first_players_no_more(service: Place) -> None:
    yasmin, omar = new_players(2)
    phone = device(yasmin, service)
    keys = Browser().keys
    devices.add(player=omar, endpoint=phone.endpoint, name="Phone", now=NOON, **keys)
    assert [each.player for each in Device.objects.all()] == [omar]
    yasmin.refresh_from_db()
    omar.refresh_from_db()
    assert (yasmin.has_device, omar.has_device) == (False, True)
    assert Device.objects.get().auth == keys["auth"]


def test_a_bot_is_told_nothing_at_a_table_with_a_webhook(service: Place) -> None:
    (yasmin,) = new_players(1)
    game = lobby.play_against_bots(
        player=yasmin, ruleset="marrakech", opponents=1, level="apprentice", now=NOON
    )
    hook(yasmin, service, game)
    game.refresh_from_db()
    play_on(game, 8)
    assert Notice.objects.filter(player=yasmin, kind="turn").exists()
    assert not Notice.objects.filter(player__bot_level="apprentice").exists()


def test_a_test_of_a_webhook_says_so(service: Place) -> None:
    (yasmin,) = new_players(1)
    made = hook(yasmin, service)
    webhooks.send_test(owner=yasmin, webhook_id=made.pk, now=NOON)
    assert Errand.objects.get().content == hooks.test_words(made, now=NOON)


def test_only_a_seat_of_ones_own_is_found(rf, service: Place) -> None:
    yasmin, omar, wei = new_players(3)
    game = started_game([yasmin, omar])
    request = rf.post("/")
    request.user = omar
    assert own_seat_at(request, game.public_id).player == omar
    request.user = wei
    with pytest.raises(Http404):
        own_seat_at(request, game.public_id)


def test_a_device_is_told_of_an_invitation_only_while_the_game_is_open(service: Place) -> None:
    yasmin, omar = new_players(2)
    device(omar, service)
    game = open_game(yasmin, invited=[Player.objects.get(pk=omar.pk)])
    Game.objects.filter(pk=game.pk).update(status="cancelled")
    run()
    assert service.came == []


def test_a_player_who_turned_everything_off_is_not_pushed_either(service: Place) -> None:
    players = new_players(2)
    for player in players:
        device(player, service)
        ways = dict.fromkeys(("turn", "reminder", "game", "invitation", "message"), "none")
        subscriptions.choose_ways(player=player, ways=ways, now=NOON)
    started_game([Player.objects.get(pk=player.pk) for player in players])
    run()
    assert service.came == []
