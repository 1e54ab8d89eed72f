"""The house of the attacks, with all in it that its pages may show: judged games, a second factor,
what moderators did; and what opens the pages that need a key."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from allauth.account.internal.flows.login import (
    AUTHENTICATION_METHODS_SESSION_KEY,
    record_authentication,
)
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from allauth.usersessions.models import UserSession
from django.test import Client, RequestFactory
from django.utils import timezone

from games.models import Act, Bond, Game, Player, Seat
from games.selectors import lessons
from games.selectors.course import course_of
from games.services import membership, stats
from games.services.notices import links
from tests.attack.world import World, build
from tests.history.archive import stored_game
from tests.people import NOON
from tests.reckoning.invented import reckoning_of

TWO_FACTORS = "accounts/2fa/"


def inhabited() -> World:
    world = build()
    creator = world.players["creator"]
    pair = [creator, world.players["partner"]]
    for years, ruleset in enumerate(lessons.taught()):
        ended_at = NOON.replace(year=NOON.year - years)
        finished = stored_game(pair, ruleset=ruleset, seed=3, ended_at=ended_at)
        world.games[ruleset, "finished"] = finished
        world.games[ruleset, "begun"] = stored_game(pair, ruleset=ruleset, until=8)
        _judge(finished, creator)
    for seed in (4, 5, 6):  # so that there is something to say of skill and luck
        _judge(stored_game(pair, seed=seed), creator)
    low, high = sorted(pair, key=lambda player: player.pk)
    Bond.objects.create(
        low=low,
        high=high,
        ruleset="marrakech",
        games=20,
        chance=1e-6,
        favours=1.5,
        gifts=4.2,
        usual=-0.3,
        found_at=NOON,
    )
    at_home(world.clients["creator"], creator)
    stranger = world.players["stranger"]
    TOTP.activate(stranger, "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")
    RecoveryCodes.activate(stranger)
    at_home(world.clients["stranger"], stranger)
    return world


def _judge(game: Game, player: Player) -> None:
    row = reckoning_of(game, blunder=_choice_of(player, game))
    stats.count_reckoning(row=row, now=NOON)


def _choice_of(player: Player, game: Game) -> int:
    """The number of a move with which this player chose something."""
    course, own = course_of(game), game.seats.get(player=player).number
    return next(
        number
        for number, step in enumerate(course.played, start=1)
        if step.seat == own and len(course.start.rules.legal(step.before)) > 1
    )


def at_home(client: Client, player: Player) -> None:
    """Signed in a moment ago, so that nobody asks for the password once more; and still so when all
    languages have been read."""
    request = RequestFactory().get("/")
    request.session = session = client.session
    record_authentication(request, player, "password", reauthenticated=True)
    session[AUTHENTICATION_METHODS_SESSION_KEY][-1]["at"] += timedelta(days=1).total_seconds()
    session.save()
    UserSession.objects.create(
        user=player, session_key=session.session_key, ip="192.0.2.1", user_agent="Souk"
    )


def keys(world: World) -> dict[str, list[str]]:
    """By how their addresses begin: what opens pages for whoever has it."""
    creator = world.players["creator"]
    seat = Seat.objects.get(game=world.games["public", "running"], player=creator)
    found = {
        "mail/move/": [links.decision_url(seat, world.games["public", "running"])],
        "mail/off/": [
            links.unsubscribe_url(creator),
            links.unsubscribe_url(creator, seat),
            links.no_puzzles_url(creator),
        ],
        "calendar/": [links.calendar_url(creator)],
        "invited/": [membership.invitation_link(member=creator)],
    }
    return {
        start: [url.rstrip("/").split("/")[-1].removesuffix(".ics") for url in urls]
        for start, urls in found.items()
    }


def acts(world: World) -> Iterator[Act]:
    """One of each kind, with and without an end."""
    now = timezone.now()
    for kind in Act.Kind:
        for until in (now + timedelta(days=3), None):
            yield Act(
                kind=kind,
                actor=world.players["chief"],
                player=world.players["creator"],
                game=world.games["public", "running"],
                reason="A test.",
                until=until,
                granted=timedelta(hours=5),
                was="the-first",
                at=now,
            )
