"""The commands simulate, verify and bench."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.engine.games import RULESETS
from games.engine.interface import LEAVING
from games.engine.record import read, verify
from tools.patience import PATIENCE

ROOT = Path(__file__).parents[2]


def simulated(*flags: str) -> list[str]:
    out = io.StringIO()
    call_command("simulate", *flags, stdout=out)
    return out.getvalue().splitlines()


def verified(*files: str) -> tuple[list[str], str]:
    """What verify prints, and what it says if it fails."""
    out = io.StringIO()
    try:
        call_command("verify", *files, stdout=out)
    except CommandError as error:
        return out.getvalue().splitlines(), str(error)
    return out.getvalue().splitlines(), ""


@pytest.mark.parametrize("game", RULESETS)
@pytest.mark.parametrize("players", ["2", "3", "4"])
def test_simulated_games_verify_with_their_chance(game: str, players: str) -> None:
    flags = ("--game", game, "--players", players, "--games", "2", "--legal", "--leave", "0.005")
    for line in simulated(*flags):
        record = read(line)
        assert verify(record).seeded
        assert len(record.names) == int(players)
        assert all(move.legal is not None for move in record.moves)
        assert not any(set(move.legal or ()) & set(LEAVING) for move in record.moves)


def test_the_same_seed_gives_the_same_games() -> None:
    assert simulated("--games", "3", "--seed", "7") == simulated("--games", "3", "--seed", "7")
    assert simulated("--games", "1", "--seed", "7") == simulated("--games", "3", "--seed", "7")[:1]
    assert simulated("--seed", "7") != simulated("--seed", "8")
    assert len(set(simulated("--games", "5"))) == 5


def test_rules_can_be_chosen() -> None:
    rules = "insolvency=play_on,turning=after,cover_own=true"
    [line] = simulated("--players", "3", "--rules", rules)
    assert read(line).rules == {"insolvency": "play_on", "turning": "after", "cover_own": True}
    assert read(simulated()[0]).rules == RULESETS["marrakech"].options({})


def test_leaving_with_certainty_leaves_one() -> None:
    [line] = simulated("--leave", "1")
    record = read(line)
    assert [move.action in LEAVING for move in record.moves] == [True] * 3
    assert record.result is not None
    assert record.result["reason"] == "last_player"


def test_without_leave_nobody_leaves() -> None:
    moves = [move for line in simulated("--games", "5") for move in read(line).moves]
    assert not any(move.action in LEAVING for move in moves)
    assert all(move.legal is None for move in moves)


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--game", "chess"], "unknown game 'chess', expected one of marrakech"),
        (["--players", "5"], "for 2, 3 or 4 players"),
        (["--players", "many"], "invalid int value"),
        (["--games", "-1"], "--games is -1, expected 0 or more"),
        (["--leave", "1.5"], "--leave is 1.5, expected a probability"),
        (["--leave", "nan"], "--leave is nan, expected a probability"),
        (["--rules", "turning"], "--rules has 'turning', expected name=value"),
        (["--rules", "turning=after,turning=before"], "each name once"),
        (["--rules", "turning=never"], "option turning is 'never', expected"),
        (["--rules", "cover_own=1"], "option cover_own is '1', expected"),
        (["--game", "ifrito", "--rules", "turning=after"], "turning"),
    ],
)
def test_bad_flags_get_a_clear_sentence(flags: list[str], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        simulated(*flags)


def test_output_streams_and_a_reader_may_leave_early() -> None:
    """Far more games than could be played in the time: the first line must come at once."""
    command = [sys.executable, "-m", "tools", "simulate", "--games", "1000000"]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        verify(read(process.stdout.readline()))
        process.stdout.close()
        assert process.wait(timeout=PATIENCE) == 0
        assert process.stderr.read() == b""


def test_verify_prints_a_line_for_each_record(tmp_path: Path) -> None:
    good, other = simulated("--games", "2")
    bad = good.replace('"die":', '"dice":', 1)
    lines = tmp_path / "games.jsonl"
    lines.write_text(f"{good}\n\n{bad}\n{other}\n", encoding="utf-8")
    pretty = tmp_path / "pretty.json"
    pretty.write_text(json.dumps(json.loads(good), indent=2), encoding="utf-8")
    printed, failure = verified(str(lines), str(pretty))
    assert [line.split(": ")[1] for line in printed] == ["ok", "FAILED", "ok", "ok"]
    assert printed[0].startswith(f"{lines}:1: ok: marrakech, 4 players, ")
    assert printed[0].endswith("chance checked")
    assert f"{lines}:3: FAILED: move 1: the move has 'dice', expected no such key" in printed
    assert failure == "1 of 4 failed"


def test_verify_is_content_when_all_hold(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("\n".join(simulated("--games", "3")), encoding="utf-8")
    printed, failure = verified(str(path))
    assert len(printed) == 3
    assert failure == ""


def test_verify_reads_standard_input_and_exits_with_1_if_any_fails() -> None:
    [line] = simulated()
    done = subprocess.run(
        [sys.executable, "manage.py", "verify", "-"],
        cwd=ROOT,
        input=f"{line}\n{line.replace('turn:', 'turm:', 1)}\n",
        capture_output=True,
        text=True,
        check=False,
    )
    good, bad = done.stdout.splitlines()
    assert good.startswith("standard input:1: ok: marrakech, 4 players")
    assert bad.startswith("standard input:2: FAILED: move 1: 'turm:")
    assert "1 of 2 failed" in done.stderr
    assert done.returncode == 1


def test_a_file_that_is_not_there_or_empty_fails(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.write_bytes(b"\n")
    printed, failure = verified(str(tmp_path / "none"), str(empty), str(tmp_path))
    assert [line.split(": ", 1)[1] for line in printed] == [
        "FAILED: cannot be read: No such file or directory",
        "FAILED: there is no record, expected at least one",
        "FAILED: cannot be read: Is a directory",
    ]
    assert failure == "3 of 3 failed"


def test_a_file_of_anything_fails_in_one_line_each(tmp_path: Path) -> None:
    path = tmp_path / "noise"
    path.write_bytes(b"\xff\xfe\n{}\nnull\n")
    printed, _ = verified(str(path))
    assert len(printed) == 3
    assert all("FAILED" in line for line in printed)


def test_bench_measures_and_names_its_targets() -> None:
    out = io.StringIO()
    call_command("bench", "engine", "--repeats", "1", "--json", stdout=out)
    results = json.loads(out.getvalue())["engine"]
    assert [each["target"] for each in results] == [1000, 2, 3, 60, 8]
    assert all(each["median"] > 0 and isinstance(each["met"], bool) for each in results)
    with pytest.raises(CommandError, match="expected 1 or more"):
        call_command("bench", "engine", "--repeats", "0")
    with pytest.raises(CommandError, match="invalid choice"):
        call_command("bench", "moon")
