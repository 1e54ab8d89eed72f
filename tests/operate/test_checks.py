"""What `check --deploy` knows."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.checks import run_checks

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
