"""For operators: what is stored, read-only, and mail that is stuck.

Everything that changes a game goes through services, so nothing here can be edited. The seed
of a game is never shown: whoever knows it knows every roll to come.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, cast
from urllib.parse import urlsplit

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.contrib.auth import get_permission_codename
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.models import (
    Act,
    Bounce,
    Breaker,
    Device,
    Errand,
    Game,
    Invitation,
    Message,
    Move,
    Notice,
    Player,
    Report,
    Seat,
    Vacation,
    Webhook,
)
from games.reckon.addresses import masked
from games.selectors.access import may_moderate
from games.selectors.moderation import may_read
from games.selectors.notices import stuck
from games.services import silence
from games.services.errors import Refused
from games.services.moderation import log, people
from games.services.notices import breaker, outbox


class ReadOnly(admin.ModelAdmin):
    def has_operate_permission(self, request: HttpRequest) -> bool:
        """For actions: whoever may only look has none."""
        codename = get_permission_codename("change", self.opts)
        return request.user.has_perm(f"{self.opts.app_label}.{codename}")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


SEES_ADDRESSES = "account.view_emailaddress"


class Addressed(ReadOnly):
    """Whose rows have addresses: they are shown to those who were given leave to look at
    addresses. Others see the domain, and can look for nobody by them."""

    addresses: tuple[str, ...]

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        return self._shown(request, super().get_list_display(request))

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        return self._shown(request, super().get_fields(request, obj))

    def get_search_fields(self, request: HttpRequest) -> list[str]:
        hidden = () if request.user.has_perm(SEES_ADDRESSES) else self.addresses
        return [name for name in super().get_search_fields(request) if name not in hidden]

    def _shown(self, request: HttpRequest, columns: Iterable[Any]) -> list[Any]:
        if request.user.has_perm(SEES_ADDRESSES):
            return list(columns)
        return [_masked(self.opts, each) if each in self.addresses else each for each in columns]


def _masked(meta: Any, column: str) -> Callable[[Model], str]:
    @admin.display(description=meta.get_field(column).verbose_name)
    def shown(row: Model) -> str:
        return masked(getattr(row, column))

    return shown


class Reasoned(ActionForm):
    """Whatever moderators do has a reason."""

    reason = forms.CharField(label=_("Reason"), required=False, max_length=log.REASON_LENGTH)


class Moderated(ReadOnly):
    """Whose rows moderators have a page for."""

    page: str
    named_by: str

    def has_moderate_permission(self, request: HttpRequest) -> bool:
        return may_moderate(request.user)

    @admin.action(description=_("Moderate…"), permissions=["moderate"])
    def moderate(self, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
        chosen = list(queryset.values_list(self.named_by, flat=True)[:2])
        if len(chosen) == 1:
            return redirect(self.page, chosen[0])
        messages.error(request, _("Choose one."))
        return None


class SeatRows(admin.TabularInline):
    model = Seat
    fields = ("number", "player", "joined_at", "bank", "clock_since", "turns", "left_by", "place")
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Game)
class GameAdmin(Moderated):
    page, named_by = "moderate_game", "public_id"
    exclude = ("seed", "options")
    list_display = ("public_id", "ruleset", "status", "pace", "move_count", "to_act", "deadline")
    list_filter = ("status", "ruleset", "pace")
    list_select_related = ("to_act__player", "to_act__game")
    search_fields = ("public_id", "seats__player__username")
    inlines = (SeatRows,)
    actions = ("moderate", "go_on")

    @admin.action(description=_("Go on without whoever is silent"), permissions=["operate"])
    def go_on(self, request: HttpRequest, queryset: QuerySet[Game]) -> None:
        ids = list(queryset.values_list("pk", flat=True))
        count = silence.close_silent(game_ids=ids, now=timezone.now())
        text = ngettext(
            "%(count)d game goes on or is over.", "%(count)d games go on or are over.", count
        )
        messages.success(request, text % {"count": count})


class OnlyThose(admin.SimpleListFilter):
    """All, or only the rows that the title speaks of."""

    def lookups(
        self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]
    ) -> Iterable[tuple[str, Any]]:
        return [("yes", self.title)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return self.those(queryset) if self.value() == "yes" else queryset

    def those(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        raise NotImplementedError


class RefusedFilter(OnlyThose):
    title = _("address refused")
    parameter_name = "refused"

    def those(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.exclude(refused_address="")


@admin.register(Player)
class PlayerAdmin(Addressed, Moderated):
    page, named_by = "moderate_player", "username"
    addresses = ("email", "refused_address", "refused_reason")
    action_form = Reasoned
    exclude = ("password", "calendar_token", "groups", "user_permissions")
    list_display = ("username", "display_name", "email", "mail", "refused_reason", "last_login")
    list_filter = (RefusedFilter, "mail", "is_active", "is_staff")
    search_fields = ("username", "display_name", "email")
    actions = ("moderate", "trust_again")

    @admin.action(description=_("Write to this address again"), permissions=["moderate"])
    def trust_again(self, request: HttpRequest, queryset: QuerySet[Player]) -> None:
        count = 0
        for player in queryset.exclude(refused_address=""):
            try:
                people.trust_address(
                    moderator=cast(Player, request.user),
                    player=player,
                    reason=request.POST.get("reason", ""),
                    now=timezone.now(),
                )
            except Refused as refusal:
                messages.error(request, str(refusal))
                return
            count += 1
        text = ngettext(
            "%(count)d address is trusted again.", "%(count)d addresses are trusted again.", count
        )
        messages.success(request, text % {"count": count})


@admin.register(Move)
class MoveAdmin(ReadOnly):
    list_display = ("game", "number", "seat", "action", "at")
    search_fields = ("game__public_id",)
    list_select_related = ("game",)


@admin.register(Vacation)
class VacationAdmin(ReadOnly):
    list_display = ("player", "start", "end", "automatic")
    list_select_related = ("player",)


@admin.register(Act)
class ActAdmin(ReadOnly):
    list_display = ("at", "actor", "kind", "player", "game", "reason")
    list_filter = ("kind",)
    list_select_related = ("actor", "player", "game")
    search_fields = ("player__username", "game__public_id", "reason")
    date_hierarchy = "at"


@admin.register(Report)
class ReportAdmin(ReadOnly):
    list_display = ("at", "reporter", "player", "text", "closed_at", "closed_by")
    list_select_related = ("reporter", "player", "closed_by")


@admin.register(Message)
class MessageAdmin(Moderated):
    page, named_by = "moderate_message", "pk"
    list_display = ("game", "player", "at", "hidden_at")
    list_select_related = ("game", "player")
    actions = ("moderate",)

    def get_exclude(self, request: HttpRequest, obj: Model | None = None) -> Any:
        """The words are for whom the moderators' page shows them to, and for the operator."""
        reader = cast(Player, request.user)
        if isinstance(obj, Message) and (reader.is_superuser or may_read(obj, reader)):
            return None
        return ("text",)


