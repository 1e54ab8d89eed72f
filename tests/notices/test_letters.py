"""What a letter says, in which language and time, and with which headers."""

from __future__ import annotations

import re
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from io import BytesIO

import pytest
from django.core.mail import BadHeaderError
from django.utils import translation
from PIL import Image

from games.models import Game, Notice, Player
from games.services import table_talk
from games.services.notices import letters
from games.services.notices.letter import Letter
from games.services.notices.parcels import Parcel
from tests.people import START, Tables, actor, decide, legal, sweep, take_turn

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
Kind = Notice.Kind


def letter(player: Player, kind: str, now=START) -> EmailMessage:
    notice = Notice.objects.select_related("player", "game__creator", "game__to_act").get(
        player=player, kind=kind, state=Notice.State.QUEUED
    )
    written = letters.write(Parcel((notice,)), now=now)
    parsed = message_from_bytes(written.message().as_bytes(), policy=policy.default)
    assert isinstance(parsed, EmailMessage)
    return parsed


def text_of(message: EmailMessage) -> str:
    part = message.get_body(("plain",))
    assert part
    return str(part.get_content())


def content_id_of(message: EmailMessage) -> str:
    return next(str(part["Content-ID"]) for part in message.walk() if part["Content-ID"])


def html_of(message: EmailMessage) -> str:
    part = message.get_body(("html",))
    assert part
    return str(part.get_content())


@pytest.fixture
def game(tables: Tables) -> Game:
    amina = tables.player(username="Amina", time_zone="Asia/Taipei", display_name="Amina & Co")
    bruno = tables.player(username="Bruno", time_zone="Asia/Taipei")
    game = tables.game([amina, bruno])
    take_turn(game, START)
    return game


def test_a_turn_mail_tells_what_happened_and_what_to_do(game: Game) -> None:
    reader = actor(game).player
    message = letter(reader, Kind.TURN)
    text, html = text_of(message), html_of(message)
    last = game.moves.order_by("-number").first()
    assert last
    for body in (text, html):
        assert "laid a rug on" in body
        assert last.action[4:6] in body
        assert "Thursday, 7 May, 20:00 (your time)" in body
        for label in ("Left", "Straight", "Right"):
            assert re.search(rf"{label}: costs (nothing|about \d)", body)
    assert message["To"] == reader.email
    assert message["Subject"].startswith("Your turn: Marrakech with ")


def test_names_are_escaped_in_html_and_plain_in_text(game: Game) -> None:
    reader = actor(game).player
    if reader.username == "Amina":
        take_turn(game, START)
        reader = actor(game).player
    message = letter(reader, Kind.TURN)
    assert "with Amina & Co" in text_of(message)
    assert "&amp;" not in text_of(message)
    assert "Amina &amp; Co" in html_of(message)
    assert "Amina & Co" not in html_of(message)
    assert "Amina & Co" in message["Subject"]


def test_the_picture_is_inline_and_its_alternative_is_the_whole_position(game: Game) -> None:
    message = letter(actor(game).player, Kind.TURN)
    image = next(part for part in message.walk() if part.get_content_type() == "image/png")
    content_id = image["Content-ID"].strip("<>")
    assert image.get_content_disposition() == "inline"
    assert Image.open(BytesIO(image.get_payload(decode=True))).size[0] > 300  # type: ignore[arg-type]
    shown = rf'src="cid:{re.escape(content_id)}"[^>]*alt="([^"]*)"'
    alternative = re.search(shown, html_of(message))
    assert alternative
    assert "Assam stands on" in alternative[1]
    assert "dirhams" in alternative[1]
    assert "Assam stands on" in text_of(message)


def test_a_decision_with_many_answers_is_made_on_a_page_that_shows_them(game: Game) -> None:
    seat = decide(game, START)
    assert len(legal(game)) > 3
    message = letter(seat.player, Kind.TURN)
    assert text_of(message).count("/mail/move/") == 1
    assert f"/g/{game.public_id}/" in text_of(message)


