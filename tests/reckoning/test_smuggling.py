"""No position of a game that is being played here gets to the judge, whatever it is dressed as."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine.games import ruleset
from games.engine.record import read, write
from games.models import Game
from games.selectors.course import course_of
from games.selectors.position import sight_of
from games.selectors.reckonings import runs_here
from games.selectors.records import record_of
from games.services import play, reckonings
from games.services.errors import Refused
from tests.history.archive import people, stored_game
from tests.history.archive import record_of as record_from_outside
from tests.people import NOON

pytestmark = pytest.mark.django_db


def test_a_running_game_cannot_be_smuggled_in_as_a_record() -> None:
    """Whoever takes its record and has the others give up has a finished game on paper."""
    players = people("Omar", "Wei")
    running = stored_game(players, until=9)
    public = record_of(running)
    with pytest.raises(Refused, match="finished"):
        reckonings.ask_for_record(record=public, now=NOON)
    twin = stored_game(people("Ann", "Bob"), until=9)
    play.resign(game_id=twin.pk, player=twin.to_act.player, now=NOON)  # type: ignore[union-attr]
    twin.refresh_from_db()
    forged = read(write(record_of(twin)))
    for commitment in (running.commitment, "0" * 64):
        # Known by what was published of its seed, or by its board alone.
        Game.objects.filter(pk=running.pk).update(commitment=commitment)
        with pytest.raises(Refused, match="still being played"):
            reckonings.ask_for_record(record=forged, now=NOON)


def test_a_board_is_found_whatever_is_in_the_purses_and_however_many_games_run(
    django_assert_num_queries: Any,
) -> None:
    running = stored_game(people("Omar", "Wei"), until=9)
    state = course_of(running).end.state
    richer = state._replace(dirhams=tuple(each + 1 for each in state.dirhams))
    assert running.sight == sight_of(ruleset("marrakech"), richer)
    other = record_from_outside("marrakech", seed=5)
    for seed in range(6, 9):
        stored_game(people(f"Ann{seed}", f"Bob{seed}"), seed=seed, until=9)
    with django_assert_num_queries(1):
        assert not runs_here(other)


def test_what_many_games_begin_with_is_nobodys_own() -> None:
    record = record_from_outside("marrakech", seed=5)
    twin = stored_game(people("Omar", "Wei"), seed=5, until=4)
    Game.objects.filter(pk=twin.pk).update(commitment="0" * 64)
    assert not runs_here(record)
