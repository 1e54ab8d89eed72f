"""No two players can be taken for each other, and none for the site."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection
from django.http import QueryDict
from django.test import Client

from games.forms.accounts import SignUpForm
from games.forms.moderation import RenameForm
from games.forms.names import check_name, clean_display_name
from games.forms.settings import Settings
from games.migrations import __name__ as migrations
from games.models import NameKey, Player
from games.reckon.likeness import likeness
from games.services import purges
from games.services.accounts import change_settings, delete_account
from games.services.bot_seats import _bot
from games.services.errors import Refused
from games.services.guests import welcome_guest
from games.services.moderation import people
from tests.hands import at_once
from tests.moderation.staff import new_moderator
from tests.people import NOON, new_player, settings_of, signed_in
from tools.patience import PATIENCE

both = pytest.mark.both_databases
in_the_database = pytest.mark.django_db
raced = pytest.mark.django_db(transaction=True)

OFFICIAL = [
    *("Administrator", "souk-support", "Moderator-Team", "m0derator", "adm1n", "SoukSupport"),
    *("admin123", "SUPPORT", "sYsTeM", "TheStaff", "souk.2", "system_1", "mod-team", "S0UK"),
    *("ADMINbob", "bobADMIN", "XXadmin", "m0derator2", "adm1n-2", "7s0uk"),
    *("a-d-m-i-n", "soukadmin", "adminteam"),
]
ORDINARY = [
    "Falstaff",
    "Badminton",
    "Soukaina",
    "Staffan",
    "Modesto",
    "Supporter",
    "Ecosystem",
    "Kmod",
]


def refused_everywhere(name: str, player: Player) -> bool:
    def refuses(check: Any) -> bool:
        try:
            check()
        except ValidationError:
            return True
        return False

    renaming = RenameForm(player, {"act": "rename", "name": name, "reason": "why not"})
    told = [
        refuses(lambda: check_name(name)),
        refuses(lambda: clean_display_name(name, player)),
        not renaming.is_valid(),
    ]
    form = {"username": name, "email": "new@souk.example", "password1": "open-sesame-42"}
    before = Player.objects.count()
    Client().post("/accounts/signup/", form)
    told.append(Player.objects.count() == before)
    assert len(set(told)) == 1, f"{name}: one check for all, not {told}"
    return told[0]


@in_the_database
@pytest.mark.parametrize("name", OFFICIAL)
def test_nobody_speaks_for_the_site(name: str) -> None:
    assert refused_everywhere(name, new_player("Omar"))


@in_the_database
@pytest.mark.parametrize(
    "name", ["Модератор", "Администратор", "Админ-1", "Obsługa", "管理員小王", "ᴀᴅᴍɪɴ", "🅂🅾🆄🅺"]
)
def test_nor_in_another_language(name: str) -> None:
    with pytest.raises(ValidationError):
        clean_display_name(name, new_player("Omar"))


@in_the_database
@pytest.mark.parametrize("name", ORDINARY)
def test_a_word_within_a_word_is_no_official_one(name: str) -> None:
    assert not refused_everywhere(name, new_player("Omar"))


@in_the_database
@pytest.mark.parametrize(
    ("has", "shows", "wanted"),
    [
        *(("William", "", "WiIIiam"), ("the-creator", "", "thecreator"), ("Zoo", "", "z00")),
        *(("thecreator", "", "the-creator"), ("Yasmin", "Princess", "pr1ncess")),
        *(("Yasmin", "Prin Cess", "PrincesS"), ("Yasmin", "Рaul", "Paul")),
    ],
)
def test_a_name_or_a_shown_name_keeps_both_from_all_others(
    has: str, shows: str, wanted: str
) -> None:
    owner = new_player(has)
    change_settings(player=owner, changes={"display_name": shows}, now=NOON)
    assert refused_everywhere(wanted, new_player("Omar"))
    assert clean_display_name(wanted, owner) == wanted, "its owner may show it"
    delete_account(player=owner, now=NOON)
    check_name(wanted)


@in_the_database
@both
def test_the_keys_follow_the_names() -> None:
    player, moderator = new_player("Yasmin"), new_moderator()

    def keys() -> set[str]:
        return set(NameKey.objects.filter(player=player).values_list("key", flat=True))

    assert keys() == {"yasmln"}
    change_settings(player=player, changes={"display_name": "Princess 1"}, now=NOON)
    assert keys() == {"yasmln", "prlncessl"}
    change_settings(player=player, changes={"display_name": "yas min"}, now=NOON)
    assert keys() == {"yasmln"}, "one for both"
    people.rename(moderator=moderator, player=player, name="Jasmine", reason="x", now=NOON)
    assert keys() == {"jasmlne"}
    delete_account(player=player, now=NOON)
    assert keys() == set()
    assert not NameKey.objects.filter(player=welcome_guest(now=NOON)).exists()


@in_the_database
@both
def test_the_database_itself_gives_a_key_to_one_player_only() -> None:
    new_player("William")
    with pytest.raises(IntegrityError):
        new_player("WiIIiam")


@in_the_database
def test_bots_have_keys_and_come_even_if_somebody_was_called_so() -> None:
    from games.models import BotLevel

    assert _bot(BotLevel.MERCHANT, 2)
    assert NameKey.objects.filter(key="merchant2").exists()
    with pytest.raises(ValidationError):
        clean_display_name("Merchant 3", new_player("Omar"))
    new_player("V-izier")
    bot = _bot(BotLevel.VIZIER, 1)
    assert bot
    assert not bot.name_keys.exists()


@raced
@both
@pytest.mark.parametrize("keyed", [True, False])
def test_of_two_who_sign_up_at_once_with_names_that_look_alike_one_is_told(
    keyed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without keys, both would come in: the check saw neither."""
    if not keyed:
        monkeypatch.setattr(Player, "_keep_keys", lambda *_: None)
    names, checked = ("William", "WiIIiam"), Barrier(2)
    save = SignUpForm.save

    def save_after_both_were_checked(form: SignUpForm, request: Any) -> Player:
        checked.wait(PATIENCE)
        return save(form, request)

    monkeypatch.setattr(SignUpForm, "save", save_after_both_were_checked)

    def sign_up(name: str) -> tuple[int, str]:
        form = {
            "username": name,
            "email": f"{name}@souk.example",
            "password1": "open-sesame-42",
        }
        answer = Client().post("/accounts/signup/", form)
        return answer.status_code, answer.content.decode()

    answers: list[Any] = at_once([partial(sign_up, name) for name in names])
    come_in = [status for status, _ in answers if status == 302]
    told = [page for status, page in answers if status == 200 and "This name is taken." in page]
    assert (len(come_in), len(told)) == ((1, 1) if keyed else (2, 0))
    assert Player.objects.filter(username__in=names).count() == len(come_in)


