"""The throw-away servers are real."""

import psycopg
import redis


def test_postgres_answers(postgres_url):
    with psycopg.connect(postgres_url) as connection:
        assert connection.execute("select 6 * 7").fetchone() == (42,)


def test_redis_answers(redis_url):
    assert redis.Redis.from_url(redis_url).ping()
