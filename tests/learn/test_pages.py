"""Rules, tutorials and help as pages: complete, linkable, and playable without JavaScript."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client

from games.engine.games import ruleset
from games.models import Game
from games.reckon.running_time import LONGEST_QUIET
from games.selectors import lessons
from tests.people import new_player, new_players, play_on, signed_in, started_game

pytestmark = pytest.mark.django_db
KEYS = lessons.taught()
PAGES = ["/learn/", "/help/", *(f"/rules/{key}/" for key in KEYS)]


class Page(HTMLParser):
    """What a browser without scripts can do with a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.buttons: list[str] = []
        self.headings = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if given.get("id"):
            self.ids.append(str(given["id"]))
        if tag == "a" and given.get("href") and given.get("tabindex") != "-1":
            self.links.append(str(given["href"]))
        if tag == "button" and given.get("name") == "action" and given.get("value"):
            self.buttons.append(str(given["value"]))
        self.headings += tag == "h1"

    @property
    def anchors(self) -> list[str]:
        return [link[1:] for link in self.links if link.startswith("#")]


def look(client: Client, path: str) -> tuple[str, Page]:
    response = client.get(path)
    assert response.status_code == 200, path
    text = response.content.decode()
    return text, Page(text)


@pytest.mark.parametrize("path", PAGES)
def test_anchors_are_unique_and_lead_somewhere(client, path):
    text, page = look(client, path)
    assert len(page.ids) == len(set(page.ids))
    assert set(page.anchors) <= set(page.ids)
    assert page.headings == 1
    sections = re.findall(r'<h2 id="([\w-]+)"><a class="anchor" href="#([\w-]+)"', text)
    assert all(one == other for one, other in sections)
    if path != "/learn/":
        contents = text.partition('class="card contents')[2].partition("</nav>")[0]
        assert re.findall(r'href="#([\w-]+)"', contents) == [one for one, _ in sections]


@pytest.mark.parametrize("path", ["/", "/games/", *PAGES, *(f"/learn/{key}/" for key in KEYS)])
def test_pages_have_titles_and_descriptions_of_their_own(client, path):
    text, _ = look(client, path)
    title = re.search(r"<title>(.+?)</title>", text)
    description = re.search(r'<meta name="description" content="([^"]+)">', text)
    assert title
    assert description
    assert 10 < len(title[1]) < 80
    assert 40 < len(description[1]) < 180


@pytest.mark.parametrize("key", KEYS)
def test_a_rules_page_shows_each_figure_it_has(client, key):
    """Figures that only carry numbers are not drawn, but each drawn one has a caption."""
    text, _ = look(client, f"/rules/{key}/")
    drawn = text.count('<figure class="figure')
    assert drawn >= 9
    captions = re.findall(r"<figcaption>(.+?)</figcaption>", text, re.DOTALL)
    assert len(captions) == len(set(captions)) == drawn


def test_the_rules_name_all_editions_with_what_they_do(client):
    text, _ = look(client, "/rules/marrakech/")
    rows = re.findall(
        r'<tr>\s*<th scope="row">(.+?)</th>\s*<td>\s*(.+?)\s*</td>\s*<td>\s*(.+?)\s*</td>\s*</tr>',
        text,
        re.S,
    )
    found = [(broke, turning) for _, broke, turning in rows]
    assert found == [
        (
            {"out": "is out", "play_on": "plays on"}[options["insolvency"]],
            {"before": "before the roll", "after": "at the end of the turn"}[options["turning"]],
        )
        if edition not in ("russian", "romanian")
        else ("not printed; here: plays on", "before the roll; turning afterwards is not printed")
        for edition, options in ruleset("marrakech").presets.items()
    ]


def test_rules_of_an_unknown_game_are_nowhere(client):
    for path in ("/rules/chess/", "/learn/chess/", "/learn/chess/1/", "/learn/marrakech/9/"):
        assert client.get(path).status_code == 404
    assert client.get("/learn/marrakech/1/turn:X/").status_code == 404
    assert client.get("/learn/marrakech/1/turn:L,lay:a1a2/").status_code == 404


