"""The environment, read with one clear sentence for what makes no sense in it."""

from __future__ import annotations

import warnings
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured


class Env(environ.Env):
    """The sentence names the variable and not its value: passwords are among them."""

    def get_value(self, var: str, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().get_value(var, *args, **kwargs)
        except ValueError:
            raise _misread(var) from None

    def db_url(self, var: str, *args: Any, **kwargs: Any) -> Any:
        # What it knows nothing of it would print, password and all; the settings say it better.
        with warnings.catch_warnings(action="ignore"):
            try:
                return super().db_url(var, *args, **kwargs)
            except ValueError:
                raise _misread(var) from None


def _misread(var: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"{var} cannot be understood. See docs/settings.md for its form.")
