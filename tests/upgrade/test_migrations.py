"""Old code survives new migrations: in a rolling deploy it runs on for a while beside the new.

So a release only adds: tables, and columns that the old code need not know. What a release no
longer uses goes in the next one, when no process of the one before is left (see docs/operate.md).
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ModelState, ProjectState
from django.db.models.fields import NOT_PROVIDED

RELEASE_0_1 = ("games", "0001_initial")


def broken_for_old_code(before: ProjectState, after: ProjectState) -> Iterator[str]:
    """What code that was written for the tables before would stumble over."""
    for key, old in before.models.items():
        new = after.models.get(key)
        if key[0] != "games":
            continue
        if new is None:
            yield f"{old.name} is gone"
        else:
            yield from _columns(old, new)


def _columns(old: ModelState, new: ModelState) -> Iterator[str]:
    for name, field in old.fields.items():
        if name not in new.fields:
            yield f"{old.name}.{name} is gone"
        elif field.null and not new.fields[name].null:
            yield f"{old.name}.{name} must not be empty any more"
    for name, field in new.fields.items():
        if name not in old.fields and not (
            field.null or field.many_to_many or field.db_default is not NOT_PROVIDED
        ):
            yield f"{old.name}.{name} is missing in rows of old code: give it a db_default"


def test_the_code_of_release_0_1_survives_the_tables_of_today() -> None:
    graph = MigrationLoader(None).graph
    then, now = graph.make_state(nodes=[RELEASE_0_1]), graph.make_state()
    found = list(broken_for_old_code(then, now))
    assert not found, "\n".join(found)


NOTICE = "notice"


def after(operation: Operation) -> list[str]:
    before = MigrationLoader(None).graph.make_state(nodes=[RELEASE_0_1])
    state = before.clone()
    operation.state_forwards("games", state)
    return list(broken_for_old_code(before, state))


@pytest.mark.parametrize(
    "operation",
    [
        migrations.RemoveField(NOTICE, "last_error"),
        migrations.RenameField(NOTICE, "last_error", "error"),
        migrations.DeleteModel(NOTICE),
        migrations.AddField(NOTICE, "colour", models.CharField(max_length=5, default="red")),
        migrations.AlterField(NOTICE, "due_at", models.DateTimeField()),
    ],
    ids=lambda operation: type(operation).__name__,
)
def test_what_would_break_old_code_is_found(operation: Operation) -> None:
    assert after(operation)


@pytest.mark.parametrize(
    "operation",
    [
        migrations.AddField(NOTICE, "colour", models.CharField(max_length=5, null=True)),
        migrations.AddField(NOTICE, "colour", models.CharField(max_length=5, db_default="red")),
        migrations.AlterField(NOTICE, "last_error", models.CharField(max_length=600, blank=True)),
        migrations.CreateModel("Carpet", [("id", models.BigAutoField(primary_key=True))]),
    ],
)
def test_what_only_adds_is_let_through(operation: Operation) -> None:
    assert not after(operation)
