"""Compile the bots once for this machine, each game in a process of its own: `make test` does it
while the code is checked, so that no test waits for it."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor

from games import bots
from games.titles import part
from tests import environment


def compile_game(game: str) -> None:
    part(game, "bots.levels").warm_up()


if __name__ == "__main__":
    bots.keep_compiled_in(environment.COMPILED)
    if not bots.ready():
        with ProcessPoolExecutor() as processes:
            list(processes.map(compile_game, bots.LEVELS))
        bots.prepare()
