"""Each name gets its key, in the order in which players came; what another name had is left out."""

from django.db import migrations

from games.reckon.likeness import likeness

UNSHOWN = ("gone-", "guest-")


def fill(apps, schema_editor):
    players = apps.get_model("games", "Player").objects.order_by("pk")
    keys = apps.get_model("games", "NameKey").objects
    # Names to sign in by go before names that are only shown.
    for column in ("username", "display_name"):
        named = players.exclude(**{column: ""}).values_list("pk", column)
        chunk = []
        for number, name in named.iterator(1000):
            if column == "username" and name.startswith(UNSHOWN):
                continue
            chunk.append(keys.model(key=likeness(name), player_id=number))
            if len(chunk) == 1000:
                keys.bulk_create(chunk, ignore_conflicts=True)
                chunk = []
        keys.bulk_create(chunk, ignore_conflicts=True)


class Migration(migrations.Migration):
    dependencies = [("games", "0030_name_keys")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
