"""Chance for compiled code: whole numbers that look random, the same on every machine."""

from __future__ import annotations

from .compiling import compiled

LOW63, LOW31 = (1 << 63) - 1, (1 << 31) - 1


@compiled
def mixed(number):
    """A number that looks random, from any other: the source of all chance in here."""
    number = (number + 0x1E3779B97F4A7C15) & LOW63
    number = ((number ^ (number >> 30)) * 0x3F58476D1CE4E5B9) & LOW63
    number = ((number ^ (number >> 27)) * 0x14D049BB133111EB) & LOW63
    return number ^ (number >> 31)


@compiled
def below(random, n):
    """A number below n (a small one) from the low half of a random one."""
    return ((random & LOW31) * n) >> 31
