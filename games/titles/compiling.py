"""How the fast parts of the bots become machine code, and where it is kept.

Only workers and commands import what is marked `compiled`; a web process never does.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba import config, njit
from numba.core.caching import UserProvidedCacheLocator

APP = Path(__file__).parents[2]


class SharedCacheLocator(UserProvidedCacheLocator):
    """Compiled code is found by the module's place in Souk, not by the checkout's place on the
    disk: all checkouts and releases with the same source share it. Numba compares the source."""

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        return ".".join(Path(py_file).resolve().parent.relative_to(APP).parts)


config.CACHE_LOCATOR_CLASSES = f"{__name__}.SharedCacheLocator,InTreeCacheLocator"

compiled: Callable[[Callable[..., Any]], Any] = njit(cache=True, nogil=True, error_model="numpy")
