"""The faults. A fault replaces one text of one file; `tests` are those that should notice."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    name: str
    file: str
    text: str
    instead: str
    tests: str
    """What is given to pytest: files, and options if need be."""


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
        "tests/titles/marrakech/test_turns.py tests/titles/marrakech/test_properties.py",
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
        "tests/titles/ifrito/test_actions.py",
    ),
    Fault(
        "captured genies are not counted",
        IFRITO,
        "state.prison[attacker] + taken, state.captured[attacker] + 1\n",
        "state.prison[attacker], state.captured[attacker] + 1\n",
        "tests/titles/ifrito/test_actions.py tests/titles/ifrito/test_golden.py",
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
        "tests/engine/test_chance.py tests/engine/test_golden.py",
    ),
    Fault(
        "a record's result is believed",
        "games/engine/record.py",
        "    if not same(record.result, expected):\n",
        "    if False:\n",
        "tests/engine/test_record.py",
    ),
]

MOVES = [
    Fault(
        "a form made on an older position counts",
        PLAY,
        "    if on_move != locked.game.move_count:\n",
        "    if False:\n",
        "tests/table/test_moves.py",
    ),
    Fault(
        "the same form twice is two moves",
        PLAY,
        "    return move.seat == seat.number and move.action == action\n",
        "    return False\n",
        "tests/table/test_moves.py tests/table/test_races.py",
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
        "tests/clock/test_clocks.py",
    ),
    Fault(
        "the turn passes and nobody is told",
        "games/services/hand_over.py",
        "    queue.turn_passed(",
        "    (lambda **_: None)(",
        "tests/notices/test_queue.py",
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
        "tests/clock/test_clocks.py",
    ),
    Fault(
        "somebody goes to bed and wakes with time",
        "games/services/rhythm.py",
        "(game.deadline <= now and not rescue)",
        "False",
        "tests/clock/test_clocks.py",
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
        "tests/clock/test_clocks.py",
    ),
    Fault(
        "verify does not look at deadlines",
        "games/services/soundness.py",
        "    if game.deadline != due:\n",
        "    if False:\n",
        "tests/clock/test_soundness.py",
    ),
    Fault(
        "one of three is enough to go on without somebody",
        "games/services/silence.py",
        "    if found.missing:\n",
        "    if False:\n",
        "tests/clock/test_silence.py",
    ),
]

MAIL = [
    Fault(
        "a lease that is lost is thought to hold",
        OUTBOX,
        "    return renewed == len(parcel.notices)\n",
        "    return True\n",
        "tests/notices/test_outbox.py",
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
        "tests/accounts/test_account_mail.py",
    ),
    Fault(
        "a code is kept after it was sent",
        OUTBOX,
        'sent_at=now, last_error="", content=None',
        'sent_at=now, last_error=""',
        "tests/accounts/test_account_mail.py",
    ),
    Fault(
        "every flat refusal is about the address",
        "games/reckon/verdicts.py",
        "    if is_about_the_reader(status):\n        if at_the_address:\n",
        "    if True:\n        if at_the_address:\n",
        "tests/notices/test_refusals.py",
    ),
    Fault(
        "a storm of refusals is held against the addresses",
        "games/services/notices/breaker.py",
        "    trust.trust_those_refused_since(row.since, now=now)\n",
        "",
        "tests/notices/test_refusals.py",
    ),
    Fault(
        "anybody can make up a bounce",
        "games/services/notices/headers.py",
        "if notice and constant_time_compare(_seal(notice), seal.lower()):",
        "if notice:",
        "tests/notices/test_bounces.py",
    ),
    Fault(
        "the words of somebody blocked are mailed",
        "games/selectors/notices.py",
        "    return heard_by(notice.reader, said).select_related",
        "    return said.select_related",
        "tests/notices/test_queue.py",
    ),
    Fault(
        "who was never told loses the seat",
        "games/services/grace.py",
        "    return grace if _is_our_fault(about) else NOTHING\n",
        "    return NOTHING\n",
        "tests/clock/test_grace.py",
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
        "tests/notices/test_letters.py",
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
        "tests/lobby/test_access.py tests/lobby/test_pages.py",
    ),
    Fault(
        "somebody else's notes can be written",
        "games/services/table_talk.py",
        "    seat = game.seats.filter(player=player).first()\n",
        "    seat = game.seats.first()\n",
        "tests/table/test_pages.py",
    ),
]

OUTAGES = [
    Fault(
        "limits vanish with Redis",
        "marrakech_site/caches.py",
        "        return getattr(self._database, method)(*args, **kwargs)\n",
        "        return None\n",
        "tests/outages/test_nothing_hangs.py -k limits",
    ),
    Fault(
        "a broker that hangs is asked each time",
        "games/workers.py",
        "    if broker.is_open:\n        return\n",
        "",
        "tests/site/test_workers.py",
    ),
    Fault(
        "deadlines wait for mail servers",
        "marrakech_site/settings.py",
        '{SENDERS: {"queue": MAIL_QUEUE}, ',
        "{",
        "tests/site/test_workers.py",
    ),
    Fault(
        "workers go by their own clocks",
        "games/tasks.py",
        "    timeouts.sweep_deadlines(now=database_now())\n",
        "    from django.utils import timezone\n\n"
        "    timeouts.sweep_deadlines(now=timezone.now())\n",
        "tests/site/test_workers.py",
    ),
    Fault(
        "a worker that is dead is thought well",
        "games/services/health.py",
        '    return "starting" if young else "stale"\n',
        '    return "ok"\n',
        "tests/site/test_health.py",
    ),
    Fault(
        "a lock that cannot be had is an error",
        "games/busy.py",
        "        if not isinstance(error, OperationalError):\n",
        "        if True:\n",
        "tests/outages/test_nothing_hangs.py -k holds",
    ),
]

FAULTS = [*RULES, *FAIRNESS, *MOVES, *CLOCKS, *MAIL, *ACCESS, *OUTAGES]
