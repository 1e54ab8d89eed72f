"""Five hundred simulated games: what the pages say, reckoned once more straight from records."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Any, NamedTuple

import pytest
from django.test import Client
from django.urls import reverse

from games.engine.chance import seating
from games.engine.games import ruleset
from games.engine.record import Record
from games.models import Game, Move, Player, Seat
from games.selectors.explorer import Facet, place
from games.selectors.opponents import opponents
from games.selectors.sheets import play_counts
from games.services import stats
from games.services.openings import LEAST
from tests.people import NOON
from tools.random_games import simulated_game

GAMES = 500
NAMES = ("yasmin", "omar", "ileana", "wei", "amir", "noor")


class Played(NamedTuple):
    record: Record
    key: str
    edition: str
    players: tuple[str, ...]
    """By seat."""
    ended: Any

    @property
    def places(self) -> list[int]:
        assert self.record.result
        found, before = [0] * len(self.players), 0
        for rank in self.record.result["ranking"]:
            for seat in rank:
                found[seat] = before + 1
            before += len(rank)
        return found


def simulated() -> Iterator[Played]:
    rng = random.Random(18)
    for number in range(GAMES):
        key = "ifrito" if number % 10 == 9 else "marrakech"
        rules, size = ruleset(key), 2 + number % 3
        editions = list(rules.presets)
        edition = editions[number % 2] if key == "marrakech" else editions[0]
        record = simulated_game(
            rules, seats=size, options=rules.options(rules.presets[edition]), seed=str(number)
        )
        sitting = tuple(rng.sample(NAMES, size))
        yield Played(record, key, edition, sitting, NOON - timedelta(hours=12 * (GAMES - number)))


@pytest.fixture(scope="module")
def season(django_db_setup: Any, django_db_blocker: Any) -> Iterator[list[Played]]:
    """Written as rows and counted by the code that also counts each game as it ends."""
    with django_db_blocker.unblock():
        players = {
            name: Player.objects.create(username=name, email=f"{name}@souk.example")
            for name in NAMES
        }
        games = list(simulated())
        write(games, players)
        stats.rebuild()
        yield games
        for model in (*stats.CHANGING, Game):
            model._default_manager.all().delete()
        stats.rebuild()
        Player.objects.filter(username__in=NAMES).delete()


def write(games: list[Played], players: dict[str, Player]) -> None:
    rows = Game.objects.bulk_create(
        Game(
            ruleset=each.key,
            options=dict(each.record.rules),
            edition=each.edition,
            size=len(each.players),
            pace="daily",
            visibility="public",
            rated=False,
            creator=players[each.players[0]],
            seed=each.record.fairness.seed,
            commitment=each.record.fairness.commitment,
            created_at=each.ended,
            started_at=each.ended,
            ended_at=each.ended,
            status="over",
            move_count=len(each.record.moves),
            result=dict(each.record.result or {}),
        )
        for each in games
    )
    seats, moves = [], []
    for row, each in zip(rows, games, strict=True):
        assert each.record.fairness.seed
        order = seating(each.record.fairness.seed, each.record.fairness.entropy)
        for number, joined in enumerate(order):
            seats.append(
                Seat(
                    game=row,
                    player=players[each.players[number]],
                    joined=joined,
                    entropy=each.record.fairness.entropy[joined],
                    joined_at=each.ended,
                    number=number,
                    place=each.places[number],
                )
            )
        moves += [
            Move(game=row, number=m.n, seat=m.seat, action=m.action, facts={}, at=each.ended)
            for m in each.record.moves
        ]
    Seat.objects.bulk_create(seats)
    Move.objects.bulk_create(moves, batch_size=5000)


def of(games: list[Played], key: str) -> list[Played]:
    return [each for each in games if each.key == key]


@pytest.mark.django_db
def test_the_numbers_of_the_site_are_those_of_the_records(
    season: list[Played], client: Client
) -> None:
    numbers = client.get(reverse("numbers")).context["numbers"]
    assert numbers.games == GAMES
    assert numbers.moves == sum(len(each.record.moves) for each in season)
    rolled = Counter(
        m.facts["die"] for each in season for m in each.record.moves if "die" in m.facts
    )
    assert numbers.dice[0].counts == dict(sorted(rolled.items()))
    assert [test.rolls for test in numbers.dice[0].tests] == [
        sum(rolled.values()),
        *(
            sum(
                "die" in m.facts
                for each in season
                for m in each.record.moves
                if len(each.players) == size
            )
            for size in (2, 3, 4)
        ),
    ]
    assert sum(games for _, games, _ in numbers.months_table) == GAMES


@pytest.mark.django_db
def test_maps_seats_spreads_and_records_of_a_game(season: list[Played], client: Client) -> None:
    games = [each for each in of(season, "marrakech") if len(each.players) == 3]
    page = client.get(reverse("numbers_of_game", args=["marrakech"]), {"size": 3})
    numbers = page.context["numbers"]
    assert numbers.games == len(games)
    (seats,) = numbers.seats
    assert [(row.games, row.won) for row in seats.rows] == [
        (len(games), sum(each.places[seat] == 1 for each in games)) for seat in range(3)
    ]
    stops = Counter(
        m.facts["assam"].split()[0] for each in games for m in each.record.moves if "die" in m.facts
    )
    rugs = Counter(
        square
        for each in games
        for m in each.record.moves
        if m.action.startswith("lay:")
        for square in (m.action[4:6], m.action[6:8])
    )
    maps = {
        each.key: {
            cell.name: cell.value for row in each.map.planes[0] for cell in row if cell.value
        }
        for each in numbers.playing.maps
    }
    assert maps["stop"] == stops
    assert maps["rug"] == rugs
    tens = Counter(len(each.record.moves) // 10 for each in games)
    lengths = numbers.spreads[0]
    assert dict(lengths.rows) == {f"{10 * n}–{10 * n + 9}": count for n, count in tens.items()}
    assert [bar.value for bar in lengths.chart.bars] == [
        tens[n] for n in range(min(tens), max(tens) + 1)
    ]
    paid = max(
        m.facts["paid"]["amount"]
        for each in of(season, "marrakech")
        for m in each.record.moves
        if m.facts.get("paid")
    )
    feats = {feat.name: feat.value for feat in numbers.feats}
    assert feats["payment"] == paid
    assert feats["moves"] == max(len(each.record.moves) for each in of(season, "marrakech"))
    margins = [
        sorted(each.record.result["points"])[-1] - sorted(each.record.result["points"])[-2]
        for each in of(season, "marrakech")
        if each.record.result
        and each.record.result["reason"] == "rugs"
        and each.places.count(1) == 1
    ]
    assert feats["margin"] == max(margins)


@pytest.mark.django_db
def test_a_player_is_counted_by_size_seat_rules_opponent_and_month(
    season: list[Played], client: Client
) -> None:
    own = [each for each in season if "yasmin" in each.players]
    profile = client.get("/players/yasmin/").context["profile"]
    won = [each for each in own if each.places[each.players.index("yasmin")] == 1]
    assert (profile.games, profile.won) == (len(own), len(won))
    numbers = next(each for each in profile.numbers if each.ruleset == "marrakech")
    games, wins = of(own, "marrakech"), of(won, "marrakech")
    by_size, by_seat, by_edition, by_month = (
        [(row.games, row.won) for row in shares.rows] for shares in numbers.shares
    )
    assert by_size == [
        (sum(len(g.players) == n for g in games), sum(len(g.players) == n for g in wins))
        for n in (2, 3, 4)
    ]
    seat_of = lambda each: each.players.index("yasmin")  # noqa: E731
    assert by_seat == [
        (sum(seat_of(g) == n for g in games), sum(seat_of(g) == n for g in wins)) for n in range(4)
    ]
    assert sum(games for games, _ in by_edition) == len(games)
    month = Counter((g.ended.year, g.ended.month) for g in games)
    assert [count for count, _ in by_month] == [
        count for _, count in sorted(month.items(), reverse=True)
    ]
    met = Counter(name for each in own for name in each.players if name != "yasmin")
    yasmin = Player.objects.get(username="yasmin")
    rows = opponents(yasmin, private_too=False, order="games", page=1).rows
    assert {str(each.row.other): each.row.games for each in rows} == met
    ahead = sum(
        each.places[each.players.index("yasmin")] < each.places[each.players.index("omar")]
        for each in own
        if "omar" in each.players
    )
    assert next(each.row.ahead for each in rows if str(each.row.other) == "omar") == ahead
    counts = play_counts(yasmin, "marrakech", private_too=False)
    paid = sum(
        m.facts["paid"]["amount"]
        for each in games
        for m in each.record.moves
        if m.facts.get("paid") and m.seat == seat_of(each)
    )
    assert sum(counts[f"paid:{phase}"] for phase in range(3)) == paid
    diary = client.get("/players/yasmin/calendar/").context["diary"]
    year = diary.year
    assert diary.moves == sum(
        m.seat == seat_of(each)
        for each in own
        for m in each.record.moves
        if each.ended.year == year
    )
    assert diary.hours is None, "hours are for own eyes"


@pytest.mark.django_db
def test_the_explorer_counts_what_was_played(season: list[Played], client: Client) -> None:
    games = [each for each in of(season, "marrakech") if len(each.players) == 2]
    root = place("marrakech", 2, "", Facet())
    assert root
    assert root.games == len(games) >= LEAST
    first = Counter(f"0{each.record.moves[0].action}" for each in games)
    assert {step.path: step.share.games for step in root.steps} == first
    usual = root.steps[0]
    through = [each for each in games if f"0{each.record.moves[0].action}" == usual.path]
    assert usual.share.won == sum(each.places[0] == 1 for each in through)
    then = place("marrakech", 2, usual.path, Facet(edition="international"))
    assert then
    faces = Counter(
        f"{usual.path}/0{each.record.moves[0].facts['die']}"
        for each in through
        if each.edition == "international"
    )
    assert {step.path: step.share.games for step in then.steps} == faces
    query = {"size": "2", "path": usual.path, "who": "people"}
    page = client.get(reverse("openings", args=["marrakech"]), query)
    assert page.context["place"].games == len(through)
    nobody = client.get(reverse("openings", args=["marrakech"]), {"who": "bots"})
    assert nobody.context["place"].games == 0
    assert client.get(reverse("openings", args=["marrakech"]), {"path": "x"}).status_code == 404


@pytest.mark.django_db
def test_each_game_says_by_how_much_it_was_won(season: list[Played]) -> None:
    for game in Game.objects.filter(ruleset="marrakech", result__reason="rugs"):
        assert game.result
        first, second, *_ = sorted(game.result["points"], reverse=True)
        shared = len(game.result["ranking"][0]) > 1
        assert game.margin == (0 if shared else first - second)
