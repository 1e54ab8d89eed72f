"""The moderators' log is only added to, whoever talks to the server: a trigger of PostgreSQL.

What points to somebody or something that is deleted is let go of, and the old name of a player who
leaves is forgotten; nothing else of a line ever changes. SQLite is for one machine, whose owner could
write into the file anyway.
"""

from django.db import migrations

STAYS = """
CREATE OR REPLACE FUNCTION games_act_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND
        (OLD.id, OLD.kind, OLD.actor_id, OLD.reason, OLD.until, OLD.granted, OLD.at)
        IS NOT DISTINCT FROM
        (NEW.id, NEW.kind, NEW.actor_id, NEW.reason, NEW.until, NEW.granted, NEW.at)
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the log of moderation is only added to' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER games_act_stays BEFORE UPDATE OR DELETE ON games_act
    FOR EACH ROW EXECUTE FUNCTION games_act_stays();
"""
GOES = "DROP TRIGGER games_act_stays ON games_act; DROP FUNCTION games_act_stays();"


def on_a_server(statements):
    def run(apps, schema_editor):
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(statements, params=None)

    return run


class Migration(migrations.Migration):
    dependencies = [("games", "0020_reckonings")]

    operations = [migrations.RunPython(on_a_server(STAYS), on_a_server(GOES))]