@pytest.mark.parametrize("key", KEYS)
def test_a_tutorial_is_played_to_its_end_without_scripts(client, key):
    """With links and buttons alone, from the first page to the sign-up form."""
    path = f"/learn/{key}/"
    seen = set()
    for _ in range(60):
        response = client.get(path, follow=True)
        assert response.status_code == 200
        page = Page(response.content.decode())
        here = response.redirect_chain[-1][0] if response.redirect_chain else path
        assert here not in seen, "the tutorial goes in circles"
        seen.add(here)
        following = _next(here, page, key)
        if not following:
            break
        path = following
    assert "/accounts/signup/?next=/games/new/" in page.links
    scenes = {int(found[1]) for each in seen if (found := re.match(rf"/learn/{key}/(\d)/", each))}
    assert {*scenes, 1} == set(range(1, len(lessons.scenes(key)) + 1))


def _next(here: str, page: Page, key: str) -> str:
    base = here.partition("?")[0]
    if page.buttons:
        return f"{base}?action={page.buttons[0]}"
    ways = [link for link in page.links if link.startswith(base) and "?choose=" in link]
    deeper = [link for link in ways if len(link) > len(here)]
    if deeper:
        return deeper[0]
    onwards = [link for link in page.links if re.fullmatch(rf"/learn/{key}/\d/", link)]
    return onwards[-1] if onwards else ""


@pytest.mark.parametrize("key", KEYS)
def test_a_lesson_asks_nothing_of_the_database(client, key, django_assert_num_queries):
    with django_assert_num_queries(0):
        client.get(f"/learn/{key}/2/")
        client.get(f"/rules/{key}/")


def test_a_lesson_in_a_hurry_gets_its_fragment(client):
    path = "/learn/marrakech/1/turn:L/?choose=lay:f4f5"
    fragment = client.get(path, headers={"HX-Request": "true"}).content.decode()
    assert fragment.startswith('<form id="table"')
    assert "<html" not in fragment


def test_only_the_start_of_a_tutorial_is_for_search_engines(client):
    start, _ = look(client, "/learn/marrakech/")
    later, _ = look(client, "/learn/marrakech/1/turn:L/")
    assert "noindex" not in start
    assert 'rel="canonical"' in start
    assert '<meta name="robots" content="noindex">' in later
    assert 'rel="canonical"' not in later


def test_players_are_led_to_a_new_game():
    client = signed_in(new_player("Wei"))
    _, page = look(client, "/learn/marrakech/7/turn:S,lay:c1c2/")
    assert "/games/new/" in page.links
    assert not any("signup" in link for link in page.links)


def test_help_says_what_the_code_does(client, settings):
    text, page = look(client, "/help/")
    for pace in Game.Pace:
        if pace.increment:
            assert f'<th scope="row">{pace.label}</th>' in text
    assert "<td>2 days</td><td>6 days</td>" in text
    assert f"up to {LONGEST_QUIET.seconds // 3600} hours a day" in text
    assert "waits 3 minutes" in text
    assert "starts at 1500" in text
    assert {f"/rules/{key}/" for key in KEYS} <= set(page.links)


@pytest.mark.parametrize(
    ("key", "aim"),
    [("marrakech", "have the most points at the end"), ("ifrito", "You win with nine genies")],
)
def test_a_tutorial_begins_with_the_aim(client, key, aim):
    text, _ = look(client, f"/learn/{key}/")
    words = text.partition('class="lesson-words"')[2]
    assert aim in words.partition("</p>")[0]


