"""`python -m tools <command>`: the command line of developers, with the tools installed."""

from __future__ import annotations

import os

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "marrakech_site.settings_development"
    execute_from_command_line()
