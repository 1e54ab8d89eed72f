"""The settings of a site, with the developers' tools beside the app."""

from .settings import *  # noqa: F403
from .settings import INSTALLED_APPS as OF_A_SITE

INSTALLED_APPS = [*OF_A_SITE, "tools"]