@admin.register(Invitation)
class PlainAdmin(ReadOnly):
    list_display = ("game", "player", "at")
    list_select_related = ("game", "player")


class StuckFilter(OnlyThose):
    title = _("stuck")
    parameter_name = "stuck"

    def those(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(pk__in=stuck(timezone.now()).values("pk"))


@admin.register(Notice)
class NoticeAdmin(Addressed):
    addresses = ("address", "last_error")
    exclude = ("content",)
    list_display = ("player", "kind", "game", "state", "due_at", "attempts", "last_error")
    list_filter = (StuckFilter, "state", "kind")
    list_select_related = ("player", "game")
    search_fields = ("player__username", "game__public_id")
    actions = ("send_again",)

    @admin.action(description=_("Send again now"), permissions=["operate"])
    def send_again(self, request: HttpRequest, queryset: QuerySet[Notice]) -> None:
        ids = list(queryset.values_list("pk", flat=True))
        count = outbox.resend(notice_ids=ids, now=timezone.now())
        text = ngettext(
            "%(count)d notice will be sent again.", "%(count)d notices will be sent again.", count
        )
        messages.success(request, text % {"count": count})


@admin.register(Breaker)
class BreakerAdmin(ReadOnly):
    list_display = ("channel", "refusals", "since", "held_until", "reason")
    actions = ("try_now",)

    @admin.action(description=_("Try now"), permissions=["operate"])
    def try_now(self, request: HttpRequest, queryset: QuerySet[Breaker]) -> None:
        for row in queryset:
            breaker.try_now(channel=row.channel, now=timezone.now())
        messages.success(request, _("The next notice is tried at once."))


@admin.register(Bounce)
class BounceAdmin(Addressed):
    addresses = ("address", "reason")
    list_display = ("address", "notice", "reason", "at")
    list_select_related = ("notice__player",)
    search_fields = ("address",)


def _host_of(url: str) -> str:
    """All that is shown of an address that whoever knows it can write to."""
    return urlsplit(url).hostname or ""


@admin.register(Device)
class DeviceAdmin(ReadOnly):
    fields = ("player", "name", "service", "made_at", "reached_at", "last_error")
    list_display = ("player", "name", "service", "reached_at", "last_error")
    list_select_related = ("player",)
    search_fields = ("player__username",)

    @admin.display(description=_("push service"))
    def service(self, device: Device) -> str:
        return _host_of(device.endpoint)


@admin.register(Webhook)
class WebhookAdmin(ReadOnly):
    fields = ("owner", "game", "format", "host", "made_at", "off_since", "last_error")
    list_display = ("owner", "game", "format", "host", "off_since", "last_error")
    list_filter = ("format", ("off_since", admin.EmptyFieldListFilter))
    list_select_related = ("owner", "game")
    search_fields = ("owner__username", "game__public_id")

    @admin.display(description=_("host"))
    def host(self, webhook: Webhook) -> str:
        return _host_of(webhook.url)


@admin.register(Errand)
class ErrandAdmin(ReadOnly):
    fields = (
        *("reader", "device", "webhook", "game", "kind", "state", "created_at", "due_at"),
        *("attempts", "status", "took_ms", "last_error", "sent_at", "shown"),
    )
    list_display = ("reader", "kind", "game", "state", "due_at", "attempts", "status", "last_error")
    list_filter = ("state", "kind")
    list_select_related = ("device__player", "webhook__owner", "game")

    @admin.display(description=_("player"))
    def reader(self, errand: Errand) -> str:
        return str(
            errand.device.player if errand.device else errand.webhook and errand.webhook.owner
        )
