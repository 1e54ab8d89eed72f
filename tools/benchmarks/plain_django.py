"""What Django alone takes for the same: bare views, beside the pages of the site.

Each runs in the same process, behind the same middleware, and reads and writes the same tables
as often as the page that it stands beside. It gathers nothing, and renders nothing.
"""

from __future__ import annotations

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from games.models import Game, Message, Move, Notice, Player, Seat, Vacation


def table(request: HttpRequest, public_id: str) -> HttpResponse:
    """Eight queries: two find out who asks."""
    game = Game.objects.get(public_id=public_id)
    seats = list(Seat.objects.filter(game=game).select_related("player"))
    moves = list(Move.objects.filter(game=game).order_by("number"))
    lines = list(Message.objects.filter(game=game).select_related("player").order_by("-id")[:100])
    Seat.objects.filter(pk=seats[0].pk).update(seen_moves=len(moves))
    return HttpResponse(f"{len(lines)} lines, {_waiting(request)} games wait")


def home(request: HttpRequest) -> HttpResponse:
    """Ten queries."""
    games = Game.objects.filter(seats__player=request.user.pk)
    lists = [list(games.filter(status=status)[:13]) for status in Game.Status]
    found = [game for each in lists for game in each]
    seats = list(Seat.objects.filter(game__in=found).select_related("player"))
    moves = list(Move.objects.filter(game__in=lists[1]).order_by("game", "number"))
    return HttpResponse(f"{len(seats)} seats, {len(moves)} moves, {_waiting(request)} games wait")


def lobby(request: HttpRequest) -> HttpResponse:
    """Seven queries."""
    seats = 0
    for status in (Game.Status.OPEN, Game.Status.RUNNING):
        games = list(Game.objects.filter(status=status, visibility="public")[:21])
        seats += len(Seat.objects.filter(game__in=games).select_related("player"))
    return HttpResponse(f"{seats} seats, {_waiting(request)} games wait")


@csrf_exempt
@transaction.atomic
def move(request: HttpRequest, public_id: str) -> HttpResponse:
    """What a move reads and writes when the turn passes: fourteen statements."""
    now = timezone.now()
    game = Game.objects.select_for_update().get(public_id=public_id)
    seats = list(Seat.objects.filter(game=game).select_related("player"))
    moves = list(Move.objects.filter(game=game).order_by("number"))
    _insert(game.pk, len(moves) + 1)
    players = [seat.player_id for seat in seats[:2]]
    list(Vacation.objects.filter(player__in=players, end__gt=now).values_list("start", "end"))
    Notice.objects.filter(game=game, state="queued").update(state="withdrawn")
    notices = [
        Notice(player_id=players[0], game=game, move_number=len(moves), kind=kind, created_at=now)
        for kind in ("turn", "half", "last")
    ]
    Notice.objects.bulk_create(notices, ignore_conflicts=True)
    Seat.objects.bulk_update(seats[:2], ["bank", "turn_bank", "clock_since", "turns"])
    game.move_count = len(moves) + 1
    game.save()
    return HttpResponse(f"{_waiting(request)} games wait")


@csrf_exempt
@transaction.atomic
def insert(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    """A move and nothing else."""
    _insert(game_id, number)
    return HttpResponse("done")


def _insert(game_id: int, number: int) -> None:
    facts = {"die": 4, "stands": "c6 west", "path": ["d6", "c6"], "paid": {"to": 1, "amount": 2}}
    Move.objects.create(
        game_id=game_id, number=number, seat=0, action="turn:L", facts=facts, at=timezone.now()
    )


def _waiting(request: HttpRequest) -> int:
    assert isinstance(request.user, Player)
    return Game.objects.filter(status="running", to_act__player=request.user).count()


urlpatterns = [
    path("bare/", home),
    path("bare/games/", lobby),
    path("bare/g/<slug:public_id>/", table),
    path("bare/g/<slug:public_id>/move/", move),
    path("bare/insert/<int:game_id>/<int:number>/", insert),
    path("", include("marrakech_site.urls")),
]
