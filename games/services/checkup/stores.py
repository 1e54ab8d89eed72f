"""The servers that Souk keeps things in, and whether their clocks agree."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import redis
from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from games import workers
from games.services.checkup.findings import Finding, advice, fault, first_line, ok

PATIENCE = 5
OLDEST_POSTGRESQL = 140000
CLOCKS_MAY_DIFFER = timedelta(seconds=5)


def examine_database(now: datetime) -> Iterator[Finding]:
    try:
        connection.ensure_connection()
    except DatabaseError as error:
        yield fault("database", f"It does not answer: {first_line(error)}")
        return
    yield from _version()
    yield _migrations()
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT clock_timestamp()")
            yield _clock("the database", cursor.fetchone()[0], now)


def _version() -> Iterator[Finding]:
    name = connection.settings_dict["NAME"]
    if connection.vendor != "postgresql":
        yield ok("database", f"SQLite in {name}")
        return
    version = connection.cursor().connection.info.server_version
    shown = f"PostgreSQL {version // 10000}.{version % 10000}"
    if version < OLDEST_POSTGRESQL:
        yield fault("database", f"{shown} is too old: 14 or newer is needed.")
    else:
        yield ok("database", f"{shown}, database {name}")


def _migrations() -> Finding:
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if plan:
        names = ", ".join(f"{migration.app_label}.{migration.name}" for migration, _ in plan[:5])
        more = f" and {len(plan) - 5} more" if len(plan) > 5 else ""
        return fault("migrations", f"Not applied: {names}{more}. Run manage.py migrate")
    unknown = set(executor.loader.applied_migrations) - set(executor.loader.graph.nodes)
    ours = sorted(name for label, name in unknown if label == "games")
    if ours:
        return advice(
            "migrations",
            f"The database is of a newer Souk than this: it has {', '.join(ours)}.",
        )
    return ok("migrations", "All applied")


def examine_broker(now: datetime) -> Iterator[Finding]:
    shown = _without_password(settings.CELERY_BROKER_URL)
    try:
        workers.can_be_woken()
    except Exception as error:
        yield fault("broker", f"{shown} does not answer: {first_line(error)}")
        return
    if not settings.REDIS_URL:
        yield ok("broker", "Files in the data folder, for one machine")
        return
    with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=PATIENCE) as server:
        version = server.info("server")["redis_version"]
        seconds, microseconds = server.time()
    yield ok("broker", f"Redis {version} at {shown}")
    its_time = datetime.fromtimestamp(seconds + microseconds / 1e6, UTC)
    yield _clock("Redis", its_time, now)


def examine_cache() -> Iterator[Finding]:
    name, value = f"doctor-{secrets.token_hex(8)}", secrets.token_hex(8)
    try:
        cache.set(name, value, timeout=60)
        found = cache.get(name)
        cache.delete(name)
    except Exception as error:
        yield fault("cache", f"It does not work: {first_line(error)}")
        return
    if found != value:
        yield fault("cache", "It forgets at once what it was given.")
    elif settings.REDIS_URL:
        yield _redis_keeps(name, value)
    else:
        yield ok("cache", f"Files in {settings.DATA / 'cache'}")


def _redis_keeps(name: str, value: str) -> Finding:
    """Asked itself, because whoever asks the cache is not told that something stands in."""
    try:
        with redis.Redis.from_url(settings.REDIS_URL, **settings.REDIS_WAITS) as server:
            server.set(name, value, ex=60)
            server.delete(name)
    except redis.RedisError as error:
        return fault(
            "cache",
            f"Redis keeps nothing, and a table of the database stands in: {first_line(error)}",
        )
    return ok("cache", "Redis")


def _clock(whose: str, its_time: datetime, now: datetime) -> Finding:
    ahead = its_time - now
    if abs(ahead) > CLOCKS_MAY_DIFFER:
        direction = "ahead of" if ahead > timedelta(0) else "behind"
        return fault(
            "clocks",
            f"The clock of {whose} is {abs(ahead.total_seconds()):.0f} seconds {direction} "
            "the one here. Set both by NTP: deadlines hang on them.",
        )
    return ok("clocks", f"{whose[0].upper()}{whose[1:]} and this machine agree")


def _without_password(url: str) -> str:
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}"
