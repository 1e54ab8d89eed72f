"""The golden records of Ifrito show what random games seldom do.

The last of the rare ones was steered: nobody entered a last carpet while an edge cell had a genie.
"""

from __future__ import annotations

from pathlib import Path

from games.engine.record import Record, Step, read, replay
from games.titles.ifrito.rules import IFRITO
from games.titles.ifrito.rules.state import State
from games.titles.ifrito.words import WORDS

GOLDEN = Path(__file__).parents[2] / "engine" / "golden"


def kept() -> list[Record]:
    return [
        read(line)
        for path in sorted(GOLDEN.glob("ifrito*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


def left_while_owed(step: Step) -> str | None:
    """Who left while a pick was owed: the picker, the attacker, or another."""
    before: State = step.before
    if "out" not in step.facts or before.pick is None:
        return None
    return {before.pick[0]: "picker", before.turn: "attacker"}.get(step.move.seat, "another")


def test_they_end_in_every_way() -> None:
    results = [record.result for record in kept() if record.result is not None]
    reasons = {result["reason"] for result in results}
    assert reasons == {"genies", "carpets", "stalled", "last_player"}
    stalled = [state for state in map(last_state, kept()) if state.ended == "stalled"]
    assert any(state.quiet == 100 for state in stalled)
    assert any(state.seen.count(state.seen[-1]) == 3 for state in stalled)


def last_state(record: Record) -> State:
    *_, last = replay(record)
    state: State = last.after
    return state


def staying(state: State) -> list[int]:
    return [seat for seat in range(state.seats) if seat not in state.left]


def test_they_show_every_kind_of_action_and_of_leaver() -> None:
    steps = [step for record in kept() for step in replay(record)]
    actions = [step.move.action for step in steps]
    verbs = {action.partition(":")[0] for action in actions}
    assert verbs == {"enter", "move", "capture", "pick", "pass", "resign", "timeout"}
    assert any("!" in action for action in actions)
    assert any(action.startswith("enter") and "@" not in action for action in actions)
    assert {left_while_owed(step) for step in steps} == {None, "picker", "attacker", "another"}


def test_a_stalled_game_says_what_put_the_winner_ahead() -> None:
    said = set()
    for state in map(last_state, kept()):
        over = IFRITO.observe(state, None)["pending"]
        winner = over["ranking"][0][0]
        names = ["Yasmin", "Omar", "Ileana", "Wei"][: state.seats]
        told = WORDS.decided(over, names, None)
        genies = sorted((state.prison[seat] for seat in staying(state)), reverse=True)
        if state.ended == "stalled" and genies[0] == genies[1] and len(over["ranking"][0]) == 1:
            assert "equally full" in told
            assert names[winner] in told
            assert " you " in WORDS.decided(over, names, winner)
        else:
            assert "equally full" not in told
        said.add("equally full" in told)
    assert said == {True, False}
