"""The cache of a site: Redis, or files without it; while that fails, a table of the database.

Limits of sign-ins are counted in the cache. Without it nobody could sign in, and with limits
switched off anybody could guess.
"""

from __future__ import annotations

import logging
from typing import Any, ClassVar

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.db import DatabaseCache
from django.core.cache.backends.filebased import FileBasedCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

from games.rest import Rest

log = logging.getLogger(__name__)
redis = Rest(seconds=15)
files = Rest(seconds=15)


class _OrDatabase(BaseCache):
    """`LOCATION` is the place of the usual cache; the option `TABLE` names the table."""

    usual: ClassVar[type[RedisCache | FileBasedCache]]
    fails_by: ClassVar[type[Exception]]
    rest: ClassVar[Rest]

    def __init__(self, place: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        options = dict(params.get("OPTIONS", {}))
        table = options.pop("TABLE")
        # What one of them holds must not be culled by the habits of the other.
        entries = {"MAX_ENTRIES": options.pop("MAX_ENTRIES")}
        if self.usual is FileBasedCache:
            options |= entries
        self._usual = self.usual(place, {**params, "OPTIONS": options})
        self._database = DatabaseCache(table, {**params, "OPTIONS": entries})

    def _ask(self, method: str, *args: Any, **kwargs: Any) -> Any:
        if not self.rest.is_on:
            try:
                return getattr(self._usual, method)(*args, **kwargs)
            except self.fails_by as error:
                self.rest.begin()
                log.warning("the cache is in the database for a while: %s", error)
        return getattr(self._database, method)(*args, **kwargs)

    def add(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: Any = None) -> Any:
        return self._ask("add", key, value, timeout, version)

    def get(self, key: Any, default: Any = None, version: Any = None) -> Any:
        return self._ask("get", key, default, version)

    def set(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: Any = None) -> Any:
        return self._ask("set", key, value, timeout, version)

    def touch(self, key: Any, timeout: Any = DEFAULT_TIMEOUT, version: Any = None) -> Any:
        return self._ask("touch", key, timeout, version)

    def delete(self, key: Any, version: Any = None) -> Any:
        return self._ask("delete", key, version)

    def incr(self, key: Any, delta: int = 1, version: Any = None) -> Any:
        return self._ask("incr", key, delta, version)

    def clear(self) -> None:
        self._ask("clear")


class RedisOrDatabase(_OrDatabase):
    usual, fails_by, rest = RedisCache, RedisError, redis


class FilesOrDatabase(_OrDatabase):
    """The disk may be full."""

    usual, fails_by, rest = FileBasedCache, OSError, files
