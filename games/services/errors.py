"""How a service says no: with a sentence the player can read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class Refused(Exception):
    """What was asked is not possible; the message is translated and nothing was changed."""

    def __init__(self, message: StrOrPromise) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return str(self.message)
