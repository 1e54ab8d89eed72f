"""What holds in every game of Ifrito, however it is played and whoever leaves."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.errors import RulesError
from games.engine.interface import Decide, Facts, Over
from games.titles.ifrito.rules import IFRITO
from games.titles.ifrito.rules.geometry import CELLS, CUSHIONS
from games.titles.ifrito.rules.state import State

EVERY_NOTATION = (
    [f"enter:{cell}{end}" for cell in CELLS for end in ("", *(f"@{name}" for name in CUSHIONS))]
    + [
        f"move:{start}-{end}{rest}"
        for start in CELLS
        for end in CELLS
        for rest in ("", *(f"{sign}{name}" for sign in "@!" for name in CUSHIONS))
    ]
    + [f"capture:{start}-{end}" for start in CELLS for end in CELLS]
    + [f"pick:{name}" for name in CUSHIONS]
    + ["pass"]
)

seats = st.sampled_from(IFRITO.seat_counts)
seeds = st.integers(0, 2**32)


class Step(NamedTuple):
    before: State
    action: str
    after: State
    facts: Facts


def steps(players: int, seed: int, leaving: float = 0.0) -> Iterator[Step]:
    """A random game; captures are preferred, so that prisons fill and picks are owed."""
    dice = random.Random(seed)
    state = IFRITO.start(players, {}, ())
    while isinstance(decision := IFRITO.pending(state), Decide):
        if dice.random() < leaving:
            staying = [seat for seat in range(players) if seat not in state.left]
            action, (after, facts) = "resign", IFRITO.leave(state, dice.choice(staying))
        else:
            actions = IFRITO.legal(state)
            captures = [action for action in actions if action.startswith("capture")]
            action = dice.choice(captures or actions)
            after, facts = IFRITO.decide(state, decision.seat, action)
        yield Step(state, action, after, facts)
        state = after


def aboard(state: State) -> int:
    return sum(state.aboard(seat) for seat in range(state.seats))


@settings(max_examples=25, deadline=None)
@given(players=seats, seed=seeds, leaving=st.sampled_from((0.0, 0.01, 0.1)))
def test_fifty_genies_are_always_accounted_for(players, seed, leaving):
    marks = gone = 0
    for before, action, after, facts in steps(players, seed, leaving):
        marks += "taken" in facts
        if action == "resign":
            gone += aboard(before) - aboard(after) - ("taken" in facts)
            assert gone >= 0
        on_cells = after.genies.bit_count()
        assert on_cells + aboard(after) + sum(after.prison) + marks + gone == 50
        assert marks <= sum(after.captured)


@settings(max_examples=25, deadline=None)
@given(players=seats, seed=seeds, leaving=st.sampled_from((0.0, 0.02)))
def test_no_two_carpets_on_a_cell_and_no_genie_under_a_carpet(players, seed, leaving):
    for step in steps(players, seed, leaving):
        lying = [place for place in step.after.places if place >= 0]
        assert len(lying) == len(set(lying))
        assert not any(step.after.genies >> place & 1 for place in lying)


@settings(max_examples=25, deadline=None)
@given(players=seats, seed=seeds)
def test_a_carpet_without_genies_never_moves_and_is_never_captured(players, seed):
    for before, action, after, _ in steps(players, seed):
        for carpet, place in enumerate(before.places):
            if place >= 0 and not before.seated[carpet]:
                assert after.places[carpet] == place, action
                assert after.seated[carpet] == 0


@settings(max_examples=25, deadline=None)
@given(players=seats, seed=seeds, leaving=st.sampled_from((0.0, 0.01, 0.2)))
def test_every_game_ends_with_every_seat_ranked_once(players, seed, leaving):
    # Captures are bounded by the prisons, entries by the captures, and quiet turns by a hundred.
    *_, last = steps(players, seed, leaving)
    outcome = IFRITO.pending(last.after)
    assert isinstance(outcome, Over)
    ranked = [seat for rank in outcome.ranking for seat in rank]
    assert sorted(ranked) == list(range(players))
    left = last.after.left
    assert tuple(ranked[len(ranked) - len(left) :]) == left[::-1]
    if outcome.reason in ("genies", "carpets"):
        winner = outcome.ranking[0][0]
        genies, carpets = (outcome.tallies[name][winner] for name in ("genies", "carpets"))
        assert genies >= 9 or carpets >= 3
    else:
        assert max(outcome.tallies["genies"]) < 9
        assert max(outcome.tallies["carpets"]) < 3
        assert outcome.reason == ("last_player" if len(left) == players - 1 else "stalled")


@settings(max_examples=15, deadline=None)
@given(players=seats, seed=seeds)
def test_no_position_since_the_last_change_stands_three_times(players, seed):
    # Told apart by everything visible, over the whole game: nothing is lost by forgetting.
    stood: dict[object, int] = {}
    for step in steps(players, seed):
        state = step.after
        if state.pick or state.ended in ("genies", "carpets"):
            continue
        key = (state.key(state.turn), state.prison, state.captured)
        stood[key] = stood.get(key, 0) + 1
        assert stood[key] < 3 or state.ended == "stalled"


@settings(max_examples=10, deadline=None)
@given(players=seats, seed=seeds, data=st.data())
def test_any_seat_may_leave_at_any_moment(players, seed, data):
    states = [step.before for step in steps(players, seed)]
    owed = [state for state in states if state.pick]
    for state in (data.draw(st.sampled_from(states)), *owed[:5]):
        for leaver in range(players):
            after, facts = IFRITO.leave(state, leaver)
            assert facts["out"] == [leaver]
            pending = IFRITO.pending(after)
            if isinstance(pending, Decide):
                assert pending.seat != leaver
                assert IFRITO.legal(after)
            else:
                assert isinstance(pending, Over)
                assert pending.ranking[-1] == (leaver,)


@settings(max_examples=5, deadline=None)
@given(players=seats, seed=seeds, data=st.data())
def test_what_is_legal_is_exactly_what_may_be_done(players, seed, data):
    state = data.draw(st.sampled_from([step.before for step in steps(players, seed)]))
    decision = IFRITO.pending(state)
    assert isinstance(decision, Decide)
    accepted = []
    for action in EVERY_NOTATION:
        try:
            IFRITO.decide(state, decision.seat, action)
        except RulesError:
            continue
        accepted.append(action)
    assert tuple(sorted(accepted)) == IFRITO.legal(state)


@settings(max_examples=15, deadline=None)
@given(players=seats, seed=seeds)
def test_cells_are_refused_exactly_where_no_legal_action_leads(players, seed):
    for step in list(steps(players, seed))[::20]:
        seen = IFRITO.observe(step.before, None)
        if seen["pick"] is not None:
            continue
        cells = {carpet["id"]: carpet["cell"] for carpet in seen["carpets"]}
        for entry in seen["refused"]:
            lying = cells.get(entry["carpet"])
            for cell in entry["cells"]:
                flight = f":{lying}-{cell}" if lying else f"enter:{cell}"
                assert not any(flight in action for action in seen["legal"])


MIDGAME = next(step.before for step in steps(3, seed=7) if step.before.quiet > 3)
garbage = st.text(max_size=30) | st.from_regex(
    r"(enter|move|capture|pick|pass):?[LUX]?[a-f]?[0-6]?-?[LU]?[a-e]?[1-5]?[@!]?[NSEWC]{0,3}",
    fullmatch=True,
)


@settings(max_examples=200, deadline=None)
@given(action=garbage, seat=st.integers(-2, 5))
def test_garbage_is_refused_by_rules_errors_only(action, seat):
    if action not in IFRITO.legal(MIDGAME) or IFRITO.pending(MIDGAME) != Decide(seat, "turn"):
        with pytest.raises(RulesError):
            IFRITO.decide(MIDGAME, seat, action)
