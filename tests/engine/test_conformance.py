"""What every game of the house must keep to, whatever its rules are."""

from __future__ import annotations

import itertools
import json
import random
from functools import cache
from typing import Any

import pytest

from games.engine.contract import faults_of_observation
from games.engine.errors import (
    BadNotation,
    BadOptions,
    IllegalAction,
    NotYourDecision,
    RulesError,
)
from games.engine.games import RULESETS, ruleset
from games.engine.interface import LAST_PLAYER, LEAVING, Decide, Over, Pile, play
from tests.engine.random_games import SETTINGS, Played, Setting, dealt, name, random_game

pytestmark = pytest.mark.parametrize("setting", SETTINGS, ids=name)

LONGEST = 3000
# Enough games to see every kind of decision, few enough to be quick.
SEEDS = (1, 2)


@cache
def _game(setting_name: str, seed: int, leave: float) -> tuple[Played, ...]:
    [setting] = [each for each in SETTINGS if name(each) == setting_name]
    return tuple(itertools.islice(random_game(setting, seed, leave), LONGEST))


def played_game(setting: Setting, seed: int, leave: float = 0.0) -> tuple[Played, ...]:
    """A game of at most so many moves, played once for all tests."""
    return _game(name(setting), seed, leave)


def undecided(setting: Setting, every: int = 1, leave: float = 0.01) -> list[Any]:
    """States of two games in which somebody must decide."""
    return [
        played.before for seed in SEEDS for played in played_game(setting, seed, leave)[::every]
    ]


def states(setting: Setting, every: int = 1) -> list[Any]:
    """The same, and how the games ended."""
    ends = [played_game(setting, seed, 0.01)[-1].after for seed in SEEDS]
    return undecided(setting, every) + ends


def test_the_ruleset_is_complete(setting: Setting) -> None:
    rules = setting.rules
    assert ruleset(rules.key) is rules
    assert rules.options(setting.options) == setting.options
    colours = rules.colours(setting.seats)
    assert len(colours) == setting.seats
    flat = [colour for own in colours for colour in own]
    assert len(set(flat)) == len(flat)
    for preset in rules.presets.values():
        assert rules.options(preset) == preset


def test_unknown_options_and_numbers_of_seats_are_refused(setting: Setting) -> None:
    rules = setting.rules
    with pytest.raises(BadOptions):
        rules.options({**setting.options, "surprise": True})
    for seats in (0, 1, max(rules.seat_counts) + 1):
        with pytest.raises(BadOptions):
            rules.start(seats, setting.options, ())


def test_games_end_with_a_ranking_of_all_seats(setting: Setting) -> None:
    for seed, leave in itertools.product(SEEDS, (0.0, 0.02)):
        game = played_game(setting, seed, leave)
        over = setting.rules.pending(game[-1].after)
        assert isinstance(over, Over)
        assert sorted(itertools.chain(*over.ranking)) == list(range(setting.seats))
        assert all(over.ranking)
        assert all(len(counts) == setting.seats for counts in over.tallies.values())
        assert setting.rules.legal(game[-1].after) == ()


def test_legal_actions_are_unique_and_sorted_and_never_missing(setting: Setting) -> None:
    for state in states(setting):
        legal = setting.rules.legal(state)
        assert list(legal) == sorted(set(legal))
        assert bool(legal) == isinstance(setting.rules.pending(state), Decide)
        assert not set(legal) & set(LEAVING)


def test_every_legal_action_is_accepted(setting: Setting) -> None:
    _, source = dealt(setting, 0)
    for state in states(setting, every=7):
        pending = setting.rules.pending(state)
        for action in setting.rules.legal(state):
            assert isinstance(pending, Decide)
            after, facts = play(setting.rules, state, pending.seat, action, source)
            assert isinstance(setting.rules.pending(after), (Decide, Over))
            assert after != state
            assert all(isinstance(key, str) for key in facts)


def test_everything_else_is_refused_with_the_right_error(setting: Setting) -> None:
    rules = setting.rules
    found = states(setting, every=9)
    known = sorted({action for state in found for action in rules.legal(state)})
    sample = random.Random(0).sample(known, min(len(known), 60))
    for state in found:
        pending = rules.pending(state)
        legal = set(rules.legal(state))
        for seat in range(setting.seats):
            decides = isinstance(pending, Decide) and seat == pending.seat
            for action in sample:
                if decides and action in legal:
                    continue
                with pytest.raises(IllegalAction if decides else NotYourDecision):
                    rules.decide(state, seat, action)
            with pytest.raises(BadNotation):
                rules.decide(state, seat, "no such action")


def test_states_are_values(setting: Setting) -> None:
    """The same moves lead to equal states with equal hashes, and no move changes a state."""
    game = list(random_game(setting, 1, 0.01))
    again = list(random_game(setting, 1, 0.01))
    assert game == again
    assert [hash(played.after) for played in game] == [hash(played.after) for played in again]
    for played, following in itertools.pairwise(game):
        assert played.after == following.before


def test_observations_keep_to_the_contract_and_are_ready_for_json(setting: Setting) -> None:
    rules = setting.rules
    for state in states(setting, every=5):
        for viewer in (None, *range(setting.seats)):
            seen = rules.observe(state, viewer)
            assert list(faults_of_observation(rules, state, viewer)) == []
            assert seen["seats"] == setting.seats
            assert json.loads(json.dumps(seen)) == seen


