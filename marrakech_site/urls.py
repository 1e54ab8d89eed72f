from django.contrib import admin
from django.urls import include, path

from games.views import accounts

from . import metrics

handler400 = "games.views.errors.bad_request"
handler403 = "games.views.errors.forbidden"
handler404 = "games.views.errors.not_found"
handler500 = "games.views.errors.broken"

urlpatterns = [
    path("admin/", admin.site.urls),
    path("metrics", metrics.show, name="metrics"),
    path("accounts/signup/", accounts.sign_up, name="account_signup"),
    path("accounts/sessions/", accounts.sessions_page, name="usersessions_list"),
    path("accounts/", include("allauth.urls")),
    path("", include("games.urls")),
]
