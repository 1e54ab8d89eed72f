"""Who reads whose lines at a table."""

from __future__ import annotations

import pytest

from games.selectors.table import chat
from games.services import blocks, table_talk
from tests.people import NOON, new_players, started_game

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("reader_blocks", [True, False])
def test_a_block_hides_the_lines_of_each_from_the_other(reader_blocks: bool) -> None:
    reader, speaker, third = players = new_players(3)
    game = started_game(players)
    for player in players:
        table_talk.post_message(game=game, player=player, text=f"from {player}", now=NOON)
    pair = (reader, speaker) if reader_blocks else (speaker, reader)
    blocks.block_player(blocker=pair[0], blocked=pair[1], now=NOON)
    lines = {viewer: {line.text for line in chat(game, viewer)} for viewer in [*players, None]}
    everything = {f"from {player}" for player in players}
    assert lines[reader] == everything - {f"from {speaker}"}
    assert lines[speaker] == everything - {f"from {reader}"}
    assert lines[third] == lines[None] == everything
