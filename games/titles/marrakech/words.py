"""How Marrakech speaks: of what was done, of what is to be done, and of how things stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.template.defaultfilters import floatformat
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, npgettext, pgettext

from games.engine.interface import LEAVING, Facts, SeenPending
from games.sentences import labelled, listed, paragraph, sentence
from games.titles.speaking import Words, colour_name

from .rules.actions import Lay, Roll, Turn, read

WAYS = "LSR"


class MarrakechWords(Words):
    def task(self, kind: str) -> str:
        match kind:
            case "lay":
                return _("Lay a rug")
            case "roll":
                return pgettext("task", "Roll the die")
            case "face":
                return _("Turn Assam for the next player")
            case _:
                return _("Choose a way for Assam")

    def choice(self, action: str, seen: Facts) -> str:
        label = _way(action)
        forecast = seen.get("forecast") or {}
        return labelled(label, self.cost(forecast[action])) if action in forecast else label

    def in_order(self, actions: Sequence[str]) -> list[str]:
        """Ways as they lie before Assam: left, straight on, right."""
        return sorted(actions, key=lambda action: (WAYS.find(action[-1]), action))

    def coach(self, kind: str, turn: int) -> list[str]:
        match kind, turn:
            case (("turn" | "roll"), 0):
                return [
                    _("Choose a way: then the die falls, and Assam walks that many squares."),
                    _("A good idea: go where no rugs of others lie, and you pay nothing."),
                ]
            case "turn", 1:
                return [
                    _("The marks show where he may stop: above the roll, below the price."),
                    _("A good idea: compare what the three ways cost on average."),
                ]
            case "turn", _:
                return [
                    _("On your own rugs you pay nothing."),
                    _("A good idea: walk towards them, and past the large fields of others."),
                ]
            case "lay", 0:
                return [
                    _("Lay a rug on two squares, one of them beside Assam."),
                    _("A good idea: next to Assam's way, where the other player comes along soon."),
                ]
            case "lay", 1:
                return [
                    _("Rugs of one colour side by side are a field; others pay for all of it."),
                    _("A good idea: make your field larger."),
                ]
            case "lay", _:
                return [
                    _("Each square that shows your colour at the end is a point."),
                    _("A good idea: cover half of a rug of somebody else; their field shrinks."),
                ]
        return []

    def cost(self, way: Facts) -> str:
        """What a way is likely to cost; see the forecast of an observation."""
        if not way["mean"]:
            return _("costs nothing")
        return _("costs about %(mean)s dirhams") % {"mean": floatformat(way["mean"], 1)}

    def deeds(
        self, action: str, facts: Facts, names: Sequence[str], *, own: bool = False
    ) -> list[str]:
        if action in LEAVING:
            return super().deeds(action, facts, names, own=own)
        return [*_done(action, own), *_brought(facts, names, own)]

    def advice(self, action: str, gain: float) -> str:
        return paragraph([_advice(action), _worth(gain)])

    def control(self, action: str) -> str:
        """What a control on the board does."""
        match read(action):
            case Turn("L"):
                return _("Turn left")
            case Turn("R"):
                return _("Turn right")
            case Turn():
                return _("Straight on")
            case Roll():
                return _("Roll the die")
            case Lay(one, other):
                return _("Lay the rug on %(one)s and %(other)s") % {"one": one, "other": other}

    def way(self, action: str) -> str:
        """A direction, in a word."""
        return _way(action)

    def confirmation(self, action: str) -> str:
        """The question that a chosen place for a rug asks."""
        match read(action):
            case Lay(one, other):
                return _("Lay your rug on %(one)s and %(other)s?") % {"one": one, "other": other}
        return _way(action)

    def position(self, seen: Facts, names: Sequence[str]) -> list[str]:
        return [
            _assam(seen["assam"]),
            *(line for player in seen["players"] for line in self._player(player, seen, names)),
            _("Two squares with a dash are one whole rug. All other squares are empty.")
            if seen["rugs"]
            else _("No rug lies on the board yet."),
        ]

    def _player(self, player: Facts, seen: Facts, names: Sequence[str]) -> Iterator[str]:
        name = names[player["seat"]]
        if player["in"]:
            squares = player["squares"]
            has = ngettext(
                "%(name)s: %(dirhams)s dirhams, %(squares)s square, %(points)s points.",
                "%(name)s: %(dirhams)s dirhams, %(squares)s squares, %(points)s points.",
                squares,
            ) % {
                "name": name,
                "dirhams": player["dirhams"],
                "squares": squares,
                "points": player["points"],
            }
            yield paragraph([has, sentence(self.rugs_left(player))])
        else:
            yield _("%(name)s is out of the game.") % {"name": name}
        for colour in player["colours"]:
            rugs = [rug["visible"] for rug in seen["rugs"] if rug["colour"] == colour]
            if rugs:
                shows = (
                    _("%(colour)s, of %(name)s, shows on %(rugs)s.")
                    if player["in"]
                    else _("%(colour)s, now of nobody, shows on %(rugs)s.")
                )
                squares = listed(sorted("–".join(visible) for visible in rugs))
                yield sentence(
                    shows % {"colour": colour_name(colour), "name": name, "rugs": squares}
                )

    def rugs_left(self, player: Facts) -> str:
        """How many rugs a player of an observation has not laid yet."""
        if len(player["colours"]) == 1:
            (left,) = player["rugs"].values()
            return ngettext("%(left)s rug left", "%(left)s rugs left", left) % {"left": left}
        parts = [
            _("%(left)s %(colour)s") % {"left": left, "colour": colour_name(colour)}
            for colour, left in player["rugs"].items()
        ]
        if not player["next"]:
            return listed(parts)
        upcoming = _("next: %(colour)s") % {"colour": colour_name(player["next"])}
        return f"{listed(parts)} · {upcoming}"

    def luck(self, sums: Mapping[str, int]) -> str:
        """How much less was paid than could be expected at the moment of each roll."""
        saved = round(sums.get("sixths", 0) / 6) - sums.get("paid", 0)
        paid = (
            ngettext(
                "%(n)s dirham less paid than to be expected",
                "%(n)s dirhams less paid than to be expected",
                saved,
            )
            if saved >= 0
            else ngettext(
                "%(n)s dirham more paid than to be expected",
                "%(n)s dirhams more paid than to be expected",
                -saved,
            )
        )
        return paid % {"n": abs(saved)}

    def reason(self, reason: str) -> str:
        return _("The last rug") if reason == "rugs" else super().reason(reason)

    def outcome(self, reason: str) -> str:
        return _("The last rug has been laid.") if reason == "rugs" else super().outcome(reason)

    def margin(self, over: SeenPending) -> int:
        first, second = _leaders(over)
        points = over["tallies"]["points"]
        return points[first] - points[second] if over["reason"] == "rugs" else 0

    def decided(self, over: SeenPending, names: Sequence[str], own: int | None) -> str:
        if over["reason"] != "rugs":
            return super().decided(over, names, own)
        first, second = _leaders(over)
        points, dirhams = over["tallies"]["points"], over["tallies"]["dirhams"]
        if len(over["ranking"][0]) > 1:
            said = {"points": points[first], "dirhams": dirhams[first]}
            return _("%(points)s points and %(dirhams)s dirhams each: nobody is ahead.") % said
        if points[first] > points[second]:
            return _ahead(points[first], self.margin(over), names[second], first == own)
        more = dirhams[first] - dirhams[second]
        return _tie_break(points[first], more, names[first], first == own)

    def count(self, name: str) -> str:
        match name:
            case "points":
                return _("Points")
            case "dirhams":
                return _("Dirhams")
            case _:
                return _("Squares")

    def peak(self, name: str) -> str:
        match name:
            case "payment":
                return _("Highest payment")
            case "region":
                return _("Largest region")
        return super().peak(name)

    def rule(self, option: str, value: Any) -> str:
        match option, value:
            case "insolvency", "out":
                return _(
                    "Whoever cannot pay in full is out, and the rugs left behind belong to nobody."
                )
            case "insolvency", _:
                return _("Whoever cannot pay in full pays what is there and plays on.")
            case "turning", "before":
                return _("Assam is turned, or left as he is, before the roll.")
            case "turning", _:
                return _(
                    "Assam is turned left or right at the end of a turn; "
                    "the next player must walk that way."
                )
            case _, True:
                return _("An own rug of which both halves show may be covered whole.")
        return _("Nobody may cover both halves of one rug at once.")


def _leaders(over: SeenPending) -> tuple[int, int]:
    """The seats of the first two places."""
    first, second, *_others = (seat for rank in over["ranking"] for seat in rank)
    return first, second


def _ahead(points: int, more: int, second: str, own: bool) -> str:
    said = {"points": points, "n": more, "name": second}
    if own:
        return _("You have %(points)s points, %(n)s more than %(name)s.") % said
    return _("%(points)s points, %(n)s more than %(name)s.") % said


def _tie_break(points: int, more: int, winner: str, own: bool) -> str:
    said = {"points": points, "n": more, "name": winner}
    if own:
        yours = ngettext(
            "%(points)s points each: you hold %(n)s dirham more.",
            "%(points)s points each: you hold %(n)s dirhams more.",
            more,
        )
        return yours % said
    theirs = ngettext(
        "%(points)s points each: %(name)s holds %(n)s dirham more.",
        "%(points)s points each: %(name)s holds %(n)s dirhams more.",
        more,
    )
    return theirs % said


def _way(action: str) -> str:
    match read(action):
        case Turn("L"):
            return _("Left")
        case Turn("R"):
            return _("Right")
        case Turn():
            return _("Straight")
        case Roll():
            return _("Roll")
        case Lay(one, other):
            return _("Lay the rug on %(one)s and %(other)s") % {"one": one, "other": other}


def _done(action: str, own: bool) -> Iterator[str]:
    match read(action):
        case Turn("L"):
            yield pgettext("you", "turned left") if own else _("turned left")
        case Turn("R"):
            yield pgettext("you", "turned right") if own else _("turned right")
        case Turn():
            yield pgettext("you", "went straight on") if own else _("went straight on")
        case Lay(one, other):
            laid = (
                pgettext("you", "laid a rug on %(one)s–%(other)s")
                if own
                else _("laid a rug on %(one)s–%(other)s")
            )
            yield laid % {"one": one, "other": other}


def _brought(facts: Facts, names: Sequence[str], own: bool) -> Iterator[str]:
    if "die" in facts:
        rolled = (
            pgettext("you", "rolled %(die)s to %(square)s")
            if own
            else _("rolled %(die)s to %(square)s")
        )
        yield rolled % {"die": facts["die"], "square": facts["assam"].split()[0]}
    if paid := facts.get("paid"):
        yield _paid(paid["amount"], paid["due"], names[paid["to"]], own)
    if facts.get("out"):
        yield pgettext("you", "and are out of the game") if own else _("and is out of the game")


def _paid(amount: int, due: int, payee: str, own: bool) -> str:
    said = {"amount": amount, "due": due, "payee": payee}
    if amount < due:
        only = (
            npgettext(
                "you",
                "paid only %(amount)s of %(due)s dirham to %(payee)s",
                "paid only %(amount)s of %(due)s dirhams to %(payee)s",
                due,
            )
            if own
            else ngettext(
                "paid only %(amount)s of %(due)s dirham to %(payee)s",
                "paid only %(amount)s of %(due)s dirhams to %(payee)s",
                due,
            )
        )
        return only % said
    paid = (
        npgettext(
            "you",
            "paid %(amount)s dirham to %(payee)s",
            "paid %(amount)s dirhams to %(payee)s",
            amount,
        )
        if own
        else ngettext(
            "paid %(amount)s dirham to %(payee)s", "paid %(amount)s dirhams to %(payee)s", amount
        )
    )
    return paid % said


def _advice(action: str) -> str:
    match read(action):
        case Turn("L"):
            return _("The Vizier would turn Assam to the left.")
        case Turn("R"):
            return _("The Vizier would turn Assam to the right.")
        case Turn():
            return _("The Vizier would let Assam go straight on.")
        case Roll():
            return _("The Vizier would roll: there is no choice.")
        case Lay(one, other):
            return _("The Vizier would lay the rug on %(one)s and %(other)s.") % {
                "one": one,
                "other": other,
            }


def _worth(gain: float) -> str:
    if gain < 0.05:
        return _("Another choice is just as good.")
    more = _("That is worth about %(points)s points more than the next best.")
    return more % {"points": floatformat(gain, 1)}


def _assam(assam: Facts) -> str:
    match assam["facing"]:
        case "north":
            stands = _("Assam stands on %(square)s and faces north.")
        case "east":
            stands = _("Assam stands on %(square)s and faces east.")
        case "south":
            stands = _("Assam stands on %(square)s and faces south.")
        case _:
            stands = _("Assam stands on %(square)s and faces west.")
    return stands % {"square": assam["square"]}


WORDS = MarrakechWords()
