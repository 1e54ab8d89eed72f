"""How Ifrito speaks: of what was done, of what is to be done, and of how things stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.template.defaultfilters import floatformat
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, npgettext, pgettext

from games.engine.interface import LEAVING, Facts, SeenPending
from games.sentences import ended, listed, paragraph
from games.titles.speaking import Words

from .board.choice import HAND, Choice, Way
from .board.drawing import Cell
from .cushions import CUSHIONS
from .rules.actions import Capture, Enter, Move, Pass, Pick, read


@dataclass(frozen=True)
class Question:
    """What a player is asked: a heading, a note below it, and what the button says that
    does what was chosen."""

    heading: str
    note: str = ""
    button: str = ""


class IfritoWords(Words):
    def task(self, kind: str) -> str:
        return _("Choose a genie to take off") if kind == "pick" else _("Move a carpet")

    def choice(self, action: str, seen: Facts) -> str:
        match read(action):
            case Pass():
                return _("Pass")
            case Pick(cushion):
                return _("Take the genie %(off)s") % {"off": CUSHIONS[cushion].off}
            case Enter(cell, str(cushion)):
                enter = _("Enter on %(cell)s with the genie %(on)s")
                return enter % {"cell": cell, "on": CUSHIONS[cushion].on}
            case Enter(cell):
                return _("Enter on %(cell)s without a genie") % {"cell": cell}
            case Capture(start, end):
                return _("Fly from %(start)s to %(end)s and capture the carpet there") % {
                    "start": start,
                    "end": end,
                }
            case Move(start, end, boards=str(cushion)):
                fly = _("Fly from %(start)s to %(end)s and take the genie %(onto)s")
                return fly % {"start": start, "end": end, "onto": CUSHIONS[cushion].onto}
            case Move(start, end, leaves=str(cushion)):
                fly = _("Fly from %(start)s to %(end)s and leave the genie %(off)s behind")
                return fly % {"start": start, "end": end, "off": CUSHIONS[cushion].off}
            case Move(start, end):
                return _("Fly from %(start)s to %(end)s") % {"start": start, "end": end}

    def coach(self, kind: str, turn: int) -> list[str]:
        match kind, turn:
            case "turn", 0:
                return [
                    _("Bring a carpet in at the edge: the genie there gets on."),
                    _("A good idea: seat it on the cushion that points to the middle."),
                ]
            case "turn", 1:
                return [
                    _("A carpet flies where a cushion with a genie points, one cell."),
                    _("A good idea: bring in another carpet, because only then may you capture."),
                ]
            case "turn", _:
                return [
                    _("You win with nine genies in your prison, or three captured carpets."),
                    _("A good idea: gather genies; who has as many as the other may capture."),
                ]
            case "pick", _:
                return [
                    _("Your carpet was captured, and you take one genie off the one that did it."),
                    _("A good idea: the one in the middle, which changes planes."),
                ]
        return []

    def from_hand(self) -> str:
        return _("A carpet from your hand")

    def deeds(
        self, action: str, facts: Facts, names: Sequence[str], *, own: bool = False
    ) -> list[str]:
        if action in LEAVING:
            return super().deeds(action, facts, names, own=own)
        return [_deed(action, facts, names, own)]

    def advice(self, action: str, gain: float) -> str:
        return paragraph([_advice(action), _worth(gain)])

    def position(self, seen: Facts, names: Sequence[str]) -> list[str]:
        return [
            *(_player(player, names) for player in seen["players"]),
            *(_carpet(carpet, names) for carpet in seen["carpets"] if carpet["cell"]),
            *_planes(seen["cells"]),
        ]

    def reason(self, reason: str) -> str:
        match reason:
            case "genies":
                return _("Nine genies")
            case "carpets":
                return _("Three carpets")
            case "stalled":
                return _("Nothing moves on")
        return super().reason(reason)

    def outcome(self, reason: str) -> str:
        match reason:
            case "genies":
                return _("Nine genies are in one prison.")
            case "carpets":
                return _("Three carpets have been captured by one player.")
            case "stalled":
                return _("Nothing leads any further, so the prisons are counted.")
        return super().outcome(reason)

    def decided(self, over: SeenPending, names: Sequence[str], own: int | None) -> str:
        said = [self.outcome(over["reason"])]
        if over["reason"] == "stalled":
            said += _tie_break(over, names, own)
        return paragraph(said)

    def count(self, name: str) -> str:
        match name:
            case "prison":
                return _("Genies in prison")
            case "captured":
                return _("Carpets captured")
        return _("Genies aboard")

    def peak(self, name: str) -> str:
        return _("Most genies in one capture") if name == "haul" else super().peak(name)

    def holds(self, player: Facts) -> str:
        """How many genies are aboard, and how many carpets still in hand."""
        aboard = _("%(n)s aboard") % {"n": player["aboard"]}
        if not player["hand"]:
            return aboard
        return f"{aboard} · " + _("%(n)s in hand") % {"n": player["hand"]}

    def cushion(self, cushion: str) -> str:
        return str(CUSHIONS[cushion].name)

    def cell(self, cell: Cell, names: Sequence[str]) -> str:
        """What a cell that can be tapped stands for."""
        match cell:
            case Cell(sign="source"):
                said = _("Take another carpet than that on %(cell_name)s")
            case Cell(sign="board"):
                said = _("%(cell_name)s: a genie gets on")
            case Cell(sign="free"):
                said = _("%(cell_name)s: a free cell")
            case Cell(sign="capture", way=Way(mine=mine, theirs=theirs, against=int(seat))):
                said = _(
                    "%(cell_name)s: capture the carpet of %(name)s, %(mine)s against %(theirs)s"
                )
                return said % {
                    "cell_name": cell.name,
                    "name": names[seat],
                    "mine": mine,
                    "theirs": theirs,
                }
            case Cell(sign="refused", way=Way(why=why)):
                refused = _("%(cell_name)s: not possible") % {"cell_name": cell.name}
                return paragraph([ended(refused), self.why(why)])
            case _:
                genies = cell.carpet.count if cell.carpet else 0
                said = ngettext(
                    "Your carpet on %(cell_name)s with %(n)s genie",
                    "Your carpet on %(cell_name)s with %(n)s genies",
                    genies,
                )
                return said % {"cell_name": cell.name, "n": genies}
        return said % {"cell_name": cell.name}

    def why(self, why: str) -> str:
        """Why a carpet cannot go somewhere; the codes are those of the rules."""
        match why:
            case "not_edge":
                return _("A carpet enters at the edge of a plane.")
            case "occupied":
                return _("A carpet lies there already.")
            case "no_genie":
                return _("No genie waits there, and elsewhere at the edge one does.")
            case "no_genies_aboard":
                return _("Without a genie aboard a carpet cannot fly.")
            case "own_carpet":
                return _("That carpet is yours too.")
            case "no_genie_for_plane":
                return _("Only a genie on the middle cushion takes the carpet to the other plane.")
            case "no_genie_for_direction":
                return _("No genie sits on the cushion that points there.")
            case "no_empty_cushion":
                return _("A genie stands there, and no cushion is empty.")
            case "empty_carpet":
                return _("A carpet without genies cannot be captured.")
            case "carpets_in_hand":
                return _("Before you capture, all your carpets must lie on the planes.")
            case "fewer_genies":
                return _("That carpet has more genies than yours.")
        return _("That is too far for one flight.")

    def question(self, choice: Choice, names: Sequence[str]) -> Question:
        """What is asked next after these taps."""
        match choice.step:
            case "pick":
                captured = _(
                    "%(name)s captured your carpet. "
                    "One genie of the carpet on %(cell)s must get off: which?"
                ) % {"name": names[choice.owner or 0], "cell": choice.picked_from}
                return Question(_("Choose a genie to take off"), captured, _("Take it off"))
            case "pass":
                nothing = _("None of your carpets can enter, fly or capture, so you pass.")
                return Question(_("Your turn: nothing can move"), nothing, _("Pass"))
            case "source":
                tap = _("Tap one of your carpets to see where it can go.")
                return Question(_("Your turn: which carpet?"), tap)
            case "target" if choice.source == HAND:
                return Question(_("Where does your carpet enter?"))
            case "target":
                where = _("Where does your carpet on %(source)s fly?")
                return Question(where % {"source": choice.source})
            case "cushion":
                which = _("On which cushion does the genie of %(goal)s sit?")
                return Question(which % {"goal": choice.target})
        return _confirmation(choice, names)


def _tie_break(over: SeenPending, names: Sequence[str], own: int | None) -> Iterator[str]:
    """Which count put the winner ahead where the prisons are equally full."""
    first, second, *_others = (seat for rank in over["ranking"] for seat in rank)
    prison, captured = over["tallies"]["genies"], over["tallies"]["carpets"]
    if len(over["ranking"][0]) > 1 or prison[first] != prison[second]:
        return
    if captured[first] != captured[second]:
        yours = _("The prisons are equally full: you captured more carpets.")
        theirs = _("The prisons are equally full: %(name)s captured more carpets.")
    else:
        yours = _("The prisons are equally full: you have more genies aboard.")
        theirs = _("The prisons are equally full: %(name)s has more genies aboard.")
    yield yours if first == own else theirs % {"name": names[first]}


def _confirmation(choice: Choice, names: Sequence[str]) -> Question:
    match choice.way, read(choice.action):
        case Way(kind="capture", mine=mine, theirs=theirs, against=int(seat)), _:
            capture = _("Capture the carpet of %(name)s on %(goal)s?")
            note = ngettext(
                "%(mine)s against %(theirs)s: that genie goes to your prison. "
                "Then %(name)s takes one genie off your carpet.",
                "%(mine)s against %(theirs)s: those genies go to your prison. "
                "Then %(name)s takes one genie off your carpet.",
                theirs,
            )
            said = {"name": names[seat], "goal": choice.target, "mine": mine, "theirs": theirs}
            return Question(capture % said, note % said, _("Capture"))
        case _, Enter(cell, None):
            return Question(
                _("Enter on %(goal)s without a genie?") % {"goal": cell}, "", _("Enter")
            )
        case _, Enter(cell, str(cushion)):
            enter = _("Enter on %(goal)s with the genie %(on)s?")
            said = {"goal": cell, "on": CUSHIONS[cushion].on}
            return Question(enter % said, "", _("Enter"))
        case _, Move(end=end, boards=str(cushion)):
            fly = _("Fly to %(goal)s and take the genie %(onto)s?")
            said = {"goal": end, "onto": CUSHIONS[cushion].onto}
            return Question(fly % said, "", _("Fly"))
        case _, Move(end=end, leaves=str(cushion)):
            fly = _("Fly to %(goal)s and leave the genie %(off)s behind?")
            said = {"goal": end, "off": CUSHIONS[cushion].off}
            return Question(fly % said, "", _("Fly"))
    stay = _("A genie can stay behind on %(source)s: tap it.") % {"source": choice.source}
    return Question(
        _("Fly to %(goal)s?") % {"goal": choice.target},
        stay if choice.cushion_taps else "",
        _("Fly"),
    )


def _deed(action: str, facts: Facts, names: Sequence[str], own: bool) -> str:
    match read(action):
        case Pass():
            return pgettext("you", "passed") if own else _("passed")
        case Capture(start, end):
            return _captured(start, end, facts["captured"], names, own)
        case Pick(cushion):
            took = (
                pgettext("you", "took the genie %(off)s of a carpet of %(name)s")
                if own
                else _("took the genie %(off)s of a carpet of %(name)s")
            )
            return took % {"off": CUSHIONS[cushion].off, "name": names[facts["taken"]["seat"]]}
        case Enter(cell, boards):
            return _entered(cell, boards, own)
        case Move(start, end, boards, leaves):
            return _flew(start, end, boards, leaves, own)


def _entered(cell: str, boards: str | None, own: bool) -> str:
    if boards:
        entered = (
            pgettext("you", "entered on %(cell)s with the genie %(on)s")
            if own
            else _("entered on %(cell)s with the genie %(on)s")
        )
        return entered % {"cell": cell, "on": CUSHIONS[boards].on}
    entered = (
        pgettext("you", "entered on %(cell)s without a genie")
        if own
        else _("entered on %(cell)s without a genie")
    )
    return entered % {"cell": cell}


def _captured(start: str, end: str, captured: Facts, names: Sequence[str], own: bool) -> str:
    genies = captured["genies"]
    said = (
        npgettext(
            "you",
            "flew from %(start)s to %(end)s and captured a carpet of %(name)s "
            "with %(genies)s genie",
            "flew from %(start)s to %(end)s and captured a carpet of %(name)s "
            "with %(genies)s genies",
            genies,
        )
        if own
        else ngettext(
            "flew from %(start)s to %(end)s and captured a carpet of %(name)s "
            "with %(genies)s genie",
            "flew from %(start)s to %(end)s and captured a carpet of %(name)s "
            "with %(genies)s genies",
            genies,
        )
    )
    return said % {"start": start, "end": end, "name": names[captured["seat"]], "genies": genies}


def _flew(start: str, end: str, boards: str | None, leaves: str | None, own: bool) -> str:
    said = {"start": start, "end": end}
    if boards:
        flew = (
            pgettext("you", "flew from %(start)s to %(end)s and took the genie %(onto)s")
            if own
            else _("flew from %(start)s to %(end)s and took the genie %(onto)s")
        )
        return flew % {**said, "onto": CUSHIONS[boards].onto}
    if leaves:
        flew = (
            pgettext("you", "flew from %(start)s to %(end)s and left the genie %(off)s behind")
            if own
            else _("flew from %(start)s to %(end)s and left the genie %(off)s behind")
        )
        return flew % {**said, "off": CUSHIONS[leaves].off}
    flew = (
        pgettext("you", "flew from %(start)s to %(end)s")
        if own
        else _("flew from %(start)s to %(end)s")
    )
    return flew % said


def _advice(action: str) -> str:
    match read(action):
        case Pass():
            return _("The Vizier would pass.")
        case Pick(cushion):
            take = _("The Vizier would take the genie %(off)s.")
            return take % {"off": CUSHIONS[cushion].off}
        case Enter(cell, str(cushion)):
            enter = _("The Vizier would enter on %(cell)s with the genie %(on)s.")
            return enter % {"cell": cell, "on": CUSHIONS[cushion].on}
        case Enter(cell):
            return _("The Vizier would enter on %(cell)s without a genie.") % {"cell": cell}
        case Capture(start, end):
            fly = _("The Vizier would fly from %(start)s to %(end)s and capture the carpet there.")
            return fly % {"start": start, "end": end}
        case Move(start, end, boards=str(cushion)):
            fly = _("The Vizier would fly from %(start)s to %(end)s and take the genie %(onto)s.")
            return fly % {"start": start, "end": end, "onto": CUSHIONS[cushion].onto}
        case Move(start, end, leaves=str(cushion)):
            fly = _(
                "The Vizier would fly from %(start)s to %(end)s and leave the genie %(off)s behind."
            )
            return fly % {"start": start, "end": end, "off": CUSHIONS[cushion].off}
        case Move(start, end):
            fly = _("The Vizier would fly from %(start)s to %(end)s.")
            return fly % {"start": start, "end": end}


def _worth(gain: float) -> str:
    if gain < 0.05:
        return _("Another choice is just as good.")
    more = _("That is worth about %(genies)s genies more than the next best.")
    return more % {"genies": floatformat(gain, 1)}


def _player(player: Facts, names: Sequence[str]) -> str:
    name = names[player["seat"]]
    if not player["in"]:
        return _("%(name)s is out of the game.") % {"name": name}
    taken = _(
        "%(name)s: %(prison)s of 9 genies imprisoned, %(captured)s of 3 carpets captured."
    ) % {"name": name, "prison": player["prison"], "captured": player["captured"]}
    hand = ngettext("%(n)s carpet in hand.", "%(n)s carpets in hand.", player["hand"])
    return paragraph([taken, hand % {"n": player["hand"]}])


def _carpet(carpet: Facts, names: Sequence[str]) -> str:
    said = {
        "name": names[carpet["seat"]],
        "cell": carpet["cell"],
        "cushions": listed(CUSHIONS[cushion].name for cushion in carpet["cushions"]),
    }
    if not carpet["cushions"]:
        return _("A carpet of %(name)s lies on %(cell)s without genies.") % said
    lies = _("A carpet of %(name)s lies on %(cell)s with genies on these cushions: %(cushions)s.")
    return lies % said


def _planes(cells: Facts) -> Iterator[str]:
    upper, lower = (
        " ".join(name for name, cell in cells.items() if cell["genie"] and name[0] == plane)
        for plane in "UL"
    )
    yield (
        _("Upper plane, genies on: %(cells)s.") % {"cells": upper}
        if upper
        else _("Upper plane: no genies.")
    )
    yield (
        _("Lower plane, genies on: %(cells)s.") % {"cells": lower}
        if lower
        else _("Lower plane: no genies.")
    )


WORDS = IfritoWords()
