"""Which bots sit down to which game: what commands that let bots play ask for."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from django.core.management.base import CommandError

from games import bots
from games.engine.chance import SEED_BYTES, SeededSource, deal
from games.engine.games import RULESETS, ruleset
from games.engine.interface import Options


class Lineup(NamedTuple):
    game: str
    bots: tuple[str, ...]
    options: Options


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--game", choices=list(RULESETS), default=next(iter(RULESETS)))
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--bots", required=True, help="such as vizier,greedy")
    parser.add_argument("--edition", help="the rules, by the name of their preset")


def lineup_from_options(options: dict[str, Any]) -> Lineup:
    rules, players = ruleset(options["game"]), options["players"]
    if players not in rules.seat_counts:
        raise CommandError(f"{rules.key} is for {rules.seat_counts} players, not {players}")
    names = options["bots"].split(",")
    known = (*bots.LEVELS[rules.key], *bots.YARDSTICKS)
    for name in names:
        if name not in known:
            raise CommandError(f"there is no bot {name!r}, expected one of {', '.join(known)}")
    if len(names) > players:
        raise CommandError(f"{len(names)} bots are too many for {players} players")
    edition = options["edition"]
    if edition is not None and edition not in rules.presets:
        raise CommandError(f"no edition {edition!r}, expected one of {', '.join(rules.presets)}")
    chosen = rules.presets[edition] if edition else rules.options({})
    return Lineup(rules.key, fill_seats(names, players), chosen)


def fill_seats(names: Sequence[str], players: int) -> tuple[str, ...]:
    """The bots in order; the last of them fills the table."""
    return (*names, *[names[-1]] * (players - len(names)))


def start_game(lineup: Lineup, rng: Random) -> tuple[Any, SeededSource]:
    """The first position of a game, and where its dice come from."""
    rules, seats = ruleset(lineup.game), len(lineup.bots)
    secret, words = rng.randbytes(SEED_BYTES), ("arena",) * seats
    dealt = deal(secret, words, rules.decks(seats, lineup.options))
    return rules.start(seats, lineup.options, dealt), SeededSource(secret, words)
