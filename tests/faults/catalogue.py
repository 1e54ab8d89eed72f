"""The faults. A fault replaces one text of one file; `tests` are those that should notice."""

from __future__ import annotations

from tests.faults.easily_lost import EASILY_LOST
from tests.faults.fault import Fault

MARRAKECH = "games/titles/marrakech/rules/turns.py"
IFRITO = "games/titles/ifrito/rules/rules.py"
OUTBOX = "games/services/notices/outbox.py"
PLAY = "games/services/play.py"

RULES = [
    Fault(
        "a rent is paid and nobody gets it",
        MARRAKECH,
        "        purses[owner] += amount\n",
        "",
        "tests/titles/marrakech/test_turns.py::test_he_pays_for_the_connected_region_of_the_colour",
    ),
    Fault(
        "whoever is out keeps the rugs in hand",
        MARRAKECH,
        "    rugs = _with(state.rugs, seat, 0)\n",
        "    rugs = state.rugs\n",
        "tests/titles/marrakech/test_ends.py",
    ),
    Fault(
        "a carpet flies onto another without capturing it",
        IFRITO,
        '        _refuse(action, "a carpet lies there: it can only be captured")\n',
        "        pass\n",
        "tests/titles/ifrito/test_actions.py::test_no_move_onto_a_carpet",
    ),
    Fault(
        "captured genies are not counted",
        IFRITO,
        "state.prison[attacker] + taken, state.captured[attacker] + 1\n",
        "state.prison[attacker], state.captured[attacker] + 1\n",
        "tests/titles/ifrito/test_actions.py",
    ),
]

FAIRNESS = [
    Fault(
        "low numbers fall more often",
        "games/engine/chance.py",
        "    return 256 - 256 % n\n",
        "    return 256\n",
        "tests/engine/test_chance.py",
    ),
    Fault(
        "the words of players do not count",
        "games/engine/chance.py",
        """{','.join(entropy)}|"\n""",
        """|"\n""",
        "tests/engine/test_chance.py",
    ),
    Fault(
        "a record's result is believed",
        "games/engine/record.py",
        "    if not same(record.result, expected):\n",
        "    if False:\n",
        "tests/engine/test_record_tampering.py::test_what_does_not_follow_is_found",
    ),
]

MOVES = [
    Fault(
        "a form made on an older position counts",
        PLAY,
        "    if on_move != locked.game.move_count:\n",
        "    if False:\n",
        "tests/table/test_moves.py"
        "::test_a_refusal_says_why_and_changes_nothing "
        "tests/table/test_pages.py"
        "::test_an_old_position_is_told_with_what_happened_meanwhile",
    ),
    Fault(
        "the same form twice is two moves",
        PLAY,
        "    return move.seat == seat.number and move.action == action\n",
        "    return False\n",
        "tests/table/test_moves.py::test_a_second_tap_changes_nothing",
    ),
    Fault(
        "a game is not locked",
        PLAY,
        '.select_for_update(of=("self",))',
        "",
        "tests/table/test_races.py --postgres",
    ),
    Fault(
        "a clock that is wrong turns back the time of a game",
        PLAY,
        "    now = max(now, game.acted_at or now)\n",
        "",
        "tests/clock/test_clocks.py"
        "::test_a_host_whose_clock_is_behind_does_not_turn_back_the_time_of_a_game",
    ),
    Fault(
        "the turn passes and nobody is told",
        "games/services/hand_over.py",
        "    queue.turn_passed(",
        "    (lambda **_: None)(",
        "tests/notices/test_queue.py"
        "::test_the_one_to_act_first_gets_a_turn_mail_and_the_others_a_start",
    ),
    Fault(
        "a seat that is played by a bot can be taken back for ever",
        "games/services/bot_seats.py",
        "        following.stand_in_turns += 1\n",
        "        pass\n",
        "tests/bots_site/test_stand_ins.py",
    ),
]

