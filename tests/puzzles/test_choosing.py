"""One puzzle a day, of games that everybody may see, and only where one choice is clearly best."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games.models import Game, Notice, Puzzle
from games.reckon.judged.puzzles import Lead, is_promising, proven, streak
from games.reckon.judged.shares import POINT
from games.selectors.puzzles import Candidate, candidates
from games.services import puzzles
from tests.history.archive import people, stored_game
from tests.people import NOON, new_player
from tests.puzzles.invented import TODAY, clear_moment, clear_reckoning, move_with_choices

pytestmark = pytest.mark.both_databases
SURE = Lead(5 * POINT, POINT)


def believed(_candidate: Candidate) -> Lead:
    return SURE


def test_it_is_chosen_once_a_day(finished: Game) -> None:
    number = move_with_choices(finished)
    clear_reckoning(finished, number, number + 2)
    made = puzzles.publish_first(now=NOON, proof=believed)
    assert made
    assert (made.day, made.game) == (TODAY, finished)
    assert made.number in (number, number + 2)
    assert made.lead == SURE.gap
    assert puzzles.publish_first(now=NOON, proof=believed) is None, "the day has one"
    other = puzzles.publish_first(now=NOON + timedelta(days=1), proof=believed)
    assert other
    assert {made.number, other.number} == {number, number + 2}, "no decision comes twice"
    assert puzzles.publish_first(now=NOON + timedelta(days=2), proof=believed) is None
    assert Puzzle.objects.count() == 2


@pytest.mark.parametrize(
    "columns",
    [
        {"visibility": Game.Visibility.LINK},
        {"visibility": Game.Visibility.NAMED},
        {"status": Game.Status.ANNULLED, "result": None},
        {"exhibition": 5, "rated": False},
    ],
)
def test_only_public_finished_games_of_people_are_looked_at(
    finished: Game, columns: dict[str, object]
) -> None:
    clear_reckoning(finished, move_with_choices(finished))
    assert list(candidates())
    Game.objects.filter(pk=finished.pk).update(**columns)
    assert not list(candidates())


def test_a_running_game_is_never_looked_at(db: None) -> None:
    game = stored_game(people("Ann", "Bob"), until=20)
    clear_reckoning(game, 9)
    assert not list(candidates())


def test_only_full_reckonings_are_looked_at(finished: Game) -> None:
    clear_reckoning(finished, move_with_choices(finished), state="first")
    assert not list(candidates())


def test_games_that_brought_no_puzzle_yet_come_first(finished: Game) -> None:
    clear_reckoning(finished, 9, 11)
    assert puzzles.publish_first(now=NOON, proof=believed)
    fresh = stored_game(people("Ann", "Bob"), seed=5)
    clear_reckoning(fresh, 9)
    assert next(candidates()).row.game == fresh


def test_the_lead_must_be_large_and_sure(finished: Game) -> None:
    number = move_with_choices(finished)
    assert is_promising(clear_moment(finished, number, lead=4))
    assert not is_promising(clear_moment(finished, number, lead=3))
    moment = clear_moment(finished, number)

    def sample(spread: int, lead: int):
        def outcomes(action: str, first: int, count: int) -> list[tuple[int, ...]]:
            ahead = lead * POINT if action == moment.best else 0
            # Nothing is shared with the other choices: what scatters makes the lead unsure.
            scatter = spread * POINT if action == moment.best else 0
            return [(ahead + scatter * (-1) ** n,) * finished.size for n in range(count)]

        return outcomes

    assert proven(moment, sample(spread=0, lead=4)) == Lead(4 * POINT, 0)
    assert proven(moment, sample(spread=0, lead=3)) is None
    # With 256 trials the standard error is a sixteenth of the spread: 4 of them are 5 points.
    assert proven(moment, sample(spread=20, lead=4)) is None
    assert proven(moment, sample(spread=10, lead=4))


@pytest.mark.usefixtures("compiled")
def test_the_reckoning_is_not_taken_at_its_word(finished: Game) -> None:
    """What it says here is invented, and continuations of the real position refute it."""
    clear_reckoning(finished, move_with_choices(finished))
    assert puzzles.choose(now=NOON) is None
    assert not Puzzle.objects.exists()


def test_only_those_are_told_who_want_it(finished: Game) -> None:
    clear_reckoning(finished, 9)
    new_player("Ann", puzzle_mail=True)
    new_player("Bob")
    new_player("Cid", puzzle_mail=True, mail="none")
    made = puzzles.publish_first(now=NOON, proof=believed)
    assert made
    told = Notice.objects.filter(kind=Notice.Kind.PUZZLE)
    assert [(each.reader.username, each.move_number, each.game) for each in told] == [
        ("Ann", made.pk, None)
    ]


@pytest.mark.parametrize(
    ("solved", "length"),
    [
        ([], 0),
        ([None], 0),
        ([None, True, True, False, True], 2),
        ([True, True, False], 2),
        ([False, True, True], 0),
        ([True, None, True], 1),
    ],
)
def test_a_streak_ends_where_one_was_missed(solved: list[bool | None], length: int) -> None:
    assert streak(solved) == length
