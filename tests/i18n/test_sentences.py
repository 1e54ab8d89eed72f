"""Clauses and sentences in the punctuation, the capitals and the person of each language."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.utils import translation

from games import titles
from games.models import Game, Move
from games.selectors import words
from games.sentences import clauses, ended, labelled, listed, paragraph, sentence, set_apart
from games.titles.ifrito.cushions import CUSHIONS
from games.titles.speaking import Words

NAMES = ["ann", "Omar"]
AT = datetime(2026, 11, 16, tzinfo=UTC)
MARRAKECH, IFRITO = Game(ruleset="marrakech"), Game(ruleset="ifrito")


def turn(*moves: tuple[str, dict[str, object]]) -> words.Turn:
    made = [
        Move(number=number, seat=0, action=action, facts=facts, at=AT)
        for number, (action, facts) in enumerate(moves, 1)
    ]
    (only,) = words.turns(made)
    return only


WALK = {"die": 2, "assam": "b4 north", "paid": {"to": 1, "due": 4, "amount": 4}}
WALKED = turn(("turn:R", WALK), ("lay:b5b6", {}))
BROKE = turn(("turn:L", {**WALK, "paid": {"to": 1, "due": 21, "amount": 1}, "out": [0]}))
PICKED = turn(
    ("pick:C", {"taken": {"seat": 1, "carpet": 2, "cushion": "C"}}),
    ("move:Ua1-Ub2@SE", {"moved": {"carpet": 0, "from": "Ua1", "to": "Ub2"}, "boarded": "SE"}),
)


def test_punctuation_is_that_of_the_language() -> None:
    said = sentence(clauses(["one", "two"]))
    assert paragraph([said, ended("ann is out")]) == "One, two. ann is out."
    assert labelled("Left", listed(["a", "b"])) == "Left: a, b"
    with translation.override("zh-hant"):
        said = sentence(clauses(["右轉", "放地毯"]))
        assert paragraph([said, ended("出局。")]) == "右轉，放地毯。出局。"
        assert labelled("左", listed(["甲", "乙"])) == "左：甲、乙"


def test_sentences_on_lines_of_their_own_are_set_apart_as_the_language_does() -> None:
    laid_out = "<b>One!</b>\nTwo: <i>three</i>."
    assert set_apart(laid_out) == laid_out
    with translation.override("zh-hant"):
        assert (
            set_apart("<b>一。</b>\n二： <a href>三</a> 4。 ")
            == "<b>一。</b>二：<a href>三</a> 4。"
        )


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (
            "en",
            "<b>ann</b> turned right, rolled 2 to b4, paid 4 dirhams to Omar, laid a rug on b5–b6.",
        ),
        (
            "ru",
            "<b>ann</b> поворачивает направо, выбрасывает 2 и приходит на b4, "
            "платит 4 дирхама игроку Omar, кладёт ковёр на b5–b6.",
        ),
        (
            "pl",
            "<b>ann</b> skręca w prawo, wyrzuca 2 i staje na b4, "
            "płaci 4 dirhamy graczowi Omar, kładzie dywan na b5–b6.",
        ),
        (
            "ro",
            "<b>ann</b> l-a întors pe Assam la dreapta, a aruncat 2 și a ajuns pe b4, "
            "a plătit 4 dirhami către Omar, a așezat un covoraș pe b5–b6.",
        ),
        ("zh-hant", "<b>ann</b> 右轉，擲出 2 走到 b4，付 4 迪拉姆給 Omar，放地毯在 b5–b6。"),
    ],
)
def test_somebodys_turn_in_each_language(code: str, told: str) -> None:
    with translation.override(code):
        assert words.told(MARRAKECH, NAMES, WALKED, full=True) == told


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (
            "en",
            "You turned left, rolled 2 to b4, paid only 1 of 21 dirhams to Omar, "
            "and are out of the game.",
        ),
        (
            "ru",
            "Вы поворачиваете налево, выбрасываете 2 и приходите на b4, "
            "платите только 1 из 21 дирхама игроку Omar, выбываете из игры.",
        ),
        (
            "pl",
            "Skręcasz w lewo, wyrzucasz 2 i stajesz na b4, "
            "płacisz tylko 1 z 21 dirhamów graczowi Omar, odpadasz z gry.",
        ),
        (
            "ro",
            "L-ai întors pe Assam la stânga, ai aruncat 2 și ai ajuns pe b4, "
            "ai plătit doar 1 din 21 de dirhami către Omar, și ai ieșit din joc.",
        ),
        ("zh-hant", "你左轉，擲出 2 走到 b4，應付 21 迪拉姆，只付 1 迪拉姆給 Omar，並且出局。"),
    ],
)
def test_the_own_turn_in_each_language(code: str, told: str) -> None:
    with translation.override(code):
        assert words.told_to_whoever_did_it(MARRAKECH, NAMES, BROKE) == told


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (
            "en",
            "You took the genie from the middle cushion of a carpet of Omar, "
            "flew from Ua1 to Ub2 and took the genie onto the south-east cushion.",
        ),
        (
            "ru",
            "Вы снимаете джинна с центральной подушки ковра игрока Omar, "
            "летите с Ua1 на Ub2 и сажаете джинна на юго-восточную подушку.",
        ),
        (
            "pl",
            "Zdejmujesz dżinna ze środkowej poduszki dywanu gracza Omar, "
            "lecisz z Ua1 na Ub2 i sadzasz dżinna na południowo-wschodniej poduszce.",
        ),
        (
            "ro",
            "Ai dat jos duhul de pe perna din mijloc a unui covor al lui Omar, "
            "ai zburat de pe Ua1 pe Ub2 și ai luat duhul pe perna de sud-est.",
        ),
        ("zh-hant", "你移走 Omar 飛毯上中央坐墊的精靈，從 Ua1 飛到 Ub2，精靈坐東南坐墊。"),
    ],
)
def test_cushions_go_by_name(code: str, told: str) -> None:
    with translation.override(code):
        assert words.told_to_whoever_did_it(IFRITO, NAMES, PICKED) == told


@pytest.mark.parametrize("code", ["en", "ru", "pl", "ro", "zh-hant"])
def test_every_cushion_is_said_in_its_own_way(code: str) -> None:
    with translation.override(code):
        said = [
            titles.words("ifrito").advice(f"move:Ua1-Ub2{sign}{cushion}", 0.0)
            for sign in "@!"
            for cushion in CUSHIONS
        ]
    assert len({*said}) == 18


def test_a_game_without_words_of_its_own_shows_its_notation() -> None:
    house = titles.words("nameless")
    assert type(house) is Words
    assert house.deeds("put:b2", {}, NAMES) == ["played put:b2"]
    assert house.deeds("resign", {"out": [0]}, NAMES, own=True) == ["gave up"]
    assert house.choice("put:b2", {}) == "put:b2"
    seen = {
        "players": [{"seat": 0, "in": False}, {"seat": 1, "in": True}],
        "pending": {"type": "decide", "seat": 1, "kind": "turn"},
    }
    assert house.position(seen, NAMES) == ["ann is out of the game.", "Waiting for Omar."]
