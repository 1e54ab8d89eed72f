"""Going on without somebody who fell silent in a game without a clock."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.services import silence
from games.views.requests import HtmxRequest, game_at, player_of, signed_in, told


@require_POST
@signed_in
def go_on(request: HtmxRequest, public_id: str) -> HttpResponse:
    game = game_at(request, public_id)
    with told(request):
        if not silence.agree_to_go_on(
            game_id=game.pk, player=player_of(request), now=timezone.now()
        ):
            messages.success(request, _("Noted. The game goes on when the others agree, too."))
    return redirect(game)
