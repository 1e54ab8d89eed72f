"""The books of all finished games: what one more game adds to them.

The same entry is made in the transaction that ends a game and when everything is rebuilt from
the moves, so the two cannot differ. A ledger is filled with the rows that a game touches (or
with nothing, for a rebuild); `enter` changes them in memory, and somebody else saves them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import combinations
from typing import NamedTuple

from games.engine.interface import TIMEOUT
from games.models import (
    Game,
    Meeting,
    Rating,
    RatingChange,
    Rivalry,
    Seat,
    Shelf,
    Standing,
    Tally,
)
from games.selectors.finished import Finished
from games.services.ratings import REPEATS, Skill, newcomer, rated, uncounted, weight

EVER = 0
ANY_SIZE = 0


class Kind(NamedTuple):
    """What the games of one shelf have in common."""

    ruleset: str
    size: int
    edition: str
    rated: bool
    reason: str
    public: bool

    @classmethod
    def of(cls, game: Game, reason: str) -> Kind:
        public = game.visibility == Game.Visibility.PUBLIC
        return cls(game.ruleset, game.size, game.edition, game.rated, reason, public)

    @classmethod
    def on(cls, shelf: Shelf) -> Kind:
        return cls(*(getattr(shelf, name) for name in cls._fields))


@dataclass
class Ledger:
    """Rows by what they are about; players by their number."""

    shelves: dict[Kind, Shelf] = field(default_factory=dict)
    tallies: dict[tuple[int, Kind], Tally] = field(default_factory=dict)
    rivalries: dict[tuple[int, int, Kind], Rivalry] = field(default_factory=dict)
    ratings: dict[tuple[int, str], Rating] = field(default_factory=dict)
    standings: dict[tuple[int, str, int, int], Standing] = field(default_factory=dict)
    meetings: list[Meeting] = field(default_factory=list)
    changes: list[RatingChange] = field(default_factory=list)
    games: list[Game] = field(default_factory=list)
    seats: list[Seat] = field(default_factory=list)
    met: dict[tuple[int, int, str], list[datetime]] = field(default_factory=dict)
    """When two players met in games that counted, as long as that matters."""

    def enter(self, result: Finished) -> None:
        """Count one game; games come in the order in which they ended."""
        game = result.game
        kind = Kind.of(game, result.over.reason)
        shelf = self._shelf(kind)
        shelf.games += 1
        add(shelf.sums, {"moves": result.moves})
        for seat, figures in zip(result.seats, result.figures, strict=True):
            add(shelf.sums, figures.sums)
            seat.tally, seat.ended_at = self._count_seat(result, seat, kind), game.ended_at
        game.shelf = shelf
        self.games.append(game)
        self.seats += result.seats
        self._count_rivalries(result, kind)
        self._count_form(result)
        if self.counts(result):
            self._rate(result)

    def counts(self, result: Finished) -> bool:
        """Whether the game changes ratings; if it is rated and does not, it says why."""
        game = result.game
        game.uncounted = uncounted(result, self._skills(result)) if game.rated else ""
        return game.rated and not game.uncounted

    def forget(self, players: Collection[int]) -> None:
        """Players who left the site are on no leaderboard."""
        self.standings = {
            key: standing for key, standing in self.standings.items() if key[0] not in players
        }

    def _count_seat(self, result: Finished, seat: Seat, kind: Kind) -> Tally:
        assert seat.number is not None
        place, figures = result.places[seat.number], result.figures[seat.number]
        key = seat.player_id, kind
        tally = self.tallies.get(key)
        if tally is None:
            tally = self.tallies[key] = Tally(player_id=seat.player_id, shelf=self._shelf(kind))
        tally.games += 1
        won = place == 1
        counts = {
            f"place:{place}": 1,
            f"seat:{seat.number}": 1,
            f"won:{seat.number}": int(won),
            "turns": seat.turns,
            f"left:{seat.left_by}": int(bool(seat.left_by)),
        }
        add(tally.sums, counts)
        add(tally.sums, figures.sums)
        answers = result.answers[seat.number]
        add(tally.sums, {f"answer:{bucket}": count for bucket, count in answers.items()})
        for name, value in figures.peaks.items():
            tally.peaks[name] = max(tally.peaks.get(name, value), value)
        return tally

    def _count_rivalries(self, result: Finished, kind: Kind) -> None:
        by_player = {
            seat.player_id: place for seat, place in zip(result.seats, result.places, strict=True)
        }
        game = result.game
        assert game.ended_at is not None
        for low, high in combinations(sorted(by_player), 2):
            rivalry = self.rivalries.get((low, high, kind))
            if rivalry is None:
                rivalry = Rivalry(low_id=low, high_id=high, shelf=self._shelf(kind))
                self.rivalries[low, high, kind] = rivalry
            rivalry.games += 1
            rivalry.low_ahead += by_player[low] < by_player[high]
            rivalry.high_ahead += by_player[high] < by_player[low]
            self.meetings.append(Meeting(rivalry=rivalry, game=game, ended_at=game.ended_at))

    def _count_form(self, result: Finished) -> None:
        """What depends on the order of games: when the last one was, and wins in a row."""
        public = result.game.visibility == Game.Visibility.PUBLIC
        for seat, place in zip(result.seats, result.places, strict=True):
            rating = self._rating(seat.player_id, result.game.ruleset)
            rating.counted_at = result.game.ended_at
            if public:
                rating.streak = rating.streak + 1 if place == 1 else 0
                rating.best_streak = max(rating.best_streak, rating.streak)

    def _skills(self, result: Finished) -> list[Skill]:
        ratings = [self._rating(seat.player_id, result.game.ruleset) for seat in result.seats]
        return [Skill(each.mu, each.sigma) for each in ratings]

    def _rate(self, result: Finished) -> None:
        game = result.game
        assert game.ended_at is not None
        ratings = [self._rating(seat.player_id, game.ruleset) for seat in result.seats]
        late = [seat.left_by == TIMEOUT for seat in result.seats]
        spared = [
            now and _ran_already(game, rating) for now, rating in zip(late, ratings, strict=True)
        ]
        share = weight(self._met(result))
        after = rated(self._skills(result), result.places, spared, share)
        for index, (rating, skill) in enumerate(zip(ratings, after, strict=True)):
            before = rating.mu
            rating.mu, rating.sigma = skill
            rating.games += 1
            rating.timeouts = rating.timeouts + 1 if late[index] else 0
            if not spared[index]:
                rating.late_since = (
                    (result.late_at[index] or game.ended_at) if late[index] else None
                )
            change = RatingChange(rating=rating, game=game, at=game.ended_at, before=before)
            change.mu, change.sigma = skill
            change.share = share
            self.changes.append(change)
            self._stand(rating, skill, game, won=result.places[index] == 1)

    def _met(self, result: Finished) -> int:
        """How often the two who met most often lately have met; this game is remembered, too."""
        game = result.game
        assert game.ended_at is not None
        most = 0
        for low, high in combinations(sorted(seat.player_id for seat in result.seats), 2):
            key = low, high, game.ruleset
            lately = [at for at in self.met.get(key, ()) if at > game.ended_at - REPEATS]
            most = max(most, len(lately))
            self.met[key] = [*lately, game.ended_at]
        return most

    def _stand(self, rating: Rating, skill: Skill, game: Game, *, won: bool) -> None:
        assert game.ended_at is not None
        for key in standing_keys(rating.player_id, game):
            standing = self.standings.get(key)
            if standing is None:
                player, ruleset, year, size = key
                standing = self.standings[key] = Standing(
                    player_id=player, ruleset=ruleset, year=year, size=size
                )
            standing.games += 1
            standing.won += won
        # The rating is one for all sizes; a year that is over keeps what it ended with.
        for year in (EVER, game.ended_at.year):
            for size in range(5):
                found = self.standings.get((rating.player_id, game.ruleset, year, size))
                if found:
                    found.mu, found.sigma = skill
                    found.settled = skill.settled

    def _shelf(self, kind: Kind) -> Shelf:
        shelf = self.shelves.get(kind)
        if shelf is None:
            shelf = self.shelves[kind] = Shelf(**kind._asdict())
        return shelf

    def _rating(self, player_id: int, ruleset: str) -> Rating:
        key = player_id, ruleset
        rating = self.ratings.get(key)
        if rating is None:
            fresh = newcomer()
            rating = Rating(player_id=player_id, ruleset=ruleset, mu=fresh.mu, sigma=fresh.sigma)
            self.ratings[key] = rating
        return rating


def _ran_already(game: Game, rating: Rating) -> bool:
    """Somebody who falls silent loses all games at once, but is no weaker for each of them.
    A game that was started afterwards is lost like any other."""
    assert game.started_at is not None
    return rating.late_since is not None and game.started_at <= rating.late_since


def standing_keys(player_id: int, game: Game) -> list[tuple[int, str, int, int]]:
    """The leaderboards that a rated game counts for."""
    assert game.ended_at is not None
    return [
        (player_id, game.ruleset, year, size)
        for year in (EVER, game.ended_at.year)
        for size in (ANY_SIZE, game.size)
    ]


def add(sums: dict[str, int], counts: Mapping[str, int]) -> None:
    for name, count in counts.items():
        if count:
            sums[name] = sums.get(name, 0) + count
