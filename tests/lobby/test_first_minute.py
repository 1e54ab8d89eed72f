"""The first minute: one press to a game, a word of advice, presets, invitations, many games."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Game, Player
from games.reckon.codes import QUIET, code_of
from games.selectors.lessons import FRAMES, showcase, taught
from games.selectors.table import see_table
from games.services import play
from games.titles import TITLES, words
from tests.lobby.conftest import text
from tests.people import (
    decide,
    new_player,
    new_players,
    open_game,
    signed_in,
    started_game,
    take_turn,
    whose_turn,
)

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def test_the_first_button_of_the_first_page_starts_a_game_against_an_apprentice() -> None:
    client = Client()
    page = text(client.get("/"))
    main = page.partition("<main")[2]
    assert main.index("Play now") < main.index("Learn in five minutes") < main.index("Sign up")
    form = main.partition('action="/play/"')[2].partition("</form>")[0]
    assert "<details>" in form, "options are in a fold"
    sent = {
        name: re.findall(r'value="([^"]*)" selected', field)[0]
        for name, field in re.findall(r'<select name="(\w+)"(.*?)</select>', form, re.S)
    }
    answer = client.post("/play/", sent)
    game = Game.objects.get()
    assert answer["Location"] == game.get_absolute_url()
    assert sorted(str(seat.player) for seat in game.seats.all()) == ["Apprentice", "Guest"]


def test_the_board_of_the_first_page_plays_a_real_game_and_can_be_held() -> None:
    page = text(Client().get("/"))
    loop = page.partition('class="loop"')[2].partition("</div>")[0]
    assert loop.count("<svg") == FRAMES == len(showcase(next(iter(taught()))))
    assert "Hold the picture" in page
    standing = r'class="standing" data-layer="assam">\s*<g transform="([^"]+)"'
    assert len(set(re.findall(standing, loop))) > 3


class TestCoach:
    def guest_game(self, client: Client) -> tuple[Game, Player]:
        client.post("/play/", {"game": "marrakech", "opponents": "1", "level": "apprentice"})
        game = Game.objects.latest("pk")
        return game, game.creator

    def test_three_turns_of_the_first_game_of_a_guest_are_coached(self) -> None:
        client = Client()
        heard: list[int] = []
        game, guest = self.guest_game(client)
        while len(heard) < 8:
            if whose_turn(game) == guest:
                page = text(client.get(game.get_absolute_url()))
                found = re.search(r"turn (\d) of 3 with a hint", page)
                heard.append(int(found[1]) if found else 0)
                assert ("A good idea" in page) is bool(found)
            decide(game, timezone.now())
        assert heard == [1, 1, 2, 2, 3, 3, 0, 0]

    def test_neither_the_second_game_nor_somebody_with_an_account_is_coached(self) -> None:
        client = Client()
        self.guest_game(client)
        second, guest = self.guest_game(client)
        yasmin, omar = new_players(2)
        third = started_game([yasmin, omar])
        for player, game in ((guest, second), (yasmin, third)):
            while whose_turn(game) != player:
                take_turn(game, timezone.now())
        assert "with a hint" not in text(client.get(second.get_absolute_url()))
        assert "with a hint" not in text(signed_in(yasmin).get(third.get_absolute_url()))

    @pytest.mark.parametrize("key", [key for key in TITLES if TITLES[key].bot_levels])
    def test_every_game_with_bots_has_something_to_say_in_each_turn(self, key: str) -> None:
        game = started_game(new_players(2), ruleset=key)
        kind = see_table(game, None).pending["kind"]
        said = [tuple(words(key).coach(kind, turn)) for turn in range(3)]
        assert len(set(said)) == 3
        assert all(len(each) == 2 for each in said)
        assert words(key).coach("unheard-of", 0) == []


class TestPresets:
    @pytest.mark.parametrize(
        ("preset", "terms"),
        [
            ("friend", ("open", "link", False, "daily", "")),
            ("open", ("open", "public", True, "daily", "")),
            ("bots", ("running", "link", False, "none", "apprentice")),
        ],
    )
    def test_one_press_opens_the_usual_game(self, preset: str, terms: tuple[object, ...]) -> None:
        client = signed_in(new_player("Yasmin"))
        page = text(client.get("/games/new/"))
        assert f'name="preset" value="{preset}"' in page
        assert "Bots make a game casual" in page
        answer = client.post("/games/new/", {"game": "marrakech", "size": "3", "preset": preset})
        game = Game.objects.get()
        assert answer["Location"] == game.get_absolute_url()
        assert game.size == 3
        found = (game.status, game.visibility, game.rated, game.pace, game.fill_level)
        assert found == terms

    def test_nonsense_opens_nothing(self) -> None:
        client = signed_in(new_player("Yasmin"))
        for sent in ({"preset": "chess", "size": "2"}, {"preset": "open", "size": "9"}):
            assert client.post("/games/new/", sent).status_code == 422
        assert not Game.objects.exists()


class TestInvitations:
    def test_the_waiting_room_offers_the_address_to_copy_share_and_point_at(self) -> None:
        yasmin = new_player("Yasmin")
        game = open_game(yasmin, visibility="link", now=timezone.now())
        page = text(signed_in(yasmin).get(game.get_absolute_url()))
        address = f"http://testserver/g/{game.public_id}/join/"
        for part in (f'value="{address}"', "data-copy", "data-share", code_of(address).dark):
            assert part in page

    def test_a_code_has_its_three_corners_and_a_quiet_rim(self) -> None:
        code = code_of("https://souk.example/g/abc/join/")
        assert code.dark.startswith(f"M{QUIET} {QUIET}h7v1h-7z")
        assert f"M{code.side - QUIET - 7} {QUIET}h7v1h-7z" in code.dark
        assert f"M{QUIET} {code.side - QUIET - 1}h7v1h-7z" in code.dark

    def test_join_comes_before_the_terms_which_are_folded(self) -> None:
        yasmin, omar = new_players(2)
        game = open_game(yasmin, now=timezone.now())
        page = text(signed_in(omar).get(f"/g/{game.public_id}/join/"))
        main = page.partition("<main")[2]
        assert main.index("<svg") < main.index("A game of Marrakech") < main.index(">Join<")
        assert main.index(">Join<") < main.index("<details class") < main.index(game.commitment)
        visitor = text(Client().get(f"/g/{game.public_id}/join/"))
        assert "Sign up and join" in visitor

    def test_home_begins_with_invitations_and_offers_open_games_to_join(self) -> None:
        yasmin, omar = new_players(2)
        host = new_player("Host")
        started_game([yasmin, omar])
        invited = open_game(host, visibility="named", invited=[yasmin], now=timezone.now())
        for _ in range(5):
            last = open_game(host, now=timezone.now())
        page = text(signed_in(yasmin).get("/"))
        main = page.partition("<main")[2]
        assert main.index("You are invited") < main.index(invited.public_id)
        assert main.index("You are invited") < main.index("Players wanted")
        if "Your turn" in main:
            assert main.index("You are invited") < main.index("Your turn")
        joins = re.findall(r'class="button plain small" href="(/g/\w+/join/)"', main)
        assert len(joins) == 3
        assert joins[0] == f"/g/{last.public_id}/join/"


class TestNextGame:
    def waiting(self, count: int) -> tuple[Player, list[Game]]:
        yasmin, omar = new_players(2)
        now = timezone.now()
        games = []
        for age in range(count):
            game = started_game([yasmin, omar], now=now - timedelta(hours=count - age))
            while whose_turn(game) != yasmin:
                take_turn(game, now - timedelta(hours=count - age))
            games.append(game)
        return yasmin, games

    def test_it_counts_the_others_and_goes_round_them(self) -> None:
        yasmin, games = self.waiting(3)
        client = signed_in(yasmin)
        assert "Next game · 3" in text(client.get("/"))
        seen, here = [], ""
        for _ in range(4):
            here = client.get("/next/", {"after": here}).headers["Location"].split("/")[2]
            seen.append(here)
            assert "Next game · 2" in text(client.get(f"/g/{here}/"))
        assert set(seen[:3]) == {game.public_id for game in games}
        assert seen[3] == seen[0]

    def test_it_is_not_there_where_no_other_game_waits(self) -> None:
        yasmin, [game] = self.waiting(1)
        page = text(signed_in(yasmin).get(game.get_absolute_url()))
        assert "Next game" not in page
        assert "<title>(1)" in page
        after = signed_in(yasmin).get("/next/", {"after": game.public_id})
        assert after["Location"] == "/"

    @pytest.mark.parametrize("htmx", [True, False])
    def test_who_likes_goes_on_by_itself_when_the_turn_is_over(self, htmx: bool) -> None:
        yasmin, [game, other] = self.waiting(2)
        client = signed_in(yasmin)
        headers = HTMX if htmx else {}
        answer = _play(client, game, headers)
        assert "HX-Redirect" not in answer.headers, "only for those who chose it"
        Player.objects.filter(pk=yasmin.pk).update(moves_on=True)
        answer = _play(client, game, headers)
        assert game.to_act
        assert game.to_act.player != yasmin
        where = answer.headers.get("HX-Redirect") or answer.headers.get("Location")
        assert where == other.get_absolute_url()
        answer = _play(client, other, headers)
        assert other.public_id in (answer.headers.get("Location") or text(answer)), "amid a turn"
        answer = _play(client, other, headers)
        assert "HX-Redirect" not in answer.headers, "nothing else waits"

    def test_a_lost_game_is_no_next_game(self) -> None:
        yasmin, [game, other] = self.waiting(2)
        play.resign(game_id=other.pk, player=yasmin, now=timezone.now())
        assert "Next game" not in text(signed_in(yasmin).get(game.get_absolute_url()))


def _play(client: Client, game: Game, headers: dict[str, str]):
    game.refresh_from_db()
    assert game.to_act
    action = see_table(game, game.to_act.player).observation["legal"][0]
    sent = {"action": action, "on": game.move_count}
    answer = client.post(f"/g/{game.public_id}/move/", sent, headers=headers)
    game.refresh_from_db()
    return answer
