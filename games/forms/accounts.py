"""The forms of the account pages: those of allauth in our words, and sections of the settings."""

from __future__ import annotations

from typing import Any, ClassVar

from allauth.account import forms as allauth_forms
from allauth.account.internal.flows.login import perform_password_login
from allauth.core import context
from django import forms
from django.conf import settings
from django.core.validators import MaxLengthValidator
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.forms.fields import PlaceField
from games.forms.names import NAME_HELP, clean_display_name
from games.models import Player
from games.selectors.accounts import owner_of
from games.selectors.guests import STAYS
from games.services.accounts import change_settings
from games.services.errors import Refused

LONGEST_ADDRESS = 254
EMAIL_LABEL = _("E-mail address")
PASSWORD_HELP = _("At least 8 characters, not only digits, and nothing that is easily guessed.")


class Labelled:
    """A label says what a field is; a placeholder that repeats it only gets in the way."""

    labels: ClassVar[dict[str, Any]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        fields: dict[str, forms.Field] = self.fields  # type: ignore[attr-defined]
        for name, field in fields.items():
            field.widget.attrs.pop("placeholder", None)
            if name == "email":
                field.label = EMAIL_LABEL
            if name == "code":
                field.widget.attrs.update({"autocapitalize": "characters", "spellcheck": "false"})
            field.label = self.labels.get(name, field.label)


class SigningIn(Labelled):
    """A form at the end of which somebody is signed in, perhaps after a code or two more: the
    choice waits in the session until then, see the adapter of the accounts."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: dict[str, forms.Field] = self.fields  # type: ignore[attr-defined]
        fields["remember"] = forms.BooleanField(
            label=_("Stay signed in"),
            help_text=_("For 60 days. If not, until you close the browser."),
            required=False,
            initial=True,
            label_suffix="",
        )

    def clean(self) -> Any:
        cleaned = super().clean()  # type: ignore[misc]
        if not self._errors:  # type: ignore[attr-defined]
            chosen = self.cleaned_data["remember"]  # type: ignore[attr-defined]
            context.request.session[STAYS] = chosen
        return cleaned


class SignUpForm(SigningIn, allauth_forms.SignupForm):
    labels = {"username": _("Name")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].help_text = NAME_HELP
        self.fields["username"].widget.attrs["autocapitalize"] = "none"
        self.fields["email"].help_text = _("Nobody else sees it.")
        self.fields["password1"].help_text = PASSWORD_HELP

    def validate_unique_email(self, value: str) -> str:
        # An address that is in use is treated like any other; its owner is told by mail.
        return value

    def save(self, request: HttpRequest) -> Player:
        try:
            with transaction.atomic():
                return super().save(request)
        except IntegrityError as error:  # taken by somebody else since it was checked
            raise Refused(_("This name is taken.")) from error


class SignInForm(SigningIn, allauth_forms.LoginForm):
    labels = {"login": _("Name or e-mail address")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        login = self.fields["login"]
        login.widget.attrs.update(
            {"autocomplete": "username", "autocapitalize": "none", "maxlength": LONGEST_ADDRESS}
        )
        # Nobody is called so, and no column of those who guess has room for it.
        login.validators.append(MaxLengthValidator(LONGEST_ADDRESS))
        self.fields["password"].help_text = ""

    def user_credentials(self) -> dict[str, str]:
        # Names contain no @, so it is one or the other. Trying both would check the password
        # twice for an address that exists, and the time would tell.
        login = self.cleaned_data["login"]
        return {
            "email" if "@" in login else "username": login,
            "password": self.cleaned_data["password"],
        }

    def login(self, request: HttpRequest, redirect_url: str | None = None) -> HttpResponse:
        # Allauth would set how long the session lasts here, also before a second factor is shown,
        # when it may still be the session of a guest.
        self._login.redirect_url = redirect_url
        return perform_password_login(request, self.user_credentials(), self._login)


class SignInCodeForm(SigningIn, allauth_forms.RequestLoginCodeForm):
    def clean_email(self) -> str:
        email = super().clean_email()
        self._user = owner_of(email)
        return email


class ForgottenPasswordForm(Labelled, allauth_forms.ResetPasswordForm):
    def clean_email(self) -> str:
        email = super().clean_email()
        owner = owner_of(email)
        self.users = [owner] if owner else []
        return email


class NewAddressForm(Labelled, allauth_forms.AddEmailForm):
    labels = {"email": _("New e-mail address")}


class OtherAddressForm(Labelled, allauth_forms.ChangeEmailForm):
    """While signing up: the address was mistyped."""

    account_already_exists = False

    def clean_email(self) -> str:
        return self.cleaned_data["email"]


class ConfirmAddressForm(Labelled, allauth_forms.BaseConfirmCodeForm):
    def __init__(self, *args: Any, user: Player | None = None, email: str = "", **kwargs: Any):
        super().__init__(*args, **kwargs)


class ConfirmSignInForm(Labelled, allauth_forms.ConfirmLoginCodeForm):
    pass


class ConfirmResetForm(Labelled, allauth_forms.ConfirmPasswordResetCodeForm):
    pass


class _NewPasswordOnce(Labelled):
    """The new password is typed once; whoever mistypes it gets in by mail."""

    labels = {"password1": _("New password"), "oldpassword": _("Current password")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: dict[str, forms.Field] = self.fields  # type: ignore[attr-defined]
        del fields["password2"]
        fields["password1"].help_text = PASSWORD_HELP


class ChangePasswordForm(_NewPasswordOnce, allauth_forms.ChangePasswordForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["oldpassword"].help_text = ""


class SetPasswordForm(_NewPasswordOnce, allauth_forms.SetPasswordForm):
    pass


class ResetPasswordForm(SigningIn, _NewPasswordOnce, allauth_forms.ResetPasswordKeyForm):
    pass


class ReauthenticateForm(Labelled, allauth_forms.ReauthenticateForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].help_text = ""


class SettingsSection(forms.Form):
    """One card of the settings page; all of them are one form, see forms.settings."""

    key: ClassVar[str]
    title: ClassVar[Any]

    def __init__(self, data: QueryDict | None = None, *, player: Player) -> None:
        initial = {name: getattr(player, name, None) for name in self.base_fields}
        super().__init__(data, initial=initial, auto_id=f"{self.key}-%s", label_suffix="")
        self.player = player

    def changed(self) -> set[str]:
        """The names of what is not as it was."""
        return {
            name for name, value in self.cleaned_data.items() if value != getattr(self.player, name)
        }

    def apply(self) -> None:
        change_settings(player=self.player, changes=self.cleaned_data, now=timezone.now())


class NameSection(SettingsSection):
    key = "name"
    title = _("Your name")

    display_name = forms.CharField(
        label=_("Display name"),
        max_length=30,
        required=False,
        help_text=_("What others see, in any writing. Empty: your name."),
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )

    def clean_display_name(self) -> str:
        return clean_display_name(self.cleaned_data["display_name"], self.player)


def _languages() -> list[tuple[str, Any]]:
    return [("", _("As my browser")), *settings.LANGUAGES]


class PlaceSection(SettingsSection):
    key = "place"
    title = _("Language and time")

    language = forms.ChoiceField(label=_("Language"), choices=_languages, required=False)
    time_zone = PlaceField(
        label=_("Time zone"),
        required=False,
        help_text=_("Type a city or a country. Deadlines are shown in its time."),
    )


class PlayingSection(SettingsSection):
    key = "playing"
    title = _("Look and play")

    theme = forms.ChoiceField(
        label=_("Theme"), choices=Player.Theme.choices, widget=forms.RadioSelect
    )
    confirm_moves = forms.BooleanField(
        label=_("Ask before a move is made"),
        required=False,
        help_text=_(
            "Off: a tap that leaves nothing to ask makes the move at once; a tap on a direction "
            "rolls, in games with a clock too."
        ),
    )
    moves_on = forms.BooleanField(
        label=_("Go on to my next game after a turn"),
        required=False,
        help_text=_("As long as another game waits for you."),
    )


SECTIONS: tuple[type[SettingsSection], ...] = (NameSection, PlaceSection, PlayingSection)


class DeleteAccountForm(forms.Form):
    name = forms.CharField(
        label=_("Your name"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )

    def __init__(self, data: QueryDict | None = None, *, player: Player) -> None:
        super().__init__(data, label_suffix="")
        self.player = player

    def clean_name(self) -> str:
        name = self.cleaned_data["name"]
        if name.lower() != self.player.username.lower():
            raise forms.ValidationError(_("This is not your name."))
        return name
