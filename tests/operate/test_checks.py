"""What `check --deploy` knows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.checks import run_checks

from tests.operate.site_of import manage

FINE = {
    "PUBLIC": True,
    "HTTPS": True,
    "ALLOWED_HOSTS": ["souk.example", ".club.example"],
    "SITE_URL": "https://souk.example",
    "EMAIL_URL": "smtp://localhost:25",
}


@pytest.fixture(autouse=True)
def engine(settings, monkeypatch) -> Callable[[str], None]:
    """What the site keeps its data in; nothing is connected to."""

    def choose(name: str) -> None:
        monkeypatch.setitem(settings.DATABASES["default"], "ENGINE", f"django.db.backends.{name}")

    choose("postgresql")
    return choose


def found(settings, **changes: object) -> set[str]:
    for name, value in {**FINE, **changes}.items():
        setattr(settings, name, value)
    messages = run_checks(tags=["security"], include_deployment_checks=True)
    return {message.id for message in messages if message.id and message.id.startswith("souk.")}


def test_a_site_that_is_set_up_well_has_nothing_to_hear(settings) -> None:
    assert not found(settings)
    assert not found(settings, SITE_URL="https://play.club.example:8443")


@pytest.mark.parametrize(
    ("changes", "warning"),
    [
        ({"EMAIL_URL": ""}, "souk.W001"),
        ({"ALLOWED_HOSTS": ["souk.example", "*"]}, "souk.W003"),
        ({"HTTPS": False}, "souk.W005"),
        ({"SITE_URL": "http://souk.example"}, "souk.W005"),
        ({"SITE_URL": "https://elsewhere.example"}, "souk.W006"),
    ],
)
def test_each_mistake_has_its_warning(settings, changes, warning) -> None:
    assert found(settings, **changes) == {warning}


def test_sqlite_is_not_for_the_public(settings, engine) -> None:
    engine("sqlite3")
    assert found(settings) == {"souk.W004"}


def test_a_laptop_is_left_alone(settings, engine) -> None:
    engine("sqlite3")
    own = {"PUBLIC": False, "HTTPS": False, "EMAIL_URL": ""}
    assert not found(settings, **own, ALLOWED_HOSTS=["localhost"], SITE_URL="http://127.0.0.1:8000")


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"VAPID_PRIVATE_KEY": "sesame"}, "souk.E002"),
        ({"VAPID_PRIVATE_KEY": "%"}, "souk.E002"),
        ({"OUTBOUND_ALLOWED": ["10.0.0.0/8", "10.0.0.1/8"]}, "souk.E003"),
        ({"OUTBOUND_CA": "/nowhere.pem"}, "souk.E004"),
    ],
)
def test_what_would_keep_everybody_from_being_told_is_an_error(settings, changes, error) -> None:
    good = {
        "VAPID_PRIVATE_KEY": "VGhpcy1pcy10aGUta2V5LW9mLW91ci1ob3VzZS0xMjM",
        "OUTBOUND_ALLOWED": ["10.0.0.0/8"],
        "OUTBOUND_CA": "",
    }
    for expected, given in ((set(), good), ({error}, {**good, **changes})):
        for name, value in given.items():
            setattr(settings, name, value)
        found = {message.id for message in run_checks() if message.is_serious()}
        assert found == expected


@pytest.mark.parametrize(
    ("variable", "value", "sentence"),
    [
        ("PORT", "eight", "PORT cannot be understood"),
        ("DATABASE_URL", "nonsense", "DATABASE_URL must name a PostgreSQL or SQLite"),
        ("DATABASE_URL", "postgres://souk:sesame@host:x/", "DATABASE_URL cannot be understood"),
    ],
)
def test_a_variable_that_makes_no_sense_is_one_sentence(
    data_folder: Path, variable: str, value: str, sentence: str
) -> None:
    """And not its value, which may hold a password."""
    done = manage("doctor", data=data_folder, **{variable: value})
    assert done.returncode == 1
    assert done.stderr.startswith(f"Souk cannot start: {sentence}")
    assert "sesame" not in done.stderr
