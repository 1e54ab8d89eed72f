"""The port to the workers finds the site's own Celery application, wherever it is called."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from games import workers
from marrakech_site.celery import app


def test_a_thread_of_the_web_server_wakes_the_workers_of_this_site(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    woken: list[str] = []
    monkeypatch.setattr(app, "send_task", woken.append)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(workers.wake, workers.SENDERS).result()
    assert woken == [workers.SENDERS]


@pytest.mark.parametrize("task", [workers.SENDERS, workers.BOTS])
def test_what_is_woken_is_a_task(task: str) -> None:
    app.loader.import_default_modules()
    assert task in app.tasks
