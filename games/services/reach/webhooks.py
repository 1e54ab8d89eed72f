"""Addresses that players have turns told to."""

from __future__ import annotations

import secrets
from base64 import b64encode
from collections.abc import Collection
from datetime import datetime

from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction
from django.utils.translation import gettext as _

from games import outbound
from games.models import Errand, Game, Player, Webhook
from games.security_log import note_on_commit
from games.services import limits, sessions
from games.services.errors import Refused
from games.services.notices import security_email
from games.services.reach import errands, hooks

MOST = 5
LOGGED = 50
ENDED = (Game.Status.OVER, Game.Status.CANCELLED)
"""Nothing more is told of such a table."""
SECRET_BYTES = 32


def add(
    *,
    owner: Player,
    game: Game | None,
    url: str,
    format: str,
    mentions: str,
    now: datetime,
    session: SessionBase | None = None,
    network: str = "",
) -> Webhook:
    if owner.is_guest:
        raise Refused(_("Sign up to have turns told elsewhere."))
    # A name may take seconds to be looked up: so not in a transaction, which others wait for,
    # and not as often as somebody likes.
    with transaction.atomic():
        limits.spend("webhook", now=now, sender=owner.pk)
    check(url)
    made = Webhook(
        owner=owner,
        game=game,
        url=url,
        format=Webhook.Format(format),
        secret=hooks.PREFIX + b64encode(secrets.token_bytes(SECRET_BYTES)).decode(),
        mentions=mentions,
        made_at=now,
    )
    _add(made, session, network, now)
    return made


@transaction.atomic
def _add(made: Webhook, session: SessionBase | None, network: str, now: datetime) -> None:
    owner, game = made.owner, made.game
    if game and (game.creator_id != owner.pk or game.status in ENDED):
        raise Refused(_("Only whoever opened a game can have its turns told elsewhere."))
    locked = Player.objects.select_for_update().get(pk=owner.pk)
    if session is not None:
        sessions.must_be_signed_in(session, locked)
    if owner.webhooks.exclude(game__status__in=ENDED).count() >= MOST:
        raise Refused(_("You have %(count)d webhooks already. Delete one first.") % {"count": MOST})
    made.save(force_insert=True)
    _count(owner, game)
    security_email.announce_webhook(webhook=made, network=network, now=now)
    note_on_commit("webhook_added", player=owner.pk)


@transaction.atomic
def remove(*, owner: Player, webhook_id: int) -> None:
    """Once more changes nothing."""
    if webhook := owner.webhooks.filter(pk=webhook_id).select_related("game").first():
        game = webhook.game
        webhook.delete()
        _count(owner, game)
        note_on_commit("webhook_removed", player=owner.pk)


@transaction.atomic
def answer_question(*, owner: Player, delete: Collection[int], keep: Collection[int] = ()) -> None:
    """Which webhooks go and which stay, after the owner's other ways in have ended."""
    for webhook_id in sorted(delete):
        remove(owner=owner, webhook_id=webhook_id)
    owner.webhooks.filter(pk__in=keep).update(in_question=False)


@transaction.atomic
def send_test(*, owner: Player, webhook_id: int, now: datetime) -> None:
    webhook = _own(owner, webhook_id)
    limits.spend("device_test", now=now, sender=owner.pk)
    Errand.objects.create(
        webhook=webhook,
        kind=Errand.Kind.TEST,
        content=hooks.test_words(webhook, now=now),
        created_at=now,
        due_at=now,
    )
    transaction.on_commit(errands.wake, robust=True)


@transaction.atomic
def send_again(*, owner: Player, webhook_id: int, errand_id: int, now: datetime) -> None:
    """The same once more, whatever became of it."""
    webhook = _own(owner, webhook_id)
    limits.spend("device_test", now=now, sender=owner.pk)
    Webhook.objects.filter(pk=webhook.pk).update(off_since=None)
    again = webhook.errands.filter(pk=errand_id).exclude(state=Errand.State.SENDING)
    again.update(state=Errand.State.QUEUED, due_at=now, attempts=0)
    transaction.on_commit(errands.wake, robust=True)


def switch_on(*, owner: Player, webhook_id: int) -> None:
    Webhook.objects.filter(owner=owner, pk=webhook_id).update(off_since=None, last_error="")


def check(url: str) -> None:
    try:
        parts = outbound.check(url)
        port = parts.port or outbound.SCHEMES[parts.scheme]
        outbound.addresses(parts.hostname or "", port)
    except outbound.NotAllowed as error:
        reasons = {
            "only https is spoken": _("The address must start with https://"),
            "this address is not public": _(
                "This address is not public, so nothing is sent there."
            ),
        }
        raise Refused(reasons.get(str(error), _("This is not an address of the web."))) from None
    except OSError:
        raise Refused(_("There is nobody at this address.")) from None


def _own(owner: Player, webhook_id: int) -> Webhook:
    webhook = owner.webhooks.filter(pk=webhook_id).first()
    if webhook is None:
        raise Refused(_("This webhook is not on the list any more."))
    return webhook


def _count(owner: Player, game: Game | None) -> None:
    owner.has_webhook = owner.webhooks.filter(game=None).exists()
    owner.save(update_fields=["has_webhook"])
    if game:
        Game.objects.filter(pk=game.pk).update(has_webhook=game.webhooks.exists())
