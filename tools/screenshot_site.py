"""What the screenshots show: players, games in every state, and the pages worth a picture."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, cast

from allauth.account.models import EmailAddress
from django.conf import settings

from games.engine.interface import Facts
from games.models import Game, Player, Seat
from games.selectors.lessons import scenes, taught
from games.selectors.table import Table, see_table
from games.services import lobby, play, table_talk
from games.services.notices import links
from games.titles import TITLES

NAMES = ("Yasmin", "Omar", "Ileana", "Wei")
MINUTE = timedelta(minutes=1)
# The first game of the house stands for all: its tables have every state there is.
SHOWN = next(iter(TITLES.values()))
EDITIONS = tuple(SHOWN.rules.presets)


@dataclass(frozen=True)
class Screen:
    """A page to take a picture of; `player` None is a visitor."""

    name: str
    path: str
    player: Player | None = None
    told: Game | None = None
    """Whose last turn is told there: a picture of each moment."""


def make_screens(now: datetime) -> list[Screen]:
    """Fill an empty database with games that look like life."""
    yasmin, omar, ileana, wei = players = [_player(name) for name in NAMES]
    four = _reached(players, 58, yasmin, now, kind="turn")
    laying = _reached(players, 46, yasmin, now, kind="lay")
    two = _reached([omar, yasmin], 30, omar, now, kind="turn")
    after = _reached([ileana, yasmin, wei], 44, yasmin, now, kind="roll", edition=EDITIONS[1])
    over = _started([yasmin, omar, wei], now)
    _play(over, 1000, now)
    waiting = _opened(yasmin, 4, now)
    _opened(omar, 3, now - timedelta(hours=5), pace=Game.Pace.RELAXED)
    invitation = _opened(wei, 2, now - timedelta(hours=2), edition=EDITIONS[2])
    named = _opened(wei, 2, now, visibility=Game.Visibility.NAMED, invited=[yasmin])
    for player, line in (
        (omar, "That blue field is going to be expensive."),
        (yasmin, "I know the way around it."),
    ):
        table_talk.post_message(game=four, player=player, text=line, now=now)
    stories = {key: _game_with_finished_turn(key, [omar, yasmin], now) for key in TITLES}
    chosen = see_table(laying, yasmin).observation["legal"][:3][-1]
    return [
        Screen("table", four.get_absolute_url(), yasmin),
        Screen("table-lay", laying.get_absolute_url(), yasmin),
        Screen("table-confirm", f"{laying.get_absolute_url()}?choose={chosen}", yasmin),
        Screen("table-waiting", two.get_absolute_url(), yasmin),
        Screen("table-roll", after.get_absolute_url(), yasmin),
        Screen("table-replay", f"{four.get_absolute_url()}?move=31", yasmin),
        Screen("table-over", over.get_absolute_url(), yasmin),
        Screen("table-spectator", four.get_absolute_url()),
        *(
            Screen(f"told-{key}", game.get_absolute_url(), yasmin, told=game)
            for key, game in stories.items()
        ),
        Screen("resign", f"{four.get_absolute_url()}resign/", yasmin),
        Screen("proof", f"{over.get_absolute_url()}proof/", yasmin),
        Screen("home", "/", yasmin),
        Screen("welcome", "/"),
        Screen("lobby", "/games/", yasmin),
        Screen("new-game", "/games/new/", yasmin),
        Screen("by-mail", links.path_of_decision(_seat(laying, yasmin), laying)),
        Screen("by-mail-invitation", _answer_to(named)),
        Screen("join", f"{invitation.get_absolute_url()}join/", yasmin),
        Screen("waiting-room", waiting.get_absolute_url(), yasmin),
        Screen("profile", omar.get_absolute_url(), yasmin),
        Screen("settings", "/settings/", yasmin),
        *(Screen(f"rules-{key}", f"/rules/{key}/") for key in taught()),
        *(Screen(f"lesson-{key}", f"/learn/{key}/{len(scenes(key)) - 1}/") for key in taught()),
        Screen("learn", "/learn/"),
        Screen("help", "/help/"),
        Screen("sign-in", "/accounts/login/"),
        Screen("sign-up", "/accounts/signup/"),
    ]


def _seat(game: Game, player: Player) -> Seat:
    game.refresh_from_db()
    return game.seats.get(player=player)


def _answer_to(game: Game) -> str:
    url = links.invitation_url(game.invitations.get(), "accept")
    return url.removeprefix(settings.SITE_URL)


def _player(name: str) -> Player:
    address = f"{name.lower()}@souk.example"
    player = Player.objects.create_user(name, address, time_zone="Africa/Casablanca")
    EmailAddress.objects.create(user=player, email=address, verified=True, primary=True)
    return player


def _game_with_finished_turn(key: str, players: Sequence[Player], now: datetime) -> Game:
    """A game in which the first of these has just made a turn."""
    edition = next(iter(TITLES[key].rules.presets))
    while True:
        game = _reached(players, 24, players[0], now, ruleset=key, edition=edition)
        if _until_to_act(game, players[1], now):
            return game


def _opened(creator: Player, size: int, now: datetime, **wishes: Any) -> Game:
    terms: Mapping[str, Any] = {
        "ruleset": SHOWN.key,
        "edition": EDITIONS[0],
        "pace": Game.Pace.STEADY,
        "visibility": Game.Visibility.PUBLIC,
        "rated": False,
        "invited": (),
        "entropy": "saffron",
        **wishes,
    }
    options = TITLES[terms["ruleset"]].rules.presets[terms["edition"]]
    return lobby.create_game(creator=creator, size=size, options=options, now=now, **terms)


def _started(players: Sequence[Player], now: datetime, **wishes: Any) -> Game:
    game = _opened(players[0], len(players), now, **wishes)
    for player in players[1:]:
        lobby.join_game(game_id=game.pk, player=player, entropy="mint", now=now)
    return game


def _play(game: Game, moves: int, now: datetime) -> None:
    """So many moves (or all there are) by players who like cheap ways."""
    for _ in range(moves):
        if not _decide(game, now):
            return


def _reached(
    players: Sequence[Player],
    moves: int,
    actor: Player,
    now: datetime,
    *,
    kind: str = "",
    **wishes: Any,
) -> Game:
    """A game that asks this player after so many moves or somewhat more; the dice end some games
    before that, and they are followed by another one."""
    while True:
        game = _started(players, now, **wishes)
        _play(game, moves, now)
        if _until_to_act(game, actor, now, kind=kind):
            return game


def _until_to_act(game: Game, player: Player, now: datetime, *, kind: str = "") -> bool:
    """Whether the game came to ask this player before it ended."""
    game.refresh_from_db()
    while game.to_act and (game.to_act.player != player or kind not in ("", game.to_act_kind)):
        _decide(game, now)
        game.refresh_from_db()
    return game.to_act is not None


def _decide(game: Game, now: datetime) -> bool:
    game.refresh_from_db()
    if game.to_act is None:
        return False
    player = game.to_act.player
    table = see_table(game, player)
    play.play_move(
        game_id=game.pk,
        player=player,
        action=_choice(table),
        on_move=game.move_count,
        now=now - MINUTE * 5,
    )
    return True


def _choice(table: Table) -> str:
    legal: Sequence[str] = table.observation["legal"]
    # Some games say what each way may cost: going broke early would make dull pictures.
    if forecast := cast(Facts, table.observation).get("forecast"):
        return min(legal, key=lambda action: float(forecast[action]["mean"]))
    # Nothing secret hangs on this: the pictures should only not look all alike.
    return random.Random(len(table.moves)).choice(legal)
