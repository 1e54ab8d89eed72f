"""The Celery application. Due work lives in the database; messages only wake workers up."""

from __future__ import annotations

import os
import time
import warnings
from functools import partial
from threading import Thread
from typing import Any

from celery import Celery
from celery.apps import worker
from celery.exceptions import SecurityWarning
from celery.signals import celeryd_after_setup, setup_logging, worker_init

from . import broker
from .alive import Alive

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "marrakech_site.settings")

# Celery's own words on stderr would stand between the lines of our log. That the superuser runs
# it is dangerous only where messages may hold code; ours are JSON.
warnings.filterwarnings("ignore", category=SecurityWarning)
worker.safe_say = lambda *_, **__: None  # type: ignore[attr-defined]

broker.register()
app = Celery("souk")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# For all threads: the web server's own must find it by Celery's `current_app`, too.
app.set_default()
app.steps["worker"].add(Alive)


@worker_init.connect
def keep_what_bots_compile(**_: Any) -> None:
    from django.conf import settings

    from games import bots

    bots.keep_compiled_in(settings.DATA / "compiled")


@celeryd_after_setup.connect
def sweep_whatever_happens(instance: Any, **_: Any) -> None:
    """Players' time runs out whether or not there is a broker or a beat to say so."""
    from games import workers
    from games.selectors.overdue import database_now
    from games.services import timeouts

    if workers.SWEEPS_QUEUE in instance.app.amqp.queues.consume_from:
        sweeping = partial(timeouts.keep_sweeping, clock=database_now, wait=_rest)
        Thread(target=sweeping, name="sweep", daemon=True).start()


def _rest(seconds: float) -> None:
    """Connections that were cut, or are old, are not used afterwards."""
    from django.db import close_old_connections

    close_old_connections()
    time.sleep(seconds)


@setup_logging.connect
def use_the_site_logging(**_: Any) -> None:
    from logging.config import dictConfig

    from django.conf import settings

    dictConfig(settings.LOGGING)
