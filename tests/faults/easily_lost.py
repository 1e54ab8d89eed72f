"""Faults of one word or one line, of the kind that a large change makes unawares."""

from __future__ import annotations

from tests.faults.fault import Fault

EASILY_LOST = [
    Fault(
        "devices outlive their account",
        "games/services/accounts.py",
        "    Device.objects.filter(player=player).delete()\n",
        "",
        "tests/accounts/test_nothing_points_back.py::test_no_row_points_at_a_deleted_account",
    ),
    Fault(
        "a guest key opens the account that the guest became",
        "games/selectors/guests.py",
        "pk=number, is_guest=True",
        "pk=number",
        "tests/accounts/test_nobody_any_more.py"
        "::test_the_key_of_a_guest_who_became_an_account_is_nobodys",
    ),
    Fault(
        "what was withdrawn is called sent",
        "games/services/notices/outbox.py",
        "waiting.filter(state=State.QUEUED).update(state=State.SENT",
        "waiting.update(state=State.SENT",
        "tests/notices/test_only_what_holds.py",
    ),
    Fault(
        "a webhook that is off is told all the same",
        "games/services/reach/errands.py",
        "off_since=None, owner__is_active=True",
        "owner__is_active=True",
        "tests/reach/test_only_what_holds.py",
    ),
    Fault(
        "a column of the books is not saved",
        "games/services/stats.py",
        '    Opponent: ("games", "ahead", "behind", "met_at"),\n',
        '    Opponent: ("games", "ahead", "met_at"),\n',
        "tests/history/test_every_column.py",
    ),
    Fault(
        "reminders stay when time is granted",
        "games/services/moderation/verdicts.py",
        "    queue.time_granted(game=game, seat=seat, rhythm=rhythm, now=now)\n",
        "",
        "tests/clock/test_small_print.py::test_reminders_move_with_granted_time",
    ),
    Fault(
        "a guest takes along a game that just ended",
        "games/services/guests.py",
        "Game.objects.select_for_update().filter(creator=guest",
        "Game.objects.filter(creator=guest",
        "tests/accounts/test_races.py --postgres",
    ),
    Fault(
        "a line that is said while a sender comes is lost",
        "games/services/notices/queue.py",
        "queued.select_for_update().values_list",
        "queued.values_list",
        "tests/notices/test_races.py --postgres",
    ),
    Fault(
        "what somebody sees while the turn passes is forgotten",
        "games/services/hand_over.py",
        '    values["seen_moves"] = Greatest(values["seen_moves"], F("seen_moves"))\n',
        "",
        "tests/table/test_looking_while_moving.py",
    ),
    Fault(
        "news that come while a turn is told are never shown",
        "games/static/games/js/story.js",
        '  if (missed) document.body.dispatchEvent(new Event("souk:changed"));\n',
        "",
        "tests/browser/test_what_stays_and_goes.py",
    ),
]
