import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0016_exhibitions'),
    ]

    operations = [
        migrations.CreateModel(
            name='Device',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('endpoint', models.URLField(max_length=1000, unique=True)),
                ('p256dh', models.CharField(max_length=120)),
                ('auth', models.CharField(max_length=40)),
                ('name', models.CharField(blank=True, max_length=80)),
                ('made_at', models.DateTimeField()),
                ('reached_at', models.DateTimeField(blank=True, null=True)),
                ('last_error', models.CharField(blank=True, max_length=200)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='devices', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Webhook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', models.URLField(max_length=500)),
                ('format', models.CharField(choices=[('standard', 'Standard Webhooks'), ('discord', 'Discord'), ('slack', 'Slack, Mattermost, Rocket.Chat')], max_length=8)),
                ('secret', models.CharField(editable=False, max_length=80)),
                ('mentions', models.TextField(blank=True, max_length=1000)),
                ('made_at', models.DateTimeField()),
                ('off_since', models.DateTimeField(blank=True, null=True)),
                ('last_error', models.CharField(blank=True, max_length=200)),
                ('game', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='webhooks', to='games.game')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='webhooks', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Errand',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('move_number', models.PositiveIntegerField(default=0)),
                ('kind', models.CharField(choices=[('turn', 'your turn'), ('half', 'reminder: half of the time is gone'), ('last', 'reminder: the last fifth of the time'), ('started', 'game started'), ('over', 'game over'), ('invitation', 'invitation'), ('message', 'message in chat'), ('seat_lost', 'seat lost'), ('close', 'notice taken back'), ('test', 'test')], max_length=10)),
                ('state', models.CharField(choices=[('queued', 'queued'), ('sending', 'being sent'), ('sent', 'sent'), ('withdrawn', 'withdrawn'), ('failed', 'failed'), ('elsewhere', 'told without mail')], default='queued', max_length=9)),
                ('created_at', models.DateTimeField()),
                ('due_at', models.DateTimeField(blank=True, null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('content', models.JSONField(blank=True, editable=False, null=True)),
                ('status', models.PositiveSmallIntegerField(blank=True, help_text='of the answer', null=True)),
                ('took_ms', models.PositiveIntegerField(blank=True, null=True)),
                ('last_error', models.CharField(blank=True, max_length=200)),
                ('sent_at', models.DateTimeField(blank=True, null=True)),
                ('shown', models.BooleanField(default=False, help_text='on the device, until the turn is over')),
                ('device', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='errands', to='games.device')),
                ('game', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.game')),
                ('notice', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='errands', to='games.notice')),
                ('webhook', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='errands', to='games.webhook')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('due_at__isnull', False), ('state__in', ['queued', 'sending'])), fields=['due_at'], name='errand_due'), models.Index(condition=models.Q(('shown', True)), fields=['game'], name='errand_shown'), models.Index(fields=['webhook', '-id'], name='errand_log')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('device', None), ('webhook__isnull', False)), models.Q(('device__isnull', False), ('webhook', None)), _connector='OR'), name='errand_goes_somewhere'), models.UniqueConstraint(fields=('device', 'notice'), name='errand_to_device_once'), models.UniqueConstraint(fields=('webhook', 'game', 'move_number', 'kind'), name='errand_to_webhook_once')],
            },
        ),
        migrations.AddField(
            model_name='game',
            name='has_webhook',
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.AddField(
            model_name='notice',
            name='push_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='player',
            name='channels',
            field=models.JSONField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='player',
            name='has_device',
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.AddField(
            model_name='player',
            name='has_webhook',
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.AlterField(
            model_name='notice',
            name='state',
            field=models.CharField(choices=[('queued', 'queued'), ('sending', 'being sent'), ('sent', 'sent'), ('withdrawn', 'withdrawn'), ('failed', 'failed'), ('elsewhere', 'told without mail')], default='queued', max_length=9),
        ),
        migrations.AddIndex(
            model_name='notice',
            index=models.Index(condition=models.Q(('push_at__isnull', False)), fields=['push_at'], name='notice_push'),
        ),
    ]
