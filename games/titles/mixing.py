"""Chance for compiled code: whole numbers that look random, the same on every machine."""

from __future__ import annotations

import numpy as np

from .compiling import compiled

LOW31 = (1 << 31) - 1
# Without signs: of numbers with a sign the compiler may take it that no product overflows, and
# each kind of processor gets another answer.
LOW63 = np.uint64((1 << 63) - 1)
STEP, ONCE, AGAIN = map(np.uint64, (0x1E3779B97F4A7C15, 0x3F58476D1CE4E5B9, 0x14D049BB133111EB))
FAR, NEAR, LAST = map(np.uint64, (30, 27, 31))


@compiled
def mixed(number):
    """A number that looks random, from any other: the source of all chance in here."""
    mix = (np.uint64(number) + STEP) & LOW63
    mix = ((mix ^ (mix >> FAR)) * ONCE) & LOW63
    mix = ((mix ^ (mix >> NEAR)) * AGAIN) & LOW63
    return np.int64(mix ^ (mix >> LAST))


@compiled
def below(random, n):
    """A number below n (a small one) from the low half of a random one."""
    return ((random & LOW31) * n) >> 31
