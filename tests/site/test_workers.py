"""The port to the workers finds the site's own Celery application, wherever it is called."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.utils import timezone

from games import tasks, workers
from games.models import Game, Notice
from marrakech_site.celery import app
from tests.people import new_players, started_game


def test_a_thread_of_the_web_server_wakes_the_workers_of_this_site(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    woken: list[str] = []
    monkeypatch.setattr(app, "send_task", woken.append)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(workers.wake, workers.SENDERS).result()
    assert woken == [workers.SENDERS]


@pytest.mark.parametrize("task", [workers.SENDERS, workers.BOTS, workers.RECKONERS])
def test_what_is_woken_is_a_task(task: str) -> None:
    app.loader.import_default_modules()
    assert task in app.tasks


@pytest.mark.django_db
@pytest.mark.both_databases
def test_a_worker_whose_clock_is_wrong_takes_no_seat_too_early(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = timezone.now
    game = started_game(new_players(2), now=real())
    Notice.objects.update(state=Notice.State.SENT, sent_at=real())
    monkeypatch.setattr(timezone, "now", lambda: real() + timedelta(days=30))
    tasks.sweep_deadlines()
    game.refresh_from_db()
    assert game.status == Game.Status.RUNNING


def queue_of(task: str) -> str:
    return app.amqp.router.route({}, task)["queue"].name


def test_deadlines_wait_neither_for_mail_servers_nor_for_bots() -> None:
    app.loader.import_default_modules()
    own = {task: queue_of(task) for task in app.tasks if task.startswith("games.")}
    assert own.pop(workers.SENDERS) == "mail"
    assert own.pop(workers.BOTS) == own.pop(workers.RECKONERS) == "bots"
    assert own["games.tasks.sweep_deadlines"] == "sweeps"
    heartbeats = [entry for entry in app.conf.beat_schedule.values() if entry.get("args")]
    assert {entry["options"]["queue"] for entry in heartbeats} == set(workers.ROLES)


def test_a_broker_that_does_not_answer_is_left_alone_for_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def hang(task: str) -> None:
        asked.append(task)
        raise ConnectionError("no broker")

    monkeypatch.setattr(app, "send_task", hang)
    with pytest.raises(ConnectionError):
        workers.wake(workers.SENDERS)
    workers.wake(workers.SENDERS)
    assert len(asked) == 1, "the sweep does it"
    workers.broker.end()
    with pytest.raises(ConnectionError):
        workers.wake(workers.SENDERS)