CLOCKS = [
    Fault(
        "the increment goes over the cap",
        "games/services/clock.py",
        "        seat.bank = min(left + pace.increment, pace.cap)\n",
        "        seat.bank = left + pace.increment\n",
        "tests/clock/test_clocks.py::test_a_turn_adds_the_increment_up_to_the_cap",
    ),
    Fault(
        "somebody goes to bed and wakes with time",
        "games/services/rhythm.py",
        "(game.deadline <= now and not rescue)",
        "False",
        "tests/clock/test_clocks.py::test_a_clock_that_ran_out_is_not_wound_up_by_going_to_bed",
    ),
    Fault(
        "quiet hours are saved without locks",
        "games/services/locks.py",
        "    games = list(waiting.select_for_update().order_by("
        '"pk"))\n    Player.objects.select_for_update(no_key=True).get(pk=player.pk)\n',
        '    games = list(waiting.order_by("pk"))\n',
        "tests/clock/test_races.py --postgres",
    ),
    Fault(
        "vacations of two years are joined",
        "games/services/vacation.py",
        "    if vacation_in_a_row(player, vacation.start, vacation.end) > VACATION_A_YEAR:\n",
        "    if False:\n",
        "tests/clock/test_clocks.py::test_the_days_of_two_years_cannot_be_joined",
    ),
    Fault(
        "verify does not look at deadlines",
        "games/services/soundness.py",
        "    if game.deadline != due:\n",
        "    if False:\n",
        "tests/clock/test_soundness.py::test_each_fault_is_found_and_repaired",
    ),
    Fault(
        "one of three is enough to go on without somebody",
        "games/services/silence.py",
        "    if found.missing:\n",
        "    if False:\n",
        "tests/clock/test_silence.py::test_all_others_agree_and_the_game_goes_on",
    ),
]

MAIL = [
    Fault(
        "a lease that is lost is thought to hold",
        OUTBOX,
        "    return renewed == len(parcel.notices)\n",
        "    return True\n",
        "tests/notices/test_outbox.py"
        "::test_a_lease_that_was_lost_while_a_letter_was_written_is_not_renewed",
    ),
    Fault(
        "whatever somebody else took is finished all the same",
        OUTBOX,
        "Q(attempts=attempts, pk__in=held)",
        "Q(pk__in=held)",
        "tests/notices/test_outbox.py",
    ),
    Fault(
        "a claimed notice is due again at once",
        OUTBOX,
        "due_at=now + settings.NOTICE_LEASE, attempts=F(",
        "due_at=now, attempts=F(",
        "tests/notices/test_outbox.py",
    ),
    Fault(
        "codes wait in line",
        OUTBOX,
        'due.order_by("-urgent", "due_at")',
        'due.order_by("due_at")',
        "tests/accounts/test_account_mail.py::test_a_code_that_comes_while_others_are_sent_is_in_the_next_batch",
    ),
    Fault(
        "a code is kept after it was sent",
        OUTBOX,
        'sent_at=now, last_error="", content=None',
        'sent_at=now, last_error=""',
        "tests/accounts/test_account_mail.py::test_a_code_is_forgotten_once_it_is_sent",
    ),
    Fault(
        "every flat refusal is about the address",
        "games/reckon/verdicts.py",
        "    if is_about_the_reader(status):\n        if at_the_address:\n",
        "    if True:\n        if at_the_address:\n",
        "tests/notices/test_refusals.py::test_any_other_refusal_is_tried_again",
    ),
    Fault(
        "a storm of refusals is held against the addresses",
        "games/services/notices/breaker.py",
        "    trust.trust_those_refused_since(row.since, now=now)\n",
        "",
        "tests/notices/test_refusals.py::test_a_server_that_knows_nobody_any_more_silences_nobody",
    ),
    Fault(
        "anybody can make up a bounce",
        "games/services/notices/headers.py",
        "if notice and any(constant_time_compare(",
        "if notice or any(constant_time_compare(",
        "tests/notices/test_bounces.py::test_nobody_can_make_up_a_bounce",
    ),
    Fault(
        "the words of somebody blocked are mailed",
        "games/selectors/notices.py",
        "    return heard_by(notice.reader, said).select_related",
        "    return said.select_related",
        "tests/notices/test_queue.py::test_who_blocks_before_the_mail_goes_out_does_not_get_it",
    ),
    Fault(
        "who was never told loses the seat",
        "games/services/grace.py",
        "    return grace if on_device or _is_our_fault(about) else NOTHING\n",
        "    return NOTHING\n",
        "tests/clock/test_grace.py"
        "::test_after_an_outage_of_beat_the_clock_waits_for_the_first_mail",
    ),
    Fault(
        "mail comes in the quiet hours",
        "games/services/notices/wishes.py",
        "    return after_quiet_hours(nights_of(player), at)\n",
        "    return at\n",
        "tests/notices/test_queue.py tests/notices/test_outbox.py",
    ),
    Fault(
        "headers take several lines",
        "games/services/notices/letter.py",
        '        if "\\n" in value or "\\r" in value:\n',
        "        if False:\n",
        "tests/notices/test_letters.py::test_a_header_is_one_line",
    ),
]

