import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0011_grand_vizier'),
    ]

    operations = [
        migrations.CreateModel(
            name='Opening',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ruleset', models.CharField(max_length=20)),
                ('size', models.PositiveSmallIntegerField()),
                ('path', models.CharField(blank=True, max_length=160)),
                ('parent', models.CharField(blank=True, max_length=160)),
                ('games', models.PositiveIntegerField(default=0)),
                ('counts', models.JSONField(default=dict)),
            ],
            options={
                'indexes': [models.Index(fields=['ruleset', 'size', 'parent', '-games'], name='opening_after')],
                'constraints': [models.UniqueConstraint(fields=('ruleset', 'size', 'path'), name='opening_once')],
            },
        ),
        migrations.CreateModel(
            name='SharedYear',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('year', models.PositiveSmallIntegerField()),
                ('at', models.DateTimeField()),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='shared_years', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('player', 'year'), name='shared_year_once')],
            },
        ),
        migrations.CreateModel(
            name='Sheet',
            fields=[
                ('key', models.CharField(max_length=120, primary_key=True, serialize=False)),
                ('public', models.BooleanField()),
                ('topic', models.CharField(max_length=10)),
                ('ruleset', models.CharField(blank=True, max_length=20)),
                ('size', models.PositiveSmallIntegerField(default=0)),
                ('edition', models.CharField(blank=True, max_length=40)),
                ('band', models.PositiveSmallIntegerField(default=0, help_text='of ratings, from 1')),
                ('year', models.PositiveSmallIntegerField(default=0)),
                ('counts', models.JSONField(default=dict)),
                ('player', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='sheets', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['player', 'topic'], name='sheet_of_player'), models.Index(condition=models.Q(('player', None)), fields=['topic', 'ruleset'], name='sheet_of_site')],
            },
        ),
        migrations.AddField(
            model_name='game',
            name='band',
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name='game',
            name='comeback',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='game',
            name='highest',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='game',
            name='margin',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='game',
            name='opening',
            field=models.CharField(blank=True, db_default='', default='', max_length=160),
        ),
        migrations.AddField(
            model_name='game',
            name='traits',
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name='seat',
            name='comeback',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='seat',
            name='highest',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='seat',
            name='margin',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='seat',
            name='move_count',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='seat',
            name='starred_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='seat',
            name='traits',
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(fields=['shelf', 'traits', '-ended_at', '-id'], name='game_by_traits'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(fields=['shelf', 'margin', '-id'], name='game_by_margin'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(fields=['shelf', '-comeback', '-id'], name='game_by_comeback'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(fields=['shelf', '-highest', '-id'], name='game_by_highest'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('shelf__isnull', False)), fields=['shelf', '-move_count', '-id'], name='game_by_length'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('status', 'over'), ('visibility', 'public')), fields=['ruleset', 'size', 'opening'], name='game_by_opening'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(fields=['tally', 'traits', '-ended_at', '-game'], name='seat_by_traits'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(fields=['tally', 'margin', '-game'], name='seat_by_margin'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(fields=['tally', '-comeback', '-game'], name='seat_by_comeback'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(fields=['tally', '-highest', '-game'], name='seat_by_highest'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(fields=['tally', '-move_count', '-game'], name='seat_by_length'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(condition=models.Q(('starred_at__isnull', False)), fields=['player', '-ended_at', '-game'], name='seat_starred'),
        ),
    ]
