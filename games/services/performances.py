"""What a reckoning adds to the books: a performance of each player, and sheets of decisions.

Entered in the transaction that finishes the reckoning, and once more, by the same code and in the
same order, when all books are rebuilt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from games.models import Game, Performance, Rating
from games.reckon.judged.shares import WHOLE
from games.reckon.judged.strength import Strength, learned
from games.selectors.performances import Appraisal, Decision
from games.services.sheets import Scope, counts_for_the_site
from games.titles.figuring import phase

JUDGED = "judged"
"""The topic of the sheets: by kind and phase, decisions, what they cost, and its squares."""

OF_RATING = ("strength", "doubt", "judged", "judged_at")


def performances(found: Appraisal) -> list[Performance]:
    """One for each seat."""
    game, reckoned = found.game, found.reckoned
    assert game.ended_at is not None
    luck = reckoned.luck
    rows = []
    for number, seat in enumerate(found.seats):
        own = found.decisions(number)
        rows.append(
            Performance(
                seat=seat,
                player_id=seat.player_id,
                ruleset=game.ruleset,
                size=game.size,
                public=game.visibility == Game.Visibility.PUBLIC,
                ended_at=game.ended_at,
                start=reckoned.course[0][number],
                result=reckoned.result[number],
                luck=round(luck[number]),
                decisions=len(own),
                lost=sum(each.lost for each in own),
                gifts=list(reckoned.gifts[number]),
                favours=found.favours[number],
            )
        )
    return rows


def entries(found: Appraisal) -> Iterator[tuple[Scope, Counter[str]]]:
    """What is to be added to which sheet; what bots do says nothing of how people play."""
    game, moves = found.game, len(found.reckoned.moments)
    public = game.visibility == Game.Visibility.PUBLIC
    for number, seat in enumerate(found.seats):
        counts: Counter[str] = Counter()
        for each in found.decisions(number):
            counts.update(_counted(each, moves))
        if counts:
            yield Scope(JUDGED, seat.player_id, public, game.ruleset, game.size), counts
            if counts_for_the_site(game) and not seat.player.bot_level:
                yield Scope(JUDGED, ruleset=game.ruleset, size=game.size), counts


def _counted(decision: Decision, moves: int) -> dict[str, int]:
    name = f"{decision.kind}:{phase(decision.number, moves)}"
    return {f"{name}:n": 1, f"{name}:lost": decision.lost, f"{name}:squares": decision.lost**2}


def strengthen(found: Appraisal, ratings: list[Rating]) -> None:
    """Move the strengths of the players, who are in the order of the table."""
    for rating in ratings:
        rating.judged_at = found.entered_at
    game, reckoned = found.game, found.reckoned
    public = game.visibility == Game.Visibility.PUBLIC
    if not (game.rated and public and found.is_whole) or game.uncounted:
        return
    known = [Strength(rating.strength, rating.doubt) for rating in ratings]
    start = [share / WHOLE for share in reckoned.course[0]]
    achieved = [
        float(result - luck) / WHOLE
        for result, luck in zip(reckoned.result, reckoned.luck, strict=True)
    ]
    for rating, after in zip(ratings, learned(known, start, achieved), strict=True):
        rating.strength, rating.doubt = after
        rating.judged += 1
