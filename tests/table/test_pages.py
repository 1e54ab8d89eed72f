"""The page of a game: for whom, in which state, as a page and as a fragment."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from games.models import Game
from games.selectors.table import see_table
from games.services import lobby, play, table_talk
from tests.people import NOON, new_player, new_players, play_on, started_game, whose_turn

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
Browse = Callable[..., Client]


def page(client: Client, game: Game, query: str = "") -> str:
    response = client.get(f"{game.get_absolute_url()}{query}")
    assert response.status_code == 200
    return response.content.decode()


# Who sees what


def test_the_one_to_act_gets_the_choices_with_their_costs(browse: Browse) -> None:
    game = started_game(new_players(4))
    html = page(browse(whose_turn(game)), game)
    assert '<form id="table"' in html
    assert "costs nothing" in html
    assert "free</text>" in html
    assert "Until Thu 19 Nov, 12:00 UTC" in html


def test_where_a_clock_runs_a_way_is_chosen_first_and_then_rolled_for(browse: Browse) -> None:
    game = started_game(new_players(4))
    player = whose_turn(game)
    html = page(browse(player), game)
    for action in ("turn:L", "turn:S", "turn:R"):
        # On the board, around Assam and on the marks behind that, and under it.
        assert html.count(f'data-choose="{action}"') == 5
        assert f'value="{action}"' not in html
    chosen = page(browse(player), game, "?choose=turn:R")
    assert 'class="board shows-R"' in chosen
    assert re.search(r'value="turn:R" data-key="c Enter"\s*>Roll</button>', chosen)
    assert game.moves.count() == 0


@pytest.mark.parametrize(("pace", "asks"), [("none", True), ("daily", False)])
def test_one_tap_rolls_without_a_clock_and_for_those_who_want_it(
    browse: Browse, pace: str, asks: bool
) -> None:
    game = started_game(new_players(2), pace=pace)
    player = whose_turn(game)
    player.confirm_moves = asks
    player.save()
    html = page(browse(player), game)
    for action in ("turn:L", "turn:S", "turn:R"):
        # On the board, around Assam, and as buttons under it.
        assert html.count(f'value="{action}"') == 2
    assert "data-choose" not in html


def test_the_table_says_what_it_is_played_by_and_what_the_others_did_last(browse: Browse) -> None:
    game = started_game(new_players(3), options={"turning": "after", "cover_own": True})
    seats = [str(seat.player) for seat in game.seats.order_by("number")]
    play_on(game, 9)
    html = page(browse(game.seats.get(number=0).player), game)
    assert "Own rules" in html
    assert "Assam is turned left or right at the end of a turn" in html
    played = re.search(r'href="(/[^"]*rules/[^"]*)#as-played"', html)
    assert played
    rules = browse(None).get(played[1].replace("&amp;", "&"))
    assertContains(rules, "the next player must walk that way.")
    lines = html[html.index('class="last-turns"') :]
    lines = lines[: lines.index("</ul>")]
    assert re.findall(r"<b>(\w+)</b>", lines) == [seats[2], seats[1]]


def test_the_own_last_turn_is_told_in_the_second_person(browse: Browse) -> None:
    game = started_game(new_players(2))
    mover = whose_turn(game)
    play_on(game, 2)
    assertContains(browse(mover).get(game.get_absolute_url()), '<p class="told">You turned left')


def test_the_deadline_is_in_the_time_of_the_viewer(browse: Browse) -> None:
    tokyo = new_player("Kenji", time_zone="Asia/Tokyo")
    game = started_game([tokyo, new_player("Omar")])
    html = page(browse(tokyo), game)
    assert "Until Thu 19 Nov, 21:00 ·" in html
    assert 'datetime="2026-11-19T12:00:00+00:00"' in html


def test_others_wait_and_have_nothing_to_press(browse: Browse) -> None:
    yasmin, omar = new_players(2)
    game = started_game([yasmin, omar])
    waiting = omar if whose_turn(game) == yasmin else yasmin
    html = page(browse(waiting), game)
    assert f"Waiting for {whose_turn(game)}" in html
    assert 'name="action"' not in html
    assert 'name="on"' not in html


def test_a_visitor_reads_everything_and_can_send_nothing(browse: Browse) -> None:
    game = started_game(new_players(2))
    play_on(game, 4)
    table_talk.post_message(game=game, player=whose_turn(game), text="Mind the gap", now=NOON)
    table_talk.keep_notes(game=game, player=whose_turn(game), text="secret plan")
    for viewer in (None, new_player("Stranger")):
        html = page(browse(viewer), game)
        assert "Mind the gap" in html
        assert "Only the players of this table write here." in html
        assert "laid a rug on" in html
        main = html[html.index("<main") : html.index("</main")]
        assert "<form" not in main
        assert main.count("<button") == main.count(' type="button" hidden data-')
        assert "secret plan" not in html
        assert "Give up" not in html
        assert "Since you last looked" not in html


def test_notes_are_for_their_owner_alone(browse: Browse) -> None:
    yasmin, omar = new_players(2)
    game = started_game([yasmin, omar])
    table_talk.keep_notes(game=game, player=yasmin, text="secret plan")
    assert "secret plan" in page(browse(yasmin), game)
    assert "secret plan" not in page(browse(omar), game)


@pytest.mark.parametrize("path", ["", "changes/", "changes/?on=0", "proof/", "resign/"])
def test_a_game_of_named_players_is_not_there_for_others(browse: Browse, path: str) -> None:
    yasmin, omar = new_players(2)
    game = started_game([yasmin, omar], visibility=Game.Visibility.NAMED, invited=[omar])
    stranger = browse(new_player("Stranger"))
    assert stranger.get(f"{game.get_absolute_url()}{path}").status_code == 404
    if path != "resign/":
        assert browse(None).get(f"{game.get_absolute_url()}{path}").status_code == 404
    assert browse(omar).get(f"{game.get_absolute_url()}{path}").status_code == 200
    for action in ("move/", "talk/", "notes/", "resign/"):
        response = stranger.post(f"{game.get_absolute_url()}{action}", {"on": "0"})
        assert response.status_code == 404
    assert game.moves.count() == 0


def test_a_game_by_link_is_for_whoever_has_the_link(browse: Browse) -> None:
    game = started_game(new_players(2), visibility=Game.Visibility.LINK)
    page(browse(None), game)


# Playing


def test_a_move_without_javascript_leads_back_to_the_page(browse: Browse) -> None:
    game = started_game(new_players(2))
    client = browse(whose_turn(game))
    response = client.post(f"{game.get_absolute_url()}move/", {"action": "turn:S", "on": "0"})
    assertRedirects(response, f"{game.get_absolute_url()}#board")
    assert game.moves.get().action == "turn:S"


def test_a_move_by_htmx_is_answered_with_what_changed(browse: Browse) -> None:
    game = started_game(new_players(2))
    mover = whose_turn(game)
    response = browse(mover).post(
        f"{game.get_absolute_url()}move/", {"action": "turn:S", "on": "0"}, headers=HTMX
    )
    html = response.content.decode()
    assert response.status_code == 200
    assert "<html" not in html
    assert html.startswith('<form id="table"')
    assert '"do":"walk"' in html
    for part in ("moves", "live", "announcement", "waiting", "favicon"):
        assert f'id="{part}"' in html
    assert "<title>(1) " in html
    assert f"<b>{mover}</b> went straight on, rolled" in html


def test_laying_a_rug_shows_it_first_and_then_asks(browse: Browse) -> None:
    game = started_game(new_players(2))
    play_on(game, 1)
    player = whose_turn(game)
    client, legal = browse(player), see_table(game, player).observation["legal"]
    html = page(client, game)
    assert "?choose=lay:" in html
    assert "data-if-chosen hidden" in html
    assert 'class="preview shown"' not in html
    for action in legal:
        assert f'data-place="{action}"' in html, "so that nobody waits to see it there"
    shown = page(client, game, f"?choose={legal[0]}")
    assert f'value="{legal[0]}"' in shown
    assert 'class="preview shown"' in shown
    assert "data-if-chosen>" in shown
    fragment = client.get(game.get_absolute_url(), {"choose": legal[0]}, headers=HTMX)
    assertContains(fragment, "data-if-chosen>")
    assertNotContains(fragment, "<html")
    assert game.moves.count() == 1
    client.post(f"{game.get_absolute_url()}move/", {"action": legal[0], "on": "1"})
    assert game.moves.count() == 2


def test_what_cannot_be_chosen_is_not_shown(browse: Browse) -> None:
    game = started_game(new_players(2))
    play_on(game, 1)
    html = page(browse(whose_turn(game)), game, "?choose=lay:d4d5%22%3E%3Cscript%3E")
    assert "data-if-chosen hidden" in html
    assert "script>" not in html.replace("</script>", "").replace("defer>", "")


def test_without_confirmation_a_lone_possibility_is_laid_at_once(browse: Browse) -> None:
    game = started_game(new_players(2))
    play_on(game, 1)
    player = whose_turn(game)
    spots = see_table(game, player).board().spots
    alone = {spot.square for spot in spots if spot.only}
    assert alone
    assert alone != {spot.square for spot in spots}
    asked = page(browse(player), game)
    player.confirm_moves = False
    player.save()
    direct = page(browse(player), game)
    for spot in spots:
        assert f'<a id="spot-{spot.square}"' in asked
        tag = "button" if spot.only else "a"
        assert f'<{tag} id="spot-{spot.square}"' in direct


def test_the_preview_has_the_colour_of_the_next_rug(browse: Browse) -> None:
    game = started_game(new_players(2))
    play_on(game, 1)
    player = whose_turn(game)
    table = see_table(game, player)
    own = next(sitter.facts for sitter in table.sitters if sitter.own)
    html = page(browse(player), game, f"?choose={table.observation['legal'][0]}")
    preview = html[html.index('class="preview shown"') :]
    assert preview[: preview.index("</g>")].count(f'href="#rug-{own["next"]}"') == 1


def test_turning_afterwards_rolls_lays_and_turns(browse: Browse) -> None:
    game = started_game(new_players(3), options={"turning": "after"})
    player = whose_turn(game)
    client = browse(player)
    html = page(client, game)
    assert "roll the die" in html
    assert 'value="turn:' not in html
    assert html.count('class="landing') == 4
    for kind, action in (("roll", "roll"), ("lay", ""), ("face", "turn:R")):
        game.refresh_from_db()
        assert game.to_act_kind == kind
        action = action or see_table(game, player).observation["legal"][0]
        client.post(
            f"{game.get_absolute_url()}move/", {"action": action, "on": str(game.move_count)}
        )
    assert [move.action for move in game.moves.all()][::2] == ["roll", "turn:R"]
    assert whose_turn(game) != player


# Refusals


def test_an_old_position_is_told_with_what_happened_meanwhile(browse: Browse) -> None:
    game = started_game(new_players(2))
    late = whose_turn(game)
    play_on(game, 2)
    mover = whose_turn(game)
    play_on(game, 2)
    for headers in ({}, HTMX):
        response = browse(late).post(
            f"{game.get_absolute_url()}move/", {"action": "turn:R", "on": "2"}, headers=headers
        )
        html = response.content.decode()
        assert response.status_code == 409
        assert "The position has changed" in html
        alert = html[html.index('class="banner error"') :]
        assert f"<b>{mover}</b> turned left" in alert[: alert.index("</div>")]
        assert '<form id="table"' in html
    assert game.moves.count() == 4


def test_a_refused_move_is_told_and_the_board_stays(browse: Browse) -> None:
    game = started_game(new_players(2))
    client = browse(whose_turn(game))
    for data in ({"action": "lay:a1a2", "on": "0"}, {"action": "x", "on": "0"}, {}):
        for headers in ({}, HTMX):
            response = client.post(f"{game.get_absolute_url()}move/", data, headers=headers)
            assert response.status_code == 422
            assert 'class="banner error"' in response.content.decode()
            assert 'choose=turn:L"' in response.content.decode()
    assert game.moves.count() == 0


def test_nobody_acts_for_another_seat(browse: Browse) -> None:
    game = started_game(new_players(2))
    waiting = next(s.player for s in game.seats.all() if s.player != whose_turn(game))
    response = browse(waiting).post(
        f"{game.get_absolute_url()}move/", {"action": "turn:L", "on": "0"}
    )
    assertContains(response, "not your turn", status_code=422)
    assert game.moves.count() == 0


def test_whoever_is_signed_out_comes_back_to_the_table(browse: Browse) -> None:
    game = started_game(new_players(2))
    url = game.get_absolute_url()
    for action in ("move/", "talk/", "notes/", "resign/"):
        response = browse(None).post(f"{url}{action}", {"on": "0"})
        assertRedirects(response, f"/accounts/login/?next={url}", fetch_redirect_response=False)
    response = browse(None).post(f"{url}move/", {"on": "0"}, headers=HTMX)
    assert response.headers["HX-Redirect"] == f"/accounts/login/?next={url}"
    assert game.moves.count() == 0


# Talk and notes


def test_talk_with_and_without_javascript(browse: Browse) -> None:
    yasmin, omar = new_players(2)
    game = started_game([yasmin, omar])
    client, url = browse(yasmin), game.get_absolute_url()
    response = client.post(f"{url}talk/", {"text": "hello <b>"})
    assertRedirects(response, f"{url}#chat")
    assert "hello &lt;b&gt;" in page(browse(omar), game)
    answer = client.post(f"{url}talk/", {"text": "again"}, headers=HTMX)
    assertContains(answer, 'id="chat"')
    assertContains(answer, "again")
    assertContains(client.post(f"{url}talk/", {"text": " "}), "nothing to send", status_code=422)
    refused = client.post(f"{url}talk/", {"text": ""}, headers=HTMX)
    assertContains(refused, "nothing to send", status_code=422)
    stranger = browse(new_player("Stranger"))
    assert stranger.post(f"{url}talk/", {"text": "me too"}, headers=HTMX).status_code == 422
    assert game.messages.count() == 2


def test_notes_with_and_without_javascript(browse: Browse) -> None:
    game = started_game(new_players(2))
    client, url = browse(whose_turn(game)), game.get_absolute_url()
    assertRedirects(client.post(f"{url}notes/", {"text": "watch g7"}), f"{url}#notes")
    assert "watch g7" in page(client, game)
    assertContains(client.post(f"{url}notes/", {"text": "watch a1"}, headers=HTMX), "Kept")
    too_long = client.post(f"{url}notes/", {"text": "x" * 5001}, headers=HTMX)
    assertContains(too_long, "at most", status_code=422)
    assert "watch a1" in page(client, game)


# The end


def test_giving_up_asks_first(browse: Browse) -> None:
    game = started_game(new_players(3))
    client, url = browse(whose_turn(game)), game.get_absolute_url()
    assertContains(client.get(url), f'href="{url}resign/"')
    assertContains(client.get(f"{url}resign/"), "Give up this game?")
    assert game.moves.count() == 0
    assertRedirects(client.post(f"{url}resign/"), url)
    assert game.moves.get().action == "resign"
    html = page(client, game)
    assert "resign/" not in html
    assert "gave up" in html


def test_the_result_its_proof_and_the_rematch(browse: Browse, seeded: Callable[..., Game]) -> None:
    yasmin, omar = new_players(2)
    game = seeded(1209, [yasmin, omar])
    play_on(game, 31)
    html = page(browse(omar), game)
    assert "You won!" in html
    assert "Only one player is left." in html
    assert f"{game.get_absolute_url()}proof/" in html
    assert ">Rematch</button>" in html
    assert ">Rematch</button>" not in page(browse(None), game)
    again = lobby.rematch(game_id=game.pk, player=yasmin, now=NOON)
    assert "Yasmin wants a rematch." in page(browse(omar), game)
    assert "Your rematch waits for the others" in page(browse(yasmin), game)
    browse(omar).post(f"{game.get_absolute_url()}rematch/")
    again.refresh_from_db()
    assert again.status == Game.Status.RUNNING
    assert f'href="{again.get_absolute_url()}"' in page(browse(yasmin), game)


def test_the_proof_shows_the_seed_only_at_the_end(
    browse: Browse, seeded: Callable[..., Game]
) -> None:
    game = seeded(1209, new_players(2))
    url = f"{game.get_absolute_url()}proof/"
    seed = bytes(game.seed).hex()
    assertContains(browse(None).get(url), game.commitment)
    assertNotContains(browse(None).get(url), seed)
    play_on(game, 31)
    assertContains(browse(None).get(url), seed)


def test_after_a_move_the_next_game_is_one_click_away(browse: Browse) -> None:
    yasmin, omar = new_players(2)
    game, other = started_game([yasmin, omar]), started_game([yasmin, omar])
    while whose_turn(other) != whose_turn(game):
        play_on(other, 1)
    player = whose_turn(game)
    play_on(game, 1)
    legal = see_table(game, player).observation["legal"]
    response = browse(player).post(
        f"{game.get_absolute_url()}move/", {"action": legal[0], "on": "1"}, headers=HTMX
    )
    html = response.content.decode()
    assert f'class="button" href="/next/?after={game.public_id}"' in html
    assert "favicon.svg?n=1" in html
    assert "<title>(1) " in html


# Going back in the moves


def test_earlier_positions_are_looked_at_not_played(browse: Browse) -> None:
    game = started_game(new_players(2))
    play_on(game, 6)
    client = browse(whose_turn(game))
    html = page(client, game, "?move=3")
    assert "After move 3 of 6" in html
    assert 'name="action"' not in html
    assert "?move=2" in html
    assert "?move=4" in html
    assert "After move" not in page(client, game, "?move=6")
    assert "After move" not in page(client, game, "?move=999999999")
    assert "After move 0 of 6" in page(client, game, "?move=0")


def test_players_who_left_are_marked(browse: Browse) -> None:
    game = started_game(new_players(4))
    by_number = [seat.player for seat in game.seats.order_by("number")]
    play.resign(game_id=game.pk, player=by_number[2], now=NOON)
    html = page(browse(None), game)
    assert html.count('class="player out"') == 1
    assert "#rug-faded" in html


def test_a_page_of_somebody_who_is_signed_out_by_now_is_told(browse: Browse) -> None:
    players = new_players(2)
    game = started_game(players)
    asked = {**HTMX, "X-Player": str(players[0].pk)}
    address = f"{game.get_absolute_url()}changes/?stamp=old&on=0"
    assert browse(players[0]).get(address, headers=asked).status_code == 200
    assert browse(players[1]).get(address, headers=asked).status_code == 401
    assert browse(None).get(address, headers=asked).status_code == 401
