"""Settings of Souk, driven by the environment; no variable is required.

Without any variable Souk runs for one machine: SQLite, a broker made of files, mail that
is kept and shown on a page. ALLOWED_HOSTS is what makes a site public, and a public site
gets the strict defaults: HTTPS only, secure cookies, HSTS, no page that shows mail.
"""

from __future__ import annotations

import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from kombu import Queue

from games.workers import (
    BOTS,
    BOTS_QUEUE,
    ERRANDS,
    MAIL_QUEUE,
    RECKONERS,
    SENDERS,
    SWEEPS_QUEUE,
)

from . import broker, sentry
from .account_settings import *  # noqa: F403
from .database import waits
from .embedded import data_folder, secret_key
from .log_lines import log_lines
from .schedule import beat_schedule
from .variables import Env

BASE_DIR = Path(__file__).resolve().parent.parent
env = Env()

DATA = data_folder(Path(env.str("SOUK_DATA", default=str(BASE_DIR / "var"))))

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="") or secret_key(DATA / "secret-key")

# Keys of before: what they signed and encrypted is still good, and nothing new is made with them.
SECRET_KEY_FALLBACKS: list[str] = [
    key.strip() for key in env.list("SECRET_KEY_FALLBACKS", default=[]) if key.strip()
]

# --- Who may reach the site, and how ---

ALLOWED_HOSTS: list[str] = env.list("ALLOWED_HOSTS", default=[])
PUBLIC = bool(ALLOWED_HOSTS)
if not PUBLIC:
    ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
HOST = env.str("HOST", default="") or "127.0.0.1"
PORT = env.int("PORT", default=8000)
HTTPS = env.bool("HTTPS", default=PUBLIC)
SITE_URL = env.str(
    "SITE_URL",
    default=f"https://{ALLOWED_HOSTS[0].lstrip('.')}" if PUBLIC else f"http://127.0.0.1:{PORT}",
).rstrip("/")
# Where the streams to open pages are served. Behind a proxy that is a path of the site; without
# one, another port of this machine, which pages must be allowed to listen to. 0: there are none.
LIVE_PORT = env.int("LIVE_PORT", default=PORT + 1)
LIVE_STREAMS = env.int("LIVE_STREAMS", default=10_000)
LIVE_STREAMS_OF_ONE = env.int("LIVE_STREAMS_OF_ONE", default=100)
LIVE_HOSTS = [] if PUBLIC else ["127.0.0.1", "localhost", "[::1]"]
LIVE_ORIGINS = [f"http://{host}:{PORT}" for host in LIVE_HOSTS]
# A policy cannot name an address in brackets: browsers complain, and pages ask by themselves there.
LIVE_NAMED = [f"http://{host}:{LIVE_PORT}" for host in LIVE_HOSTS if LIVE_PORT and host[0] != "["]
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", default=1 if PUBLIC else 0)
CSRF_TRUSTED_ORIGINS = [SITE_URL]

if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=365 * 24 * 3600) if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = env.bool("HSTS_SUBDOMAINS", default=HTTPS)
SECURE_REFERRER_POLICY = "same-origin"
# Browsers take such a cookie from this host alone, and only over HTTPS; see games.cookies.
COOKIE_PREFIX = "__Host-" if HTTPS else ""
SESSION_COOKIE_NAME = f"{COOKIE_PREFIX}sessionid"
CSRF_COOKIE_NAME = f"{COOKIE_PREFIX}csrftoken"
LANGUAGE_COOKIE_NAME = f"{COOKIE_PREFIX}language"
MESSAGE_STORAGE = "games.cookies.MessageStorage"
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
CSRF_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SECURE = HTTPS
CSRF_FAILURE_VIEW = "games.views.errors.form_from_elsewhere"
X_FRAME_OPTIONS = "DENY"
# What a request may bring along, and how long it may take to bring it; see bodies.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_500_000
BODY_TIMEOUT = env.int("BODY_TIMEOUT", default=20)

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF, *LIVE_NAMED],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

# --- The application ---

INSTALLED_APPS = [
    "marrakech_site.apps.AdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "csp",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "axes",
    "games",
]

MIDDLEWARE = [
    "games.busy.BusyMiddleware",
    "marrakech_site.logs.RequestLogMiddleware",
    "games.healthz.HealthMiddleware",
    "marrakech_site.metrics.MetricsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "marrakech_site.assets.AssetsMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "marrakech_site.edge.EdgeMiddleware",
    "games.cookies.OldNamesMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "games.middleware.LanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "games.middleware.GuestMiddleware",
    "games.middleware.SignedOutMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "games.middleware.PlayerPreferencesMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
    "axes.middleware.AxesMiddleware",
    "marrakech_site.second_factor.StaffMiddleware",
]

