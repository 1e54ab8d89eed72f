"""While a game runs, its seed and the order of its piles are nowhere to be found."""

from __future__ import annotations

import base64
import io
import logging
from collections.abc import Callable, Iterator

import pytest
from django.test import Client

from games.engine import chance
from games.engine.games import ruleset
from games.models import Game
from marrakech_site.logs import JsonFormatter
from tests.people import new_players, play_on, whose_turn

pytestmark = pytest.mark.django_db
SEED = int.from_bytes(b"a seed that nobody ever guesses!")


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """Everything that is logged, at every level, as it would be written."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(JsonFormatter())
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield written
    root.removeHandler(handler)
    root.setLevel(level)


def forms_of_the_seed(game: Game) -> list[bytes]:
    seed = bytes(game.seed)
    return [
        seed,
        seed.hex().encode(),
        seed.hex().upper().encode(),
        base64.b64encode(seed),
        base64.urlsafe_b64encode(seed).rstrip(b"="),
        str(int.from_bytes(seed)).encode(),
        repr(seed).encode(),
    ]


def forms_of_the_pile(game: Game, seen: int = 6) -> list[bytes]:
    """Any run of colours below the top that would give the order away."""
    words = [seat.entropy for seat in game.seats.order_by("joined")]
    piles = chance.deal(bytes(game.seed), words, ruleset("marrakech").decks(2, game.options))
    forms = []
    joints = (",", ", ", '", "', "','", "', '", " ", "&quot;, &quot;", "|", "")
    for pile in piles:
        hidden = pile[seen : seen + 8]
        forms += [joint.join(hidden).encode() for joint in joints]
        forms.append("".join(colour[0] for colour in hidden).encode())
    return forms


def test_no_page_fragment_or_log_line_gives_a_secret_away(
    seeded: Callable[..., Game], browse: Callable[..., Client], log: io.StringIO
) -> None:
    game = seeded(SEED, new_players(2))
    play_on(game, 9)
    url = game.get_absolute_url()
    player = whose_turn(game)
    client, visitor = browse(player), browse(None)
    htmx = {"HX-Request": "true"}
    answers = [
        client.get(url),
        client.get(url, headers=htmx),
        client.get(f"{url}?move=2"),
        client.get(f"{url}changes/?on=0"),
        client.get(f"{url}proof/"),
        client.get(f"{url}resign/"),
        client.get("/"),
        client.get(player.get_absolute_url()),
        client.get("/settings/data/"),
        client.post(f"{url}move/", {"action": "nonsense", "on": "9"}, headers=htmx),
        client.post(f"{url}move/", {"action": "turn:L", "on": "3"}),
        visitor.get(url),
        visitor.get("/games/"),
        visitor.get("/"),
    ]
    play_on(game, 1)
    assert all(answer.content for answer in answers)
    everything = b"\n".join(answer.content for answer in answers) + log.getvalue().encode()
    headers = "\n".join(str(answer.headers) for answer in answers).encode()
    for secret in (*forms_of_the_seed(game), *forms_of_the_pile(game)):
        assert secret not in everything + headers, secret
    assert log.getvalue().count("souk.access") >= len(answers)


def test_the_test_would_notice(seeded: Callable[..., Game]) -> None:
    """The forms are the true ones: at the end of the game the seed is published so."""
    game = seeded(SEED, new_players(2))
    assert b"a seed that nobody ever guesses!" in forms_of_the_seed(game)
    piles = chance.deal(
        bytes(game.seed),
        [seat.entropy for seat in game.seats.order_by("joined")],
        ruleset("marrakech").decks(2, game.options),
    )
    assert ", ".join(piles[0][6:14]).encode() in forms_of_the_pile(game)
    assert bytes(game.seed).hex() not in repr(game) + str(game)


def test_nobody_sees_more_of_a_pile_than_its_top(seeded: Callable[..., Game]) -> None:
    """Two games that differ only below the top rugs look the same to everybody."""
    from games.engine.interface import play
    from games.selectors.table import see_table

    game = seeded(SEED, new_players(2))
    play_on(game, 4)
    table = see_table(game, whose_turn(game))
    rules = table.position.rules
    words = [seat.entropy for seat in game.seats.order_by("joined")]
    dealt = chance.deal(bytes(game.seed), words, rules.decks(2, game.options))
    known = rules.revealed(table.position.state)
    other = tuple(
        top + tuple(reversed(pile[len(top) :])) for top, pile in zip(known, dealt, strict=True)
    )
    assert other != dealt
    state = rules.start(2, game.options, other)
    for move in table.moves:
        state, _ = play(rules, state, move.seat, move.action, table.position.source)
    for viewer in (None, 0, 1):
        assert rules.observe(state, viewer) == table.position.observe(viewer)
