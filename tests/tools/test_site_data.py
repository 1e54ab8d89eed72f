"""The data of `python -m tools load_test`: copied games are as consistent as played ones."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from games.models import Game, Notice, Player, Seat
from games.services import soundness
from games.services.notices.outbox import drain
from games.services.play import play_move
from games.services.stats import differences, recount
from games.services.timeouts import sweep_deadlines
from tests.notices.post_office import PostOffice
from tools.load_test import site_data as town

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
SIZE = town.DataSize(players=160, running=24, finished=24)


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(town, "PLAYERS_PER_COPY", 80)
    town.write_site(SIZE, NOW)


@pytest.mark.usefixtures("settled")
def test_a_town_is_copied_from_its_first_quarter() -> None:
    assert Player.objects.count() == SIZE.players
    assert Game.objects.filter(status=Game.Status.RUNNING).count() == SIZE.running
    assert Game.objects.filter(status=Game.Status.OVER).count() == SIZE.finished
    faults = {game.public_id: soundness.faults(game, now=NOW) for game in soundness.games()}
    assert len(faults) == SIZE.games
    assert not any(faults.values()), faults
    # Who lives here plays with neighbours.
    first = set(Seat.objects.filter(game__public_id__startswith="q0").values_list("player"))
    other = set(Seat.objects.filter(game__public_id__startswith="q1").values_list("player"))
    assert not first & other
    assert len(first) == len(other)


@pytest.mark.usefixtures("settled")
def test_the_books_of_a_town_are_those_of_its_games() -> None:
    found = differences(recount())
    assert not found, "\n".join(found)


@pytest.mark.usefixtures("settled")
def test_a_town_can_be_played_in(post_office: PostOffice) -> None:
    plan = next(game for game in town.load_plan() if game["game"].startswith("q1"))
    game = Game.objects.get(public_id=plan["game"])
    assert game.to_act
    play_move(
        game_id=game.pk,
        player=game.to_act.player,
        action=plan["moves"][0][0],
        on_move=plan["on"],
        now=NOW,
    )
    game.refresh_from_db()
    assert game.move_count == plan["on"] + 1
    deadlines = [at for at in Game.objects.values_list("deadline", flat=True) if at]
    assert len(set(deadlines)) > SIZE.quarter.running // 2, "spread over time"
    assert sweep_deadlines(now=min(deadlines)) >= 1
    assert town.queue_emails(3, NOW) == 3
    before = Notice.objects.filter(state=Notice.State.SENT).count()
    drain(clock=lambda: NOW)
    assert Notice.objects.filter(state=Notice.State.SENT).count() >= before + 3
    assert len(post_office.letters) >= 3
