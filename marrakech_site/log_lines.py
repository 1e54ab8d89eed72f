"""Which loggers write, and in which form; the lines themselves are made in `logs`."""

from __future__ import annotations

from typing import Any


def log_lines(level: str, *, plain: bool) -> dict[str, Any]:
    """For `LOGGING`; plain lines are for somebody at a terminal."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"by_route": {"()": "marrakech_site.logs.ByRoute"}},
        "formatters": {
            "json": {"()": "marrakech_site.logs.JsonFormatter"},
            "plain": {"()": "marrakech_site.logs.PlainFormatter"},
        },
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "plain" if plain else "json",
            }
        },
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # Django's own handlers would print everything a second time, or mail it.
            "django": {"handlers": [], "propagate": True},
            "django.server": {"handlers": [], "propagate": True},
            "gunicorn.error": {"handlers": [], "propagate": True, "level": "WARNING"},
            # What was not found or not allowed has its line; this one would tell the address.
            "django.request": {"level": "ERROR", "filters": ["by_route"]},
            # Written whatever LOG_LEVEL says.
            "souk.security": {"level": "INFO"},
            # Its lines have addresses in clear; the security log has one for each of them.
            "axes": {"level": "ERROR"},
            # A task that comes and goes is no news, and beat sends them all day.
            "celery": {"level": "WARNING"},
        },
    }
