"""Benchmarks that need a database of their own run in a process of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from typing import Any


def run_child(module: str, *arguments: str, **variables: str) -> Any:
    """Run `module` with an empty data folder; what it prints last is its result."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "marrakech_site.settings",
            "LOG_LEVEL": "CRITICAL",
            "SOUK_DATA": folder,
            **variables,
        }
        # The package has imported the module already; running it anew is what we want.
        quiet = ["-W", "ignore::RuntimeWarning"]
        command = [sys.executable, *quiet, "-m", module, *arguments]
        printed = subprocess.check_output(command, env=environment, text=True)  # noqa: S603
    return json.loads(printed.splitlines()[-1])
