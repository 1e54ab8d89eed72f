"""`python -m tests.chaos.skewed SECONDS celery-arguments…`: a worker whose clock is wrong."""

from __future__ import annotations

import sys
from datetime import timedelta

from celery.__main__ import main
from django.utils import timezone

right = timezone.now
wrong = timedelta(seconds=float(sys.argv.pop(1)))
timezone.now = lambda: right() + wrong
sys.argv[0] = "celery"
main()
