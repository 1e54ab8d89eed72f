"""A private game is seen by nobody but its players, in no number of no page."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from copy import copy
from html import unescape
from itertools import product
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.engine.games import RULESETS
from games.models import Game, Opening, Player, Rating, Sheet
from games.selectors.gallery import drawing_of
from games.services import limits, openings, sharing, stats
from tests.attack.routes import every_route
from tests.history.archive import HOUR, people, stored_game
from tests.people import NOON, signed_in
from tests.puzzles.invented import puzzle_of

pytestmark = pytest.mark.django_db

CHANGING = re.compile(
    r'((?:csrfmiddlewaretoken|entropy|ticket)" value="|class="seal">'
    r'|x-csrftoken": "|"token": ")[^"<]+'
)
"""What is drawn anew for each page."""
LAST_YEAR = NOON.replace(year=2025)
PRIVATE = (("marrakech", "link", 2), ("ifrito", "named", 2), ("marrakech", "named", 3))
OF_A_PLAYER = ("profile", "player_style", "player_calendar", "player_opponents")


STRANGE = ("admin/", "mailbox/", "healthz", "metrics", "invite/")
"""Not for strangers, or not about games: operators' pages, mail kept here, health, a link
with the moment in it."""

CLOSED = re.compile(
    r"^/(accounts|calendar|invited|mail|moderation|records/reckoning|settings|talk)/"
    r"|^/(contact|terms)/$|^/learn/.*/turn:L/$|^/g/\w+/(resign|reckoning/mistakes/1)/$"
)
"""Where strangers find nothing, or need a key of their own."""

LINK = re.compile(r'href="(\?[^"#]*)')


def pages(names: list[str], game: Game) -> list[str]:
    """Every address of the site, with all that it can be filled in with: a page that is added
    later is among them, and one that nothing is known for fails here."""
    puzzle = puzzle_of(game, 1, day=NOON.date())
    values = {
        "public_id": game.public_id,
        "drawing": drawing_of(game.ruleset),
        "day": puzzle.day.isoformat(),
        "year": LAST_YEAR.year,
        "which": "turn",
        "played": "turn:L",
        "digest": "0" * 64,
        "number": 1,
    }
    several: dict[str, list[str]] = {
        "username": names,
        "other": names[1:],
        "ruleset": list(RULESETS),
        "key": list(RULESETS),
        "form": ["csv", "ndjson"],
    }
    found = []
    for route in every_route():
        if route.pattern.startswith(STRANGE):
            continue
        chosen = [name for name in route.parameters if name in several]
        for some in product(*(several[name] for name in chosen)):
            filled = defaultdict(lambda: 1, values, **dict(zip(chosen, some, strict=True)))
            found.append(route.path(filled))
    return [*found, f"{reverse('names')}?player={names[0][:2]}"]


def seen_by(client: Client, path: str) -> tuple[int, str]:
    """As the first page after signing in: what others ask to be remembered is not."""
    known = copy(client.cookies)
    response: Any = client.get(path)
    client.cookies = known
    body = b"".join(response.streaming_content) if response.streaming else response.content
    return response.status_code, CHANGING.sub(r"\1", body.decode("latin-1"))


def looked_at(client: Client, paths: Iterable[str]) -> dict[str, tuple[int, str]]:
    return {path: seen_by(client, path) for path in paths}


def looked_around(client: Client, paths: Iterable[str]) -> dict[str, tuple[int, str]]:
    """With each page that is one step of narrowing down, sorting or walking on away."""
    seen = looked_at(client, paths)
    further = {
        path.partition("?")[0] + unescape(query)
        for path, (_status, page) in seen.items()
        for query in LINK.findall(page)
    }
    return seen | looked_at(client, sorted(further - seen.keys()))


def test_a_private_game_changes_no_page_for_strangers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openings, "LEAST", 1)
    # Whoever looks at everything within a second takes along more than one may.
    monkeypatch.setattr(limits, "spend", lambda *_args, **_named: None)
    yasmin, omar, wei = people("yasmin", "omar", "wei")
    for number, at in enumerate((LAST_YEAR, NOON)):
        game = stored_game([yasmin, omar], seed=number, ended_at=at)
    stored_game([yasmin, omar], seed=3, ruleset="ifrito", rated=False, ended_at=NOON + HOUR)
    for player in (yasmin, omar):
        sharing.share_year(player=player, year=2025, now=NOON)
    stranger, visitor = signed_in(wei), Client()
    paths = pages(["yasmin", "omar"], game)
    before = looked_around(stranger, paths), looked_at(visitor, paths)
    nowhere = [path for path, (status, _) in before[0].items() if status in (403, 404, 410)]
    assert [path for path in nowhere if not CLOSED.match(path)] == []
    own = signed_in(yasmin)
    mine = [reverse("profile", args=["yasmin"]), reverse("my_archive")]
    mine += [reverse("player_style", args=["yasmin"]), reverse("player_opponents", args=["yasmin"])]
    told = looked_at(own, mine)
    for number, (ruleset, visibility, size) in enumerate(PRIVATE):
        stored_game(
            [yasmin, omar, *people(f"friend-{number}")][:size],
            ruleset=ruleset,
            seed=7 + number,
            visibility=visibility,
            edition="polish",
            rated=bool(number % 2),
            ended_at=NOON + (2 + number) * HOUR,
        )
    for client, seen in zip((stranger, visitor), before, strict=True):
        for path, now in looked_at(client, seen).items():
            assert now == seen[path], path
    for path, now in looked_at(own, mine).items():
        assert now != told[path], path


@pytest.mark.both_databases
def test_a_private_game_that_counts_is_seen_with_the_next_public_one() -> None:
    """It moves the rating of its players at once; what everybody knows moves in public."""
    yasmin, omar, wei = people("yasmin", "omar", "wei")
    for player in (yasmin, omar):
        Rating.objects.create(player=player, ruleset="marrakech", mu=25.0, sigma=2.0)
    for number, at in enumerate((LAST_YEAR, NOON)):
        stored_game([yasmin, omar], seed=number, ended_at=at)
    for player in (yasmin, omar):
        sharing.share_year(player=player, year=2025, now=NOON)
    paths = [
        *(reverse(name, args=[player]) for name in OF_A_PLAYER for player in ("yasmin", "omar")),
        reverse("player_year", args=["yasmin", 2025]),
        reverse("player_beside", args=["yasmin", "omar"]),
        reverse("leaderboard", args=["marrakech"]),
        f"{reverse('leaderboard', args=['marrakech'])}?period=year&size=2",
        reverse("numbers_of_game", args=["marrakech"]),
        reverse("archive"),
    ]
    stranger, own = signed_in(wei), signed_in(yasmin)
    before = looked_at(stranger, paths)
    mine = own.get(reverse("profile", args=["yasmin"])).context["profile"].numbers[0].rating
    secret = stored_game([yasmin, omar], seed=7, visibility="named", ended_at=NOON + HOUR)
    assert secret.uncounted == ""
    for path, now in looked_at(stranger, paths).items():
        assert now == before[path], path
    after = own.get(reverse("profile", args=["yasmin"])).context["profile"].numbers[0]
    assert after.rating.mu != mine.mu
    assert after.rating.games == mine.games + 1 == len(after.curve.points)
    stored_game([yasmin, omar], seed=8, ended_at=NOON + 2 * HOUR)
    public = stranger.get(reverse("profile", args=["yasmin"])).context["profile"].numbers[0]
    kept = Rating.objects.get(player=yasmin)
    assert (public.rating.mu, public.rating.games) == (kept.mu, kept.games - 1)
    assert secret.public_id not in [point.game for point in public.curve.points]


def test_a_year_is_private_until_it_is_shared() -> None:
    yasmin, omar, wei = people("yasmin", "omar", "wei")
    stored_game([yasmin, omar], seed=1, ended_at=LAST_YEAR)
    stored_game([yasmin, omar], seed=2, visibility="link", ended_at=LAST_YEAR + HOUR)
    address = reverse("player_year", args=["yasmin", 2025])
    picture = reverse("year_picture", args=["yasmin", 2025])
    own, other = signed_in(yasmin), signed_in(wei)
    page = own.get(address)
    assert page.context["recap"].share.games == 2
    assert own.get(picture)["Content-Type"] == "image/png"
    assert other.get(address).status_code == other.get(picture).status_code == 404
    share = reverse("share_year", args=[2025])
    assert other.post(share).status_code == 302
    assert other.get(address).status_code == 404, "nobody shares the year of somebody else"
    own.post(share, {"share": "yes"})
    assert other.get(address).context["recap"].share.games == 1
    assert other.get(picture).status_code == 200
    own.post(share, {"share": "no"})
    assert other.get(address).status_code == 404
    assert own.get(reverse("player_year", args=["yasmin", 2026])).status_code == 404, "not over"
    own.post(reverse("share_year", args=[2024]))
    assert own.get(reverse("player_year", args=["yasmin", 2024])).status_code == 404


def test_what_bots_show_each_other_says_nothing_of_people(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openings, "LEAST", 1)
    bots = [
        Player.objects.create(username=f"bot-{number}", bot_level="apprentice")
        for number in range(2)
    ]
    game = stored_game(bots, seed=3, rated=False, exhibition=60)
    assert game.status == Game.Status.OVER
    assert game.band == 0
    assert not Sheet.objects.filter(player=None).exists()
    assert not Opening.objects.exists()
    assert stats.differences(stats.recount()) == []
