"""Tasks, queues and the beat table: a rolling deploy has old beat and new workers side by side."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from celery.schedules import crontab

from games import workers
from marrakech_site.celery import app

ROOT = Path(__file__).parents[2]

TASKS = {
    "games.tasks.choose_puzzle",
    "games.tasks.drain_notices",
    "games.tasks.expire_open_games",
    "games.tasks.heartbeat",
    "games.tasks.hold_exhibitions",
    "games.tasks.leave_out_annulled",
    "games.tasks.look_at_company",
    "games.tasks.play_bots",
    "games.tasks.purge",
    "games.tasks.read_bounces",
    "games.tasks.reckon_games",
    "games.tasks.run_errands",
    "games.tasks.sweep_deadlines",
}

# Name: task, arguments, schedule, expiry, queue. Beat keeps the time of the last run by name.
BEAT = {
    "choose-puzzle": ("games.tasks.choose_puzzle", (), 600, 600, "bots"),
    "drain-notices": ("games.tasks.drain_notices", (), 5, 5, "mail"),
    "expire-open-games": ("games.tasks.expire_open_games", (), 600, 600, "sweeps"),
    "heartbeat-bots": ("games.tasks.heartbeat", ("bots",), 15, 15, "bots"),
    "heartbeat-mail": ("games.tasks.heartbeat", ("mail",), 15, 15, "mail"),
    "heartbeat-sweeps": ("games.tasks.heartbeat", ("sweeps",), 15, 15, "sweeps"),
    "hold-exhibitions": ("games.tasks.hold_exhibitions", (), 60, 60, "sweeps"),
    "leave-out-annulled": ("games.tasks.leave_out_annulled", (), 600, 600, "sweeps"),
    "look-at-company": (
        *("games.tasks.look_at_company", ()),
        *(crontab(hour=4, minute=40), 3600, "bots"),
    ),
    "play-bots": ("games.tasks.play_bots", (), 3, 3, "bots"),
    "purge": ("games.tasks.purge", (), crontab(hour=4, minute=10), 3600, "sweeps"),
    "read-bounces": ("games.tasks.read_bounces", (), 300, 300, "mail"),
    "reckon-games": ("games.tasks.reckon_games", (), 10, 10, "bots"),
    "run-errands": ("games.tasks.run_errands", (), 5, 5, "mail"),
    "sweep-deadlines": ("games.tasks.sweep_deadlines", (), 10, 10, "sweeps"),
}

# What a page sends to wake a worker, without naming a queue.
WOKEN = {
    "games.tasks.drain_notices": "mail",
    "games.tasks.play_bots": "bots",
    "games.tasks.reckon_games": "bots",
    "games.tasks.run_errands": "mail",
}

# The queues of each role, and the pool where it must not be the default.
ROLES = {"worker": "mail", "sweeps": "sweeps", "bots": "bots"}
EVERY_ROLE = {"release", "web", "live", "worker", "sweeps", "bots", "beat", "manage"}


def queue_of(task: str, **options: Any) -> str:
    return app.amqp.router.route(options, task)["queue"].name


def test_the_registered_tasks_are_these() -> None:
    app.loader.import_default_modules()
    assert {name for name in app.tasks if not name.startswith("celery.")} == TASKS


def test_the_beat_table_is_this_one() -> None:
    found = {}
    for name, entry in app.conf.beat_schedule.items():
        assert set(entry) <= {"task", "args", "schedule", "options"}, name
        assert set(entry["options"]) <= {"expires", "queue"}, name
        queue = queue_of(entry["task"], **entry["options"])
        args, options = tuple(entry.get("args", ())), entry["options"]
        found[name] = (entry["task"], args, entry["schedule"], options["expires"], queue)
    assert found == BEAT


def test_every_task_that_beat_sends_is_registered() -> None:
    app.loader.import_default_modules()
    assert {entry["task"] for entry in app.conf.beat_schedule.values()} == TASKS & set(app.tasks)


def test_a_task_that_a_page_sends_arrives_in_the_queue_of_its_workers(monkeypatch) -> None:
    sent: list[tuple[str, str]] = []
    monkeypatch.setattr(
        app, "send_task", lambda name, **options: sent.append((name, queue_of(name, **options)))
    )
    for task in WOKEN:
        workers.wake(task)
    assert dict(sent) == WOKEN


def test_the_services_wake_tasks_of_this_table_only() -> None:
    named = set()
    for path in (ROOT / "games").rglob("*.py"):
        if path.name == "tasks.py":
            continue
        named |= set(re.findall(r"\"(games\.tasks\.\w+)\"", path.read_text()))
    assert named == set(WOKEN)


def test_a_worker_that_is_told_no_queue_sweeps_and_sends() -> None:
    assert app.conf.task_default_queue == "sweeps"
    assert [queue.name for queue in app.conf.task_queues] == ["sweeps", "mail"]


def test_deploy_starts_workers_for_every_queue_and_no_other() -> None:
    script = (ROOT / "deploy" / "souk").read_text()
    assert dict(re.findall(r"^(\w+)\) worker .*--queues (\S+)", script, re.MULTILINE)) == ROLES
    assert set(ROLES.values()) == {queue for *_, queue in BEAT.values()}
    assert set(re.findall(r"^(\w+)\) ", script, re.MULTILINE)) == EVERY_ROLE
    # A worker of deadlines and one of bots does a single thing at a time.
    for role in ("sweeps", "bots"):
        assert re.search(rf"^{role}\) .*--pool solo", script, re.MULTILINE), role


def test_every_role_that_deploy_names_is_one() -> None:
    compose = (ROOT / "deploy" / "compose.yaml").read_text()
    commands = set(re.findall(r"^    command: \[(\w+)\]", compose, re.MULTILINE))
    assert commands == EVERY_ROLE - {"manage"}
    assert set(re.findall(r"deploy/healthy, (\w+)", compose)) == commands - {"release"}
    target = (ROOT / "deploy" / "systemd" / "souk.target").read_text()
    assert set(re.findall(r"souk@(\w+)\.service", target)) == commands - {"release"}
