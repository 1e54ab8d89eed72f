"""Pages that the buttons of a mail lead to: whoever holds the link decides, signed in or not.

Opening one changes nothing, because mail programs open links by themselves; pressing its button
does. Each link is good for one thing, by whoever the mail was written to.
"""

from __future__ import annotations

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.forms.words import WordForm
from games.models import LUCKY_WORD, Game, Player
from games.selectors import access, words
from games.selectors.invitation import picture_of, sentence_of
from games.selectors.lobby import row_of
from games.selectors.rules import edition_of
from games.selectors.table import Table, see_table, table_of
from games.services import lobby, play
from games.services.errors import Refused
from games.services.notices import links
from games.titles.places import offer_of
from games.views.requests import ended_links_told, granted_by, viewer_of

ACCEPT, DECLINE = "accept", "decline"
GOES_ON_AS = "by_mail_as"
"""In the session of somebody who holds a mail to another player, and was asked."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@ended_links_told
def decision(request: HttpRequest, token: str) -> HttpResponse:
    """One decision of one seat on one position."""
    granted = granted_by(links.read_decision, token)
    if asked := _ask_who_it_is(request, granted.seat.player):
        return asked
    if request.method == "POST":
        return _decide(request, granted)
    if _is_signed_in(request, granted.seat.player):
        return _to_the_table(granted.seat.game, request.GET.get("play", ""))
    return _question(request, granted)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@ended_links_told
def invitation(request: HttpRequest, invitation_token: str) -> HttpResponse:
    """An invitation, accepted or declined by whoever was invited."""
    asked = granted_by(links.read_invitation, invitation_token)
    game, player = asked.game, asked.player
    if not access.may_see(game, player):
        raise Http404
    if who := _ask_who_it_is(request, player):
        return who
    if request.method != "POST":
        if _is_signed_in(request, player):
            return redirect("join", game.public_id)
        return _invitation_page(request, game, player)
    answer = request.POST.get("answer", "")
    try:
        game = _answer(game, player, answer, WordForm(request.POST))
    except Refused as refusal:
        return _invitation_page(request, game, player, refusal=refusal)
    if _is_signed_in(request, player):
        return redirect(game if answer == ACCEPT else "home")
    return _invitation_page(request, game, player, answered=answer)


def _answer(game: Game, player: Player, answer: str, form: WordForm) -> Game:
    now = timezone.now()
    if answer == ACCEPT:
        if not form.is_valid():
            raise Refused(LUCKY_WORD.message)
        joined = lobby.join_game(
            game_id=game.pk,
            player=player,
            entropy=form.cleaned_data["entropy"],
            drawn_word=form.cleaned_data["drawn_word"],
            now=now,
        )
        joined.creator = game.creator
        return joined
    if answer == DECLINE:
        lobby.decline_invitation(game_id=game.pk, player=player, now=now)
        return game
    raise Refused(_("That form is not complete. Try again."))


def _ask_who_it_is(request: HttpRequest, reader: Player) -> HttpResponse | None:
    """Somebody else is signed in here: nothing is shown or done before they say that they know."""
    viewer = viewer_of(request)
    if viewer is None or viewer.is_guest or viewer.pk == reader.pk:
        return None
    if request.session.get(GOES_ON_AS) == reader.pk:
        return None
    if request.method == "POST" and "go_on" in request.POST:
        request.session[GOES_ON_AS] = reader.pk
        return redirect(request.get_full_path())
    status = 409 if request.method == "POST" else 200
    return render(request, "games/mail/whose.html", {"reader": reader}, status=status)


def _is_signed_in(request: HttpRequest, reader: Player) -> bool:
    viewer = viewer_of(request)
    return viewer is not None and viewer.pk == reader.pk


def _to_the_table(game: Game, chosen: str) -> HttpResponse:
    query = f"?{urlencode({'choose': chosen})}" if chosen else ""
    return redirect(game.get_absolute_url() + query)


def _decide(request: HttpRequest, granted: links.Decision) -> HttpResponse:
    seat = granted.seat
    try:
        course = play.play_move(
            game_id=seat.game_id,
            player=seat.player,
            action=request.POST.get("action", ""),
            on_move=granted.on_move,
            now=timezone.now(),
        )
    except play.Stale:
        return _expired(request, granted, status=409)
    except Refused as refusal:
        return _question(request, granted, refusal=refusal)
    if _is_signed_in(request, seat.player):
        return redirect(course.game)
    table = table_of(course, seat.player)
    if table.may_act and len(table.moves) == granted.on_move + 1:
        return _asked(request, table, granted, known=granted.on_move)
    context = {**_shown(table, seat.player, known=granted.on_move), "told": _told(table, granted)}
    return render(request, "games/mail/decided.html", context)


def _question(
    request: HttpRequest, granted: links.Decision, refusal: Refused | None = None
) -> HttpResponse:
    if not granted.is_open:
        return _expired(request, granted, status=410)
    chosen = request.GET.get("choose") or request.GET.get("play", "")
    table = see_table(granted.seat.game, granted.seat.player, chosen=chosen)
    if not table.may_act:
        return _expired(request, granted, status=410)
    return _asked(request, table, granted, refusal=refusal)


def _asked(
    request: HttpRequest,
    table: Table,
    granted: links.Decision,
    *,
    known: int | None = None,
    refusal: Refused | None = None,
) -> HttpResponse:
    """The decision that the seat owes now, under an address that is good for it alone, and no
    longer than the link that led here."""
    assert table.own_seat
    turn = table.last_turn
    goes_on = turn is not None and turn.seat == table.own_seat.number
    context = {
        **_shown(table, table.own_seat.player, known=known),
        "url": links.path_of_decision(table.own_seat, table.game, counter=granted.counter),
        "offer": offer_of(table.observation, table.chosen, table.names),
        "refusal": refusal,
        "told": words.told_to_whoever_did_it(table.game, table.names, turn)
        if turn and goes_on
        else "",
    }
    return render(request, "games/mail/decision.html", context, status=422 if refusal else 200)


def _shown(table: Table, player: Player, *, known: int | None) -> dict[str, object]:
    return {
        "game": table.game,
        "player": player,
        "table": table,
        "board": table.board(seen=known),
        "edition": edition_of(table.game),
        "description": words.position_in_words(table.observation, table.names).splitlines(),
        "sign_in": _sign_in(table.game.get_absolute_url()),
    }


def _told(table: Table, granted: links.Decision) -> str:
    """What the reader has just done, also where others have moved since."""
    own = [turn for turn in table.turns if turn.last > granted.on_move]
    if not own or own[0].seat != granted.seat.number:
        return ""
    return words.told_to_whoever_did_it(table.game, table.names, own[0])


def _expired(request: HttpRequest, granted: links.Decision, *, status: int) -> HttpResponse:
    game, player = granted.seat.game, granted.seat.player
    if _is_signed_in(request, player):
        return redirect(game)
    context = {"game": game, "player": player, "sign_in": _sign_in(game.get_absolute_url())}
    return render(request, "games/mail/expired.html", context, status=status)


def _invitation_page(
    request: HttpRequest,
    game: Game,
    player: Player,
    *,
    refusal: Refused | None = None,
    answered: str = "",
) -> HttpResponse:
    row = row_of(game, player)
    is_open = game.status == Game.Status.OPEN
    offered = request.GET.get("answer", ACCEPT)
    context = {
        "game": game,
        "row": row,
        "player": player,
        "edition": edition_of(game),
        "sentence": sentence_of(game),
        "board": picture_of(game),
        "refusal": refusal,
        "answered": answered,
        "sits": row.mine is not None,
        "is_open": is_open,
        "declines": offered == DECLINE,
        "sign_in": _sign_in(reverse("join", args=[game.public_id])),
    }
    gone = not (is_open or answered or row.mine)
    status = 409 if refusal else 410 if gone else 200
    return render(request, "games/mail/invitation.html", context, status=status)


def _sign_in(address: str) -> str:
    return redirect_to_login(address).url