ROOT_URLCONF = "marrakech_site.urls"
WSGI_APPLICATION = "marrakech_site.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["games.templatetags.titles"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "games.context_processors.waiting",
                "games.context_processors.house",
                "games.context_processors.moderator",
                "games.context_processors.mailbox",
                "games.context_processors.codes",
            ],
        },
    },
]
FORM_RENDERER = "games.forms.renderer.Renderer"

# --- Database and cache ---

DATABASES: dict[str, dict[str, Any]] = {
    "default": env.db_url("DATABASE_URL", default=f"sqlite:///{DATA / 'souk.sqlite3'}")
}
_database = DATABASES["default"]
_engine = _database.get("ENGINE", "")
if _engine.endswith("sqlite3"):
    # Without IMMEDIATE a transaction that reads before it writes cannot wait for its turn.
    _database["OPTIONS"] = {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;",
    }
elif _engine.endswith("postgresql"):
    _database["CONN_MAX_AGE"] = env.int("CONN_MAX_AGE", default=60)
    _database["CONN_HEALTH_CHECKS"] = True
    _database["OPTIONS"] = {
        "connect_timeout": 5,
        # A host that has vanished does not say so: what it leaves unanswered ends a connection.
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": 15_000,
        "options": waits(
            lock=env.int("LOCK_TIMEOUT", default=10),
            statement=env.int("STATEMENT_TIMEOUT", default=30),
        ),
    }
else:
    raise ImproperlyConfigured("DATABASE_URL must name a PostgreSQL or SQLite database.")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.str("REDIS_URL", default="")
# Nobody who waits for a page waits for a server that hangs.
REDIS_WAITS = {"socket_timeout": 3, "socket_connect_timeout": 2}
CACHES = {
    "default": (
        {
            "BACKEND": "marrakech_site.caches.RedisOrDatabase",
            "LOCATION": REDIS_URL,
            "OPTIONS": {**REDIS_WAITS, "TABLE": "souk_cache", "MAX_ENTRIES": 10_000},
        }
        if REDIS_URL
        else {
            "BACKEND": "marrakech_site.caches.FilesOrDatabase",
            "LOCATION": DATA / "cache",
            "OPTIONS": {"TABLE": "souk_cache", "MAX_ENTRIES": 10_000},
        }
    )
}
SESSION_ENGINE = "games.session_store"
SESSION_COOKIE_AGE = 60 * 24 * 3600

# --- Tasks ---

CELERY_BROKER_URL = REDIS_URL or f"{broker.ALIAS}://localhost"
CELERY_BROKER_TRANSPORT_OPTIONS = (
    {**REDIS_WAITS, "health_check_interval": 5, "max_retries": 0}
    if REDIS_URL
    else broker.transport_options(DATA / "broker")
)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_PUBLISH_RETRY = False
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 4
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
# Bots think hard, and mail servers hang: workers of their own, so that no deadline waits for
# them. A worker that is told no queues works for sweeps and mail.
CELERY_TASK_DEFAULT_QUEUE = SWEEPS_QUEUE
CELERY_TASK_QUEUES = [Queue(SWEEPS_QUEUE), Queue(MAIL_QUEUE)]
CELERY_TASK_ROUTES = {
    SENDERS: {"queue": MAIL_QUEUE},
    ERRANDS: {"queue": MAIL_QUEUE},
    BOTS: {"queue": BOTS_QUEUE},
    RECKONERS: {"queue": BOTS_QUEUE},
}
CELERY_BEAT_SCHEDULER = "marrakech_site.alive.Scheduler"
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA / "beat-schedule")
CELERY_BEAT_SCHEDULE = beat_schedule(purge_hour=env.int("PURGE_HOUR", default=4))
HEARTBEAT_STALE_AFTER = 90

# --- Exhibitions of bots, where there is nothing else to watch ---

EXHIBITIONS = env.int("EXHIBITIONS", default=0 if env.str("DATABASE_URL", default="") else 1)
EXHIBITION_EVERY = timedelta(hours=env.float("EXHIBITION_EVERY_HOURS", default=6))
EXHIBITION_PAUSE = timedelta(seconds=env.int("EXHIBITION_PAUSE", default=30))

# --- What is kept, and for how long ---

NOTICES_KEPT = timedelta(days=env.int("NOTICES_KEPT_DAYS", default=60))
RECORDS_KEPT = timedelta(days=env.int("RECORDS_KEPT_DAYS", default=60))
GUESTS_KEPT = timedelta(days=env.int("GUESTS_KEPT_DAYS", default=60))
SIGN_UPS_KEPT = timedelta(days=env.int("SIGN_UPS_KEPT_DAYS", default=7))
ATTEMPTS_KEPT = timedelta(days=env.int("ATTEMPTS_KEPT_DAYS", default=30))

