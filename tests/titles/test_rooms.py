"""A game is offered when its room is complete, and harms nobody when it is not."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.core.management import call_command
from django.template import Context, Template
from django.test import Client

from games import bots, titles
from games.engine import games as known_games
from games.engine.interface import Decide, Over
from games.engine.simple import SimpleRules
from games.forms.lobby import NewGameForm
from games.forms.play_now import PlayNowForm
from games.models import BotLevel, Game, Player
from games.selectors.bots import may_have_hints
from games.services import lobby
from games.services.errors import Refused
from games.titles import BROKEN, TITLES
from games.titles.completeness import TAKEN, missing_parts, offered
from games.titles.manifest import BOT_LEVELS, Edition, Stage, Title
from tests.history.archive import stored_game
from tests.people import NOON, new_players, open_game, signed_in, started_game


class State(NamedTuple):
    seats: int
    turn: int = 0
    gone: tuple[int, ...] = ()


class Ghost(SimpleRules[State]):
    """Each seat says boo, and the first one wins: a game without a room."""

    key = "ghost"
    seat_counts = (2, 3)
    notation = re.compile("boo|hoo")

    def opening(self, seats: int) -> State:
        return State(seats)

    def ahead(self, state: State) -> Decide | Over:
        if state.turn < state.seats:
            return Decide(state.turn, "haunt")
        return self.over(state, "silence", [tuple(self.inside(state))])

    def actions(self, state: State) -> list[str]:
        return ["boo", "hoo"]

    def act(self, state: State, action: str) -> State:
        return self._on(state)

    def without(self, state: State, seat: int) -> State:
        after = state._replace(gone=(*state.gone, seat))
        return self._on(after) if seat == state.turn else after

    def show(self, state: State) -> dict[str, Any]:
        return {}

    def _on(self, state: State) -> State:
        turns = range(state.turn + 1, state.seats)
        return state._replace(turn=next((t for t in turns if t not in state.gone), state.seats))


@pytest.fixture
def ghost(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Title]:
    """A game that states what it likes and brings nothing but its rules."""

    def enter(**states: Any) -> Title:
        title = Title(**{"rules": Ghost(), "name": "Ghost", "stage": Stage.OFFERED, **states})
        monkeypatch.setitem(TITLES, "ghost", title)
        monkeypatch.setitem(known_games._ENTERED, "ghost", title.rules)
        return title

    return enter


@pytest.fixture
def restate(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Title]:
    """A game of the house that states something else."""

    def change(key: str, **states: Any) -> Title:
        title = replace(TITLES[key], **states)
        monkeypatch.setitem(TITLES, key, title)
        return title

    return change


PAGES = (
    *("/", "/games/", "/games/new/", "/play/", "/archive/", "/numbers/", "/learn/", "/help/"),
    *("/leaderboards/", "/players/Yasmin/", "/players/Omar/", "/settings/", "/sitemap.xml"),
    *(f"/players/Yasmin/{page}/" for page in ("style", "calendar", "opponents", "beside/Omar")),
    *("/puzzle/", "/puzzle/archive/", "/archive/?order=closest&view=list"),
)


def pages_of(player: Player | None) -> dict[str, str]:
    """All pages that are about no single game, each of which must be there."""
    client = signed_in(player) if player else Client()
    found = {}
    for path in PAGES:
        answer = client.get(path, follow=True)
        assert answer.status_code == 200, path
        found[path] = answer.content.decode()
    return found


def test_the_rooms_of_the_house_are_complete_and_speak_for_themselves() -> None:
    assert not BROKEN
    assert tuple(BotLevel.values) == BOT_LEVELS
    assert list(offered()) == list(TITLES.values())
    for title in TITLES.values():
        assert not missing_parts(title)
        assert str(title.name)
        assert str(title.about)
        assert title.editions.keys() == title.rules.presets.keys()
        assert bots.LEVELS[title.key] == title.bot_levels


def test_no_room_can_take_the_name_of_a_folder_of_the_site() -> None:
    base = Path(titles.__file__).parents[2]
    folders = (base / "templates/games", base / "games/static/games")
    found = {path.name for folder in folders for path in folder.iterdir() if path.is_dir()}
    assert found - TITLES.keys() == set(TAKEN)


def test_every_missing_part_is_named_in_a_sentence_of_its_own(
    ghost: Callable[..., Title], capsys: pytest.CaptureFixture[str]
) -> None:
    ghost(
        name="",
        stylesheet="ghost.css",
        bot_levels=("apprentice", "oracle"),
        editions={"misty": Edition("Misty")},
        is_judged=True,
        is_taught=True,
    )
    call_command("check")
    sentences = re.findall(r"\(souk\.W002\) (.+)", capsys.readouterr().err)
    assert all(each.startswith("ghost: ") and each.endswith(".") for each in sentences)
    for part in (
        "no name",
        "_board.svg",
        "_question.html",
        "board.py",
        "static/games/ghost/ghost.css",
        "bots/plain.py",
        "'oracle'",
        "'misty'",
        "bots/prospects.py",
        "bots/weights/2.npz",
        "bots/weights/3.npz",
        "examples.py",
        "lessons.py",
        "rules.html",
        "lesson.html",
    ):
        assert len([each for each in sentences if part in each]) == 1, part
    assert len(sentences) == 15


def test_a_hidden_game_may_be_incomplete(
    ghost: Callable[..., Title], capsys: pytest.CaptureFixture[str]
) -> None:
    ghost(stage=Stage.HIDDEN)
    call_command("check")
    assert "souk.W002" not in capsys.readouterr().err


@pytest.mark.django_db
@pytest.mark.parametrize("stage", Stage)
def test_an_incomplete_game_is_offered_nowhere_and_breaks_no_page(
    ghost: Callable[..., Title], stage: Stage
) -> None:
    yasmin, omar = players = new_players(2)
    ghost(stage=stage, bot_levels=("apprentice",), stylesheet="ghost.css")
    running = stored_game(players, ruleset="ghost", until=1)
    over = stored_game(players, ruleset="ghost")
    assert over.status == Game.Status.OVER
    with pytest.raises(Refused):
        open_game(yasmin, ruleset="ghost")
    for player in (None, yasmin, omar):
        pages = pages_of(player)
        assert 'value="ghost"' not in pages["/games/"] + pages["/play/"] + pages["/games/new/"]
        assert "?game=ghost" not in pages["/games/new/"]
        assert "Ghost" not in pages["/learn/"]
    client = Client()
    assert client.get("/leaderboards/ghost/").status_code == 404
    assert client.get("/rules/ghost/").status_code == 404
    assert client.get("/learn/ghost/1/").status_code == 404
    for page in ("numbers/ghost/", "numbers/ghost/openings/"):
        assert client.get(f"/{page}").status_code == 404
    for game in (running, over):
        for part in ("", "proof/", "picture.png", "reckoning/", "record.json"):
            assert client.get(f"{game.get_absolute_url()}{part}").status_code == 200, part
    assert client.get(f"{over.get_absolute_url()}story/").status_code == 200


@pytest.mark.django_db
def test_what_is_stored_of_an_incomplete_game_can_be_seen_and_finished(
    ghost: Callable[..., Title],
) -> None:
    players = new_players(2)
    ghost(stage=Stage.HIDDEN)
    game = stored_game(players, ruleset="ghost", until=1)
    assert game.to_act
    player = game.to_act.player
    client = signed_in(player)
    page = client.get(game.get_absolute_url()).content.decode()
    assert 'name="action" value="boo"' in page
    client.post(f"{game.get_absolute_url()}move/", {"action": "boo", "on": game.move_count})
    game.refresh_from_db()
    assert game.status == Game.Status.OVER
    assert "Ghost" in client.get("/archive/mine/").content.decode()


@pytest.mark.django_db
def test_a_game_of_a_room_that_is_gone_is_a_line_in_lists_and_no_page(
    ghost: Callable[..., Title], monkeypatch: pytest.MonkeyPatch
) -> None:
    players = new_players(2)
    ghost(stage=Stage.HIDDEN)
    running = stored_game(players, ruleset="ghost", until=1)
    stored_game(players, ruleset="ghost")
    monkeypatch.delitem(TITLES, "ghost")
    monkeypatch.delitem(known_games._ENTERED, "ghost")
    for player in (None, *players):
        pages_of(player)
    assert Client().get(running.get_absolute_url()).status_code == 404


@pytest.mark.django_db
def test_a_hidden_game_goes_on_but_is_neither_opened_nor_joined_nor_repeated(
    restate: Callable[..., Title],
) -> None:
    yasmin, omar = players = new_players(2)
    waiting = open_game(yasmin, ruleset="ifrito")
    running = started_game(players, ruleset="ifrito")
    over = stored_game(players, ruleset="ifrito")
    restate("ifrito", stage=Stage.HIDDEN)
    for page in pages_of(omar).values():
        assert f"{waiting.get_absolute_url()}join/" not in page
    for refused in (
        lambda: open_game(yasmin, ruleset="ifrito"),
        lambda: lobby.join_game(game_id=waiting.pk, player=omar, entropy="mint", now=NOON),
        lambda: lobby.rematch(game_id=over.pk, player=omar, now=NOON),
    ):
        with pytest.raises(Refused, match="not played here"):
            refused()
    client = signed_in(omar)
    for game in (running, over):
        assert client.get(game.get_absolute_url()).status_code == 200
    assert "Ifrito" in client.get("/archive/").content.decode()


@pytest.mark.django_db
def test_pages_stand_without_any_game(monkeypatch: pytest.MonkeyPatch) -> None:
    new_players(2)
    for key in list(TITLES):
        monkeypatch.setitem(TITLES, key, replace(TITLES[key], stage=Stage.HIDDEN))
    client = Client()
    for path in PAGES:
        assert client.get(path, follow=True).status_code in (200, 404), path
    assert client.get("/").status_code == 200


@pytest.mark.django_db
def test_bots_are_offered_only_where_there_are_some(restate: Callable[..., Title]) -> None:
    yasmin, omar = new_players(2)
    plain = restate("ifrito", bot_levels=())
    form = NewGameForm(title=plain)
    assert [value for value, _ in form.fields["fill_level"].choices] == [""]  # type: ignore[attr-defined]
    assert [value for value, _ in form.fields["on_timeout"].choices] == ["leave"]  # type: ignore[attr-defined]
    games = PlayNowForm().fields["game"].choices  # type: ignore[attr-defined]
    assert "ifrito" not in dict(games)
    for refused in (
        lambda: open_game(yasmin, ruleset="ifrito", fill_level="apprentice"),
        lambda: open_game(yasmin, ruleset="ifrito", on_timeout="bot"),
        lambda: lobby.play_against_bots(
            player=yasmin, ruleset="ifrito", opponents=1, level="apprentice", now=NOON
        ),
    ):
        with pytest.raises(Refused, match="no such bots"):
            refused()
    game = started_game([yasmin, omar], ruleset="ifrito")
    seats = list(game.seats.all())
    assert not may_have_hints(game, seats, seats[0])


def test_levels_that_a_game_lacks_are_not_offered_for_it(restate: Callable[..., Title]) -> None:
    title = restate("ifrito", bot_levels=("apprentice",))
    choices = NewGameForm(title=title).fields["fill_level"].choices  # type: ignore[attr-defined]
    assert [value for value, _ in choices] == ["", "apprentice"]


def test_a_stylesheet_that_was_not_collected_is_left_out(
    settings: Any, tmp_path: Any, restate: Callable[..., Title]
) -> None:
    storage = "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {**settings.STORAGES, "staticfiles": {"BACKEND": storage}}
    link = Template("{% stylesheet_of 'ifrito' %}")
    assert link.render(Context()) == ""
    call_command("collectstatic", interactive=False, verbosity=0)
    assert 'rel="stylesheet"' in link.render(Context())
    restate("ifrito", stylesheet="")
    assert link.render(Context()) == ""
