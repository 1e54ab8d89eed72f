"""How gunicorn serves Souk; every value can be set in the environment."""

import os

from django.conf import settings

wsgi_app = "marrakech_site.wsgi:application"
bind = f"{os.environ.get('HOST', '127.0.0.1')}:{settings.PORT}"
workers = int(os.environ.get("WEB_CONCURRENCY", "2"))
threads = int(os.environ.get("WEB_THREADS", "4"))
worker_class = "gthread"
max_requests = 10_000
max_requests_jitter = 1_000
graceful_timeout = 5
logconfig_dict = settings.LOGGING
