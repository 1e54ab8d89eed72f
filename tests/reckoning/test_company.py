"""Fair company: friends who favour each other are found, others are left alone, and only
moderators hear of it."""

from __future__ import annotations

from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Bond, Performance, Player
from games.reckon.judged import company
from games.reckon.judged.company import Sitting
from games.reckon.judged.moments import Moment
from games.reckon.judged.shares import POINT, WHOLE
from games.reckon.judged.trials import Option
from games.services import company as looking
from games.services import stats
from tests.history.archive import people, stored_game
from tests.moderation.staff import new_moderator
from tests.people import NOON
from tests.reckoning.invented import reckoning_of
from tests.reckoning.test_pages import text_of

SEATS = 4


def sitting(players: list[int], random: Random, friends: tuple[int, int] = (-1, -1)) -> Sitting:
    """Everybody makes five mistakes that please somebody; friends two more, for each other."""
    favours = [[0] * SEATS for _ in range(SEATS)]
    for seat, player in enumerate(players):
        others = [other for other in range(SEATS) if other != seat]
        for _ in range(5):
            favours[seat][random.choice(others)] += WHOLE * random.randint(1, 9) // 10
        if player in friends:
            friend = friends[friends[0] == player]
            if friend in players:
                favours[seat][players.index(friend)] += 2 * WHOLE * 9 // 10
    return Sitting(players, favours, favours)


def test_friends_are_found_and_nobody_else() -> None:
    random = Random(1)
    tables = [random.sample(range(12), SEATS) for _ in range(220)]
    found = company.pairs(sitting(each, random, (0, 1)) for each in tables)
    named = company.discovered(found)
    assert [pair.players for pair in named] == [(0, 1)]
    assert named[0].games == sum({0, 1} <= set(table) for table in tables)
    assert named[0].gifts > 2 * named[0].usual
    honest = company.pairs(sitting(each, random) for each in tables)
    assert len(honest) == 66
    assert not company.discovered(honest)


def test_chances_are_those_of_all_arrangements() -> None:
    unit = company.UNIT
    # Three numbers each, the highest met the other every time: once in 3 to the power of 9.
    lots = [(2.0 * unit, [2.0 * unit, 0.0, -2.0 * unit])] * 9
    assert company.chance_of(lots) == pytest.approx(3.0**-9)
    assert company.chance_of([(0.0, [unit, 0.0, -unit])] * 9) == pytest.approx(0.5)
    assert company.chance_of([(0.0, [0.0, 0.0])] * 9) == 1.0


def test_who_pleases_everybody_alike_pleases_nobody() -> None:
    """Whoever is spared by everybody, because they are always behind, has no friends by that."""
    random = Random(2)
    tables = [random.sample(range(8), SEATS) for _ in range(160)]

    def spared(players: list[int]) -> Sitting:
        made = sitting(players, random)
        for row in made.favours:
            for place, player in enumerate(players):
                row[place] += WHOLE * (player == 0)  # type: ignore[index]
        return made

    assert not company.discovered(company.pairs(map(spared, tables)))


def test_a_mistake_counts_for_whom_nothing_could_please_more() -> None:
    options = (Option("best", (WHOLE, 0, 0)), Option("played", (WHOLE - POINT, POINT, 0)))
    made = Moment(0, "played", "best", options, is_free=True, choices=4, pleased=(0, 3, 0))
    assert company.favours([made, made], 3) == [[0, 2 * WHOLE * 3 // 4, 0], [0] * 3, [0] * 3]
    forced = Moment(0, "played", "best", options, is_free=False, choices=4, pleased=(0, 3, 0))
    assert company.favours([forced], 3) == [[0] * 3] * 3


@pytest.fixture
def friends(db: None) -> list[Player]:
    """Ann and Bob favoured each other in six games, with others at the table."""
    players = people("Ann", "Bob", "Cid")
    for seed in range(6):
        game = stored_game(players, seed=seed)
        stats.count_reckoning(row=reckoning_of(game), now=NOON)
    pair = {player.pk for player in players[:2]}
    for row in Performance.objects.select_related("seat"):
        table = Performance.objects.filter(seat__game=row.seat.game_id).order_by("seat__number")
        for place, other in enumerate(table):
            friendly = {row.player_id, other.player_id} == pair
            row.favours[place] = 3 * WHOLE if friendly else 0
        row.save()
    return players


def test_only_moderators_see_who_was_found(client: Client, friends: list[Player]) -> None:
    assert looking.look(now=NOON) == 3
    bond = Bond.objects.get()
    assert {bond.low.username, bond.high.username} == {"Ann", "Bob"}
    assert bond.chance == pytest.approx(0.5**12)
    address = reverse("fair_company")
    for player in (None, friends[0], friends[2]):
        if player:
            client.force_login(player)
        assert client.get(address).status_code == 404
    client.force_login(new_moderator())
    said = text_of(client.get(address))
    assert "Ann" in said
    assert "once in 4,096" in said
    assert "It proves nothing." in said
    assert address in client.get(reverse("moderation")).content.decode()


def test_a_bond_is_gone_when_it_no_longer_stands_out(friends: list[Player]) -> None:
    looking.look(now=NOON)
    Performance.objects.update(favours=[0, 0, 0])
    looking.look(now=NOON)
    assert not Bond.objects.exists()
