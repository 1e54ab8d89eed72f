"""How players sign in: the settings of Django, allauth and Axes that are the same everywhere."""

from __future__ import annotations

from datetime import timedelta

AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"

# Codes instead of links: they are typed into the page that asked for them, so that whoever
# followed an invitation before signing up lands in its game afterwards.
CODES_LAST = 15 * 60
ACCOUNT_ADAPTER = "marrakech_site.accounts.AccountAdapter"
USERSESSIONS_ADAPTER = "marrakech_site.accounts.SessionsAdapter"
ACCOUNT_FORMS = {
    "signup": "games.forms.accounts.SignUpForm",
    "login": "games.forms.accounts.SignInForm",
    "request_login_code": "games.forms.accounts.SignInCodeForm",
    "confirm_login_code": "games.forms.accounts.ConfirmSignInForm",
    "reset_password": "games.forms.accounts.ForgottenPasswordForm",
    "confirm_password_reset_code": "games.forms.accounts.ConfirmResetForm",
    "reset_password_from_key": "games.forms.accounts.ResetPasswordForm",
    "change_password": "games.forms.accounts.ChangePasswordForm",
    "set_password": "games.forms.accounts.SetPasswordForm",
    "add_email": "games.forms.accounts.NewAddressForm",
    "change_email": "games.forms.accounts.OtherAddressForm",
    "confirm_email_verification_code": "games.forms.accounts.ConfirmAddressForm",
    "reauthenticate": "games.forms.accounts.ReauthenticateForm",
}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
ACCOUNT_USERNAME_MIN_LENGTH = 2
ACCOUNT_USERNAME_BLACKLIST = ["admin", "moderator", "root", "souk", "support", "system"]
ACCOUNT_USER_DISPLAY = "marrakech_site.accounts.shown_name"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_BY_CODE_SUPPORTS_RESEND = True
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = CODES_LAST
ACCOUNT_LOGIN_TIMEOUT = 2 * CODES_LAST
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_CHANGE = True
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = True
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_TIMEOUT = CODES_LAST
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = True
ACCOUNT_PASSWORD_RESET_BY_CODE_TIMEOUT = CODES_LAST
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
# Asked in every form that signs in, and not only where allauth asks; see games.forms.accounts.
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
# Failures alone are counted here. A club behind one address may mistype a lot; one account
# may be guessed at from many addresses, but not often.
ACCOUNT_RATE_LIMITS = {
    "login_failed": "30/m/ip,50/h/key",
    "login": "60/m/ip",
    # What makes a mail: nobody fills somebody else's mailbox.
    "signup": "20/m/ip,100/h/ip",
    "manage_email": "10/m/user,40/d/user",
    "confirm_email": "1/10s/key,6/h/key,20/d/key",
    "request_login_code": "20/m/ip,3/m/key,10/h/key",
    "reset_password": "20/m/ip,5/m/key,10/h/key",
}

# A second factor for whoever wants one.
MFA_ADAPTER = "marrakech_site.second_factor.Adapter"
MFA_FORMS = {
    "authenticate": "games.forms.second_factor.CodeForm",
    "reauthenticate": "games.forms.second_factor.CodeAgainForm",
    "activate_totp": "games.forms.second_factor.FirstCodeForm",
}
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Souk"
# Clocks of phones differ: the code before and the one after are taken as well.
MFA_TOTP_TOLERANCE = 1

# Axes locks one name for one address, so that nobody can lock out somebody else.
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_FAILURE_LIMIT = 8
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_USERNAME_CALLABLE = "marrakech_site.accounts.attempted_name"
AXES_CLIENT_IP_CALLABLE = "marrakech_site.clients.client_network"
AXES_LOCKOUT_TEMPLATE = "account/locked.html"
AXES_DISABLE_ACCESS_LOG = True
AXES_VERBOSE = False
