"""How fast a sender empties the outbox, beside a bare loop that sends the same bytes."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from tools.benchmarks.measure import Measurement, run_child

LETTERS = 200
SENDERS = 2
"""Threads of the one worker process: one writes while the other waits for the server."""
MOST_REPEATS = 5


def run(repeats: int) -> list[Measurement]:
    from tools import local_servers

    port = local_servers.free_port()
    sink = [sys.executable, "-m", "aiosmtpd", "--nosetuid", "--listen", f"127.0.0.1:{port}"]
    server = subprocess.Popen([*sink, "--class", "aiosmtpd.handlers.Sink"])
    try:
        local_servers.wait_for_port(port)
        ours, bare = run_child(
            __name__, str(min(repeats, MOST_REPEATS)), EMAIL_URL=f"smtp://127.0.0.1:{port}"
        )
    finally:
        server.terminate()
        server.wait()
    shares = [LETTERS / one / (LETTERS / other) for one, other in zip(ours, bare, strict=True)]
    return [
        Measurement(
            "mails of a worker, by those of a bare loop",
            "times",
            statistics.median(shares),
            max(shares),
            0.5,
            True,
        ),
    ]


def measure(repeats: int) -> tuple[list[float], list[float]]:
    """Seconds of each round: through the outbox, and by smtplib alone."""
    from django.utils import timezone

    from games.models import Notice
    from tools.sample_games import Tables

    now = timezone.now()
    tables = Tables()
    for _ in range(LETTERS):
        tables.game(now=now)
    Notice.objects.exclude(kind=Notice.Kind.TURN).delete()
    ready = letters_as_bytes()
    ours, bare = [], []
    for _ in range(repeats):
        Notice.objects.update(state=Notice.State.QUEUED, due_at=now, attempts=0)
        start = time.perf_counter()
        with ThreadPoolExecutor(SENDERS) as worker:
            for sender in [worker.submit(send_due) for _ in range(SENDERS)]:
                sender.result()
        ours.append(time.perf_counter() - start)
        assert Notice.objects.filter(state=Notice.State.SENT).count() == LETTERS
        start = time.perf_counter()
        send_bare(ready)
        bare.append(time.perf_counter() - start)
    return ours, bare


def send_due() -> None:
    from django.db import connections
    from django.utils import timezone

    from games.services.notices import outbox

    outbox.drain(clock=timezone.now)
    connections.close_all()


def letters_as_bytes() -> list[tuple[str, str, bytes]]:
    from django.utils import timezone

    from games.models import Notice
    from games.services.notices import letters
    from games.services.notices.parcels import Parcel

    notices = Notice.objects.select_related("player", "game__creator", "game__to_act")
    written = [letters.write(Parcel((notice,)), now=timezone.now()) for notice in notices]
    return [
        ("souk@127.0.0.1", letter.to[0], letter.message().as_bytes(linesep="\r\n"))
        for letter in written
    ]


def send_bare(ready: list[tuple[str, str, bytes]]) -> None:
    import smtplib

    from django.conf import settings

    with smtplib.SMTP(settings.EMAIL_HOST, settings.EMAIL_PORT) as server:
        for sender, recipient, letter in ready:
            server.sendmail(sender, [recipient], letter)


if __name__ == "__main__":
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    sys.stdout.write(json.dumps(measure(int(sys.argv[1]))))