def test_the_tutorial_of_marrakech_ends_with_scoring_going_broke_and_the_pile(client):
    keys = [scene.key for scene in lessons.scenes("marrakech")]
    assert keys[-3:] == ["scoring", "broke", "two"]
    count, _ = look(client, "/learn/marrakech/5/lay:g3g4/")
    assert "squares and dirhams together are the points" in count
    assert re.search(r"You: \d+ \+ \d+ = <b>\d+</b>", " ".join(count.split()))
    broke, _ = look(client, "/learn/marrakech/6/lay:c2c3/")
    assert "Omar should pay 12 dirhams and cannot." in " ".join(broke.split())
    pile, _ = look(client, "/learn/marrakech/7/turn:S/")
    assert "which colour comes next" in pile


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("marrakech/1/turn:L/", "All ways were free"),
        ("marrakech/1/turn:L,lay:f4f5/", "Your field there has 2 squares. No other place"),
        ("marrakech/2/turn:S,lay:c4d4/", "On d3 and d4 it would have 4: whoever"),
        ("ifrito/1/enter:Uc1@N/", "From there it can fly to 1 cell. No other choice"),
        ("ifrito/1/enter:Uc1@S/", "From there it can fly to 0 cells. With “Enter on"),
    ],
)
def test_a_choice_is_answered_with_what_is_better_and_why(client, path, said):
    text, _ = look(client, f"/learn/{path}")
    shares, _, points = " ".join(text.partition('class="said"')[2].split()).partition("</p>")
    assert "Your win share now: " in shares
    assert said in points.partition("</p>")[0]


@pytest.mark.parametrize("key", KEYS)
def test_every_choice_of_every_scene_can_be_answered(key):
    for number, _scene in enumerate(lessons.scenes(key), start=1):
        first = lessons.stage(key, number, ())
        assert first
        for action in first.table.observation["legal"][::7]:
            stage = lessons.stage(key, number, (action,))
            assert stage
            assert len(stage.said) == (1 if action.startswith("capture") else 2), action


@pytest.mark.parametrize("key", KEYS)
def test_the_judge_has_looked_at_every_decision_of_every_lesson(key):
    """After a change of lessons: `python -m tools evaluate_lessons`."""
    kept = json.loads(lessons.judged_file(key).read_text())
    assert set(kept["scenes"]) == {scene.key for scene in lessons.scenes(key)}
    for scene in lessons.scenes(key):
        for played, seen in lessons.decisions_of(key, scene):
            assert set(kept["scenes"][scene.key][",".join(played)]) == set(seen["legal"])


def test_progress_is_kept_in_this_browser_and_in_an_account():
    yasmin = new_player("Yasmin")
    visitor, account = Client(), signed_in(yasmin)
    for client in (visitor, account):
        assert "Go on with lesson" not in look(client, "/learn/")[0]
        client.get("/learn/marrakech/1/turn:L,lay:f4f5/")
        client.get("/learn/marrakech/2/turn:L/")
        assert "/learn/marrakech/2/" in look(client, "/learn/")[1].links
        client.get("/learn/marrakech/1/turn:L,lay:f4f5/")
        assert "Go on with lesson 2 of 7" in look(client, "/learn/")[0]
    yasmin.refresh_from_db()
    assert yasmin.lessons == {"marrakech": 1}
    assert "sessionid" not in visitor.cookies
    visitor.cookies["lessons"] = "marrakech-99.ifrito-x.-.chess-3"
    assert "All lessons played" in look(visitor, "/learn/")[0]


def test_the_first_page_shows_a_game_in_play(client):
    text, page = look(client, "/")
    assert "In play right now" not in text
    assert "/learn/" in page.links
    game = started_game(new_players(3))
    play_on(game, 4)
    text, page = look(client, "/")
    assert "In play right now" in text
    assert game.get_absolute_url() in page.links


def test_a_private_game_is_never_shown_on_the_first_page(client):
    game = started_game(new_players(2), visibility=Game.Visibility.LINK)
    _, page = look(client, "/")
    assert game.get_absolute_url() not in page.links


def test_the_menu_leads_to_rules_and_help(client):
    links: Any = look(client, "/games/")[1].links
    assert {"/learn/", "/help/"} <= set(links)


def test_the_die_of_the_rules_has_slippers(client):
    page = client.get("/rules/marrakech/").content.decode()
    assert re.findall(r'href="#slippers-(\d)"', page) == ["1", "2", "2", "3", "3", "4"]
    assert page.count('aria-label="2 slippers"') == 2
    assert page.count('aria-label="1 slipper"') == 1
