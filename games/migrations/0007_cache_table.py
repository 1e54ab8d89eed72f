from __future__ import annotations

from typing import Any

from django.core.management import call_command
from django.db import migrations

TABLE = "souk_cache"


def create(apps: Any, schema_editor: Any) -> None:
    call_command(
        "createcachetable", TABLE, database=schema_editor.connection.alias, verbosity=0
    )


def drop(apps: Any, schema_editor: Any) -> None:
    schema_editor.execute(schema_editor.sql_delete_table % {"table": f'"{TABLE}"'})


class Migration(migrations.Migration):
    """A table for the cache of sites whose Redis does not answer."""

    dependencies = [("games", "0006_what_counts")]

    operations = [migrations.RunPython(create, drop)]
