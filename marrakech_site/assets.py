"""Static files through a deploy in which old and new processes answer side by side.

First `collectstatic` of the new release adds its files beside the old ones, which stay; then
processes are started anew, one after another. So whichever process is asked has the files of
both: an old one looks again for a name that it does not know, and each release reads the names
of its own files in a list of its own (`RELEASE` tells them apart).
"""

from __future__ import annotations

import os
from contextlib import suppress

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import MissingFileError
from whitenoise.storage import CompressedManifestStaticFilesStorage


class Storage(CompressedManifestStaticFilesStorage):
    @property
    def manifest_name(self) -> str:
        return f"staticfiles-{settings.RELEASE}.json" if settings.RELEASE else "staticfiles.json"


class AssetsMiddleware(WhiteNoiseMiddleware):
    def __call__(self, request: HttpRequest) -> HttpResponse:
        url = request.path_info
        if url.startswith(self.static_prefix) and url not in self.files:
            self._look_again(url)
        return super().__call__(request)

    def _look_again(self, url: str) -> None:
        """A file may have come since this process started."""
        root = os.path.join(self.static_root, "")
        path = os.path.abspath(os.path.join(root, url[len(self.static_prefix) :]))
        if not self.url_is_canonical(url) or not path.startswith(root):
            return
        with suppress(MissingFileError):
            self.files[url] = self.find_file_at_path(path, url)
