from django.contrib import admin
from django.urls import include, path

from games.views import accounts

urlpatterns = [
    path("admin/", admin.site.urls),
    path("accounts/signup/", accounts.sign_up, name="account_signup"),
    path("accounts/", include("allauth.urls")),
    path("", include("games.urls")),
]
