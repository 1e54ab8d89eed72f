"""Everything at once for one machine: web server, streams, workers and beat, until Ctrl-C."""

from __future__ import annotations

import errno
import json
import signal
import socket
import subprocess
import sys
import time
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse
from django.utils import timezone

from games.kept_mail.machine import check_host
from games.workers import BOTS_QUEUE, MAIL_QUEUE, SWEEPS_QUEUE

CELERY = [sys.executable, "-m", "celery", "--quiet", "--app", "marrakech_site"]
QUIET = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
WORKER = [*CELERY, "worker", "--loglevel", "WARNING", *QUIET]
COMMANDS = {
    "web": [sys.executable, "-m", "gunicorn", "--config", "python:marrakech_site.gunicorn"],
    "live": [sys.executable, "-m", "marrakech_site.live"],
    "sweeps": [*WORKER, "--queues", SWEEPS_QUEUE, "--pool", "solo"],
    "mail": [*WORKER, "--queues", MAIL_QUEUE, "--concurrency", "2"],
    "bots": [*WORKER, "--queues", BOTS_QUEUE, "--pool", "solo"],
    "beat": [*CELERY, "beat", "--loglevel", "WARNING", "--pidfile="],
}
SERVE_LINE = {"level": "info", "logger": "souk.serve"}
START_WITHIN = 30
STOP_WITHIN = 15


class Command(BaseCommand):
    help = "Migrate, collect static files, then run the web server, streams, workers and beat."

    def handle(self, *args: Any, **options: Any) -> None:
        host = settings.HOST
        try:
            check_host(host, public=settings.PUBLIC)
        except ImproperlyConfigured as error:
            raise CommandError(str(error)) from None
        check_port(host, settings.PORT, "PORT")
        if settings.LIVE_PORT:
            check_port(host, settings.LIVE_PORT, "LIVE_PORT")
        call_command("migrate", verbosity=0)
        call_command("compilemessages", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        for sign in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(sign, _stop)
        children: dict[str, subprocess.Popen[bytes]] = {}
        try:
            for name in COMMANDS:
                if name != "live" or settings.LIVE_PORT:
                    children[name] = start(name)
            wait_until_served(host, settings.PORT, children["web"])
            self._say(f"Souk is open at {settings.SITE_URL} (Ctrl-C closes it)")
            if settings.MAIL_KEPT_IN and not settings.PUBLIC:
                self._say(f"Mail is kept at {settings.SITE_URL}{reverse('mailbox')}")
            watch(children)
        except KeyboardInterrupt:
            self._say("Closing…")
        finally:
            stop(children)

    def _say(self, text: str) -> None:
        """A sentence for somebody at a terminal; for a log, a line like all others."""
        if not settings.AT_A_TERMINAL:
            at = timezone.now().isoformat(timespec="milliseconds")
            text = json.dumps({"at": at, **SERVE_LINE, "message": text}, ensure_ascii=False)
        self.stdout.write(text)
        self.stdout.flush()


def _stop(*_: Any) -> None:
    raise KeyboardInterrupt


def check_port(host: str, port: int, variable: str) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise CommandError(
                    f"Port {port} is taken. Stop what uses it, or choose another: "
                    f"{variable}={port + 10} make run"
                ) from None
            raise CommandError(f"{host}:{port} cannot be used: {error.strerror}.") from None
        except OverflowError:
            raise CommandError(f"{variable} must be between 1 and 65535, not {port}.") from None


def start(name: str) -> subprocess.Popen[bytes]:
    # A group of its own: Ctrl-C reaches this process only, which then stops the others in order.
    return subprocess.Popen(COMMANDS[name], start_new_session=True)  # noqa: S603


def wait_until_served(host: str, port: int, web: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + START_WITHIN
    while time.monotonic() < until:
        if web.poll() is not None:
            raise CommandError("The web server could not start; its last lines say why.")
        try:
            socket.create_connection((host, port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise CommandError(f"The web server did not answer within {START_WITHIN} seconds.")


def watch(children: dict[str, subprocess.Popen[bytes]]) -> None:
    """A worker or beat that dies is started again: due work waits in the database."""
    while True:
        for name, child in children.items():
            if child.poll() is not None:
                if name == "web":
                    raise CommandError("The web server stopped; its last lines say why.")
                children[name] = start(name)
        time.sleep(1)


def stop(children: dict[str, subprocess.Popen[bytes]]) -> None:
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, signal.SIG_IGN)
    for child in children.values():
        child.terminate()
    until = time.monotonic() + STOP_WITHIN
    for child in children.values():
        try:
            child.wait(max(0.1, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
