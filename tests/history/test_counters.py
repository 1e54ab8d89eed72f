"""Counters of a game, added up once more from what the moves say, seat by seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from games.engine.games import ruleset
from games.engine.interface import Played
from games.engine.record import replay
from games.reckon.leads import leads
from games.titles.figuring import phase
from games.titles.ifrito.figures import FIGURING as OF_IFRITO
from games.titles.marrakech.figures import FIGURING as OF_MARRAKECH
from games.titles.marrakech.rules.geometry import NAMES, SPOT_BY_ACTION
from tests.history.archive import record_of


def played(key: str, size: int, wanted: Callable[[Played], bool]) -> list[Played]:
    """A whole game in which this happens."""
    for seed in range(80):
        steps = list(replay(record_of(key, size, seed)))
        game = [Played(s.move.seat, s.move.action, s.before, s.after, s.facts) for s in steps]
        if any(wanted(each) for each in game):
            return game
    raise AssertionError("it never happens")


def third(number: int, game: Sequence[Played]) -> int:
    return min(number * 3 // len(game), 2)


def somebody_is_broke(each: Played) -> bool:
    paid = each.facts.get("paid")
    return paid is not None and paid["due"] > paid["amount"] > 0


def somebody_pays(each: Played) -> bool:
    return "paid" in each.facts


@pytest.mark.parametrize(
    ("size", "wanted"), [(2, somebody_pays), (3, somebody_is_broke), (4, somebody_pays)]
)
def test_whoever_cannot_pay_all_pays_what_there_is_and_the_other_gets_no_more(
    size: int, wanted: Callable[[Played], bool]
) -> None:
    game = played("marrakech", size, wanted)
    expected: list[Counter[str]] = [Counter() for _ in range(size)]
    by_phase: list[Counter[str]] = [Counter() for _ in range(size)]
    for number, each in enumerate(game):
        if "die" in each.facts:
            expected[each.seat]["rolls"] += 1
            by_phase[each.seat]["stop:" + each.facts["assam"].split()[0]] += 1
        for spot in (SPOT_BY_ACTION[each.action],) if each.action in SPOT_BY_ACTION else ():
            for square in spot.squares:
                by_phase[each.seat][f"rug:{NAMES[square]}"] += 1
        if paid := each.facts.get("paid"):
            lost = each.before.dirhams[each.seat] - each.after.dirhams[each.seat]
            won = each.after.dirhams[paid["to"]] - each.before.dirhams[paid["to"]]
            assert lost == won == paid["amount"]
            expected[each.seat]["paid"] += lost
            expected[paid["to"]]["earned"] += won
            by_phase[each.seat][f"paid:{third(number, game)}"] += lost
            by_phase[paid["to"]][f"earned:{third(number, game)}"] += won
    figures = ruleset("marrakech").figures(size, game)
    told = OF_MARRAKECH.count(size, game)
    for seat in range(size):
        for name in ("rolls", "paid", "earned"):
            assert figures[seat].sums.get(name, 0) == expected[seat][name], (seat, name)
        stays = {name: n for name, n in told[seat].items() if not name.startswith("stay:")}
        assert stays == dict(by_phase[seat])
        assert figures[seat].peaks["payment"] == max(
            (e.facts["paid"]["amount"] for e in game if e.seat == seat and "paid" in e.facts),
            default=0,
        )
    moments = {each.key: each for each in OF_MARRAKECH.moments(game)}
    highest = max(e.facts["paid"]["amount"] for e in game if "paid" in e.facts)
    first = next(
        n for n, e in enumerate(game, 1) if e.facts.get("paid", {}).get("amount") == highest
    )
    assert (moments["payment"].value, moments["payment"].move) == (highest, first)
    assert moments["payment"].seat == game[first - 1].seat


def test_squares_that_show_at_the_end_are_their_owners() -> None:
    game = played("marrakech", 3, lambda each: True)
    told = OF_MARRAKECH.count(3, game)
    squares = ruleset("marrakech").counts(game[-1].after)["squares"]
    for seat in range(3):
        shown = sum(n for name, n in told[seat].items() if name.startswith("stay:"))
        assert shown == squares[seat]


@pytest.mark.parametrize("size", [2, 3, 4])
def test_genies_and_carpets_are_counted_for_who_took_and_who_lost_them(size: int) -> None:
    game = played("ifrito", size, lambda each: each.facts.get("captured", {}).get("genies", 0) > 0)
    expected: list[Counter[str]] = [Counter() for _ in range(size)]
    told_of: list[Counter[str]] = [Counter() for _ in range(size)]
    for number, each in enumerate(game):
        if entered := each.facts.get("entered"):
            told_of[each.seat][f"enter:{entered['cell']}"] += 1
        if moved := each.facts.get("moved"):
            told_of[each.seat][f"fly:{moved['to']}"] += 1
        if captured := each.facts.get("captured"):
            loser, genies = captured["seat"], captured["genies"]
            assert loser != each.seat
            for name, own in (("taken", each.seat), ("lost", loser)):
                expected[own][f"carpets_{name}"] += 1
                expected[own][f"genies_{name}"] += genies
            told_of[loser][f"lost:{each.facts['moved']['to']}"] += 1
            told_of[each.seat][f"taken:{third(number, game)}"] += genies
            told_of[loser][f"given:{third(number, game)}"] += genies
    figures = ruleset("ifrito").figures(size, game)
    told = OF_IFRITO.count(size, game)
    for seat in range(size):
        assert figures[seat].sums == dict(expected[seat])
        assert dict(told[seat]) == dict(told_of[seat])
    hauls = [
        max((e.facts["captured"]["genies"] for e in game if e.seat == s and "captured" in e.facts),
            default=0)
        for s in range(size)
    ]  # fmt: skip
    assert [each.peaks["haul"] for each in figures] == hauls
    (haul,) = OF_IFRITO.moments(game)
    assert haul.value == max(hauls)


def test_who_was_ahead_by_how_much_and_how_often_that_changed() -> None:
    counts = [(0, 0), (3, 0), (3, 3), (3, 5), (9, 5), (9, 12), (20, 12)]
    told = leads(counts, [0])
    assert (told.changes, told.ahead, told.margin, told.comeback) == (4, (3, 2), 8, 3)
    shared = leads([(0, 0, 0), (1, 4, 0), (5, 5, 2)], [0, 1])
    assert (shared.changes, shared.ahead, shared.margin, shared.comeback) == (0, (0, 1, 0), 0, 0)
    behind = leads([(0, 0), (1, 4)], [0])
    assert (behind.margin, behind.comeback) == (0, 3)


def test_phases_are_thirds_and_the_first_of_equal_moments_counts() -> None:
    assert [phase(number, 9) for number in range(9)] == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert [phase(number, 1) for number in range(1)] == [0]
    payment = next(each for each in played("marrakech", 2, somebody_pays) if somebody_pays(each))
    paid = payment.facts["paid"]
    alone = OF_MARRAKECH.count(2, [payment])
    assert alone[payment.seat]["paid:0"] == alone[paid["to"]]["earned:0"] == paid["amount"]
    late = OF_MARRAKECH.count(2, [payment, payment, payment])
    assert [late[payment.seat][f"paid:{third}"] for third in range(3)] == [paid["amount"]] * 3
    moments = {each.key: each.move for each in OF_MARRAKECH.moments([payment, payment])}
    assert moments["payment"] == 1


def test_the_most_genies_in_one_capture_stay_the_most() -> None:
    game = played("ifrito", 2, lambda each: "captured" in each.facts)
    capture = next(each for each in game if "captured" in each.facts)
    hauls = [
        capture._replace(
            facts={**capture.facts, "captured": {**capture.facts["captured"], "genies": genies}},
        )
        for genies in (1, 3, 2)
    ]
    figures = ruleset("ifrito").figures(2, hauls)
    assert figures[capture.seat].peaks["haul"] == 3
    assert figures[capture.seat].sums["genies_taken"] == 6
    told = OF_IFRITO.count(2, hauls)[capture.seat]
    assert [told[f"taken:{third}"] for third in range(3)] == [1, 3, 2]
    (haul,) = OF_IFRITO.moments([hauls[1], hauls[1]])
    assert haul.move == 1
