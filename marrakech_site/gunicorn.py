"""How gunicorn serves Souk; every value can be set in the environment."""

import os
import sys

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
