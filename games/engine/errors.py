"""The one family of errors the engine raises on purpose."""

from __future__ import annotations


class RulesError(ValueError):
    """Something that was asked of the engine is against the rules."""


class BadNotation(RulesError):
    """The text of an action is not an action of this game at all."""


class NotYourDecision(RulesError):
    """The seat is not the one that must choose now."""


class IllegalAction(RulesError):
    """Well-formed, but not allowed in this position."""


class BadOptions(RulesError):
    """Rule options, or a number of seats, that the game does not know."""


class BadRecord(RulesError):
    """A record that does not replay to what it claims."""
