"""The books of all finished games: what one more game adds to them.

The same entry is made in the transaction that ends a game and when everything is rebuilt from
the moves, so the two cannot differ. A ledger is filled with the rows that a game touches (or
with nothing, for a rebuild); `enter` changes them in memory, and somebody else saves them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import combinations, permutations
from typing import NamedTuple

from games.engine.interface import TIMEOUT
from games.models import Game, Performance, Seat, books
from games.selectors.finished import Finished
from games.selectors.performances import Appraisal
from games.selectors.ratings import rating_band, shown_rating
from games.services import performances
from games.services.openings import InMemory, Tree, line_of
from games.services.ratings import REPEATS, Skill, newcomer, rated, uncounted, weight
from games.services.sheets import (
    Scope,
    better,
    counts_for_the_site,
    entries,
    feat_in,
    feats,
    feats_of,
)

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
    def on(cls, shelf: books.Shelf) -> Kind:
        return cls(*(getattr(shelf, name) for name in cls._fields))


@dataclass
class Ledger:
    """Rows by what they are about; players by their number."""

    shelves: dict[Kind, books.Shelf] = field(default_factory=dict)
    tallies: dict[tuple[int, Kind], books.Tally] = field(default_factory=dict)
    rivalries: dict[tuple[int, int, Kind], books.Rivalry] = field(default_factory=dict)
    opponents: dict[tuple[int, int, bool], books.Opponent] = field(default_factory=dict)
    ratings: dict[tuple[int, str], books.Rating] = field(default_factory=dict)
    standings: dict[tuple[int, str, int, int], books.Standing] = field(default_factory=dict)
    meetings: list[books.Meeting] = field(default_factory=list)
    changes: list[books.RatingChange] = field(default_factory=list)
    games: list[Game] = field(default_factory=list)
    seats: list[Seat] = field(default_factory=list)
    met: dict[tuple[int, int, str], list[datetime]] = field(default_factory=dict)
    """When two players met in games that counted, as long as that matters."""
    sheets: dict[str, books.Sheet] = field(default_factory=dict)
    trees: dict[tuple[str, int], Tree] = field(default_factory=dict)
    performances: list[Performance] = field(default_factory=list)

    def enter(self, result: Finished) -> None:
        """Count one game; games come in the order in which they ended."""
        game = result.game
        kind = Kind.of(game, result.over.reason)
        shelf = self._shelf(kind)
        shelf.games += 1
        self._tell_how_it_went(result)
        add(shelf.sums, {"moves": result.moves, f"traits:{game.traits}": 1})
        for seat, figures in zip(result.seats, result.figures, strict=True):
            add(shelf.sums, figures.sums)
            seat.tally, seat.ended_at = self._count_seat(result, seat, kind), game.ended_at
        game.shelf = shelf
        self.games.append(game)
        self.seats += result.seats
        self._count_rivalries(result, kind)
        self._fill_sheets(result)
        self._enter_opening(result)
        self._count_form(result)
        if self.counts(result):
            self._rate(result)

    def judge(self, found: Appraisal) -> None:
        """Count one reckoning; they come in the order in which they were entered."""
        self.performances += performances.performances(found)
        for scope, counts in performances.entries(found):
            add(self._sheet(scope).counts, counts)
        ratings = [self._rating(seat.player_id, found.game.ruleset) for seat in found.seats]
        performances.strengthen(found, ratings)

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

    def _tell_how_it_went(self, result: Finished) -> None:
        """On the rows of the game and its seats, by which the archive finds it."""
        game, went = result.game, result.went
        game.margin = went.leads.margin if went.leads else None
        game.comeback = went.leads.comeback if went.leads else None
        game.highest = went.highest or None
        game.traits = went.traits(game, result.seats)
        game.opening = went.opening
        people = [seat.player_id for seat in result.seats if not seat.player.bot_level]
        game.band = rating_band([self._rating(each, game.ruleset) for each in people])
        for seat in result.seats:
            seat.margin, seat.comeback, seat.highest = game.margin, game.comeback, game.highest
            seat.move_count, seat.traits, seat.opening = result.moves, game.traits, game.opening

    def _fill_sheets(self, result: Finished) -> None:
        for scope, counts in entries(result, self._skills(result)):
            add(self._sheet(scope).counts, counts)
        for scope, values in feats(result):
            best = self._sheet(scope).counts
            for name, feat in values.items():
                best[name] = better(best.get(name), feat)

    def _reach(self, result: Finished, number: int, skill: Skill) -> None:
        """A rating that is certain is a feat of the year, too."""
        game = result.game
        if skill.settled:
            scope = feats_of(result, number)
            feat = feat_in(game, shown_rating(skill.mu))
            best = self._sheet(scope).counts
            best["rating"] = better(best.get("rating"), feat)

    def _sheet(self, scope: Scope) -> books.Sheet:
        sheet = self.sheets.get(scope.key)
        if sheet is None:
            sheet = self.sheets[scope.key] = scope.sheet()
        return sheet

    def _enter_opening(self, result: Finished) -> None:
        game = result.game
        if not counts_for_the_site(game):
            return
        key = game.ruleset, game.size
        tree = self.trees.get(key)
        if tree is None:
            tree = self.trees[key] = Tree(*key, InMemory())
        winners = frozenset(seat for seat, place in enumerate(result.places) if place == 1)
        tree.enter(line_of(game, winners))

    def _count_seat(self, result: Finished, seat: Seat, kind: Kind) -> books.Tally:
        assert seat.number is not None
        place, figures = result.places[seat.number], result.figures[seat.number]
        key = seat.player_id, kind
        tally = self.tallies.get(key)
        if tally is None:
            tally = self.tallies[key] = books.Tally(
                player_id=seat.player_id, shelf=self._shelf(kind)
            )
        tally.games += 1
        won = place == 1
        counts = {
            f"place:{place}": 1,
            f"seat:{seat.number}": 1,
            f"won:{seat.number}": int(won),
            "turns": seat.turns,
            f"left:{seat.left_by}": int(bool(seat.left_by)),
            f"traits:{result.game.traits}": 1,
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
                rivalry = books.Rivalry(low_id=low, high_id=high, shelf=self._shelf(kind))
                self.rivalries[low, high, kind] = rivalry
            rivalry.games += 1
            rivalry.low_ahead += by_player[low] < by_player[high]
            rivalry.high_ahead += by_player[high] < by_player[low]
            self.meetings.append(books.Meeting(rivalry=rivalry, game=game, ended_at=game.ended_at))
        for player, other, public in opponent_keys(result):
            self._count_opponent(player, other, public, by_player, game.ended_at)

    def _count_opponent(
        self, player: int, other: int, public: bool, places: Mapping[int, int], at: datetime
    ) -> None:
        key = player, other, public
        met = self.opponents.get(key)
        if met is None:
            met = self.opponents[key] = books.Opponent(
                player_id=player, other_id=other, public=public
            )
        met.games += 1
        met.ahead += places[player] < places[other]
        met.behind += places[player] > places[other]
        met.met_at = max(met.met_at or at, at)

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
            change = books.RatingChange(rating=rating, game=game, at=game.ended_at, before=before)
            change.mu, change.sigma = skill
            change.share = share
            self.changes.append(change)
            if game.visibility == Game.Visibility.PUBLIC:
                self._reach(result, index, skill)
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

    def _stand(self, rating: books.Rating, skill: Skill, game: Game, *, won: bool) -> None:
        """What everybody knows of a rating moves with public games alone: after a private one
        nobody else sees anything new, and the next public one brings both."""
        assert game.ended_at is not None
        for key in standing_keys(rating.player_id, game):
            standing = self.standings.get(key)
            if standing is None:
                player, ruleset, year, size = key
                standing = self.standings[key] = books.Standing(
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

    def _shelf(self, kind: Kind) -> books.Shelf:
        shelf = self.shelves.get(kind)
        if shelf is None:
            shelf = self.shelves[kind] = books.Shelf(**kind._asdict())
        return shelf

    def _rating(self, player_id: int, ruleset: str) -> books.Rating:
        key = player_id, ruleset
        rating = self.ratings.get(key)
        if rating is None:
            fresh = newcomer()
            rating = books.Rating(
                player_id=player_id, ruleset=ruleset, mu=fresh.mu, sigma=fresh.sigma
            )
            self.ratings[key] = rating
        return rating


def _ran_already(game: Game, rating: books.Rating) -> bool:
    """Somebody who falls silent loses all games at once, but is no weaker for each of them.
    A game that was started afterwards is lost like any other."""
    assert game.started_at is not None
    return rating.late_since is not None and game.started_at <= rating.late_since


def opponent_keys(result: Finished) -> list[tuple[int, int, bool]]:
    """Everybody against everybody else: in all games, and in public ones."""
    players = [seat.player_id for seat in result.seats]
    public = result.game.visibility == Game.Visibility.PUBLIC
    return [
        (*pair, narrow)
        for pair in permutations(players, 2)
        for narrow in ((False, True) if public else (False,))
    ]


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
