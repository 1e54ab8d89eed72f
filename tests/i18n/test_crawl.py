"""Every page, error page, mail and calendar speaks the language of its reader, and no other.

Routes come from the resolver, so a new page is read as soon as it is there; so do the kinds of
notices and the mails about accounts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from copy import copy
from typing import Any

import pytest
from allauth.account.adapter import get_adapter
from django.conf import settings
from django.db import transaction
from django.template import Engine, defaultfilters
from django.template.base import FilterExpression
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.utils import timezone, translation

from games.middleware import FOR_GUESTS
from games.models import Game, Notice, Player
from games.selectors import lessons
from games.services.moderation import letters as moderators_mail
from games.services.notices.letters import write
from games.services.notices.parcels import Parcel
from games.views import errors
from tests.attack.routes import Route, every_route
from tests.attack.test_matrix import FORM
from tests.attack.world import World, undone
from tests.conftest import KnownChance
from tests.i18n.catalogues import ROOT
from tests.i18n.inhabited import TWO_FACTORS, acts, inhabited, keys
from tests.i18n.reading import Text, wrong

pytestmark = pytest.mark.django_db

CODES = [code for code, _ in settings.LANGUAGES]
READ = ("text/html", "text/calendar")
MODERATION, PROFILE = "moderation/", "players/<str:username>/"
FOR_MACHINES = ("admin/games", "admin/auth", "metrics", "healthz", "mailbox/")
"""And for operators; what the mailbox shows are the letters."""
TABLE = "g/<slug:public_id>/"
FILES = (".png", ".json", ".pem", ".svg", ".xml", ".txt")


@pytest.fixture(scope="module")
def house(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """Built once for all languages; each request is undone."""
    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch:
        for module in ("games.services.seating", "games.services.luck"):
            patch.setattr(f"{module}.secrets", KnownChance(module))
        with transaction.atomic():
            yield inhabited()
            transaction.set_rollback(True)


OF_A_REQUEST = {"csrf_token", "house_texts", "mail_is_kept", "request.path", "waiting_elsewhere"}
"""What a page lacks that is drawn without one, because the database does not answer."""


class Invalid(str):
    """Stands in a template for a variable that is not there, and remembers its name: Django prints
    nothing for it, so that a misspelt one would go unnoticed."""

    found: set[str]

    def __contains__(self, _: object) -> bool:
        return True

    def __mod__(self, variable: object) -> str:
        self.found.add(str(variable))
        return ""


@pytest.fixture(autouse=True)
def missing(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """Variables that templates name and nobody gave them; one with a `default` may be missing."""
    invalid = Invalid("%s")
    invalid.found = set()
    resolve = FilterExpression.resolve

    def resolved(expression: FilterExpression, context: Any, ignore_failures: bool = False) -> Any:
        optional = any(each is defaultfilters.default for each, _ in expression.filters)
        return resolve(expression, context, ignore_failures or optional)

    monkeypatch.setattr(FilterExpression, "resolve", resolved)
    monkeypatch.setattr(Engine.get_default(), "string_if_invalid", invalid)
    yield invalid.found
    assert not invalid.found, sorted(invalid.found)


@pytest.fixture(params=CODES)
def code(request: pytest.FixtureRequest, house: World) -> Iterator[str]:
    with transaction.atomic():
        Player.objects.update(language=request.param)
        with translation.override(request.param):
            yield request.param
        transaction.set_rollback(True)


def games_for(house: World, role: str, route: Route) -> list[Game]:
    """For a player all tables; for whoever only looks, and for what can be done at a table, one
    of each kind of page."""
    if role == "creator" and route.pattern == TABLE:
        return [
            game
            for (kind, state), game in house.games.items()
            if kind in ("public", *lessons.taught()) and state != "expired"
        ]
    if "/reckoning/" in route.pattern:
        return [house.games[key, "finished"] for key in lessons.taught()]
    few = [house.games["public", state] for state in ("open", "running", "over")]
    return [*few, house.games["ifrito", "begun"]]


def addresses(house: World, role: str) -> Iterator[str]:
    """All that this role may see in its own way, with every scene of a lesson."""
    for route in every_route():
        if route.pattern.startswith(FOR_MACHINES) or route.pattern.endswith(FILES):
            continue
        for values in variants(route, house, role):
            path = route.path(values)
            if is_for(role, route, path):
                yield path
    if role == "guest":
        yield Route(TABLE).path(house.values)


def is_for(role: str, route: Route, path: str) -> bool:
    if route.pattern.startswith(MODERATION) or role == "moderator":
        return route.pattern.startswith(MODERATION) and role == "moderator"
    if role == "stranger" and route.pattern.startswith(TWO_FACTORS):
        return True
    return role in ("visitor", "creator") or path in FOR_GUESTS or route.of_a_game


def variants(route: Route, house: World, role: str) -> Iterable[dict[str, Any]]:
    if route.of_a_game:
        return [house.values_for(game) for game in games_for(house, role, route)]
    if "ruleset" in route.parameters:
        return [{**house.values, "ruleset": key} for key in lessons.taught()]
    if "key" in route.parameters:
        scenes = {key: len(lessons.scenes(key)) for key in lessons.taught()}
        numbered = "number" in route.parameters and "played" not in route.parameters
        return [
            {**house.values, "key": key, "number": number}
            for key, count in scenes.items()
            for number in (range(1, count + 1) if numbered else [1])
            if key == "marrakech" or "played" not in route.parameters
        ]
    if "token" in route.parameters:
        opening = next(all_of for start, all_of in keys(house).items() if _is(route, start))
        return [{**house.values, "token": key} for key in opening]
    if route.pattern == PROFILE:
        return [{**house.values, "username": name} for name in ("the-creator", "the-partner")]
    if "which" in route.parameters:
        return [{**house.values, "which": which} for which in ("turn", "waiting", "finished")]
    return [house.values]


def _is(route: Route, start: str) -> bool:
    return route.pattern.startswith(start)


def asked(client: Client, path: str, form: dict[str, str] | None = None) -> str:
    """What is answered, as far as people read it."""
    known = copy(client.cookies)
    with undone():
        answer = client.get(path) if form is None else client.post(path, form)
        content = b"".join(answer) if answer.streaming else answer.content
    client.cookies = known
    kind = answer.headers.get("Content-Type", "").split(";")[0]
    assert answer.status_code < 500, path
    return content.decode() if kind in READ else ""


def complaints(page: str, code: str) -> list[tuple[str, list[str]]]:
    if "<" not in page:  # a calendar or a plain letter
        lines = re.sub(r"\r\n ", "", page).splitlines()
        said = [line.partition(":")[2] for line in lines if re.match("SUMMARY|X-WR|DESC", line)]
        return [(text, found) for text in said if (found := wrong(text, code))]
    return [(text, found) for text in Text(page, code) if (found := wrong(text, code))]


def complain(found: dict[str, Any], where: object, page: str, code: str) -> None:
    for text, words in complaints(page, code):
        found.setdefault(text, (where, words))


@pytest.mark.parametrize("role", ["visitor", "guest", "creator", "stranger", "moderator"])
def test_every_page(role: str, house: World, code: str) -> None:
    if code == "en" and role != "creator":
        return  # nothing is foreign there; that all of it can be opened is seen once
    client, pages = house.clients[role], 0
    found: dict[str, Any] = {}
    for path in addresses(house, role):
        page = asked(client, f"/{code}{path}")
        pages += bool(page)
        complain(found, path, page, code)
    assert found == {}
    assert pages > (3 if role == "moderator" else 10)


@pytest.mark.parametrize(
    ("role", "path"),
    [
        ("creator", "calendar/{calendar}.ics"),
        ("creator", "g/{judged}/reckoning/"),
        ("creator", "g/{judged}/reckoning/mistakes/1/"),
        ("creator", "players/the-creator/{year}/"),
        ("creator", "players/the-creator/skill/"),
        ("creator", "accounts/2fa/totp/activate/"),
        ("creator", "accounts/sessions/"),
        ("creator", "settings/delete/"),
        ("creator", "mail/off/{off}/"),
        ("stranger", "accounts/2fa/recovery-codes/"),
        ("moderator", "moderation/players/the-creator/"),
        ("moderator", "moderation/games/{running}/"),
        ("moderator", "moderation/company/"),
    ],
)
def test_what_needs_a_key_or_a_judge_is_among_them(house: World, role: str, path: str) -> None:
    """An address that nobody can open would be read as an empty page."""
    place = "/" + path.format(
        calendar=keys(house)["calendar/"][0],
        off=keys(house)["mail/off/"][0],
        judged=house.games["marrakech", "finished"].public_id,
        running=house.games["public", "running"].public_id,
        year=house.values["year"],
    )
    assert place in set(addresses(house, role))
    with undone():
        assert house.clients[role].get(f"/en{place}").status_code == 200


@pytest.mark.parametrize("role", ["visitor", "creator"])
def test_every_answer_to_a_form(role: str, house: World, code: str) -> None:
    if code == "en":
        return
    client = house.clients[role]
    found: dict[str, Any] = {}
    game = house.games["marrakech", "finished"]
    record = {"text": client.get(f"{game.get_absolute_url()}record.json").content.decode()}
    for route in every_route():
        if route.pattern.startswith(FOR_MACHINES):
            continue
        path = route.path(house.values_for(house.games["public", "running"]))
        for form in ({}, FORM, *([record] if path == "/records/check/" else [])):
            complain(found, path, asked(client, f"/{code}{path}", form), code)
    assert found == {}


def test_every_error_page(house: World, code: str, missing: set[str]) -> None:
    request, trouble = RequestFactory().get("/"), Exception()
    pages = [
        errors.bad_request(request, trouble),
        errors.forbidden(request, trouble),
        errors.form_from_elsewhere(request),
        errors.not_found(request, trouble),
        errors.wrong_charset(request),
        errors.broken(request),
    ]
    said = [page.content.decode() for page in pages]
    said += [render_to_string(name) for name in ("429.html", "503.html")]
    strict = Client(enforce_csrf_checks=True)
    said += [
        strict.post(f"/{code}/language/", {"language": "pl"}).content.decode(),
        strict.get(f"/{code}/nowhere/").content.decode(),
    ]
    missing -= OF_A_REQUEST
    found: dict[str, Any] = {}
    for number, page in enumerate(said):
        assert f'lang="{code}"' in page
        complain(found, number, page, code)
    assert found == {}


def letters(house: World) -> Iterator[tuple[str, Parcel]]:
    """One of each kind, about a game that such a letter may be about; several in one, too."""
    reader, now = house.players["creator"], timezone.now()
    states = {Notice.Kind.INVITATION: "open", Notice.Kind.OVER: "over"}
    about: dict[str, Notice] = {}
    for kind in Notice.Kind:
        if kind in (Notice.Kind.ACCOUNT, Notice.Kind.OPERATOR):
            continue
        game = None
        if kind not in (Notice.Kind.ADDRESS, Notice.Kind.DIGEST, Notice.Kind.PUZZLE):
            game = house.games["public", states.get(kind, "running")]
        notice = Notice(player=reader, kind=kind, game=game, created_at=now, due_at=now)
        about[kind] = notice
        notice.pk = len(about)
        yield kind, Parcel((notice,))
    rest = tuple(notice for notice in about.values() if notice.game)
    yield "several", Parcel(rest[:3])
    yield "daily", Parcel((about[Notice.Kind.DIGEST],), waiting=rest)


def test_every_letter(house: World, code: str) -> None:
    found: dict[str, Any] = {}
    for reader in house.players.values():
        reader.language = code
    for kind, parcel in letters(house):
        for notice in parcel.told:
            assert notice.player
            notice.player.language = code
        letter = write(parcel, now=timezone.now())
        ((html, _),) = letter.alternatives
        for text in (str(letter.subject), *str(letter.body).splitlines()):
            if words := wrong(text, code):
                found.setdefault(text, (kind, words))
        complain(found, kind, str(html), code)
    assert found == {}


def test_every_word_of_the_moderators(house: World, code: str) -> None:
    """Of each act, for whom it was done to and for the others at the table."""
    found: dict[str, Any] = {}
    for act in acts(house):
        for name in ("creator", "partner"):
            reader = house.players[name]
            reader.language = code
            mail = moderators_mail.written(act, reader)
            for text in (mail.subject, *mail.text.splitlines()):
                if words := wrong(text, code):
                    found.setdefault(text, (act.kind, words))
            complain(found, act.kind, mail.html, code)
    assert found == {}


def test_every_mail_about_an_account(house: World, code: str) -> None:
    """What can be sent is found by the subjects."""
    subjects = sorted((ROOT / "templates").glob("*/email/*_subject.txt"))
    assert len(subjects) > 11
    context = {
        "user": house.players["creator"],
        "code": "ABC123",
        "ip": "192.0.2.1",
        "timestamp": timezone.now(),
        "from_email": "old@souk.example",
        "to_email": "new@souk.example",
        "site_url": settings.SITE_URL,
        "email": "new@souk.example",
        "password_reset_url": settings.SITE_URL,
        "signup_url": settings.SITE_URL,
    }
    found: dict[str, Any] = {}
    for subject in subjects:
        folder = subject.parent.relative_to(ROOT / "templates")
        prefix = f"{folder}/{subject.name.removesuffix('_subject.txt')}"
        mail = get_adapter().render_mail(prefix, "new@souk.example", context)
        for text in (str(mail.subject), *str(mail.body).splitlines()):
            if words := wrong(text.replace("ABC123", ""), code):
                found.setdefault(text, (prefix, words))
        for html, _ in mail.alternatives:
            complain(found, prefix, str(html).replace("ABC123", ""), code)
    assert found == {}


def test_the_reader_notices_what_is_wrong() -> None:
    assert wrong("Wybierz one of the rugs", "pl") == ["of", "the", "rugs"]
    assert wrong("Positions gleich", "ru") == ["Positions", "gleich"]
    assert wrong("輪到你,請擲骰", "zh-hant") == ["你,"]
    assert wrong("《地毯商人》: 擲骰.", "zh-hant") == ["》:", "骰."]
    assert wrong("輪到你,Omar (7)", "zh-hant") == ["你,"]
    assert wrong("《地毯商人》(2022)", "zh-hant") == ["》("]
    assert wrong("擲骰。 輪到你（ 7 ）", "zh-hant") == ["骰。 輪", "你（ 7", " ）"]
    assert wrong("國際版（2022） · 遊戲桌： https://souk.example/", "zh-hant") == []
    assert wrong("«Марракеш» на Souk, d4", "ru") == []
    assert wrong("輪到你：《地毯商人》，同桌 the-creator", "zh-hant") == []
    assert list(Text('<p>a <b>b</b></p><img alt="c"><code>d</code>', "pl")) == ["a b", "c"]


def test_scripts_say_nothing_of_their_own() -> None:
    """What they show comes from the page, where it is translated."""
    literal = re.compile(r"(?:\"([^\"\n]*)\"|'([^'\n]*)'|`([^`\n]*)`)")
    sentence = re.compile(r"[A-Z][a-z]+(?: [a-z]+)+|[a-z]+ [a-z]+ [a-z]+")
    found = [
        (path.name, text)
        for path in (ROOT / "games" / "static" / "games").rglob("*.js")
        if "vendor" not in path.parts and ".min." not in path.name
        for line in path.read_text().splitlines()
        if not line.lstrip().startswith(("//", "/*", "*"))
        for groups in literal.findall(line)
        for text in groups
        if sentence.search(text)
    ]
    assert found == []
