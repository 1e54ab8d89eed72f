"""Golden records: games kept line by line. A change of the rules shows here first.

They were written with `python -m tools simulate`; a new ruleset needs a file of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from games.engine.chance import SeededSource, commitment, deal
from games.engine.games import RULESETS, ruleset
from games.engine.interface import play
from games.engine.record import Fairness, RecordedMove, build, read, recorded_facts, verify, write

GOLDEN = Path(__file__).parent / "golden"


@cache
def lines(game: str) -> tuple[str, ...]:
    return tuple((GOLDEN / f"{game}.jsonl").read_text(encoding="utf-8").splitlines())


def all_lines() -> Iterator[object]:
    for path in sorted(GOLDEN.glob("*.jsonl")):
        for number, line in enumerate(lines(path.stem), start=1):
            yield pytest.param(line, id=f"{path.stem}-{number}")


@pytest.mark.parametrize("line", list(all_lines()))
def test_the_same_actions_and_the_same_seed_write_the_same_line(line: str) -> None:
    kept = read(line)
    verify(kept)
    rules = ruleset(kept.game)
    seed, entropy, seats = kept.fairness.seed, kept.fairness.entropy, len(kept.names)
    assert seed is not None
    piles = deal(seed, entropy, rules.decks(seats, kept.rules))
    source = SeededSource(seed, entropy)
    state = rules.start(seats, kept.rules, piles)
    moves = []
    for move in kept.moves:
        state, facts = play(rules, state, move.seat, move.action, source)
        moves.append(RecordedMove(move.n, move.seat, move.action, recorded_facts(rules, facts)))
    again = build(
        rules,
        state,
        id=kept.id,
        options=kept.rules,
        names=kept.names,
        piles=piles,
        fairness=Fairness(commitment(seed), entropy, seed),
        moves=moves,
    )
    assert write(again) == line


@pytest.mark.parametrize("game", RULESETS)
def test_every_game_has_golden_records_of_all_seats_and_presets(game: str) -> None:
    kept = [read(line) for line in lines(game)]
    rules = RULESETS[game]
    assert {len(record.names) for record in kept} == set(rules.seat_counts)
    for preset in rules.presets.values():
        assert any(record.rules == preset for record in kept)


def test_they_cover_all_options_and_the_rare_turns_of_marrakech() -> None:
    kept = [read(line) for line in lines("marrakech")]
    combinations = {(len(record.names), *record.rules.values()) for record in kept}
    assert len(combinations) == 3 * 2 * 2 * 2
    moves = [move for record in kept for move in record.moves]
    assert {"resign", "timeout"} <= {move.action for move in moves}
    assert any("paid" in move.facts and "out" in move.facts for move in moves)
    results = [record.result for record in kept if record.result is not None]
    assert {result["reason"] for result in results} == {"rugs", "last_player"}
