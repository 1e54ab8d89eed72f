"""What stands in the columns of databases that people have: choices, and the keys of counters."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest
from django.apps import apps
from django.conf import settings

from games.engine.games import RULESETS
from games.engine.interface import LEAVING
from games.models import Game, Player, Reckoning, Seat, Sheet, Shelf, Tally
from games.services import play, stats
from games.services.notices import subscriptions, wishes
from games.services.notices.wishes import Way
from tests.history.archive import stored_game
from tests.people import NOON
from tests.reckoning.invented import reckoning_of

STATES = ["queued", "sending", "sent", "withdrawn", "failed", "elsewhere"]
LEVELS = ["apprentice", "merchant", "vizier", "grand-vizier"]

# By table and column.
CHOICES = {
    "games_act.kind": [
        *("warn", "mute", "unmute", "suspend", "reinstate", "rename", "trust"),
        *("hide", "time", "remove", "award", "annul"),
    ],
    "games_errand.kind": [
        *("turn", "half", "last", "after_3", "after_7", "go_on", "started", "over"),
        *("invitation", "declined", "expired", "message", "seat_lost", "vacation"),
        *("close", "test"),
    ],
    "games_errand.state": STATES,
    "games_game.fill_level": LEVELS,
    "games_game.on_timeout": ["leave", "bot"],
    "games_game.pace": ["brisk", "daily", "steady", "relaxed", "slow", "none"],
    "games_game.status": ["open", "running", "over", "cancelled", "expired", "annulled"],
    "games_game.uncounted": ["short", "private"],
    "games_game.visibility": ["public", "link", "named"],
    "games_message.event": [
        *("taken_over", "taken_back", "vacation", "hidden"),
        *("time", "removed", "awarded", "annulled"),
    ],
    "games_notice.kind": [
        *("turn", "half", "last", "after_3", "after_7", "go_on", "started", "over"),
        *("invitation", "declined", "expired", "message", "seat_lost", "vacation"),
        *("address", "puzzle", "digest", "account", "operator"),
    ],
    "games_notice.state": STATES,
    "games_player.bot_level": LEVELS,
    "games_player.mail": ["each", "digest", "none"],
    "games_player.theme": ["system", "light", "dark"],
    "games_reckoning.state": ["waiting", "first", "done", "failed"],
    "games_seat.word_origin": ["chosen", "browser", "offered", "drawn", "fixed"],
    "games_seat.mail": ["default", "each", "none"],
    "games_webhook.format": ["standard", "discord", "slack"],
}


COUNTED = {
    "marrakech": {
        "die:N",
        *("earned", "moves", "paid", "rolls", "sixths", "traits:N"),
    },
    "ifrito": {
        *("carpets_lost", "carpets_taken", "genies_lost", "genies_taken"),
        *("moves", "traits:N"),
    },
}
OF_A_PLAYER = {"answer:N", "place:N", "seat:N", "won:N", "left:resign"}
PEAKS = {"marrakech": {"payment", "region"}, "ifrito": {"haul"}}
RESULT = {
    "marrakech": {"dirhams", "points", "ranking", "reason"},
    "ifrito": {"carpets", "genies", "ranking", "reason"},
}
# By the key of the sheet: whose it is, topic, public, game, size, edition, band and year.
SEATS = {"games", "seat:N", "won", "won:N"}
SPREADS = {"changes:N", "comeback:N", "highest:N", "length:N", "margin:N"}
OF_MARRAKECH = {"earned:N", "paid:N", "rug:CELL", "stay:CELL", "stop:CELL", *SEATS}
OF_IFRITO = {"enter:CELL", "fly:CELL", "given:N", "lost:CELL", "taken:N", *SEATS}
FEATS_OF_MARRAKECH = {"changes", "comeback", "margin", "moves", "payment", "region"}
FEATS_OF_IFRITO = {"haul", "margin", "moves"}
JUDGED = ("n", "lost", "squares")
JUDGED_OF_MARRAKECH = {"turn:N:n", *(f"lay:N:{what}" for what in JUDGED)}
JUDGED_OF_IFRITO = {"pick:N:n", *(f"turn:N:{what}" for what in JUDGED)}
SHEETS = {
    "000000000101|feats|True|marrakech|0||0|2026": FEATS_OF_MARRAKECH,
    "000000000101|feats|True|ifrito|0||0|2026": FEATS_OF_IFRITO,
    "000000000101|judged|True|marrakech|2||0|0": JUDGED_OF_MARRAKECH,
    "000000000101|judged|True|ifrito|2||0|0": JUDGED_OF_IFRITO,
    "000000000101|play|True|marrakech|2||0|0": OF_MARRAKECH,
    "000000000101|play|True|ifrito|2||0|0": OF_IFRITO,
    "000000000101|year|True||0||0|2026": {
        *("day:N-N", "hour:N", "games:GAME:N", "moves:GAME", "won:GAME:N"),
        *("sum:GAME:die:N", "sum:GAME:earned", "sum:GAME:paid"),
        *("sum:GAME:rolls", "sum:GAME:sixths"),
        *("sum:GAME:carpets_lost", "sum:GAME:carpets_taken"),
        *("sum:GAME:genies_lost", "sum:GAME:genies_taken"),
    },
    "site|feats|True|marrakech|0||0|2026": FEATS_OF_MARRAKECH,
    "site|feats|True|ifrito|0||0|2026": FEATS_OF_IFRITO,
    "site|judged|True|marrakech|2||0|0": JUDGED_OF_MARRAKECH,
    "site|judged|True|ifrito|2||0|0": JUDGED_OF_IFRITO,
    "site|play|True|marrakech|2|international|0|0": OF_MARRAKECH | SPREADS,
    "site|play|True|ifrito|2|standard|0|0": OF_IFRITO | SPREADS,
    "site|style|True|marrakech|2||0|0": OF_MARRAKECH,
    "site|style|True|ifrito|2||0|0": OF_IFRITO,
    "site|year|True|marrakech|0||0|2026": {"games:N", "moves:N"},
    "site|year|True|ifrito|0||0|2026": {"games:N", "moves:N"},
}

# A move with which somebody chose badly, for the judge to have something to say.
BLUNDER = {"marrakech": 2, "ifrito": 20}

MOMENT = {
    *("seat", "played", "best", "options", "free", "error", "spread", "trials", "choices"),
}
FACTS = {
    "marrakech": {"die", "assam", "path", "paid"},
    "ifrito": {"boarded", "entered", "left", "moved", "captured", "taken"},
}

WAYS = {"unless", "both", "push", "mail", "none"}
GROUPS = {
    "turn": {"turn"},
    "reminder": {"half", "last", "after_3", "after_7", "go_on"},
    "game": {"started", "over", "seat_lost", "vacation"},
    "invitation": {"invitation", "declined", "expired"},
    "message": {"message"},
}


def test_choices_of_every_column() -> None:
    found = {
        f"{model._meta.db_table}.{field.column}": [value for value, _ in field.flatchoices]
        for model in apps.get_app_config("games").get_models()
        for field in model._meta.concrete_fields
        if field.choices
    }
    assert found == CHOICES


def test_languages_are_kept_by_these_codes() -> None:
    assert [code for code, _ in settings.LANGUAGES] == ["en", "ru", "pl", "ro", "zh-hant"]


def test_games_are_kept_by_these_keys() -> None:
    assert set(RULESETS) == {"marrakech", "ifrito"}


@pytest.mark.django_db
def test_ways_of_being_told(two: list[Player]) -> None:
    for way in WAYS:
        subscriptions.choose_ways(player=two[0], ways=dict.fromkeys(GROUPS, way), now=NOON)
        assert Player.objects.get(pk=101).channels == dict.fromkeys(GROUPS, way)
    assert set(Way.values) == WAYS
    assert {group: set(kinds) for group, kinds in wishes.GROUPS.items()} == GROUPS


def shape(names: Iterable[str]) -> set[str]:
    """Without what differs from game to game."""
    cells = (re.sub(r"\b[UL]?[a-g]\d\b", "CELL", name) for name in names)
    games = (re.sub(r":(marrakech|ifrito)\b", ":GAME", name) for name in cells)
    return {re.sub(r"\d+", "N", name) for name in games}


@pytest.fixture
def books(two: list[Player]) -> list[Game]:
    """What finished games leave: one that was played and judged and one that was resigned, of each
    kind."""
    games = []
    for key in RULESETS:
        games.append(stored_game(two, ruleset=key, seed=3))
        stats.count_reckoning(row=reckoning_of(games[-1], blunder=BLUNDER[key]), now=NOON)
        left = stored_game(two, ruleset=key, seed=3, until=9)
        play.resign(game_id=left.pk, player=two[0], now=NOON)
    return games


@pytest.mark.django_db
def test_names_of_counters(books: list[Game]) -> None:
    for key, counted in COUNTED.items():
        shelves = Shelf.objects.filter(ruleset=key)
        assert shape(name for shelf in shelves for name in shelf.sums) == counted
        tallies = Tally.objects.filter(shelf__ruleset=key)
        of_players = {*counted - {"moves"}, *OF_A_PLAYER}
        assert shape(name for tally in tallies for name in tally.sums) == of_players
        assert {name for tally in tallies for name in tally.peaks} == PEAKS[key]


@pytest.mark.django_db
def test_names_of_sheets_and_what_they_count(books: list[Game]) -> None:
    found: dict[str, set[str]] = {}
    for sheet in Sheet.objects.all():
        # Both players did something; together all of it.
        key = sheet.key.replace("000000000102", "000000000101")
        found.setdefault(key, set()).update(shape(sheet.counts))
    assert found == SHEETS
    assert Sheet.objects.filter(key__startswith="000000000102|").exists()


@pytest.mark.django_db
def test_what_is_kept_of_a_game_as_json(books: list[Game]) -> None:
    for game in books:
        key = game.ruleset
        assert set(Game.objects.get(pk=game.pk).result or ()) == RESULT[key]
        moments = Reckoning.objects.get(game=game).moments
        kept = {name for moment in moments for name in moment}
        assert kept == MOMENT | ({"roll"} if key == "marrakech" else set())
        facts = {name for move in game.moves.all() for name in move.facts}
        assert facts == FACTS[key]


@pytest.mark.django_db
def test_a_seat_that_was_left_says_how(books: list[Game]) -> None:
    assert set(Seat.objects.values_list("left_by", flat=True)) == {"", "resign"}
    assert set(LEAVING) == {"resign", "timeout", "removed"}
