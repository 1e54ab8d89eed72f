"""The process that holds the streams to open pages: `python -m marrakech_site.live`."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "marrakech_site.settings")

if __name__ == "__main__":
    django.setup()
    from .uvicorn import serve

    serve()
