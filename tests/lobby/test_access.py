"""Who sees which game, and what a block keeps apart."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser

from games.models import Block, Game, Player
from games.selectors.access import may_see
from games.selectors.lobby import Filters, home_lists, open_games
from games.services import blocks, lobby
from games.services.errors import Refused
from tests.people import NOON, new_players, open_game, started_game

pytestmark = pytest.mark.django_db


def block(blocker: Player, blocked: Player) -> None:
    blocks.block_player(blocker=blocker, blocked=blocked, now=NOON)


def listed(player: Player | None) -> list[Game]:
    return [row.game for row in open_games(player, Filters(), 1).rows]


@pytest.mark.parametrize(
    ("visibility", "stranger"), [("public", True), ("link", True), ("named", False)]
)
@pytest.mark.parametrize("started", [False, True])
def test_who_may_see_a_game(visibility: str, stranger: bool, started: bool) -> None:
    yasmin, omar, ileana = new_players(3)
    game = open_game(yasmin, visibility=visibility, invited=[omar])
    if started:
        lobby.join_game(game_id=game.pk, player=omar, entropy="mint", now=NOON)
        game.refresh_from_db()
    assert may_see(game, yasmin)
    assert may_see(game, omar)
    assert may_see(game, ileana) is stranger
    assert may_see(game, AnonymousUser()) is stranger
    assert may_see(game, None) is stranger


@pytest.mark.parametrize("blocked_by_creator", [True, False])
def test_a_block_hides_open_games_both_ways(blocked_by_creator: bool) -> None:
    yasmin, omar, ileana = new_players(3)
    game = open_game(yasmin, 3)
    assert listed(omar) == [game]
    block(*((yasmin, omar) if blocked_by_creator else (omar, yasmin)))
    assert listed(omar) == []
    assert listed(ileana) == [game]
    assert listed(None) == [game]
    assert not may_see(game, omar)
    assert may_see(game, ileana)
    with pytest.raises(Refused, match="do not play together"):
        lobby.join_game(game_id=game.pk, player=omar, entropy="mint", now=NOON)
    for one, other in ((yasmin, omar), (omar, yasmin)):
        with pytest.raises(Refused, match="do not play together"):
            open_game(one, visibility="named", invited=[other])
    assert game.seats.count() == 1


def test_a_block_counts_for_everybody_at_the_table() -> None:
    yasmin, omar, ileana = new_players(3)
    game = open_game(yasmin, 3)
    lobby.join_game(game_id=game.pk, player=omar, entropy="mint", now=NOON)
    block(omar, ileana)
    assert listed(ileana) == []
    with pytest.raises(Refused):
        lobby.join_game(game_id=game.pk, player=ileana, entropy="mint", now=NOON)


def test_running_games_go_on_and_stay_visible() -> None:
    yasmin, omar = new_players(2)
    game = started_game([yasmin, omar])
    block(yasmin, omar)
    assert may_see(game, omar)
    assert game.seats.count() == 2


def test_blocking_parts_an_open_table() -> None:
    yasmin, omar, ileana = new_players(3)
    hers, his, theirs = open_game(yasmin, 3), open_game(omar, 3), open_game(ileana, 4)
    for game in (hers, his, theirs):
        for player in (yasmin, omar):
            lobby.join_game(game_id=game.pk, player=player, entropy="mint", now=NOON)
    block(yasmin, omar)
    assert [seat.player for seat in hers.seats.all()] == [yasmin]
    assert [seat.player for seat in his.seats.all()] == [omar]
    assert [seat.player for seat in theirs.seats.order_by("joined")] == [ileana, omar]


def test_blocking_withdraws_invitations() -> None:
    yasmin, omar = new_players(2)
    open_game(yasmin, visibility="named", invited=[omar])
    assert len(home_lists(omar)["invited"].rows) == 1
    block(omar, yasmin)
    assert home_lists(omar)["invited"].rows == []


def test_blocking_twice_and_unblocking() -> None:
    yasmin, omar = new_players(2)
    block(yasmin, omar)
    block(yasmin, omar)
    block(omar, yasmin)
    assert Block.objects.count() == 2
    blocks.unblock_player(blocker=yasmin, blocked=omar)
    assert Block.objects.get().blocker == omar
    with pytest.raises(Refused, match="yourself"):
        block(yasmin, yasmin)


def test_lists_show_public_games_with_a_free_seat_only() -> None:
    yasmin, omar, ileana = new_players(3)
    public = open_game(yasmin)
    open_game(yasmin, visibility="link")
    open_game(yasmin, visibility="named", invited=[omar])
    held = open_game(yasmin, invited=[omar])
    started_game([yasmin, omar])
    assert listed(ileana) == [public]
    assert listed(None) == [public]
    assert listed(yasmin) == []
    lobby.decline_invitation(game_id=held.pk, player=omar, now=NOON)
    assert set(listed(ileana)) == {public, held}