ACCESS = [
    Fault(
        "a blocked player's lines are read",
        "games/selectors/table.py",
        "Q(blocker=viewer, blocked=other) | Q(blocked=viewer, blocker=other)",
        "Q(blocked=viewer, blocker=other)",
        "tests/table/test_chat.py",
    ),
    Fault(
        "the lines of those who blocked the reader are read",
        "games/selectors/table.py",
        "Q(blocker=viewer, blocked=other) | Q(blocked=viewer, blocker=other)",
        "Q(blocker=viewer, blocked=other)",
        "tests/table/test_chat.py",
    ),
    Fault(
        "named games are for everybody",
        "games/selectors/access.py",
        "    if named and not game.invitations.filter(player=player).exists():\n",
        "    if False:\n",
        "tests/lobby/test_access.py::test_who_may_see_a_game",
    ),
    Fault(
        "somebody else's notes can be written",
        "games/services/table_talk.py",
        "    seat = game.seats.filter(player=player).first()\n",
        "    seat = game.seats.first()\n",
        "tests/table/test_moves.py::test_notes_are_kept_for_one_seat",
    ),
]

LATER = [
    Fault(
        "webhooks reach what is not public",
        "games/outbound.py",
        "    if not all(is_public(number) for number in numbers):\n",
        "    if False:\n",
        "tests/reach/test_webhooks.py::test_nothing_goes_to_what_is_not_public",
    ),
    Fault(
        "a name is looked up while others wait",
        "games/services/reach/webhooks.py",
        "    check(url)\n    made = Webhook(",
        "    with transaction.atomic():\n        check(url)\n    made = Webhook(",
        "tests/reach/test_webhooks.py::test_nobody_waits_for_a_name_that_takes_long",
    ),
    Fault(
        "a worker stays with errands as long as there are any",
        "games/services/reach/errands.py",
        "            if seconds() < until:\n",
        "            if True:\n",
        "tests/reach/test_webhooks.py::test_the_worker_is_free_again_soon",
    ),
    Fault(
        "a running game is judged from its record",
        "games/selectors/reckonings.py",
        "    return _running(rules).filter(move_count__gte=OPENING, sight__in=late).exists()\n",
        "    return False\n",
        "tests/reckoning/test_smuggling.py",
    ),
    Fault(
        "two friends play a running game over again, and have it judged",
        "games/services/reckonings.py",
        "    if runs_here(game.rules, game.steps):\n",
        "    if False:\n",
        "tests/reckoning/test_smuggling.py",
    ),
    Fault(
        "whoever may not look any more is still told",
        "games/live/hub.py",
        " and not await self.still(stream)",
        " and False",
        "tests/live/test_streams.py",
    ),
    Fault(
        "moderators read all private talk",
        "games/views/moderation.py",
        "    if not moderation.may_read(message, player_of(request)):\n",
        "    if False:\n",
        "tests/attack/test_matrix.py::test_moderators_read_no_private_talk_that_nobody_reported",
    ),
    Fault(
        "a name is a formula",
        "games/selectors/export.py",
        "and value.startswith(FORMULAS) else value",
        "and False else value",
        "tests/history/test_gallery.py::test_a_name_is_no_formula_in_a_table",
    ),
]

OUTAGES = [
    Fault(
        "limits vanish with Redis",
        "marrakech_site/caches.py",
        "        return getattr(self._database, method)(*args, **kwargs)\n",
        "        return None\n",
        "tests/outages/test_nothing_hangs.py"
        "::test_limits_count_on_in_the_database_while_redis_is_frozen",
    ),
    Fault(
        "a broker that hangs is asked each time",
        "games/workers.py",
        "    if broker.is_on:\n        return\n",
        "",
        "tests/site/test_workers.py::test_a_broker_that_does_not_answer_is_left_alone_for_a_while",
    ),
    Fault(
        "deadlines wait for mail servers",
        "marrakech_site/settings.py",
        '    SENDERS: {"queue": MAIL_QUEUE},\n',
        "",
        "tests/site/test_workers.py::test_deadlines_wait_neither_for_mail_servers_nor_for_bots",
    ),
    Fault(
        "workers go by their own clocks",
        "games/tasks.py",
        "    timeouts.sweep_deadlines(now=database_now())\n",
        "    from django.utils import timezone\n\n"
        "    timeouts.sweep_deadlines(now=timezone.now())\n",
        "tests/site/test_workers.py::test_a_worker_whose_clock_is_wrong_takes_no_seat_too_early",
    ),
    Fault(
        "a worker that is dead is thought well",
        "games/services/health.py",
        '    return "starting" if young else "stale"\n',
        '    return "ok"\n',
        "tests/site/test_health.py::test_a_silent_worker_is_told_by_its_role",
    ),
    Fault(
        "a lock that cannot be had is an error",
        "games/busy.py",
        "    if not is_outage(exc):\n",
        "    if True:\n",
        "tests/outages/test_nothing_hangs.py"
        "::test_a_row_that_somebody_holds_gets_a_sentence_and_the_move_can_be_sent_again",
    ),
]

FAULTS = [
    *(*RULES, *FAIRNESS, *MOVES, *CLOCKS, *MAIL, *ACCESS, *LATER, *OUTAGES),
    *EASILY_LOST,
]