@raced
@both
def test_of_two_who_show_the_same_name_at_once_one_is_told() -> None:
    players = [new_player("Yasmin"), new_player("Omar")]
    forms = []
    for player, name in zip(players, ("Princess", "pr1ncess"), strict=True):
        form = Settings(query_data(settings_of(player, display_name=name)), player=player)
        assert form.is_valid()
        forms.append(form)
    answers = at_once([form.save for form in forms])
    assert sorted(map(str, answers)) == ["None", "{'display_name'}"]
    errors = [section.errors.get("display_name") for form in forms for section in form.sections]
    assert [error for error in errors if error] == [["This name is taken."]]


def query_data(values: dict[str, str]) -> QueryDict:
    data = QueryDict(mutable=True)
    data.update(values)
    return data


@in_the_database
def test_the_page_says_so_to_who_was_slower(monkeypatch: pytest.MonkeyPatch) -> None:
    player = new_player("Omar")
    client = signed_in(player)
    monkeypatch.setattr("games.forms.names.is_taken", lambda *_: False)
    new_player("Princess")
    answer = client.post("/settings/", settings_of(player, display_name="princess"))
    assert answer.status_code == 422
    assert "This name is taken." in answer.content.decode()


@in_the_database
def test_a_service_refuses_with_a_sentence() -> None:
    new_player("Princess")
    with pytest.raises(Refused, match="taken"):
        change_settings(player=new_player("Omar"), changes={"display_name": "princess"}, now=NOON)


