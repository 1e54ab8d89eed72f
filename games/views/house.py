"""What the operator of the site has to say, and how one becomes a member."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.selectors.house_texts import house_text
from games.services import membership
from games.views.requests import player_of, told


@require_safe
def terms(request: HttpRequest) -> HttpResponse:
    return _text(request, "terms", _("Terms of use"))


@require_safe
def contact(request: HttpRequest) -> HttpResponse:
    return _text(request, "contact", _("Contact"))


@never_cache
@require_safe
@login_required
def invite(request: HttpRequest) -> HttpResponse:
    """A link that lets somebody sign up, from one who plays here."""
    link = membership.invitation_link(member=player_of(request))
    return render(request, "games/invite.html", {"link": link})


@never_cache
@require_safe
def invited(request: HttpRequest, token: str) -> HttpResponse:
    if request.user.is_authenticated:
        return redirect("home")
    with told(request):
        member = membership.accept(token, session=request.session, now=timezone.now())
        messages.success(request, _("%(name)s invites you to play here.") % {"name": member})
        return redirect("account_signup")
    return redirect("home")


def _text(request: HttpRequest, kind: str, title: str) -> HttpResponse:
    text = house_text(kind)
    if text is None:
        raise Http404
    return render(request, "games/house_text.html", {"title": title, "text": text})
