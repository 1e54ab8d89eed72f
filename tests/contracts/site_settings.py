"""The settings as a site of this environment would have them, read anew in this process."""

from __future__ import annotations

import runpy
import warnings
from typing import Any
from unittest.mock import patch

import environ

from marrakech_site import sentry


class Environment(dict[str, str]):
    """Remembers which variables were asked for."""

    def __init__(self, given: dict[str, str]) -> None:
        super().__init__(given)
        self.asked: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self.asked.add(name)
        return super().__getitem__(name)


def settings_of(environment: Environment) -> dict[str, Any]:
    with (
        warnings.catch_warnings(),
        patch.object(environ.Env, "ENVIRON", environment),
        # Nothing is reported from a test.
        patch.object(sentry, "report_errors", lambda *_, **__: None),
    ):
        # The module is loaded already: by the tests.
        warnings.simplefilter("ignore", RuntimeWarning)
        return runpy.run_module("marrakech_site.settings")


def settings_with(**variables: str) -> dict[str, Any]:
    return settings_of(Environment(variables))
