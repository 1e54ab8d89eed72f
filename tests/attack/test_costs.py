"""No input of the largest size costs more than a second of processor time."""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.engine.errors import BadRecord
from games.engine.games import ruleset
from games.engine.record import read
from games.forms.records import LARGEST, MOST_MOVES
from games.models import Game
from games.services import limits
from tests.moderation.staff import new_moderator
from tests.people import new_player, new_players, signed_in, started_game, whose_turn
from tools.random_games import simulated_game

pytestmark = pytest.mark.django_db
SECOND = 1.0
TRIES = 3


def record() -> dict[str, Any]:
    from games.engine.record import write

    rules = ruleset("marrakech")
    game = simulated_game(rules, seats=4, options=rules.options({}), seed="1")
    found: dict[str, Any] = json.loads(write(game))
    return found


def costs_a_second(send: Callable[[], object], limit: float = SECOND) -> bool:
    """Whether it costs so much each time: a bomb does, a busy machine does not. What the tests
    before left in memory is not swept up meanwhile, because that costs by itself."""

    def once() -> float:
        before = time.thread_time()
        send()
        return time.thread_time() - before

    gc.disable()
    try:
        return all(once() >= limit for _ in range(TRIES))
    finally:
        gc.enable()


def filled(opening: str, piece: str, end: str) -> str:
    room = LARGEST - len(opening) - len(end)
    return opening + piece * (room // len(piece)) + end


def with_moves(count: int, **more: Any) -> str:
    whole = record()
    move = {"seat": 0, "action": "turn:L", **more}
    whole["moves"] = [{"n": n, **move} for n in range(1, count + 1)]
    return json.dumps(whole, separators=(",", ":"))[:LARGEST]


WORST: dict[str, Callable[[], str]] = {
    "one key again and again": lambda: filled('{"a":1', ',"a":1', "}"),
    "many keys, the last one twice": lambda: (
        "{" + ",".join(f'"{n:05}":1' for n in range(50_000))[: LARGEST - 40] + ',"00000":1}'
    ),
    "many keys": lambda: "{" + ",".join(f'"{n:05}":1' for n in range(51_000))[:LARGEST],
    "deep lists": lambda: filled("", "[", ""),
    "deep objects": lambda: filled("", '{"a":', ""),
    "a long number": lambda: filled('{"n":', "9", "}"),
    "a long text": lambda: filled('{"n":"', "\\u0000", '"}'),
    "marks": lambda: filled('{"id":"', "\u0301", '"}')[: LARGEST // 2],
    "many moves": lambda: with_moves(MOST_MOVES),
    "more moves": lambda: with_moves(11_000),
    "many legal ones": lambda: with_moves(50, legal=["lay:a1a2"] * 900),
    "many players": lambda: json.dumps({**record(), "players": [{"name": "x"}] * 20_000}),
    "many words": lambda: json.dumps(
        {**record(), "fairness": {"commitment": "0" * 64, "entropy": ["x"] * 90_000}}
    ),
    "many piles": lambda: json.dumps({**record(), "piles": [["red"]] * 40_000}),
    "a wide result": lambda: json.dumps(
        {**record(), "result": {"ranking": [list(range(70_000))], "reason": "rugs"}}
    ),
    "spaces": lambda: filled("", " ", ""),
    "a real one": lambda: json.dumps(record()),
}


@pytest.mark.parametrize("kind", WORST)
def test_no_record_costs_a_second(kind: str, client: Client) -> None:
    text = WORST[kind]()
    assert len(text) <= LARGEST + 1
    client.get("/")

    def check() -> None:
        answer = client.post(reverse("check_record"), {"text": text})
        assert answer.status_code in (200, 422)

    assert not costs_a_second(check)


def test_a_key_that_stands_often_is_found_in_linear_time() -> None:
    text = filled('{"a":1', ',"b":1', "}")

    def refuse() -> None:
        with pytest.raises(BadRecord, match="twice"):
            read(text)

    assert not costs_a_second(refuse, SECOND / 4)


@pytest.mark.parametrize("how", ["text", "name", "query", "filters"])
def test_no_form_or_address_costs_a_second(how: str) -> None:
    game: Game = started_game(new_players(2))
    client = signed_in(whose_turn(game))
    long = "а" * 400_000
    client.get(game.get_absolute_url())

    def send() -> None:
        if how == "text":
            client.post(reverse("talk", args=[game.public_id]), {"text": long})
            client.post(reverse("move", args=[game.public_id]), {"action": long, "on": "0"})
        elif how == "name":
            client.post(reverse("settings"), {"display_name": long})
            client.post(reverse("new_game"), {"visibility": "named", "invited": "a," * 200_000})
        elif how == "query":
            client.get(game.get_absolute_url(), {"choose": "a1" * 2000, "since": "9" * 4000})
        else:
            client.get(reverse("archive"), {"player": "a" * 4000, "at": "o" + "9" * 4000})
            client.get(reverse("lesson_played", args=["marrakech", 1, "turn:L," * 500 + "x"]))

    assert not costs_a_second(send)


LONG = "а" * 400_000
LINES = "x = 1\n" * 60_000
NUMBER = "9" * 4000
AT_THEIR_LARGEST: dict[str, Callable[[Client, Game], Any]] = {
    "a webhook": lambda client, _: client.post(
        reverse("add_webhook"),
        {"url": "https://" + "a." * 200_000, "format": "slack", "mentions": LINES},
    ),
    "a device": lambda client, _: client.post(
        reverse("add_device"), {"endpoint": f"https://{LONG}", "p256dh": LONG, "auth": LONG}
    ),
    "ways": lambda client, _: client.post(reverse("notices"), {"turn": LONG, "message": LINES}),
    "a report": lambda client, _: client.post(
        reverse("report_player", args=["Omar"]), {"text": LONG}
    ),
    "an act": lambda client, game: client.post(
        reverse("moderate_game", args=[game.public_id]),
        {"act": "time", "hours": NUMBER, "reason": LONG},
    ),
    "a puzzle": lambda client, _: client.post(reverse("puzzle"), {"action": LONG}),
    "the explorer": lambda client, _: client.get(
        reverse("openings", args=["marrakech"]),
        {"path": "turn:L-3/" * 17, "edition": "x" * 3000, "band": NUMBER},
    ),
    "the own archive": lambda client, _: client.get(
        reverse("my_archive"),
        {"notes": "%_" * 30, "opening": "a/" * 80, "order": "longest", "year": NUMBER},
    ),
    "suggestions": lambda client, _: client.get(reverse("names"), {"player": "a" * 4000}),
    "a comparison": lambda client, _: client.get(
        reverse("player_beside", args=["Omar", "Yasmin"]), {"game": "x" * 4000}
    ),
    "a whole game": lambda client, game: client.get(reverse("told", args=[game.public_id])),
    "a code": lambda client, _: client.post("/accounts/2fa/totp/activate/", {"code": NUMBER * 100}),
    "a sign-up": lambda client, _: Client().post(
        "/accounts/signup/",
        {"username": LONG, "email": "a@" + "b." * 200_000, "password1": LONG},
    ),
    "many fields": lambda client, _: client.post(
        reverse("settings"), {f"a{number}": "1" for number in range(999)}
    ),
    "many files": lambda client, _: client.post(
        reverse("check_record"),
        b'--x\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\nx\r\n' * 30_000,
        content_type="multipart/form-data; boundary=x",
    ),
    "a link of a mail": lambda client, _: client.get(f"/mail/move/.{'eJ' * 2000}:a:b/"),
    "languages": lambda client, _: client.get("/", headers={"Accept-Language": "pl;q=0.1," * 900}),
}


def test_no_input_of_other_pages_costs_a_second() -> None:
    game: Game = started_game([new_moderator("Yasmin"), new_player("Omar")])
    client = signed_in(game.creator)
    client.get(game.get_absolute_url())

    def sent(name: str) -> Callable[[], None]:
        def send() -> None:
            assert AT_THEIR_LARGEST[name](client, game).status_code < 500, name

        return send

    assert [name for name in AT_THEIR_LARGEST if costs_a_second(sent(name))] == []


def test_large_records_are_checked_only_so_often(client: Client) -> None:
    allowed = limits.LIMITS["check"]["network"].times
    large = 1 + LARGEST // limits.CHECK_STEP
    text = filled('{"a":', " ", "1}")
    answers = [
        client.post(reverse("check_record"), {"text": text}).status_code
        for _ in range(allowed // large + 1)
    ]
    assert answers == [422] * (allowed // large) + [429]