# --- Mail ---

EMAIL_URL = env.str("EMAIL_URL", default="")
MAIL_KEPT_IN = None if EMAIL_URL else DATA / "mail"
if EMAIL_URL:
    vars().update(env.email_url("EMAIL_URL"))
    EMAIL_TIMEOUT = env.int("EMAIL_TIMEOUT", default=20)
else:
    EMAIL_BACKEND = "games.kept_mail.folder.EmailBackend"
DEFAULT_FROM_EMAIL = env.str(
    "DEFAULT_FROM_EMAIL", default=f"Souk <souk@{SITE_URL.split('//')[1].split(':')[0]}>"
)
REPLY_TO = env.str("REPLY_TO", default=DEFAULT_FROM_EMAIL)
# Who hears of it when no mail goes out: addresses, comma-separated.
ADMINS = [(address, address) for address in env.list("ADMINS", default=[])]
# Where mail comes back that cannot be delivered. The address must take anything after a plus;
# the mailbox is read by IMAP: imaps://user:password@host:993/INBOX
BOUNCE_ADDRESS = env.str("BOUNCE_ADDRESS", default="")
BOUNCE_MAILBOX = env.str("BOUNCE_MAILBOX", default="")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
EMAIL_SUBJECT_PREFIX = ""
# How long somebody who sits at the table is left alone, how long a sender that fell silent
# keeps what it was sending, and the first of the growing pauses before another try.
TURN_MAIL_DELAY = timedelta(seconds=env.int("TURN_MAIL_DELAY", default=180))
# How long devices have to bring somebody to the table before a mail follows.
MAIL_AFTER_PUSH = timedelta(seconds=env.int("MAIL_AFTER_PUSH", default=3600))
NOTICE_LEASE = timedelta(seconds=env.int("NOTICE_LEASE", default=300))
MAIL_RETRY_PAUSE = timedelta(seconds=env.int("MAIL_RETRY_PAUSE", default=60))

# --- Devices and webhooks ---

# The key by which push services know us, as 32 bytes in base64url; made once and kept in the
# database where it is not given.
VAPID_PRIVATE_KEY = env.str("VAPID_PRIVATE_KEY", default="")
# Networks that are not public and may be told by webhook all the same, comma-separated; and
# certificates of authorities of one's own.
OUTBOUND_ALLOWED = env.list("OUTBOUND_ALLOWED", default=[])
OUTBOUND_CA = env.str("OUTBOUND_CA", default="")

# --- Players and their accounts; how they sign in is in account_settings ---

AUTH_USER_MODEL = "games.Player"
# Who may sign up: everybody (open), whoever a member invites (invitation), or nobody (closed).
SIGN_UPS = env.str("SIGN_UPS", default="open")
# Files with what the operator has to say; beside terms.txt, terms.pl.txt is the Polish one.
HOUSE_TEXTS = {
    "terms": env.str("TERMS_FILE", default=""),
    "contact": env.str("CONTACT_FILE", default=""),
}
# Whether all who may do more than play need a second factor.
STAFF_SECOND_FACTOR = env.bool("STAFF_SECOND_FACTOR", default=True)

# --- Languages, time, static files ---

LANGUAGE_CODE = "en"
# Each by its own name, for whoever cannot read the page.
LANGUAGES = [
    ("en", "English"),
    ("ru", "Русский"),
    ("pl", "Polski"),
    ("ro", "Română"),
    ("zh-hant", "繁體中文"),
]
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LOCALE_PATHS = [BASE_DIR / "games" / "locale"]
USE_I18N = True
TIME_ZONE = "UTC"
USE_TZ = True

# Absolute: the language of an address must not become part of it.
STATIC_URL = "/static/"
STATIC_ROOT = DATA / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "marrakech_site.assets.Storage"},
}

# Whatever has a hash in its name never changes, of whichever release it is.
WHITENOISE_IMMUTABLE_FILE_TEST = r"\.[0-9a-f]{12}\."
# Which release this is; it tells files and errors of one from those of the next.
RELEASE = env.str("RELEASE", default="")

# --- Logs, figures, errors ---

AT_A_TERMINAL = sys.stderr.isatty()
LOGGING = log_lines(env.str("LOG_LEVEL", default="INFO"), plain=AT_A_TERMINAL)

# What `manage.py doctor` expects.
DISK_LEAST_FREE = env.int("DISK_LEAST_FREE_MB", default=1024) * 2**20
DKIM_SELECTOR = env.str("DKIM_SELECTOR", default="")

METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
SENTRY_DSN = env.str("SENTRY_DSN", default="")
if SENTRY_DSN:
    sentry.report_errors(SENTRY_DSN, release=RELEASE, environment=SITE_URL)