def test_headers(game: Game) -> None:
    first = letter(actor(game).player, Kind.TURN)
    half = letter(actor(game).player, Kind.HALF)
    assert first["Message-ID"] != half["Message-ID"]
    assert first["References"] == half["References"] == f"<game.{game.public_id}@127.0.0.1>"
    assert first["In-Reply-To"] == first["References"]
    assert first["Auto-Submitted"] == "auto-generated"
    assert first["List-Id"] == "Souk <turns.127.0.0.1>"
    assert first["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert re.fullmatch(r"<http://[^>]+/mail/off/[^>]+/>", first["List-Unsubscribe"].strip())


def test_no_machine_answers_and_people_can(game: Game, settings) -> None:
    settings.REPLY_TO = "Souk <help@souk.example>"
    message = letter(actor(game).player, Kind.TURN)
    assert message["Reply-To"] == "Souk <help@souk.example>"
    assert message["From"] == "Souk <souk@127.0.0.1>"
    assert message["X-Auto-Response-Suppress"] == "All"
    assert message["Feedback-ID"] == "turn:souk:notice:souk-mail"


def test_the_related_parts_say_which_is_the_first(game: Game) -> None:
    message = letter(actor(game).player, Kind.TURN)
    assert message.get_content_type() == "multipart/related"
    assert message.get_param("type") == "multipart/alternative"


def test_every_mail_has_names_of_its_own_for_ever(game: Game) -> None:
    reader = actor(game).player
    first, half = letter(reader, Kind.TURN), letter(reader, Kind.HALF)
    again = letter(reader, Kind.TURN)
    assert again["Message-ID"] == first["Message-ID"], "a second try is the same mail"
    assert first["Message-ID"] != half["Message-ID"]
    pictures = {content_id_of(each) for each in (first, half)}
    assert len(pictures) == 2
    # A database that was restored from yesterday's copy gives its numbers once more.
    Notice.objects.update(created_at=START - DAY)
    assert letter(reader, Kind.TURN)["Message-ID"] != first["Message-ID"]


def test_a_turn_mail_knows_dark_and_light(game: Game) -> None:
    html = html_of(letter(actor(game).player, Kind.TURN))
    assert '<meta name="color-scheme" content="light dark">' in html
    assert "prefers-color-scheme:dark" in html


def test_the_picture_is_small(game: Game) -> None:
    for _ in range(8):
        take_turn(game, START)
    message = letter(actor(game).player, Kind.TURN)
    image = next(part for part in message.walk() if part.get_content_type() == "image/png")
    assert len(image.get_payload(decode=True)) < 30_000


def test_the_last_line_of_the_chat_ends_before_what_follows(game: Game) -> None:
    speaker = game.seats.select_related("player").exclude(pk=actor(game).pk).get().player
    table_talk.post_message(game=game, player=speaker, text="Nice rug!", now=START)
    text = text_of(letter(actor(game).player, Kind.MESSAGE))
    assert re.search(r"\n> [^\n]*: Nice rug!\n\nYou have until", text)


def test_letters_are_written_in_the_reader_s_language_whoever_moved(game: Game, settings) -> None:
    settings.LANGUAGES = [("en", "English"), ("pl", "Polski")]
    Player.objects.update(language="pl")
    with translation.override("en"):
        message = letter(actor(game).player, Kind.TURN)
        assert translation.get_language() == "en"
    assert '<html lang="pl">' in html_of(message)
    assert "do czwartku, 7 maja" in text_of(message).lower()


def test_every_kind_can_be_written(tables: Tables) -> None:
    game = tables.game(size=3)
    seats = list(game.seats.select_related("player"))
    table_talk.post_message(
        game=game, player=seats[0].player, text="Good luck! <3", now=START + HOUR
    )
    said = letter(seats[1].player, Kind.MESSAGE)
    assert "Good luck! <3" in text_of(said)
    assert "Good luck! &lt;3" in html_of(said)
    starter = next(seat for seat in seats if seat.pk != game.to_act_id)
    assert "has started" in text_of(letter(starter.player, Kind.STARTED))
    assert "half of your time is gone" in text_of(letter(actor(game).player, Kind.HALF))
    assert "running out" in text_of(letter(actor(game).player, Kind.LAST))
    late = actor(game)
    sweep(START + 3 * DAY)
    assert "lost your seat" in text_of(letter(late.player, Kind.SEAT_LOST))
    second = actor(game)
    sweep(START + 7 * DAY)
    winner = next(seat for seat in seats if seat.pk not in (late.pk, second.pk))
    over = letter(winner.player, Kind.OVER)
    assert f"1. {winner.player}" in text_of(over)
    assert "is over" in html_of(over)


def test_a_game_without_a_clock_says_so(tables: Tables) -> None:
    game = tables.game(pace=Game.Pace.NONE)
    assert "take your time" in text_of(letter(actor(game).player, Kind.TURN))
    assert not Notice.objects.filter(kind__in=[Kind.HALF, Kind.LAST]).exists()


def test_names_and_domains_of_any_script_get_into_the_headers() -> None:
    subject = "Ваш ход: " + "Марракеш " * 12
    unsubscribe = f"<https://souk.example/{'a' * 100}>"
    written = Letter(
        subject,
        "Привет",
        "Сук <souk@souk.example>",
        ["Омар <omar@bücher.example>"],
        headers={"List-Unsubscribe": unsubscribe},
    )
    sent = written.message().as_bytes(linesep="\r\n")
    assert max(map(len, sent.split(b"\r\n\r\n")[0].splitlines())) <= 140
    assert sent.isascii()
    parsed = message_from_bytes(sent, policy=policy.default)
    assert parsed["Subject"].strip() == subject.strip()
    assert parsed["From"] == "Сук <souk@souk.example>"
    assert parsed["To"] == "Омар <omar@xn--bcher-kva.example>"
    assert parsed["List-Unsubscribe"].strip() == unsubscribe


def test_a_header_is_one_line() -> None:
    with pytest.raises(BadHeaderError):
        Letter(
            "Your turn\nBcc: all@souk.example", "", "souk@souk.example", ["a@b.example"]
        ).message()
