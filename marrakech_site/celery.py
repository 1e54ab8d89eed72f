"""The Celery application. Due work lives in the database; messages only wake workers up."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging, worker_init

from . import broker

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "marrakech_site.settings")

broker.register()
app = Celery("souk")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# For all threads: the web server's own must find it by Celery's `current_app`, too.
app.set_default()


@worker_init.connect
def keep_what_bots_compile(**_: Any) -> None:
    from django.conf import settings

    from games import bots

    bots.keep_compiled_in(settings.DATA / "compiled")


@setup_logging.connect
def use_the_site_logging(**_: Any) -> None:
    from logging.config import dictConfig

    from django.conf import settings

    dictConfig(settings.LOGGING)
