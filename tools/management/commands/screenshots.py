"""Pictures of the main pages, taken of a site that exists only for them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import TYPE_CHECKING, Any, Literal

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
from django.core.wsgi import get_wsgi_application
from django.utils import timezone

from games.models import Player
from games.selectors.table import see_table
from tools.screenshot_site import Screen, make_screens
from tools.sessions import session_cookie

if TYPE_CHECKING:
    from playwright.sync_api import Page

DEVICES: dict[str, Any] = {
    "phone": {"viewport": {"width": 360, "height": 740}, "device_scale_factor": 2},
    "desktop": {"viewport": {"width": 1280, "height": 800}},
}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
README_PICTURE = settings.BASE_DIR / "games/static/games/img/screenshot.png"
MOMENTS, BETWEEN = 6, 250
FLAGS = ["--no-sandbox", "--disable-background-networking"]


class Command(BaseCommand):
    help = "Take pictures of the main pages, by day and by night, on a phone and on a desktop."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", nargs="?", default="var/screenshots", type=Path)
        parser.add_argument("--only", default="", help="pages whose name starts with this")
        parser.add_argument("--language", default="en", help="in which language the site speaks")
        parser.add_argument("--full", action="store_true", help="whole pages, not what fits")
        parser.add_argument("--readme", action="store_true", help="renew the README's picture too")
        parser.add_argument("--throw-away", action="store_true", help="the data folder is ours")

    def handle(self, *, folder: Path, throw_away: bool, **options: Any) -> None:
        if not throw_away:
            return self._start_over_with_a_folder_of_our_own()
        chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        if not chromium:
            raise CommandError("Chromium is needed: apt-get install chromium-headless-shell")
        if options["language"] not in dict(settings.LANGUAGES):
            raise CommandError(f"--language is one of {', '.join(dict(settings.LANGUAGES))}.")
        folder.mkdir(parents=True, exist_ok=True)
        call_command("migrate", verbosity=0)
        call_command("compilemessages", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        screens = [
            screen
            for screen in make_screens(timezone.now())
            if screen.name.startswith(options["only"])
        ]
        with _served() as address:
            count = _take_pictures(
                screens,
                folder,
                address,
                chromium,
                full=options["full"],
                language=options["language"],
            )
        if options["readme"]:
            _reduce_colours(folder / "table-desktop-light.png", README_PICTURE)
        self.stdout.write(f"{count} pictures in {folder}")
        return None

    def _start_over_with_a_folder_of_our_own(self) -> None:
        """The settings are read at the start, so another data folder needs another process."""
        with TemporaryDirectory(prefix="souk-screens-") as data:
            environment = {**os.environ, "SOUK_DATA": data, "LOG_LEVEL": "ERROR"}
            command = [sys.executable, "-m", "tools", *sys.argv[1:], "--throw-away"]
            done = subprocess.run(command, env=environment, check=False)
        if done.returncode:
            raise CommandError("No pictures were taken; the lines above say why.")


def _reduce_colours(picture: Path, light: Path) -> None:
    """The same picture with as many colours as its weavers needed."""
    from PIL import Image

    light.parent.mkdir(parents=True, exist_ok=True)
    with Image.open(picture) as image:
        image.convert("RGB").quantize(96, dither=Image.Dither.NONE).save(light, optimize=True)


class QuietHandler(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def _served() -> Iterator[str]:
    server = ThreadedWSGIServer(("127.0.0.1", 0), QuietHandler)
    server.set_app(get_wsgi_application())
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()


def _take_pictures(
    screens: list[Screen], folder: Path, address: str, chromium: str, *, full: bool, language: str
) -> int:
    from playwright.sync_api import sync_playwright

    # Playwright keeps an event loop in this thread; the ORM must not mind.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    Player.objects.update(language=language)
    prefix = "" if language == "en" else f"{language}-"
    count = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for device, theme, screen in product(DEVICES, THEMES, screens):
            context = browser.new_context(
                base_url=address, color_scheme=theme, reduced_motion="reduce", **DEVICES[device]
            )
            if screen.player:
                context.add_cookies([session_cookie(screen.player, address)])
            page = context.new_page()
            for moment in _visit(page, screen, language):
                path = folder / f"{prefix}{screen.name}{moment}-{device}-{theme}.png"
                page.screenshot(path=path, full_page=full)
                count += 1
            context.close()
        browser.close()
    return count


def _visit(page: Page, screen: Screen, language: str) -> Iterator[str]:
    """Each moment of which to take a picture, by the end of its name."""
    if screen.told is None:
        page.goto(f"/{language}{screen.path}")
        yield ""
        return
    last = see_table(screen.told, screen.player).turns[-1]
    screen.told.seats.update(seen_moves=last.first - 1)
    # Without movement each beat is a pause, so the clock of the page leads from one to the next.
    page.clock.install()
    page.goto(f"/{language}{screen.path}")
    for moment in range(1, MOMENTS + 1):
        page.clock.run_for(BETWEEN)
        yield f"-{moment}"
