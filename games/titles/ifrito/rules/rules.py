"""The ruleset of Ifrito: what each action does, and when the game ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NoReturn

from games.engine.errors import BadOptions, IllegalAction
from games.engine.interface import (
    LAST_PLAYER,
    Decide,
    Facts,
    Figures,
    Options,
    Over,
    Pile,
    Played,
    Ruleset,
    must_be_in,
    must_decide,
    must_seat,
)

from .actions import Capture, Enter, Move, Pass, Pick, read
from .figures import counts, figures
from .geometry import BIT, CELL, CELLS, CUSHION, READING_ORDER
from .observation import observe
from .position import WHY_NOT, can_act, entry_refusal, flight_refusal, legal_actions
from .state import GONE, HAND, State, opening

PRISON_TO_WIN = 9
CARPETS_TO_WIN = 3
QUIET_TURNS = 100
REPETITIONS = 3


class Ifrito:
    """No dice and no secrets: there is never a chance node, and every viewer sees the same."""

    key = "ifrito"
    seat_counts: tuple[int, ...] = (2, 3, 4)
    presets: Mapping[str, Options] = {"standard": {}}
    recorded: tuple[str, ...] = ("out",)
    die: tuple[int, ...] = ()

    def options(self, given: Options) -> Options:
        if given:
            raise BadOptions(f"Ifrito has no options, got {', '.join(map(str, given))}")
        return {}

    def colours(self, seats: int) -> tuple[tuple[str, ...], ...]:
        self._check_seats(seats)
        return (("red",), ("blue",), ("amber",), ("green",))[:seats]

    def decks(self, seats: int, options: Options) -> tuple[Pile, ...]:
        self._check_seats(seats)
        self.options(options)
        return ()

    def start(self, seats: int, options: Options, piles: tuple[Pile, ...]) -> State:
        self._check_seats(seats)
        self.options(options)
        if piles:
            raise BadOptions("Ifrito has no piles")
        return opening(seats)

    def revealed(self, state: State) -> tuple[Pile, ...]:
        return ()

    def pending(self, state: State) -> Decide | Over:
        if state.ended:
            tallies = {"genies": state.prison, "carpets": state.captured}
            return Over(state.ended, _ranking(state), tallies)
        if state.pick:
            return Decide(state.pick[0], "pick")
        return Decide(state.turn, "turn")

    def legal(self, state: State) -> tuple[str, ...]:
        return legal_actions(state)

    def decide(self, state: State, seat: int, action: str) -> tuple[State, Facts]:
        meant = read(action)
        decision = must_decide(self.pending(state), seat)
        if isinstance(meant, Pick) != (decision.kind == "pick"):
            _refuse(action, f"expected a {decision.kind}")
        match meant:
            case Enter(cell, cushion):
                return _enter(state, action, cell, cushion)
            case Move():
                return _move(state, action, meant)
            case Capture(start, end):
                return _capture(state, action, start, end)
            case Pick(cushion):
                return _pick(state, action, cushion)
            case Pass():
                return _pass(state, action)

    def land(self, state: State, face: int) -> tuple[State, Facts]:
        raise IllegalAction(f"no die falls in Ifrito, got {face}")

    def leave(self, state: State, seat: int) -> tuple[State, Facts]:
        """The carpets go with their genies; the prison stays on the books for the tallies."""
        must_be_in(seat, state.seats, state.left, over=bool(state.ended))
        facts: dict[str, object] = {"out": [seat]}
        owed_pick = state.pick is not None and state.pick[0] == seat
        if state.pick and owed_pick:
            carpet = state.pick[1]
            cushion = next(n for n in READING_ORDER if state.seated[carpet] & CUSHION[n])
            state, facts["taken"] = _take(state, carpet, cushion)
        goes = state.carpets(seat)
        state = state._replace(
            places=tuple(GONE if c in goes else place for c, place in enumerate(state.places)),
            seated=tuple(0 if c in goes else mask for c, mask in enumerate(state.seated)),
            left=(*state.left, seat),
            seen=(),
        )
        if len(state.left) == state.seats - 1:
            return state._replace(pick=None, ended=LAST_PLAYER), facts
        if seat == state.turn or owed_pick:
            return _next_turn(state), facts
        if state.pick or _anyone_can_act(state, state.turn):
            return state, facts
        return state._replace(ended="stalled"), facts

    def observe(self, state: State, viewer: int | None) -> Facts:
        return observe(state, viewer, self.pending(state), self.colours(state.seats))

    def counts(self, state: State) -> Mapping[str, tuple[int, ...]]:
        return counts(state)

    def figures(self, seats: int, played: Iterable[Played]) -> tuple[Figures, ...]:
        return figures(seats, played)

    def _check_seats(self, seats: int) -> None:
        must_seat("Ifrito", self.seat_counts, seats)


def _enter(state: State, action: str, name: str, cushion: str | None) -> tuple[State, Facts]:
    cell = CELL[name]
    carpet = next((c for c in state.carpets(state.turn) if state.places[c] == HAND), None)
    if carpet is None:
        _refuse(action, "no carpet is in hand")
    if why := entry_refusal(state, cell):
        _refuse(action, WHY_NOT[why])
    genie = state.genies & BIT[cell]
    if genie and not cushion:
        _refuse(action, "the genie there must sit down on a cushion")
    if cushion and not genie:
        _refuse(action, "no genie is there to sit down")
    entered = state._replace(
        genies=state.genies & ~BIT[cell],
        places=_with(state.places, carpet, cell),
        seated=_with(state.seated, carpet, CUSHION[cushion] if cushion else 0),
        quiet=0,
        seen=(),
    )
    facts = {"entered": {"carpet": carpet, "cell": name}, "boarded": cushion}
    return _next_turn(entered), facts


def _move(state: State, action: str, move: Move) -> tuple[State, Facts]:
    carpet, target = _flight(state, action, move.start, move.end)
    if target in state.places:
        _refuse(action, "a carpet lies there: it can only be captured")
    genies, aboard = state.genies, state.seated[carpet]
    facts: dict[str, object] = {"moved": {"carpet": carpet, "from": move.start, "to": move.end}}
    if genies & BIT[target]:
        if not move.boards:
            _refuse(action, "the genie there must board on an empty cushion, and none may be left")
        if aboard & CUSHION[move.boards]:
            _refuse(action, f"cushion {move.boards} is taken")
        genies &= ~BIT[target]
        aboard |= CUSHION[move.boards]
        facts["boarded"] = move.boards
    elif move.boards:
        _refuse(action, "no genie is there to board")
    elif move.leaves:
        if not aboard & CUSHION[move.leaves]:
            _refuse(action, f"no genie sits on cushion {move.leaves}")
        genies |= BIT[CELL[move.start]]
        aboard &= ~CUSHION[move.leaves]
        facts["left"] = move.leaves
    moved = state._replace(
        genies=genies,
        places=_with(state.places, carpet, target),
        seated=_with(state.seated, carpet, aboard),
        quiet=state.quiet + 1,
    )
    return _next_turn(moved), facts


def _capture(state: State, action: str, start: str, end: str) -> tuple[State, Facts]:
    carpet, target = _flight(state, action, start, end)
    if target not in state.places:
        _refuse(action, "no carpet lies there")
    attacker, attacked = state.turn, state.places.index(target)
    victim, taken = state.owner(attacked), state.seated[attacked].bit_count()
    prison, captured = state.prison[attacker] + taken, state.captured[attacker] + 1
    ended = ""
    if prison >= PRISON_TO_WIN:
        ended = "genies"
    elif captured >= CARPETS_TO_WIN:
        ended = "carpets"
    after = state._replace(
        places=_with(_with(state.places, attacked, HAND), carpet, target),
        seated=_with(state.seated, attacked, 0),
        prison=_with(state.prison, attacker, prison),
        captured=_with(state.captured, attacker, captured),
        pick=None if ended else (victim, carpet),
        quiet=0,
        seen=(),
        ended=ended,
    )
    facts = {
        "moved": {"carpet": carpet, "from": start, "to": end},
        "captured": {"seat": victim, "carpet": attacked, "genies": taken},
    }
    return after, facts


def _pick(state: State, action: str, cushion: str) -> tuple[State, Facts]:
    assert state.pick is not None
    carpet = state.pick[1]
    if not state.seated[carpet] & CUSHION[cushion]:
        _refuse(action, f"no genie sits on cushion {cushion} of the attacking carpet")
    state, taken = _take(state, carpet, cushion)
    return _next_turn(state), {"taken": taken}


def _pass(state: State, action: str) -> tuple[State, Facts]:
    if can_act(state, state.turn):
        _refuse(action, "passing is only for a player with no other action")
    return _next_turn(state._replace(quiet=state.quiet + 1)), {}


def _flight(state: State, action: str, start: str, end: str) -> tuple[int, int]:
    """The own carpet and the cell it may go to, or the reason why not."""
    cell, target = CELL[start], CELL[end]
    carpet = next((c for c in state.carpets(state.turn) if state.places[c] == cell), None)
    if carpet is None:
        _refuse(action, f"no own carpet lies on {CELLS[cell]}")
    if why := flight_refusal(state, carpet, target):
        _refuse(action, WHY_NOT[why])
    return carpet, target


def _take(state: State, carpet: int, cushion: str) -> tuple[State, dict[str, object]]:
    """A genie of the attacking carpet becomes the mark of the carpet it captured."""
    aboard = state.seated[carpet] & ~CUSHION[cushion]
    facts: dict[str, object] = {
        "seat": state.owner(carpet),
        "carpet": carpet,
        "cushion": cushion,
    }
    return state._replace(seated=_with(state.seated, carpet, aboard)), facts


def _next_turn(state: State) -> State:
    """Pass the turn on, unless the game stalls there.

    That every carpet lies on the board without a genie is the plainest case of nobody
    having a legal action, and needs no check of its own.
    """
    turn = (state.turn + 1) % state.seats
    while turn in state.left:
        turn = (turn + 1) % state.seats
    key = state.key(turn)
    stalled = (
        state.quiet >= QUIET_TURNS
        or state.seen.count(key) + 1 >= REPETITIONS
        or not _anyone_can_act(state, turn)
    )
    return state._replace(
        turn=turn,
        pick=None,
        seen=(*state.seen, key),
        ended="stalled" if stalled else "",
    )


def _anyone_can_act(state: State, first: int) -> bool:
    """Asks the seat to act first: it nearly always can, and the others need no look then."""
    return can_act(state, first) or any(can_act(state, seat) for seat in range(state.seats))


def _ranking(state: State) -> tuple[tuple[int, ...], ...]:
    """A winner by capture, the others by their counts, then leavers from the last to the first."""
    ranks: list[tuple[int, ...]] = []
    staying = [seat for seat in range(state.seats) if seat not in state.left]
    if state.ended in ("genies", "carpets"):
        ranks.append((state.turn,))
        staying.remove(state.turn)
    counts = {s: (state.prison[s], state.captured[s], state.aboard(s)) for s in staying}
    ranks += [
        tuple(seat for seat in staying if counts[seat] == count)
        for count in sorted(set(counts.values()), reverse=True)
    ]
    return (*ranks, *((seat,) for seat in reversed(state.left)))


def _with(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return (*values[:index], value, *values[index + 1 :])


def _refuse(action: str, why: str) -> NoReturn:
    raise IllegalAction(f"{action}: {why}")


IFRITO: Ruleset[State] = Ifrito()
