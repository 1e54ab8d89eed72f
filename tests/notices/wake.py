"""Run as a process of its own: `python -m tests.notices.wake times`: wake all senders at once."""

from __future__ import annotations

import sys

import django

django.setup()

from games.tasks import drain_notices  # noqa: E402

for _ in range(int(sys.argv[1])):
    drain_notices.delay()
