"""The page of a puzzle: the answer comes after an answer, and one answer counts."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from games.models import Game, Notice, Player, Puzzle, PuzzleAnswer
from games.reckon.judged.puzzles import Lead
from games.reckon.judged.shares import POINT
from games.selectors.accounts import everything_about
from games.selectors.course import course_of
from games.selectors.puzzles import streak_of
from games.services import puzzles
from games.services.accounts import delete_account, sign_out_everywhere
from games.services.notices import links, outbox
from tests.people import NOON, new_player, settings_of, signed_in
from tests.puzzles.invented import TODAY, choices, clear_reckoning, move_with_choices, puzzle_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("today")]
PAGE = "/puzzle/"
DAY = timedelta(days=1)


def text_of(response: Any, status: int = 200) -> str:
    assert response.status_code == status
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", response.content.decode()))


@pytest.fixture
def puzzle(finished: Game) -> Puzzle:
    return puzzle_of(finished, move_with_choices(finished))


@pytest.fixture
def ann(db: None) -> Player:
    return new_player("Ann")


@pytest.fixture
def me(ann: Player) -> Client:
    return signed_in(ann)


def letters_to(player: Player) -> list[Any]:
    return [letter for letter in mail.outbox if letter.to == [player.email]]


def test_no_page_tells_the_answer_before_one_was_given(client: Client, finished: Game) -> None:
    """To the byte: whatever is best, the page is the same."""
    number = move_with_choices(finished)
    pages = set()
    for best in choices(finished, number)[:3]:
        Puzzle.objects.all().delete()
        puzzle_of(finished, number, best=best)
        for path in (PAGE, f"{PAGE}?choose={choices(finished, number)[0]}"):
            page = client.get(path).content.decode()
            pages.add((path, re.sub(r"\b\w{64}\b", "token", page)))
            for clue in (finished.public_id, "Omar", "Wei", "advised", "Best:"):
                assert clue not in page
    assert len(pages) == 2


def test_it_shows_whose_rugs_are_whose_and_who_decides(client: Client, puzzle: Puzzle) -> None:
    page = " ".join(client.get(PAGE).content.decode().split())
    decides = course_of(puzzle.game).played[puzzle.number - 1].seat
    assert re.findall(r'<li data-seat="(\d)" class="player', page) == ["0", "1"]
    assert re.findall(r'<li data-seat="(\d)" class="player acts"', page) == [str(decides)]


def test_who_solves_it_is_told_so_and_where_it_is_from(me: Client, puzzle: Puzzle) -> None:
    assert "one choice is clearly the best" in text_of(me.get(PAGE))
    answer = me.post(PAGE, {"action": puzzle.moment["best"]})
    assert answer.status_code == 302
    page = me.get(PAGE)
    said = text_of(page)
    assert "Solved" in said
    assert "That is the best choice" in said
    assert "10.0 ± 0.3 points" in said or "10.0 ± 0.2 points" in said
    assert "Solved by 1 of 1 player." in said
    assert "in a row, each on its day: 1 puzzle." in said
    assert reverse("reckoning", args=[puzzle.game.public_id]) in page.content.decode()


def test_the_first_answer_counts(me: Client, ann: Player, puzzle: Puzzle) -> None:
    wrong = choices(puzzle.game, puzzle.number)[0]
    me.post(PAGE, {"action": wrong})
    me.post(PAGE, {"action": puzzle.moment["best"]})
    stands = PuzzleAnswer.objects.get()
    assert (stands.player, stands.action, stands.is_solved) == (ann, wrong, False)
    assert "Not solved" in text_of(me.get(PAGE))


def test_nonsense_is_no_answer(me: Client, client: Client, puzzle: Puzzle) -> None:
    for action in ("", "lay:z9z9", "resign", "x" * 500):
        assert "not one of the choices" in text_of(me.post(PAGE, {"action": action}), 422)
        assert "Best:" not in text_of(client.post(PAGE, {"action": action}))
    assert not PuzzleAnswer.objects.exists()


def test_a_visitor_may_try_and_leaves_nothing_behind(client: Client, puzzle: Puzzle) -> None:
    assert "Without an account you can try" in text_of(client.get(PAGE))
    assert "Solved" in text_of(client.post(PAGE, {"action": puzzle.moment["best"]}))
    assert not PuzzleAnswer.objects.exists()
    assert "Best:" not in text_of(client.get(PAGE))


def test_days_without_a_puzzle_say_so(client: Client, finished: Game) -> None:
    assert "There is no puzzle today" in text_of(client.get(PAGE))
    assert "no earlier puzzles yet" in text_of(client.get(f"{PAGE}archive/"))
    for odd in ("2026-11-15", "2026-1-1", "20261115", "someday"):
        assert client.get(f"{PAGE}{odd}/").status_code == 404
    puzzle_of(finished, move_with_choices(finished), day=TODAY - DAY)
    page = client.get(PAGE)
    assert "There is no puzzle today" in text_of(page)
    assert f"{PAGE}2026-11-15/" in page.content.decode()


def test_earlier_puzzles_can_be_solved_but_make_no_streak(
    me: Client, ann: Player, finished: Game
) -> None:
    number = move_with_choices(finished)
    old = puzzle_of(finished, number, day=TODAY - DAY)
    puzzle_of(finished, number + 2)
    assert "Solved" not in text_of(me.get(f"{PAGE}archive/"))
    me.post(f"{PAGE}2026-11-15/", {"action": old.moment["best"]})
    assert "✓ Solved" in text_of(me.get(f"{PAGE}archive/"))
    assert streak_of(ann, TODAY) == 0
    PuzzleAnswer.objects.update(at=NOON - DAY)
    assert streak_of(ann, TODAY) == 1, "today's may still be answered"
    assert streak_of(ann, TODAY + DAY) == 0, "today's was missed"


def test_an_annulled_game_takes_its_puzzle_along(client: Client, puzzle: Puzzle) -> None:
    Game.objects.update(status=Game.Status.ANNULLED, result=None)
    assert "There is no puzzle today" in text_of(client.get(PAGE))
    assert client.get(f"{PAGE}2026-11-16/").status_code == 404
    assert "2026-11-16" not in client.get(f"{PAGE}archive/").content.decode()


def test_a_page_costs_few_queries(
    me: Client, puzzle: Puzzle, django_assert_max_num_queries: Any
) -> None:
    me.get(PAGE)
    with django_assert_max_num_queries(9):
        me.get(PAGE)
    with django_assert_max_num_queries(7):
        me.get(f"{PAGE}archive/")


def test_the_mail_leads_to_it_without_signing_in(
    client: Client, ann: Player, finished: Game
) -> None:
    form = settings_of(ann, puzzle_mail="on")
    assert signed_in(ann).post("/settings/", form).status_code in (200, 302)
    ann.refresh_from_db()
    assert ann.puzzle_mail
    number = move_with_choices(finished)
    clear_reckoning(finished, number)
    made = puzzles.publish_first(now=NOON, proof=lambda _: Lead(5 * POINT, POINT))
    assert made
    outbox.drain(clock=lambda: NOON + timedelta(hours=1))
    (letter,) = letters_to(ann)
    assert letter.subject == "The puzzle of the day"
    ((html, _kind),) = letter.alternatives
    for clue in (finished.public_id, "Omar", "Wei"):
        assert clue not in str(letter.body) + str(html)
    (address,) = re.findall(r"http://127\.0\.0\.1:8000(/mail/puzzle/\S+)", str(letter.body))
    assert "Best:" not in text_of(client.get(address))
    client.post(address, {"action": made.moment["best"]})
    assert PuzzleAnswer.objects.get().player == ann
    assert "Solved" in text_of(client.get(address))
    assert client.get("/mail/puzzle/forged/").status_code == 404
    off = letter.extra_headers["List-Unsubscribe"].strip("<>")
    client.post(urlsplit(off).path)
    ann.refresh_from_db()
    assert (ann.puzzle_mail, ann.mail) == (False, "each"), "mail about turns goes on"


def test_an_ended_link_takes_no_answer(client: Client, ann: Player, puzzle: Puzzle) -> None:
    address = urlsplit(links.puzzle_url(puzzle, ann)).path
    assert client.get(address).status_code == 200
    sign_out_everywhere(player=ann, now=NOON)
    assert client.post(address, {"action": puzzle.moment["best"]}).status_code == 410
    assert not PuzzleAnswer.objects.exists()


def test_whoever_has_answered_gets_no_mail(ann: Player, finished: Game) -> None:
    Player.objects.filter(pk=ann.pk).update(puzzle_mail=True)
    clear_reckoning(finished, move_with_choices(finished))
    made = puzzles.publish_first(now=NOON, proof=lambda _: Lead(5 * POINT, POINT))
    assert made
    puzzles.answer(puzzle=made, player=ann, action=made.moment["best"], now=NOON)
    outbox.drain(clock=lambda: NOON + timedelta(hours=1))
    assert letters_to(ann) == []
    assert Notice.objects.get(kind=Notice.Kind.PUZZLE).state == Notice.State.WITHDRAWN


def test_answers_are_in_the_data_of_a_player_and_go_with_the_account(
    ann: Player, puzzle: Puzzle
) -> None:
    puzzles.answer(puzzle=puzzle, player=ann, action=puzzle.moment["best"], now=NOON)
    (told,) = everything_about(ann)["puzzles"]
    assert (told["puzzle__day"], told["is_solved"]) == (TODAY, True)
    delete_account(player=ann, now=NOON)
    assert not PuzzleAnswer.objects.exists()


def test_links_are_for_players_who_are_still_here(
    client: Client, ann: Player, puzzle: Puzzle
) -> None:
    address = urlsplit(links.puzzle_url(puzzle, ann)).path
    assert client.get(address).status_code == 200
    Player.objects.filter(pk=ann.pk).update(is_active=False)
    assert client.get(address).status_code == 404


def test_what_was_tried_before_signing_in_is_the_answer(
    client: Client, puzzle: Puzzle, ann: Player
) -> None:
    right = puzzle.moment["best"]
    wrong = next(each for each in choices(puzzle.game, puzzle.number) if each != right)
    assert "your first try is your answer" in text_of(client.get(PAGE))
    assert "Best:" in text_of(client.post(PAGE, {"action": wrong}))
    client.post(PAGE, {"action": right})
    client.force_login(ann)
    client.post(PAGE, {"action": right})
    given = PuzzleAnswer.objects.get(player=ann)
    assert (given.action, given.is_solved) == (wrong, False)
    assert streak_of(ann, TODAY) == 0
    # It was counted once, for one player.
    other = new_player("Ben")
    client.force_login(other)
    client.post(PAGE, {"action": right})
    assert PuzzleAnswer.objects.get(player=other).is_solved


def test_a_right_try_counts_as_soon_as_the_page_is_seen(
    client: Client, puzzle: Puzzle, ann: Player
) -> None:
    client.post(PAGE, {"action": puzzle.moment["best"]})
    client.force_login(ann)
    assert "Solved" in text_of(client.get(PAGE, follow=True))
    assert streak_of(ann, TODAY) == 1
    client.logout()
    client.cookies["tried"] = f"{puzzle.pk} forged"
    assert client.get(PAGE).status_code == 200