def test_kinds_of_decisions_and_reasons_fit_the_columns_of_the_site(setting: Setting) -> None:
    for state in states(setting):
        pending = setting.rules.pending(state)
        if isinstance(pending, Decide):
            assert 1 <= len(pending.kind) <= 10
        if isinstance(pending, Over):
            assert 1 <= len(pending.reason) <= 20


def test_redrawing_what_is_hidden_changes_no_observation(setting: Setting) -> None:
    rules = setting.rules
    piles, source = dealt(setting, 3)
    game = played_game(setting, 3)
    rng = random.Random(0)
    for length in range(0, len(game), 17):
        shown = rules.revealed(game[length].before)
        redrawn = tuple(
            _redrawn(pile, len(top), rng) for pile, top in zip(piles, shown, strict=True)
        )
        state = rules.start(setting.seats, setting.options, redrawn)
        for played in game[:length]:
            state, _ = play(rules, state, played.seat, played.action, source)
        for viewer in (None, *range(setting.seats)):
            assert rules.observe(state, viewer) == rules.observe(game[length].before, viewer)
        assert rules.revealed(state) == shown


def _redrawn(pile: Pile, known: int, rng: random.Random) -> Pile:
    hidden = list(pile[known:])
    rng.shuffle(hidden)
    return (*pile[:known], *hidden)


def test_any_seat_can_leave_at_any_moment(setting: Setting) -> None:
    rules = setting.rules
    for played in played_game(setting, 2)[::5]:
        gone = [seat for seat in range(setting.seats) if _is_out(setting, played.before, seat)]
        for seat in set(range(setting.seats)) - set(gone):
            after, facts = rules.leave(played.before, seat)
            assert facts["out"] == [seat]
            pending = rules.pending(after)
            if isinstance(pending, Over):
                assert pending.ranking[-1] == (seat,) or gone
            else:
                assert isinstance(pending, Decide)
                assert pending.seat != seat
            with pytest.raises(RulesError):
                rules.leave(after, seat)


def _is_out(setting: Setting, state: Any, seat: int) -> bool:
    return not setting.rules.observe(state, None)["players"][seat]["in"]


def test_nobody_leaves_from_no_seat_or_after_the_end(setting: Setting) -> None:
    last = played_game(setting, 1)[-1]
    for seat in range(setting.seats):
        with pytest.raises(RulesError):
            setting.rules.leave(last.after, seat)
    for seat in (-1, setting.seats):
        with pytest.raises(RulesError):
            setting.rules.leave(last.before, seat)


def test_all_may_leave_until_one_is_left(setting: Setting) -> None:
    rules = setting.rules
    piles, _ = dealt(setting, 1)
    for order in itertools.permutations(range(setting.seats)):
        state = rules.start(setting.seats, setting.options, piles)
        for seat in order[:-1]:
            state, _ = rules.leave(state, seat)
        over = rules.pending(state)
        assert isinstance(over, Over)
        assert over.reason == LAST_PLAYER
        assert over.ranking == tuple((seat,) for seat in reversed(order))


def test_recorded_facts_are_plain_json(setting: Setting) -> None:
    for played in played_game(setting, 2, 0.02):
        for key in setting.rules.recorded:
            if key in played.facts:
                value = played.facts[key]
                assert json.loads(json.dumps(value)) == value


def test_garbage_never_raises_anything_but_the_engines_errors(setting: Setting) -> None:
    rules = setting.rules
    rng = random.Random(0)
    found = undecided(setting, every=20, leave=0.0)
    known = sorted({action for state in found for action in rules.legal(state)})
    _, source = dealt(setting, 0)
    share = 10_000 // len([each for each in SETTINGS if each.rules is rules]) + 1
    for _ in range(share):
        state = rng.choice(found)
        pending = rules.pending(state)
        assert isinstance(pending, Decide)
        text = _garbage(rng, known)
        if text in rules.legal(state) or text in LEAVING:
            continue
        with pytest.raises(RulesError) as refusal:
            play(rules, state, pending.seat, text, source)
        assert str(refusal.value).encode()
        assert len(str(refusal.value)) < 1000


def _garbage(rng: random.Random, known: list[str]) -> str:
    """Near misses, strange letters, and texts of any length."""
    kind = rng.randrange(5)
    if kind == 0:
        return "".join(chr(rng.randrange(0x110000)) for _ in range(rng.randrange(12)))
    if kind == 1:
        return "".join(
            rng.choice("layturnoe:LSR@!-1234567abcdefg ") for _ in range(rng.randrange(12))
        )
    text = list(rng.choice(known))
    if kind == 2:
        text[rng.randrange(len(text))] = rng.choice("aAg8h0:@!-L٣１\n\0é\ud800")
    elif kind == 3:
        text.insert(rng.randrange(len(text) + 1), rng.choice(" \t\u200b:1aL\U0001f42a"))
    else:
        text *= rng.choice((0, 2, 3, 5000))
    return "".join(text)


def test_an_unknown_game_is_refused(setting: Setting) -> None:
    assert set(RULESETS) >= {setting.rules.key}
    for key in (setting.rules.key.upper(), "", "chess"):
        with pytest.raises(BadOptions, match=setting.rules.key):
            ruleset(key)
