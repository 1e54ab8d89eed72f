from typing import Any

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from games.services import second_factor


def encrypt(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Secrets that no key of this site decrypts (a backup of another site) stay; `doctor` says so."""
    rows: Any = apps.get_model("mfa", "Authenticator").objects
    for row in rows.order_by("pk").iterator():
        if not second_factor.is_current(row.data):
            row.data = second_factor.encrypted_anew(row.data)
            row.save(update_fields=["data"])


def decrypt(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """For going back: the release before reads plain secrets only."""
    rows: Any = apps.get_model("mfa", "Authenticator").objects
    for row in rows.order_by("pk").iterator():
        if second_factor.can_be_used(row.data):
            for name in second_factor.SECRETS:
                if name in row.data:
                    row.data[name] = second_factor.decrypt(row.data[name])
            row.save(update_fields=["data"])


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0027_ending_access"),
        ("mfa", "0003_authenticator_type_uniq"),
    ]

    operations = [migrations.RunPython(encrypt, decrypt)]
