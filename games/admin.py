"""For operators: what is stored, read-only, and mail that is stuck.

Everything that changes a game goes through services, so nothing here can be edited. The seed
of a game is never shown: whoever knows it knows every roll to come.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib import admin, messages
from django.contrib.auth import get_permission_codename
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.models import (
    Bounce,
    Breaker,
    Game,
    Invitation,
    Message,
    Move,
    Notice,
    Player,
    Seat,
    Vacation,
)
from games.selectors.notices import stuck
from games.services import silence
from games.services.notices import breaker, outbox, trust


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


class SeatRows(admin.TabularInline):
    model = Seat
    fields = ("number", "player", "joined_at", "bank", "clock_since", "turns", "left_by", "place")
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Game)
class GameAdmin(ReadOnly):
    exclude = ("seed", "options")
    list_display = ("public_id", "ruleset", "status", "pace", "move_count", "to_act", "deadline")
    list_filter = ("status", "ruleset", "pace")
    list_select_related = ("to_act__player", "to_act__game")
    search_fields = ("public_id", "seats__player__username")
    inlines = (SeatRows,)
    actions = ("go_on",)

    @admin.action(description=_("Go on without whoever is silent"), permissions=["operate"])
    def go_on(self, request: HttpRequest, queryset: QuerySet[Game]) -> None:
        ids = list(queryset.values_list("pk", flat=True))
        count = silence.close_silent(game_ids=ids, now=timezone.now())
        text = ngettext(
            "%(count)d game goes on or is over.", "%(count)d games go on or are over.", count
        )
        messages.success(request, text % {"count": count})


class RefusedFilter(admin.SimpleListFilter):
    title = _("address refused")
    parameter_name = "refused"

    def lookups(
        self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]
    ) -> Iterable[tuple[str, Any]]:
        return [("yes", _("address refused"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.exclude(refused_address="") if self.value() == "yes" else queryset


@admin.register(Player)
class PlayerAdmin(ReadOnly):
    exclude = ("password", "calendar_token", "groups", "user_permissions")
    list_display = ("username", "display_name", "email", "mail", "refused_reason", "last_login")
    list_filter = (RefusedFilter, "mail", "is_active", "is_staff")
    search_fields = ("username", "display_name", "email")
    actions = ("trust_again",)

    @admin.action(description=_("Write to this address again"), permissions=["operate"])
    def trust_again(self, request: HttpRequest, queryset: QuerySet[Player]) -> None:
        count = trust.trust_again(players=queryset, now=timezone.now())
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


@admin.register(Message, Invitation)
class PlainAdmin(ReadOnly):
    list_display = ("game", "player", "at")
    list_select_related = ("game", "player")


class StuckFilter(admin.SimpleListFilter):
    title = _("stuck")
    parameter_name = "stuck"

    def lookups(
        self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]
    ) -> Iterable[tuple[str, Any]]:
        return [("yes", _("stuck"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() == "yes":
            return queryset.filter(pk__in=stuck(timezone.now()).values("pk"))
        return queryset


@admin.register(Notice)
class NoticeAdmin(ReadOnly):
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
class BounceAdmin(ReadOnly):
    list_display = ("address", "notice", "reason", "at")
    list_select_related = ("notice__player",)
    search_fields = ("address",)
