"""How the fast parts of the bots become machine code.

Only workers and commands import what is marked `compiled`; a web process never does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit

compiled: Callable[[Callable[..., Any]], Any] = njit(cache=True, nogil=True, error_model="numpy")
