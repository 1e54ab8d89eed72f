"""Addresses that players have turns told to."""

from __future__ import annotations

import secrets
from base64 import b64encode
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games import outbound
from games.models import Errand, Game, Player, Webhook
from games.services import limits
from games.services.errors import Refused
from games.services.reach import errands, hooks

MOST = 5
LOGGED = 50
ENDED = (Game.Status.OVER, Game.Status.CANCELLED)
"""Nothing more is told of such a table."""
SECRET_BYTES = 32


def add(
    *, owner: Player, game: Game | None, url: str, format: str, mentions: str, now: datetime
) -> Webhook:
    if owner.is_guest:
        raise Refused(_("Sign up to have turns told elsewhere."))
    # A name may take seconds to be looked up: so not in a transaction, which others wait for,
    # and not as often as somebody likes.
    with transaction.atomic():
        limits.spend("webhook", now=now, sender=owner.pk)
    check(url)
    return _add(owner, game, url, format, mentions, now)


@transaction.atomic
def _add(
    owner: Player, game: Game | None, url: str, format: str, mentions: str, now: datetime
) -> Webhook:
    if game and (game.creator_id != owner.pk or game.status in ENDED):
        raise Refused(_("Only whoever opened a game can have its turns told elsewhere."))
    Player.objects.select_for_update().get(pk=owner.pk)
    if owner.webhooks.exclude(game__status__in=ENDED).count() >= MOST:
        raise Refused(_("You have %(count)d webhooks already. Delete one first.") % {"count": MOST})
    webhook = Webhook.objects.create(
        owner=owner,
        game=game,
        url=url,
        format=Webhook.Format(format),
        secret=hooks.PREFIX + b64encode(secrets.token_bytes(SECRET_BYTES)).decode(),
        mentions=mentions,
        made_at=now,
    )
    _count(owner, game)
    return webhook


@transaction.atomic
def remove(*, owner: Player, webhook_id: int) -> None:
    """Once more changes nothing."""
    if webhook := owner.webhooks.filter(pk=webhook_id).select_related("game").first():
        game = webhook.game
        webhook.delete()
        _count(owner, game)


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
