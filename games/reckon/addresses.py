"""E-mail addresses, as far as somebody may know them who has no need to write to them."""

from __future__ import annotations

import re

ADDRESS = re.compile(r"([^\s<>()\"',;:@])[^\s<>()\"',;:@]*@([\w.-]+)")


def masked(text: str) -> str:
    """Each address in it by its first letter and its domain: `y***@example.org`."""
    return ADDRESS.sub(r"\1***@\2", text)