@in_the_database
@pytest.mark.parametrize("blank", ["\u3164", "\u115f", "\uffa0", "\u2800"])
def test_letters_of_which_nothing_is_seen_make_no_name_another_one(blank: str) -> None:
    assert likeness(f"O{blank}mar") == "omar"
    for name in (blank, f"Omar{blank}"):
        with pytest.raises(ValidationError):
            clean_display_name(name, new_player(f"Yasmin{len(name)}"))


@pytest.mark.parametrize(
    ("name", "alike"),
    [
        *(("Nick", "Νick"), ("Noa", "Νοа"), ("Helen", "Ηelen"), ("Max", "Μax"), ("Zoë", "Zoё")),
        *(("naïve", "naїve"), ("Kim", "ᴋɪᴍ"), ("Jon", "Joո"), ("Yuri", "Υuri"), ("Bo", "Ьo")),
    ],
)
def test_letters_of_other_scripts_are_what_they_look_like(name: str, alike: str) -> None:
    assert likeness(name) == likeness(alike)


def test_accents_tell_names_apart() -> None:
    assert len({likeness(name) for name in ("Zoe", "Zoë", "Zoé", "Алёна", "Алена")}) == 5


def fill_keys() -> None:
    from importlib import import_module

    NameKey.objects.all().delete()
    import_module(f"{migrations}.0031_fill_name_keys").fill(apps, connection.schema_editor())


@pytest.fixture
def collision(monkeypatch: pytest.MonkeyPatch) -> tuple[Player, Player]:
    """Two players from the time before the keys."""
    with monkeypatch.context() as before:
        before.setattr(Player, "_keep_keys", lambda *_: None)
        first = new_player("William", display_name="Bill")
        second = new_player("WiIIiam", display_name="Bi11")
        welcome_guest(now=NOON)
    return first, second


@in_the_database
@both
def test_names_from_before_stay_and_the_first_one_gets_the_key(
    collision: tuple[Player, Player], capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = collision
    fill_keys()
    assert set(first.name_keys.values_list("key", flat=True)) == {"wllllam", likeness("Bill")}
    assert not second.name_keys.exists()
    second.refresh_from_db()
    assert (second.username, second.display_name) == ("WiIIiam", "Bi11")
    with suppress(CommandError):  # there are no workers
        call_command("doctor", "--json")
    findings = map(json.loads, capsys.readouterr().out.splitlines())
    [finding] = [each for each in findings if each["about"] == "names"]
    assert finding["verdict"] == "advice"
    assert "WiIIiam, Bi11" in finding["text"]
    assert "William" not in finding["text"]


@in_the_database
@both
def test_who_has_no_key_gets_it_when_the_other_one_has_left(
    collision: tuple[Player, Player],
) -> None:
    first, second = collision
    fill_keys()
    delete_account(player=first, now=NOON)
    purges.purge(now=NOON)
    assert second.name_keys.count() == 2


@in_the_database
def test_who_has_no_key_can_still_change_all_else(collision: tuple[Player, Player]) -> None:
    _, second = collision
    fill_keys()
    change_settings(player=second, changes={"theme": "dark"}, now=NOON)
    answer = signed_in(second).post("/settings/", settings_of(second, theme="light"))
    assert answer.status_code == 302
    second.refresh_from_db()
    assert second.theme == "light"
    second.set_password("sesame-open-24")
    second.save()
    change_settings(player=second, changes={"display_name": "Robert"}, now=NOON)
    assert list(second.name_keys.values_list("key", flat=True)) == ["robert"]
