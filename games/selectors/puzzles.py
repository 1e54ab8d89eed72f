"""Puzzles as they are shown: the board of a decision, and the answer to those who gave one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from games.models import Game, Player, Puzzle, PuzzleAnswer, Reckoning
from games.reckon.judged import puzzles
from games.reckon.judged.moments import Moment, from_json
from games.selectors.course import course_of
from games.selectors.listings import Listing, listed, span
from games.selectors.mistakes import Trial
from games.selectors.reckoning_page import Subject

A_PAGE = 30
REMEMBERED = 366
"""So many puzzles a streak can be long."""
AT_ONCE = 10
"""Games that are looked through for a puzzle at one go."""

FOR_EVERYBODY = Q(game__status=Game.Status.OVER, game__visibility=Game.Visibility.PUBLIC)


def day_of(now: datetime) -> date:
    """The same day for everybody, or nobody's streak could be told."""
    return now.astimezone(UTC).date()


def puzzle_of(day: date) -> Puzzle | None:
    return _shown().filter(day=day).first()


def puzzle_with(key: int) -> Puzzle | None:
    return _shown().filter(pk=key).first()


def _shown() -> QuerySet[Puzzle]:
    """Without those whose game was annulled since."""
    return Puzzle.objects.filter(FOR_EVERYBODY).select_related("game")


def trial_of(puzzle: Puzzle, *, chosen: str = "", answer: str = "") -> Trial:
    """The decision, by nobody in particular: whoever finds the game finds the answer."""
    course = course_of(puzzle.game)
    names = [_("Player %(number)d") % {"number": seat + 1} for seat in range(puzzle.game.size)]
    subject = Subject(puzzle.game.ruleset, names, course.played, "")
    return Trial(subject, from_json(puzzle.moment), puzzle.number, chosen, answer)


def answer_of(puzzle: Puzzle, player: Player) -> PuzzleAnswer | None:
    return PuzzleAnswer.objects.filter(puzzle=puzzle, player=player).first()


def is_unanswered(key: int, player: Player) -> bool:
    """Whether there still is such a puzzle for this player."""
    given = PuzzleAnswer.objects.filter(puzzle=key, player=player)
    return not given.exists() and puzzle_with(key) is not None


@dataclass(frozen=True)
class Score:
    """How everybody did who answered."""

    answered: int
    solved: int


def score_of(puzzle: Puzzle) -> Score:
    found = PuzzleAnswer.objects.filter(puzzle=puzzle).aggregate(
        answered=Count("pk"), solved=Count("pk", filter=Q(is_solved=True))
    )
    return Score(**found)


def streak_of(player: Player, today: date) -> int:
    """Puzzles solved in a row, each on its day."""
    past = _shown().filter(day__lte=today).order_by("-day")
    days = list(past.values_list("day", flat=True)[:REMEMBERED])
    given = PuzzleAnswer.objects.filter(player=player, puzzle__day__in=days)
    solved = {
        day: is_solved
        for day, is_solved, at in given.values_list("puzzle__day", "is_solved", "at")
        if day_of(at) == day
    }
    # Today's may still be answered; that of another day may not.
    return puzzles.streak(solved.get(day, None if day == today else False) for day in days)


@dataclass(frozen=True)
class Line:
    """A puzzle in the list of all: whether the reader solved it, or None."""

    day: date
    ruleset: str
    is_solved: bool | None


def archive(player: Player | None, today: date, page: int) -> Listing[Line]:
    """Earlier puzzles, the latest first."""
    found = _shown().filter(day__lt=today).order_by("-day")
    start, end = span(page, A_PAGE)
    rows = list(found.values_list("pk", "day", "game__ruleset")[start:end])
    given = PuzzleAnswer.objects.filter(player=player, puzzle__in=[key for key, *_ in rows])
    solved = dict(given.values_list("puzzle", "is_solved")) if player else {}
    lines = [Line(day, ruleset, solved.get(key)) for key, day, ruleset in rows]
    return listed(lines, A_PAGE, page)


@dataclass(frozen=True)
class Candidate:
    game: Game
    row: Reckoning
    number: int
    moment: Moment


def candidates() -> Iterator[Candidate]:
    """Decisions of people's public games that promise a puzzle, in an order of their own each
    time; games that brought none yet come first."""
    found = (
        Reckoning.objects.filter(FOR_EVERYBODY, state=Reckoning.State.DONE, game__exhibition=None)
        .annotate(times=Count("game__puzzles"))
        .select_related("game")
        .order_by("times", "?")[:AT_ONCE]
    )
    for row in found:
        assert row.game
        used = set(row.game.puzzles.values_list("number", flat=True))
        for number, stored in enumerate(row.moments, start=1):
            moment = from_json(stored)
            if number not in used and puzzles.is_promising(moment):
                yield Candidate(row.game, row, number, moment)
