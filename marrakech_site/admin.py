"""The operators' pages: entered by the site's own sign-in, and closed to guesses.

Whoever may look at a list could otherwise ask it for any column of any related table, one
letter at a time. This holds for every model that is registered, whoever registered it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from allauth.account.decorators import secure_admin_login
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_removed
from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.decorators import method_decorator

# What the links of filters and of a calendar of days ask for.
LOOKUPS = ("", "exact", "in", "isnull", "gte", "lt", "year", "month", "day")


MODERATE = "moderate"
SECRETS = {"calendar_token", "data", "key", "password", "seed", "session_key"}


class Guarded(admin.ModelAdmin):
    """Laid over each model's own pages."""

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Only the columns that the page offers a filter for, and no other question."""
        filters = self.get_list_filter(request) if request else self.list_filter
        columns = [each[0] if isinstance(each, tuple | list) else each for each in filters]
        if lookup in {getattr(each, "parameter_name", None) for each in columns}:
            return True
        offered = {self.opts.pk.name, *(each for each in columns if isinstance(each, str))}
        if self.date_hierarchy:
            offered.add(self.date_hierarchy)
        return lookup in {
            f"{column}__{kind}" if kind else column for column in offered for kind in LOOKUPS
        }

    def get_exclude(self, request: HttpRequest, obj: Model | None = None) -> Any:
        own = {field.name for field in self.opts.get_fields()}
        return [*(super().get_exclude(request, obj) or ()), *sorted(SECRETS & own)]

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """For those who were given leave to change these rows, whatever the page itself allows;
        and for moderators what they may do by the page's own word."""
        meta, found = self.opts, super().get_actions(request)
        if request.user.has_perm(f"{meta.app_label}.change_{meta.model_name}"):
            return found
        return {
            name: action
            for name, action in found.items()
            if action and MODERATE in getattr(action[0], "allowed_permissions", ())
        }

    def log_deletions(self, request: HttpRequest, queryset: Iterable[Model]) -> Any:
        """Those of second factors are said as allauth says them on its own pages."""
        for row in queryset:
            if isinstance(row, Authenticator):
                authenticator_removed.send(
                    sender=Authenticator, request=request, user=row.user, authenticator=row
                )
        return super().log_deletions(request, queryset)  # type: ignore[arg-type]


class Site(admin.AdminSite):
    site_title = site_header = "Souk"

    def register(
        self,
        model_or_iterable: type[Model] | Iterable[type[Model]],
        admin_class: type[admin.ModelAdmin] | None = None,
        **options_given: Any,
    ) -> None:
        plain = admin_class or admin.ModelAdmin
        guarded = type(plain.__name__, (Guarded, plain), {"__module__": plain.__module__})
        super().register(model_or_iterable, guarded, **options_given)

    @method_decorator(secure_admin_login)
    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return redirect("admin:index")

    def password_change(  # type: ignore[override]
        self, request: HttpRequest, extra_context: Any = None
    ) -> HttpResponse:
        return redirect("account_change_password")
