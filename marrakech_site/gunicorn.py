"""How gunicorn serves Souk; every value can be set in the environment."""

import os
import shutil
import sys
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from games.kept_mail.machine import check_host

try:
    check_host(settings.HOST, public=settings.PUBLIC)
except ImproperlyConfigured as error:
    sys.exit(str(error))

wsgi_app = "marrakech_site.wsgi:application"
bind = f"{settings.HOST}:{settings.PORT}"
workers = int(os.environ.get("WEB_CONCURRENCY", "2"))
threads = int(os.environ.get("WEB_THREADS", "4"))
worker_class = "gthread"
max_requests = 10_000
max_requests_jitter = 1_000
graceful_timeout = 5
logconfig_dict = settings.LOGGING

# Where the workers count; each server has a folder of its own (see metrics.py).
_counted_in = settings.DATA / "metrics" / str(os.getpid())
os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(_counted_in)


def on_starting(_: Any) -> None:
    # In a container the number comes again after a crash.
    shutil.rmtree(_counted_in, ignore_errors=True)
    # On a full disk each worker counts for itself.
    with suppress(OSError):
        _counted_in.mkdir(parents=True)


def on_exit(_: Any) -> None:
    shutil.rmtree(_counted_in, ignore_errors=True)
