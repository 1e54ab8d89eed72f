import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0014_moves_on'),
    ]

    operations = [
        migrations.CreateModel(
            name='Act',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('warn', 'warned'), ('mute', 'muted'), ('unmute', 'may talk again'), ('suspend', 'suspended'), ('reinstate', 'may play again'), ('rename', 'renamed'), ('trust', 'address trusted again'), ('hide', 'message hidden'), ('time', 'time granted'), ('remove', 'taken from the table'), ('award', 'game awarded'), ('annul', 'game annulled')], max_length=10)),
                ('reason', models.CharField(max_length=500)),
                ('until', models.DateTimeField(blank=True, null=True)),
                ('granted', models.DurationField(blank=True, null=True)),
                ('was', models.CharField(blank=True, max_length=61)),
                ('at', models.DateTimeField()),
                ('actor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('game', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='acts', to='games.game')),
                ('message', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='games.message')),
                ('player', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='acts', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'permissions': [('moderate', 'Can moderate')],
                'default_permissions': ('view',),
                'indexes': [models.Index(fields=['player', '-at'], name='act_on_player'), models.Index(fields=['game', '-at'], name='act_on_game'), models.Index(fields=['-at'], name='act_log')],
                'constraints': [models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='act_has_a_reason')],
            },
        ),
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(max_length=500)),
                ('at', models.DateTimeField()),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
                ('closed_by', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('message', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='reports', to='games.message')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reports', to=settings.AUTH_USER_MODEL)),
                ('reporter', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'default_permissions': ('view',),
                'indexes': [models.Index(condition=models.Q(('closed_at', None)), fields=['-at'], name='report_open')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('closed_at', None), ('message__isnull', False)), fields=('reporter', 'message'), name='report_of_message_once'), models.UniqueConstraint(condition=models.Q(('closed_at', None), ('message', None)), fields=('reporter', 'player'), name='report_of_player_once'), models.CheckConstraint(condition=models.Q(('reporter', models.F('player')), _negated=True), name='report_somebody_else')],
            },
        ),
        migrations.AddField(
            model_name='game',
            name='annulled_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='message',
            name='hidden_at',
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='player',
            name='moderated_at',
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='player',
            name='muted_until',
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='player',
            name='suspended_at',
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='player',
            name='suspended_until',
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='seat',
            name='granted',
            field=models.DurationField(blank=True, help_text='by moderators in this turn, part of both banks', null=True),
        ),
        migrations.AlterField(
            model_name='game',
            name='status',
            field=models.CharField(choices=[('open', 'open'), ('running', 'running'), ('over', 'finished'), ('cancelled', 'cancelled'), ('expired', 'expired'), ('annulled', 'annulled')], default='open', max_length=9),
        ),
        migrations.AlterField(
            model_name='message',
            name='event',
            field=models.CharField(blank=True, choices=[('taken_over', 'a bot plays on'), ('taken_back', 'back at the table'), ('hidden', 'a message was hidden'), ('time', 'time was granted'), ('removed', 'taken from the table'), ('awarded', 'game awarded'), ('annulled', 'game annulled')], editable=False, max_length=10),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('annulled_at__isnull', False)), fields=['annulled_at'], name='game_annulled'),
        ),
    ]
