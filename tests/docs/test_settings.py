"""`docs/settings.md` lists every environment variable that Souk reads, and no other."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
READERS = {"bool", "db_url", "email_url", "float", "get", "int", "list", "setdefault", "str"}
SOURCES = ("marrakech_site", "games/bots", "games/management/passphrases.py")
# Django's own variable, and the shell's.
NOT_OURS = {"DJANGO_SETTINGS_MODULE"}
# Read by the script that starts the processes.
OF_THE_SCRIPT = re.compile(r"\$\{([A-Z_]+):-")


def variables_read() -> set[str]:
    found: set[str] = set()
    for source in SOURCES:
        path = ROOT / source
        for file in path.rglob("*.py") if path.is_dir() else [path]:
            tree = ast.parse(file.read_text())
            constants = {
                target.id: node.value.value
                for node in ast.walk(tree)
                if isinstance(node, ast.Assign)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
                for target in node.targets
                if isinstance(target, ast.Name)
            }
            for node in ast.walk(tree):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                    owner = ast.unparse(node.func.value)
                    if node.func.attr in READERS and owner in {"env", "os.environ"}:
                        found.add(name_of(node.args[0], constants))
                elif isinstance(node, ast.Subscript) and ast.unparse(node.value) == "os.environ":
                    found.add(name_of(node.slice, constants))
    found |= set(OF_THE_SCRIPT.findall((ROOT / "deploy" / "souk").read_text()))
    return found - NOT_OURS


def name_of(node: ast.expr, constants: dict[str, str]) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else constants[ast.unparse(node)]


def variables_documented() -> list[str]:
    rows = re.findall(r"^\| (`[^|]+) \|", (ROOT / "docs" / "settings.md").read_text(), re.MULTILINE)
    return [name for row in rows for name in re.findall(r"`([A-Z_]+)`", row)]


def test_every_variable_is_documented_once() -> None:
    documented = variables_documented()
    assert len(documented) == len(set(documented))
    assert set(documented) == variables_read()
