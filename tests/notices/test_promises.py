"""What the pages and the emails of a game say about its commitment and its words."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, time, timedelta
from typing import Any

import pytest
from django.core import mail as outgoing
from django.test import Client

from games.models import Game, Notice
from games.services import commitments, exhibitions, lobby, play
from games.services.notices import letters
from games.services.notices.parcels import Parcel
from tests.lobby.conftest import text
from tests.notices.test_letters import html_of, letter, text_of
from tests.people import (
    NOON,
    START,
    Tables,
    actor,
    new_player,
    open_game,
    signed_in,
    started_game,
    take_turn,
)

pytestmark = pytest.mark.django_db
Kind = Notice.Kind

FIXED_BEFORE = "so Souk fixed the seed before it knew the word of Yasmin"
DRAWN_AFTER = "the operator could have chosen a seed to go with that word"
KNOWN = "Souk drew both the seed and the word of Yasmin"
LIMIT = "With an accomplice who brings the last word"
JOINED_LATER = "The words of players who joined later"
BOTS = "The word of every bot is “bot”"


def proof_of(game: Game) -> str:
    return text(Client().get(f"/g/{game.public_id}/proof/"))


def finished(**terms: Any) -> Game:
    yasmin, omar = (new_player(name) for name in ("Yasmin", "Omar"))
    game = started_game([yasmin, omar], **terms)
    play.resign(game_id=game.pk, player=omar, now=NOON)
    return game


def test_a_committed_game_says_what_came_first_and_where_the_limit_is() -> None:
    page = proof_of(finished(ticket=commitments.new_ticket(now=NOON)))
    for said in (FIXED_BEFORE, LIMIT, JOINED_LATER):
        assert said in page
    for not_true in (DRAWN_AFTER, KNOWN, BOTS, "nobody could choose"):
        assert not_true not in page
    assert "<code>saffron</code> · chosen by the player" in page


def test_a_game_without_commitment_in_its_form_claims_less() -> None:
    page = proof_of(finished())
    assert DRAWN_AFTER in page
    assert FIXED_BEFORE not in page


@pytest.mark.parametrize("ticket", [True, False])
def test_a_word_of_the_server_proves_nothing_against_the_operator(ticket: bool) -> None:
    terms = {"ticket": commitments.new_ticket(now=NOON)} if ticket else {}
    page = proof_of(finished(entropy="", **terms))
    assert KNOWN in page
    assert "drawn by Souk" in page
    assert FIXED_BEFORE not in page


def test_games_against_bots_tell_about_the_bots() -> None:
    yasmin = new_player("Yasmin")
    game = lobby.play_against_bots(
        player=yasmin,
        ruleset="marrakech",
        opponents=1,
        level="apprentice",
        entropy="ba-be",
        drawn_word="ba-be",
        ticket=commitments.new_ticket(now=NOON),
        now=NOON,
    )
    table = text(signed_in(yasmin).get(f"/g/{game.public_id}/"))
    assert "Your lucky word: <b>ba-be</b> ·\ndrawn in the player&#x27;s browser" in table
    assert f'href="/g/{game.public_id}/proof/"' in text(Client().get(f"/g/{game.public_id}/"))
    assert "ba-be" not in text(Client().get(f"/g/{game.public_id}/"))
    running = proof_of(game)
    assert FIXED_BEFORE in running
    assert "ba-be" not in running
    assert JOINED_LATER not in running
    play.resign(game_id=game.pk, player=yasmin, now=NOON)
    page = proof_of(game)
    for said in (FIXED_BEFORE, BOTS, LIMIT, "drawn in the player's browser".replace("'", "&#x27;")):
        assert said in page


def test_an_exhibition_promises_nothing(settings) -> None:
    settings.EXHIBITIONS = 1
    game = exhibitions.hold(now=NOON)
    assert game
    page = proof_of(game)
    assert "The seed alone decides" in page
    assert LIMIT not in page


def test_of_older_games_only_what_was_recorded_is_said() -> None:
    game = finished()
    game.seats.filter(joined=0).update(word_origin="")
    game.seats.filter(joined=1).update(word_origin="", word_drawn=True)
    page = proof_of(game)
    assert "not recorded" in page
    assert "<code>mint</code> · drawn by Souk" in page
    assert DRAWN_AFTER in page


def test_an_invitation_says_which_seed_is_meant() -> None:
    yasmin, omar = (new_player(name) for name in ("Yasmin", "Omar"))
    game = open_game(yasmin, invited=[omar], visibility="named", now=START)
    tells(letter(omar, Kind.INVITATION), game)


def test_everybody_gets_the_commitment_as_the_game_starts_and_only_then(
    tables: Tables, drain: Callable[[datetime], None]
) -> None:
    game = tables.game([tables.player(), tables.player(), tables.player()])
    first = actor(game).player
    tells(letter(first, Kind.TURN), game)
    for seat in game.seats.exclude(player=first):
        tells(letter(seat.player, Kind.STARTED), game)
    drain(START)
    take_turn(game, START)
    later = letter(actor(game).player, Kind.TURN)
    assert game.commitment not in text_of(later) + html_of(later)


@pytest.mark.parametrize(
    "wishes", [{"quiet_from": time(0), "quiet_to": time(23)}, {"mail": "digest"}], ids=str
)
def test_news_of_a_turn_that_replaces_that_of_the_start_has_the_commitment(
    tables: Tables, drain: Callable[[datetime], None], wishes: dict[str, Any]
) -> None:
    game = tables.game([tables.player(**wishes) for _ in range(2)], pace="slow")
    take_turn(game, START)
    second = actor(game).player
    for hour in range(25):
        drain(START + timedelta(hours=hour))
    assert Notice.objects.get(player=second, kind=Kind.STARTED).state == Notice.State.WITHDRAWN
    (sent,) = (each for each in outgoing.outbox if each.to == [second.email])
    assert game.commitment in str(sent.body)


def test_the_commitment_is_in_a_mail_with_several_news_too(tables: Tables) -> None:
    readers = [tables.player(mail="digest") for _ in range(2)]
    game = tables.game(readers)
    for reader in readers:
        notices = Notice.objects.select_related("player", "game__creator", "game__to_act")
        mine = notices.filter(player=reader).order_by("-kind")
        lead = next(each for each in mine if each.kind == Kind.DIGEST)
        others = tuple(each for each in mine if each.kind in (Kind.TURN, Kind.STARTED))
        written = letters.write(Parcel((lead, *others)), now=START)
        html = str(written.alternatives[0][0])
        for body in (str(written.body), html):
            assert game.commitment in body


def tells(message: Any, game: Game) -> None:
    for body in (text_of(message), html_of(message)):
        assert game.commitment in body
        assert "Commitment" in body
        assert "the seed was not exchanged since you got this email" in body
        assert bytes(game.seed).hex() not in body
    assert f"Commitment: {game.commitment}" in text_of(message)
