"""Static files through a deploy in which old and new processes answer side by side.

First `collectstatic` of the new release adds its files beside the old ones, which stay; then
processes are started anew, one after another. So whichever process is asked has the files of
both: an old one looks again for a name that it does not know, and each release reads the names
of its own files in a list of its own (`RELEASE` tells them apart).

Scripts and sheets are collected without their comments and blanks, which no browser needs.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile, File
from django.http import HttpRequest, HttpResponse
from rcssmin import cssmin
from rjsmin import jsmin
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import MissingFileError
from whitenoise.storage import CompressedManifestStaticFilesStorage

LIGHTER = {".css": cssmin, ".js": jsmin}


class Storage(CompressedManifestStaticFilesStorage):
    @property
    def manifest_name(self) -> str:
        return f"staticfiles-{settings.RELEASE}.json" if settings.RELEASE else "staticfiles.json"

    def _save(self, name: str, content: File[Any]) -> str:
        """Our own files only: those of others come as their makers want them."""
        lighter = LIGHTER.get(os.path.splitext(name)[1])
        if lighter and name.startswith("games/"):
            content.seek(0)  # whoever gave it a name by its content has read it
            content = ContentFile(lighter(content.read().decode()).encode())
        return str(super()._save(name, content))

    def compress_files(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Only what pages link to; a name by its content says that it was compressed before."""
        immutable = re.compile(settings.WHITENOISE_IMMUTABLE_FILE_TEST)
        new = [name for name in paths if immutable.search(name) and not self.exists(f"{name}.br")]
        yield from super().compress_files(new)


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
