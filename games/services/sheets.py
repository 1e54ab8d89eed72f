"""What a finished game adds to the sheets: maps, phases, spreads, calendars, feats.

Sums are whole numbers and feats have an order of their own, so that a sheet is the same in
whatever order its games were entered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from games.models import Game, Sheet
from games.selectors.finished import SPREADS, Finished
from games.selectors.ratings import rating_band
from games.services.ratings import Skill

PLAY, STYLE, YEAR, FEATS = "play", "style", "year", "feats"


class Scope(NamedTuple):
    """What a sheet is about; blank and 0 are everything."""

    topic: str
    player: int | None = None
    public: bool = True
    ruleset: str = ""
    size: int = 0
    edition: str = ""
    band: int = 0
    year: int = 0

    @property
    def key(self) -> str:
        # Players first, so that everybody locks those of the whole site last.
        whose = f"{self.player:012d}" if self.player else "site"
        return "|".join((whose, *(str(part) for part in (self.topic, *self[2:]))))

    def sheet(self) -> Sheet:
        player, rest = self.player, self._asdict()
        return Sheet(key=self.key, **{**rest, "player": None, "player_id": player})


Feat = list[Any]
"""A value, when it was reached, and the address of the game."""


def counts_for_the_site(game: Game) -> bool:
    """What bots show each other says nothing of how people play."""
    return game.visibility == Game.Visibility.PUBLIC and not game.is_exhibition


def entries(result: Finished, skills: Sequence[Skill]) -> Iterator[tuple[Scope, Counter[str]]]:
    """What is to be added to which sheet."""
    game = result.game
    public = game.visibility == Game.Visibility.PUBLIC
    for_everybody = counts_for_the_site(game)
    assert game.ended_at is not None
    site: Counter[str] = Counter()
    for number, (seat, skill) in enumerate(zip(result.seats, skills, strict=True)):
        own = _played(result, number)
        site.update(own)
        yield Scope(PLAY, seat.player_id, public, game.ruleset, game.size), own
        if for_everybody:
            band = rating_band([skill])
            yield Scope(STYLE, ruleset=game.ruleset, size=game.size, band=band), own
        yield from _years(result, number, public)
    if for_everybody:
        site.update(_spreads(result))
        yield Scope(PLAY, ruleset=game.ruleset, size=game.size, edition=game.edition), site
        month = f"{game.ended_at.month:02d}"
        counts = {f"games:{month}": 1, f"moves:{month}": result.moves}
        yield Scope(YEAR, ruleset=game.ruleset, year=game.ended_at.year), Counter(counts)


def feats(result: Finished) -> Iterator[tuple[Scope, Mapping[str, Feat]]]:
    """The feats of each player, and of all of them for the whole site."""
    game = result.game
    together: dict[str, int] = {"moves": result.moves}
    if result.went.leads:
        together["changes"] = result.went.leads.changes
    for number, figures in enumerate(result.figures):
        values = {**figures.peaks, **together, **_won(result, number)}
        own = {name: feat_in(game, value) for name, value in values.items() if value}
        scope = feats_of(result, number)
        yield scope, own
        if counts_for_the_site(game):
            yield scope._replace(player=None), own


def feats_of(result: Finished, number: int) -> Scope:
    """The sheet of the feats of this seat's player."""
    game = result.game
    assert game.ended_at is not None
    public = game.visibility == Game.Visibility.PUBLIC
    player = result.seats[number].player_id
    return Scope(FEATS, player, public, game.ruleset, year=game.ended_at.year)


def feat_in(game: Game, value: int) -> Feat:
    assert game.ended_at is not None
    return [value, game.ended_at.isoformat(), game.public_id]


def better(one: Feat | None, other: Feat) -> Feat:
    """The higher value; of equal ones the earlier."""
    if one is None:
        return other
    return min(one, other, key=lambda feat: (-feat[0], feat[1], feat[2]))


def _played(result: Finished, number: int) -> Counter[str]:
    """What one seat did at the board, and how it ended for it."""
    won = result.places[number] == 1
    own = Counter(result.went.counts[number])
    own.update({"games": 1, f"seat:{number}": 1})
    if won:
        own.update({"won": 1, f"won:{number}": 1})
    return own


def _won(result: Finished, number: int) -> dict[str, int]:
    leads = result.went.leads
    if result.places[number] != 1 or leads is None:
        return {}
    return {"margin": leads.margin, "comeback": leads.comeback}


def _spreads(result: Finished) -> dict[str, int]:
    """Games by their length and how they went, in steps that a chart can show."""
    values = {"length": result.moves}
    if leads := result.went.leads:
        values |= {"margin": leads.margin, "comeback": leads.comeback, "changes": leads.changes}
    if result.went.highest:
        values["highest"] = result.went.highest
    return {f"{name}:{n - n % SPREADS[name]}": 1 for name, n in values.items()}


def _years(result: Finished, number: int, public: bool) -> Iterator[tuple[Scope, Counter[str]]]:
    """A player's calendar: moves by day and hour, games by month, sums of the year."""
    game, seat = result.game, result.seats[number]
    assert game.ended_at is not None
    by_year: dict[int, Counter[str]] = {}
    for at in result.went.moments[number]:
        counts = by_year.setdefault(at.year, Counter())
        counts[f"day:{at.month:02d}-{at.day:02d}"] += 1
        counts[f"hour:{at.hour}"] += 1
    ended = by_year.setdefault(game.ended_at.year, Counter())
    won = result.places[number] == 1
    month, key = f"{game.ended_at.month:02d}", game.ruleset
    ended.update({f"games:{key}:{month}": 1, f"moves:{key}": len(result.went.moments[number])})
    if won:
        ended[f"won:{key}:{month}"] += 1
    ended.update({f"sum:{key}:{name}": n for name, n in result.figures[number].sums.items() if n})
    for year, counts in by_year.items():
        yield Scope(YEAR, seat.player_id, public, year=year), counts
