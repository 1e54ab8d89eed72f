"""The WSGI entry point."""

import os
from importlib import import_module

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "marrakech_site.settings")

from django.conf import settings

from .bodies import Bodies

application = Bodies(
    get_wsgi_application(),
    largest=settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
    seconds=settings.BODY_TIMEOUT,
)
# Before the first request: the log knows by the routes which addresses hold tokens.
import_module(settings.ROOT_URLCONF)
