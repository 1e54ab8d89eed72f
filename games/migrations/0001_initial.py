import django.contrib.auth.models
import django.contrib.auth.validators
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
import games.models.games
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='Heartbeat',
            fields=[
                ('name', models.CharField(max_length=20, primary_key=True, serialize=False)),
                ('at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='Player',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('username', models.CharField(error_messages={'unique': 'This name is taken.'}, help_text="Letters, digits and @ . + - _ only. It is part of your profile's address.", max_length=30, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='name')),
                ('display_name', models.CharField(blank=True, max_length=30, verbose_name='display name')),
                ('language', models.CharField(blank=True, max_length=10, verbose_name='language')),
                ('time_zone', models.CharField(blank=True, max_length=50, verbose_name='time zone')),
                ('theme', models.CharField(choices=[('system', 'As my device'), ('light', 'Light'), ('dark', 'Dark')], default='system', max_length=6, verbose_name='theme')),
                ('confirm_moves', models.BooleanField(default=True, verbose_name='ask before a rug is laid')),
                ('deleted_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('bot_level', models.CharField(blank=True, choices=[('apprentice', 'Apprentice'), ('merchant', 'Merchant'), ('vizier', 'Vizier')], editable=False, max_length=10)),
                ('is_guest', models.BooleanField(default=False, editable=False)),
                ('mail', models.CharField(choices=[('each', 'A mail for each turn'), ('digest', 'One mail a day'), ('none', 'No mail')], default='each', max_length=6, verbose_name='mail')),
                ('digest_hour', models.PositiveSmallIntegerField(default=8, verbose_name='hour of the daily mail')),
                ('reminders', models.BooleanField(default=True, verbose_name='reminders before my time runs out')),
                ('quiet_from', models.TimeField(blank=True, null=True, verbose_name='quiet from')),
                ('quiet_to', models.TimeField(blank=True, null=True, verbose_name='quiet until')),
                ('quiet_counts_from', models.DateTimeField(blank=True, editable=False, null=True)),
                ('auto_vacation', models.BooleanField(default=False, verbose_name='spend vacation before I lose on time')),
                ('calendar_token', models.CharField(blank=True, editable=False, max_length=43, null=True, unique=True)),
                ('refused_address', models.EmailField(blank=True, editable=False, max_length=254)),
                ('refused_reason', models.CharField(blank=True, editable=False, max_length=500)),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'constraints': [models.UniqueConstraint(django.db.models.functions.text.Lower('username'), name='player_name_unique_any_case'), models.CheckConstraint(condition=models.Q(models.Q(('quiet_from', None), ('quiet_to', None)), models.Q(('quiet_from__isnull', False), ('quiet_to__isnull', False)), _connector='OR'), name='player_quiet_hours_have_two_ends'), models.CheckConstraint(condition=models.Q(('digest_hour__lte', 23)), name='player_digest_hour_of_a_day')],
            },
            managers=[
                ('objects', django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name='Shelf',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ruleset', models.CharField(max_length=20)),
                ('size', models.PositiveSmallIntegerField()),
                ('edition', models.CharField(blank=True, max_length=40)),
                ('rated', models.BooleanField()),
                ('reason', models.CharField(max_length=20)),
                ('public', models.BooleanField()),
                ('games', models.PositiveIntegerField(default=0)),
                ('sums', models.JSONField(default=dict)),
            ],
            options={
                'verbose_name_plural': 'shelves',
                'constraints': [models.UniqueConstraint(fields=('ruleset', 'size', 'edition', 'rated', 'reason', 'public'), name='shelf_once')],
            },
        ),
        migrations.CreateModel(
            name='Block',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('blocked', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='blocks_received', to=settings.AUTH_USER_MODEL)),
                ('blocker', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='blocks_made', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('blocker', 'blocked'), name='block_once'), models.CheckConstraint(condition=models.Q(('blocker', models.F('blocked')), _negated=True), name='block_somebody_else')],
            },
        ),
        migrations.CreateModel(
            name='Rating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ruleset', models.CharField(max_length=20)),
                ('mu', models.FloatField()),
                ('sigma', models.FloatField()),
                ('games', models.PositiveIntegerField(default=0, help_text='rated ones')),
                ('timeouts', models.PositiveIntegerField(default=0, help_text='rated ones lost so, in a row')),
                ('streak', models.PositiveIntegerField(default=0, help_text='public games won in a row')),
                ('best_streak', models.PositiveIntegerField(default=0)),
                ('counted_at', models.DateTimeField(help_text='when the last game that counts here ended', null=True)),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='ratings', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('player', 'ruleset'), name='rating_once')],
            },
        ),
        migrations.CreateModel(
            name='Rivalry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('games', models.PositiveIntegerField(default=0)),
                ('low_ahead', models.PositiveIntegerField(default=0)),
                ('high_ahead', models.PositiveIntegerField(default=0)),
                ('high', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('low', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('shelf', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.shelf')),
            ],
            options={
                'verbose_name_plural': 'rivalries',
                'constraints': [models.UniqueConstraint(fields=('low', 'high', 'shelf'), name='rivalry_once'), models.CheckConstraint(condition=models.Q(('low__lt', models.F('high'))), name='rivalry_in_order')],
            },
        ),
        migrations.CreateModel(
            name='Standing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ruleset', models.CharField(max_length=20)),
                ('year', models.PositiveSmallIntegerField()),
                ('size', models.PositiveSmallIntegerField()),
                ('games', models.PositiveIntegerField(default=0)),
                ('won', models.PositiveIntegerField(default=0)),
                ('mu', models.FloatField()),
                ('sigma', models.FloatField()),
                ('settled', models.BooleanField()),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='standings', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('settled', True)), fields=['ruleset', 'year', 'size', '-mu', 'player'], name='standing_in_order')],
                'constraints': [models.UniqueConstraint(fields=('player', 'ruleset', 'year', 'size'), name='standing_once')],
            },
        ),
        migrations.CreateModel(
            name='Tally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('games', models.PositiveIntegerField(default=0)),
                ('sums', models.JSONField(default=dict)),
                ('peaks', models.JSONField(default=dict)),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='tallies', to=settings.AUTH_USER_MODEL)),
                ('shelf', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tallies', to='games.shelf')),
            ],
            options={
                'verbose_name_plural': 'tallies',
                'constraints': [models.UniqueConstraint(fields=('player', 'shelf'), name='tally_once')],
            },
        ),
        migrations.CreateModel(
            name='Vacation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('start', models.DateTimeField()),
                ('end', models.DateTimeField()),
                ('automatic', models.BooleanField(default=False)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='vacations', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['start'],
                'indexes': [models.Index(fields=['player', 'end'], name='vacation_of_player')],
                'constraints': [models.CheckConstraint(condition=models.Q(('end__gt', models.F('start'))), name='vacation_has_a_length')],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('declined_at', models.DateTimeField(blank=True, null=True)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Message',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(max_length=500)),
                ('event', models.CharField(blank=True, choices=[('taken_over', 'a bot plays on'), ('taken_back', 'back at the table')], editable=False, max_length=10)),
                ('at', models.DateTimeField()),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='messages', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Move',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('seat', models.PositiveSmallIntegerField()),
                ('action', models.CharField(max_length=40)),
                ('facts', models.JSONField(default=dict)),
                ('at', models.DateTimeField()),
            ],
            options={
                'ordering': ['game_id', 'number'],
                'constraints': [models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='move_number_from_one')],
            },
        ),
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('move_number', models.PositiveIntegerField(default=0)),
                ('kind', models.CharField(choices=[('turn', 'your turn'), ('half', 'reminder: half of the time is gone'), ('last', 'reminder: the last fifth of the time'), ('started', 'game started'), ('over', 'game over'), ('invitation', 'invitation'), ('message', 'message in chat'), ('seat_lost', 'seat lost'), ('address', 'address check'), ('digest', 'daily mail')], max_length=10)),
                ('state', models.CharField(choices=[('queued', 'queued'), ('sending', 'being sent'), ('sent', 'sent'), ('withdrawn', 'withdrawn'), ('failed', 'failed')], default='queued', max_length=9)),
                ('created_at', models.DateTimeField()),
                ('due_at', models.DateTimeField(blank=True, null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('last_error', models.CharField(blank=True, max_length=500)),
                ('sent_at', models.DateTimeField(blank=True, null=True)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('due_at__isnull', False), ('state__in', ['queued', 'sending'])), fields=['due_at'], name='notice_due')],
            },
        ),
        migrations.CreateModel(
            name='RatingChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('before', models.FloatField()),
                ('mu', models.FloatField()),
                ('sigma', models.FloatField()),
                ('rating', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='changes', to='games.rating')),
            ],
            options={
                'indexes': [models.Index(fields=['rating', '-at'], name='rating_curve')],
            },
        ),
        migrations.CreateModel(
            name='Meeting',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ended_at', models.DateTimeField()),
                ('rivalry', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='meetings', to='games.rivalry')),
            ],
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('joined', models.PositiveSmallIntegerField(help_text='order of joining, from 0')),
                ('entropy', models.CharField(max_length=32, validators=[django.core.validators.RegexValidator('\\A[A-Za-z0-9-]{1,32}\\Z', 'Use 1 to 32 letters (a–z), digits or hyphens.')])),
                ('joined_at', models.DateTimeField()),
                ('seen_moves', models.PositiveIntegerField(default=0)),
                ('notes', models.TextField(blank=True, max_length=5000)),
                ('mail', models.CharField(choices=[('default', 'As in my settings'), ('each', 'A mail for each turn'), ('none', 'No mail about this game')], default='default', max_length=7)),
                ('bank', models.DurationField(blank=True, null=True)),
                ('turn_bank', models.DurationField(blank=True, help_text='left as the turn began', null=True)),
                ('clock_since', models.DateTimeField(blank=True, null=True)),
                ('turns', models.PositiveIntegerField(default=0, help_text='finished in time, on a clock')),
                ('stand_in_since', models.PositiveIntegerField(blank=True, null=True)),
                ('stand_in_turns', models.PositiveSmallIntegerField(default=0)),
                ('number', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('place', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('left_by', models.CharField(blank=True, max_length=7)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seats', to=settings.AUTH_USER_MODEL)),
                ('stand_in', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('tally', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='games.tally')),
            ],
            options={
                'ordering': ['game_id', 'number', 'joined'],
                'indexes': [models.Index(condition=models.Q(('ended_at__isnull', True)), fields=['player'], name='seat_unfinished')],
                'constraints': [models.CheckConstraint(condition=models.Q(('joined__lt', 4)), name='seat_joined_below_four')],
            },
        ),
        migrations.CreateModel(
            name='Game',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=games.models.games.new_public_id, editable=False, max_length=12, unique=True)),
                ('ruleset', models.CharField(max_length=20)),
                ('options', models.JSONField(default=dict)),
                ('edition', models.CharField(blank=True, max_length=40)),
                ('size', models.PositiveSmallIntegerField()),
                ('pace', models.CharField(choices=[('brisk', 'Brisk'), ('daily', 'Daily'), ('steady', 'Steady'), ('relaxed', 'Relaxed'), ('slow', 'Slow'), ('none', 'Without clock')], max_length=10)),
                ('on_timeout', models.CharField(choices=[('leave', 'The seat leaves the game'), ('bot', 'A bot takes the seat over')], default='leave', max_length=5)),
                ('visibility', models.CharField(choices=[('public', 'Public'), ('link', 'By link'), ('named', 'Named players')], max_length=6)),
                ('rated', models.BooleanField()),
                ('fill_level', models.CharField(blank=True, choices=[('apprentice', 'Apprentice'), ('merchant', 'Merchant'), ('vizier', 'Vizier')], max_length=10)),
                ('seed', models.BinaryField(max_length=32)),
                ('commitment', models.CharField(editable=False, max_length=64)),
                ('created_at', models.DateTimeField()),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('expires_at', models.DateTimeField(blank=True, null=True)),
                ('status', models.CharField(choices=[('open', 'open'), ('running', 'running'), ('over', 'finished'), ('cancelled', 'cancelled'), ('expired', 'expired')], default='open', max_length=9)),
                ('move_count', models.PositiveIntegerField(default=0)),
                ('to_act_kind', models.CharField(blank=True, max_length=10)),
                ('acted_at', models.DateTimeField(blank=True, null=True)),
                ('deadline', models.DateTimeField(blank=True, null=True)),
                ('bot_due_at', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('result', models.JSONField(blank=True, null=True)),
                ('creator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='games_created', to=settings.AUTH_USER_MODEL)),
                ('rematch_of', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='rematch', to='games.game')),
                ('players', models.ManyToManyField(related_name='games', through='games.Seat', through_fields=('game', 'player'), to=settings.AUTH_USER_MODEL)),
                ('to_act', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='games.seat')),
                ('shelf', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='games.shelf')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('status', 'open')), fields=['-created_at'], name='game_open'), models.Index(condition=models.Q(('status', 'open')), fields=['expires_at'], name='game_expiry'), models.Index(condition=models.Q(('deadline__isnull', False), ('status', 'running')), fields=['deadline'], name='game_deadline'), models.Index(condition=models.Q(('bot_due_at__isnull', False)), fields=['bot_due_at'], name='game_bot_due'), models.Index(condition=models.Q(('status', 'running'), ('visibility', 'public')), fields=['-acted_at', '-id'], name='game_watch'), models.Index(condition=models.Q(('status', 'over'), ('visibility', 'public')), fields=['-ended_at', '-id'], name='game_archive'), models.Index(fields=['shelf', '-ended_at', '-id'], name='game_on_shelf')],
                'constraints': [models.CheckConstraint(condition=models.Q(('size__gte', 2), ('size__lte', 4)), name='game_size'), models.CheckConstraint(condition=models.Q(('status', 'running'), ('to_act', None), _connector='OR'), name='game_act_only_while_running'), models.CheckConstraint(condition=models.Q(('status', 'over'), ('result', None), _connector='OR'), name='game_result_only_when_over'), models.CheckConstraint(condition=models.Q(('rated', False), ('fill_level', ''), _connector='OR'), name='game_with_bots_is_casual')],
            },
        ),
        migrations.CreateModel(
            name='Hint',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('on_move', models.PositiveIntegerField()),
                ('due_at', models.DateTimeField(blank=True, null=True)),
                ('answer', models.JSONField(blank=True, null=True)),
                ('seat', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='hint', to='games.seat')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('due_at__isnull', False)), fields=['due_at'], name='hint_due')],
            },
        ),
        migrations.AddField(
            model_name='Invitation',
            name='game',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='games.game'),
        ),
        migrations.AddField(
            model_name='Message',
            name='game',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='messages', to='games.game'),
        ),
        migrations.AddField(
            model_name='Move',
            name='game',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='moves', to='games.game'),
        ),
        migrations.AddField(
            model_name='Notice',
            name='game',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='games.game'),
        ),
        migrations.AddField(
            model_name='RatingChange',
            name='game',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rating_changes', to='games.game'),
        ),
        migrations.AddField(
            model_name='Meeting',
            name='game',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.game'),
        ),
        migrations.AddField(
            model_name='Seat',
            name='game',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='games.game'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.UniqueConstraint(fields=('game', 'player'), name='invitation_once'),
        ),
        migrations.AddIndex(
            model_name='message',
            index=models.Index(fields=['game', 'id'], name='message_of_game'),
        ),
        migrations.AddConstraint(
            model_name='move',
            constraint=models.UniqueConstraint(fields=('game', 'number'), name='move_number_once'),
        ),
        migrations.AddConstraint(
            model_name='notice',
            constraint=models.UniqueConstraint(fields=('player', 'game', 'move_number', 'kind'), name='notice_once'),
        ),
        migrations.AddConstraint(
            model_name='notice',
            constraint=models.UniqueConstraint(condition=models.Q(('game', None)), fields=('player', 'move_number', 'kind'), name='notice_without_game_once'),
        ),
        migrations.AddIndex(
            model_name='meeting',
            index=models.Index(fields=['rivalry', '-ended_at', '-game'], name='meeting_of_two'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(fields=['tally', '-ended_at', '-game'], name='seat_in_tally'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(condition=models.Q(('ended_at__isnull', False)), fields=['player', '-ended_at', '-game'], name='seat_finished'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('game', 'player'), name='seat_one_per_player'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('game', 'joined'), name='seat_taken_once'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('game', 'number'), name='seat_number_once'),
        ),
    ]
