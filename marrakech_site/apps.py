"""Where Django finds the operators' pages of this site."""

from django.contrib.admin import apps


class AdminConfig(apps.AdminConfig):
    default_site = "marrakech_site.admin.Site"
