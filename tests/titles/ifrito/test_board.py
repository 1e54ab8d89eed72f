"""What the two planes of Ifrito show of a position, and what can be tapped on them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from games.engine.interface import Decide
from games.titles.ifrito.board.drawing import Board, draw
from games.titles.ifrito.rules import IFRITO
from games.titles.ifrito.taps import taps

CUSHIONS = ("NW", "N", "NE", "W", "C", "E", "SW", "S", "SE")


@dataclass(frozen=True)
class Position:
    seen: dict[str, Any]
    last: dict[str, Any]

    @property
    def kind(self) -> str:
        return str(self.seen["pending"].get("kind", ""))


def play_out(seed: int, seats: int) -> Iterator[Position]:
    """A game by chance, but for captures, which nobody lets go by."""
    chance = random.Random(seed)
    state = IFRITO.start(seats, {}, ())
    last: dict[str, Any] = {}
    while True:
        node = IFRITO.pending(state)
        seat = node.seat if isinstance(node, Decide) else 0
        yield Position(dict(IFRITO.observe(state, seat)), last)
        if not isinstance(node, Decide):
            return
        legal = IFRITO.legal(state)
        captures = [action for action in legal if action.startswith("capture:")]
        action = chance.choice(captures or legal)
        state, facts = IFRITO.decide(state, node.seat, action)
        last = {"action": action, "seat": node.seat, **facts}


@cache
def positions() -> tuple[Position, ...]:
    return (*play_out(1, 2), *play_out(2, 3), *play_out(3, 4))


def of_kind(kind: str) -> list[Position]:
    found = [position for position in positions() if position.kind == kind]
    assert found
    return found


def cells(board: Board) -> dict[str, Any]:
    return {cell.name: cell for plane in board.planes for cell in plane.cells}


def carpets(board: Board) -> list[Any]:
    return [carpet for plane in board.planes for carpet in plane.carpets]


def look(seen: dict[str, Any], tapped: str = "") -> Board:
    return draw(seen, interactive=True, chosen=tapped)


def cell_at(plane: str, x: str, y: str) -> str:
    """The cell that a point of a plane lies in."""
    return f"{plane}{'abcde'[int(float(x) // 56)]}{5 - int(float(y) // 40)}"


# What lies there


def test_every_genie_and_every_carpet_is_drawn_where_it_is():
    for position in positions()[::5]:
        board = draw(position.seen)
        standing = {cell_at(plane.key, at.x, at.y) for plane in board.planes for at in plane.genies}
        assert standing == {n for n, cell in position.seen["cells"].items() if cell["genie"]}
        lying = {(c.cell, c.seat, tuple(at.text for at in c.genies)) for c in carpets(board)}
        assert lying == {
            (c["cell"], c["seat"], tuple(n for n in CUSHIONS if n in c["cushions"]))
            for c in position.seen["carpets"]
            if c["cell"]
        }
        for plane in board.planes:
            for carpet in plane.carpets:
                assert cell_at(plane.key, carpet.x, carpet.y) == carpet.cell


def test_cells_come_as_one_reads_them_so_that_both_planes_lie_alike():
    upper, lower = draw(positions()[0].seen).planes
    assert [cell.name for cell in upper.cells][:6] == ["Ua5", "Ub5", "Uc5", "Ud5", "Ue5", "Ua4"]
    assert [cell.name[1:] for cell in upper.cells] == [cell.name[1:] for cell in lower.cells]


def test_cushions_lie_as_the_compass_says():
    (seen,) = [p.seen for p in positions() if p.seen["quiet"] == 0][:1]
    every = {**seen, "carpets": [{"id": 0, "seat": 0, "cell": "Uc3", "cushions": CUSHIONS}]}
    at = {spot.text: spot for spot in carpets(draw(every))[0].genies}
    for west, middle, east in (("NW", "N", "NE"), ("W", "C", "E"), ("SW", "S", "SE")):
        assert float(at[west].x) < float(at[middle].x) < float(at[east].x)
        assert at[west].y == at[middle].y == at[east].y
    assert float(at["N"].y) < float(at["C"].y) < float(at["S"].y)


def test_own_carpets_and_those_without_genies_are_marked():
    for position in positions()[::9]:
        for carpet in carpets(draw(position.seen)):
            assert carpet.own == (carpet.seat == position.seen["viewer"])
            assert carpet.bare == (not carpet.genies)


# Tapping a turn together


def follow(seen: dict[str, Any]) -> set[str]:
    """Every action that taps lead to, by following whatever can be tapped."""
    found, known, ahead = set(), set(), [""]
    while ahead:
        tapped = ahead.pop()
        if tapped in known:
            continue
        known.add(tapped)
        board = look(seen, tapped)
        if board.action:
            found.add(board.action)
        ahead += [cell.tap for cell in cells(board).values() if cell.tap]
        ahead += [cushion.tap for cushion in board.pad if cushion.tap]
        ahead += ["hand"] if "hand" in board.choice.sources else []
    return found


def test_taps_lead_to_every_legal_action_and_to_nothing_else():
    picked = [*of_kind("turn")[::11], *of_kind("pick")[:3]]
    for position in picked:
        assert follow(position.seen) == set(position.seen["legal"])


def test_what_the_script_is_told_makes_the_same_actions():
    for position in of_kind("turn")[::7]:
        told = taps(position.seen, ["Yasmin", "Omar", "Ileana", "Wei"])
        if told is None:
            assert position.seen["legal"] == ["pass"]
            continue
        ways = [way for source in told["sources"].values() for way in source["ways"].values()]
        made = [tap + end for tap, *_, ends in ways for end in ends]
        assert sorted(made) == sorted(position.seen["legal"])


def test_every_cell_beside_a_carpet_says_what_would_happen_or_why_not():
    able = [position for position in of_kind("turn") if position.seen["legal"] != ["pass"]]
    for position in able[::3]:
        legal = position.seen["legal"]
        for refused in position.seen["refused"]:
            places = {c["id"]: c["cell"] for c in position.seen["carpets"]}
            source = places.get(refused["carpet"], "hand")
            shown = cells(look(position.seen, source))
            for name, why in refused["cells"].items():
                if shown[name].way:
                    assert (shown[name].sign, shown[name].way.why) == ("refused", why)
                else:
                    # Another own carpet: a tap on it takes that one instead.
                    assert shown[name].tap == name
            flight = "enter:" if source == "hand" else f"{source}-"
            reached = {action.partition(flight)[2][:3] for action in legal if flight in action}
            lit = {n for n, cell in shown.items() if cell.sign in ("board", "free", "capture")}
            assert lit == reached
            for name in lit:
                there = position.seen["cells"][name]
                expected = "capture" if there["carpet"] is not None else "free"
                assert shown[name].sign == ("board" if there["genie"] else expected)


def test_a_capture_shows_the_genies_of_both_sides():
    position = next(p for p in positions() if any(a[0] == "c" for a in p.seen["legal"]))
    action = next(a for a in position.seen["legal"] if a.startswith("capture:"))
    start, end = action.removeprefix("capture:").split("-")
    count = {c["cell"]: len(c["cushions"]) for c in position.seen["carpets"]}
    way = cells(look(position.seen, start))[end].way
    assert (way.mine, way.theirs, way.tap) == (count[start], count[end], action)
    board = look(position.seen, action)
    assert (board.action, board.choice.step) == (action, "confirm")
    assert [plane.ghost for plane in board.planes] == [None, None]


def test_a_single_source_needs_no_tap():
    start = positions()[0].seen
    board = look(start)
    assert (board.choice.source, board.choice.step) == ("hand", "target")
    assert board.choice.back is None
    assert look(start, "enter:Ua1").choice.back == ""


def test_a_cell_that_cannot_be_reached_tells_why_and_nothing_can_be_confirmed():
    board = look(positions()[0].seen, "enter:Uc3")
    assert (board.choice.step, board.choice.target, board.action) == ("target", "Uc3", "")
    assert board.choice.way
    assert board.choice.way.why == "not_edge"
    (why, refused) = board.choice.refusals.popitem()
    assert (why, {*refused}) == ("not_edge", {n for n in cells(board) if n[1:] in INNER})


INNER = {f"{column}{row}" for column in "bcd" for row in "234"}


def test_the_genie_of_the_cell_sits_down_on_the_cushion_that_was_tapped():
    seen = positions()[0].seen
    asked = look(seen, "enter:Lb1")
    assert (asked.choice.step, asked.action) == ("cushion", "")
    assert {c.name: c.tap for c in asked.pad} == {n: f"enter:Lb1@{n}" for n in CUSHIONS}
    upper, lower = look(seen, "enter:Lb1@SW").planes
    assert upper.ghost is None
    assert lower.ghost
    assert [at.text for at in lower.ghost.genies] == ["SW"]
    assert len(lower.genies) == 24
    assert look(seen, "enter:Lb1@SW").action == "enter:Lb1@SW"


def leaving() -> tuple[dict[str, Any], str]:
    for position in of_kind("turn"):
        for action in position.seen["legal"]:
            if "!" in action:
                return position.seen, action
    raise AssertionError("nobody could leave a genie behind")


def test_a_genie_can_be_left_behind_and_kept_after_all():
    seen, action = leaving()
    flight, cushion = action.split("!")
    start, end = flight.removeprefix("move:").split("-")
    kept = look(seen, flight)
    assert (kept.action, kept.choice.step, kept.choice.leaves) == (flight, "confirm", False)
    left = look(seen, action)
    assert left.action == action
    plane = next(plane for plane in left.planes if plane.key == start[0])
    assert start in [cell_at(plane.key, at.x, at.y) for at in plane.genies]
    ghost = next(plane.ghost for plane in left.planes if plane.ghost)
    assert ghost.cell == end
    assert cushion not in [at.text for at in ghost.genies]
    (pad,) = [each for each in left.pad if each.name == cushion]
    assert (pad.chosen, pad.tap) == (True, flight)


def test_whoever_lost_a_carpet_picks_a_genie_of_the_one_that_took_it():
    for position in of_kind("pick"):
        board = look(position.seen)
        robber = next(c for c in position.seen["carpets"] if c["id"] == position.seen["pick"])
        assert board.choice.picked_from == robber["cell"]
        assert {each.name for each in board.pad if each.seated} == set(robber["cushions"])
        for each in board.pad:
            assert each.tap == (f"pick:{each.name}" if each.seated else "")
        last = position.seen["legal"][-1]
        assert look(position.seen, last).action == last


def test_who_can_do_nothing_passes():
    seen = {**positions()[0].seen, "legal": ["pass"], "refused": []}
    board = look(seen)
    assert (board.choice.step, board.action, board.pad) == ("pass", "pass", ())


@pytest.mark.parametrize("tapped", ["nonsense", "move:", "Ua1", "enter:Zz9", "pick:N", "hand@N"])
def test_taps_that_make_no_sense_count_as_none(tapped):
    seen = positions()[0].seen
    assert look(seen, tapped) == look(seen)


def test_who_is_not_to_act_has_nothing_to_tap():
    for position in positions()[::7]:
        board = draw(position.seen, chosen="hand")
        assert not any(cell.tap or cell.sign for cell in cells(board).values())
        assert (board.pad, board.action) == ((), "")


# What has happened


def test_a_carpet_that_moved_leaves_traces_and_flies_in_only_once():
    flown = [p for p in positions() if p.last.get("moved")]
    for position in flown[::4]:
        start, end = position.last["moved"]["from"], position.last["moved"]["to"]
        board = draw(position.seen, last=[position.last], moving=1)
        traced = {cell_at(plane.key, at.x, at.y) for plane in board.planes for at in plane.traces}
        assert traced == {start, end}
        (carpet,) = [c for c in carpets(board) if c.cell == end]
        if start[0] == end[0]:
            assert carpet.flight.startswith("M")
        else:
            assert carpet.arrival == ("rises" if end[0] == "U" else "sinks")
        still = draw(position.seen, last=[position.last])
        assert not any(c.flight or c.arrival for c in carpets(still))


def test_captured_genies_go_up_in_smoke():
    captured = [p for p in positions() if p.last.get("captured")]
    assert captured
    for position in captured:
        board = draw(position.seen, last=[position.last], moving=1)
        (smoke,) = [(plane.key, plane.puff) for plane in board.planes if plane.puff]
        assert cell_at(smoke[0], smoke[1].x, smoke[1].y) == position.last["moved"]["to"]


def test_a_small_board_shows_the_position_only():
    position = next(p for p in positions() if p.last.get("moved"))
    small = draw(position.seen, interactive=True, last=[position.last], compact=True)
    assert (small.columns, small.rows) == ((), ())
    assert not any(plane.traces or plane.trail for plane in small.planes)
    assert not any(cell.tap for cell in cells(small).values())
