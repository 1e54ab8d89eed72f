"""Commands that crontabs, systemd units, scripts and documents name exist, with their options."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

ROOT = Path(__file__).parents[2]
FILES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "Makefile")),
    *sorted((ROOT / "docs").glob("*.md")),
    ROOT / "tools" / "README.md",
    *sorted(path for path in (ROOT / "deploy").rglob("*") if path.is_file()),
]

# What operators call, from crontabs and by hand: these names and options stay, former ones for
# one release.
FOR_OPERATORS = {
    "backup": {"--encrypt"},
    "company": set(),  # formerly
    "compilemessages": set(),
    "find_collusion": set(),
    "doctor": {"--mail", "--dns", "--json"},
    "moderator": {"--no-more"},
    "rate": {"--rebuild"},  # formerly
    "reactivate_address": {"--all"},
    "recompute_statistics": {"--rebuild"},
    "read_bounces": set(),
    "restore": {"--replace"},
    "serve": set(),
    "trust_again": {"--all"},  # formerly
    "verify": {"--key", "--all", "--analyses", "--reckoning", "--repair"},
}

CALLED = re.compile(
    r"(manage\.py|deploy/souk manage|-m tools) ([a-z_]+)(?![\w./])([^`\n#>;|&\\)]*)"
)
IN_BACKTICKS = re.compile(r"(?<!`)`[^`\n]+(?:\n[^`\n]+)?`(?!`)")


def parser_of(name: str):
    apps = get_commands()
    assert name in apps, f"manage.py {name} is no command"
    app = apps[name]
    command = load_command_class(app, name) if isinstance(app, str) else app
    return command.create_parser("manage.py", name)


def options_of(name: str) -> set[str]:
    return {text for action in parser_of(name)._actions for text in action.option_strings}


def calls() -> Iterator[tuple[str, str, str]]:
    for path in FILES:
        text = path.read_text()
        if path.suffix == ".md":
            text = IN_BACKTICKS.sub(lambda match: match[0].replace("\n", " "), text)
            for span in IN_BACKTICKS.findall(text):
                # Documents also say `verify --all` for `manage.py verify --all`.
                name, _, rest = span.strip("`").partition(" ")
                if name in get_commands() and rest.startswith("-"):
                    yield path.name, name, rest
        for program, name, rest in CALLED.findall(text):
            is_tool = get_commands().get(name) == "tools"
            assert program == "-m tools" or not is_tool, f"{path.name}: {program} {name}"
            yield path.name, name, rest.strip()


def test_documents_and_deploy_name_many_commands() -> None:
    """Guards the search itself."""
    found = {name for _, name, _ in calls()}
    assert {"migrate", "collectstatic", "compilemessages", "backup", "restore"} <= found
    assert {
        "doctor",
        "verify",
        "load_test",
        "moderator",
        "reactivate_address",
        "createsuperuser",
    } <= found
    assert ("Makefile", "makemigrations", "--check --dry-run") in set(calls())
    assert len(set(calls())) > 40


def test_what_is_named_can_be_called() -> None:
    for place, name, rest in sorted(set(calls())):
        words = {word.rstrip(".,") for word in rest.split() if word.startswith("--")}
        assert words <= options_of(name), f"{place}: {name} {rest}"


@pytest.mark.parametrize("name", sorted(FOR_OPERATORS))
def test_a_command_of_operators_has_its_options(name: str) -> None:
    assert FOR_OPERATORS[name] <= options_of(name)


@pytest.mark.parametrize(
    ("former", "name"),
    [
        ("company", "find_collusion"),
        ("rate", "recompute_statistics"),
        ("trust_again", "reactivate_address"),
    ],
)
def test_a_former_name_is_the_same_command(former: str, name: str) -> None:
    assert type(load_command_class("games", former)) is type(load_command_class("games", name))


def test_deploy_calls_these_commands_and_no_other() -> None:
    deploy = {path.name for path in (ROOT / "deploy").rglob("*")}
    called = {(name, rest) for place, name, rest in calls() if place in deploy}
    assert called == {
        ("migrate", "--verbosity 0"),
        ("compilemessages", ""),
        ("collectstatic", "--noinput --verbosity 0"),
        ("backup", '"$SOUK_DATA/backups/$$(date +%%A'),
    }
