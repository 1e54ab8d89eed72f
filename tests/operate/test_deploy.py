"""The deploy folder, as far as it can be proven without an engine for containers: its files are
linted by their own rules, and what they start is started."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests import environment
from tests.conftest import missing
from tools.local_servers import free_port
from tools.patience import PATIENCE, wait_until

ROOT = Path(environment.ROOT)
DEPLOY = ROOT / "deploy"
BACKGROUND = ("live", "worker", "sweeps", "bots", "beat")
BIN = Path(sys.executable).parent


def compose() -> dict[str, Any]:
    return YAML(typ="safe").load((DEPLOY / "compose.yaml").read_text())


def test_the_image_is_clean_by_hadolint() -> None:
    linted = subprocess.run(
        [BIN / "hadolint", DEPLOY / "Dockerfile"], capture_output=True, text=True, check=False
    )
    assert linted.returncode == 0, linted.stdout + linted.stderr


def test_the_image_has_stages_and_no_root_and_copies_what_there_is() -> None:
    text = (DEPLOY / "Dockerfile").read_text()
    assert len(re.findall(r"^FROM ", text, re.MULTILINE)) == 2
    assert re.findall(r"^USER (.+)$", text, re.MULTILINE) == ["10001:10001"]
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    for line in re.findall(r"^COPY (?!--from)(.+)$", text, re.MULTILINE):
        for source in line.split()[:-1]:
            assert (ROOT / source).exists(), source
            assert f"!{source}" in ignored, f"{source} does not reach the builder"


def test_compose_follows_its_schema() -> None:
    checked = subprocess.run(
        [
            BIN / "check-jsonschema",
            *("--builtin-schema", "vendor.compose-spec"),
            DEPLOY / "compose.yaml",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_compose_has_every_role_with_a_health_check_and_nothing_dangling() -> None:
    config = compose()
    services = config["services"]
    assert {"proxy", "web", *BACKGROUND, "database", "redis", "release"} <= set(services)
    for name, service in services.items():
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            known = source in config["volumes"] or (DEPLOY / source).exists()
            assert known, f"{name} wants {source}"
        for needed, how in service.get("depends_on", {}).items():
            assert needed in services
            if how["condition"] == "service_healthy":
                assert services[needed]["healthcheck"]["test"]
        if service.get("image", "").startswith("souk:") and name != "release":
            assert service["healthcheck"]["test"] == ["CMD", "deploy/healthy", *service["command"]]


def test_every_variable_that_compose_needs_is_in_the_example() -> None:
    example = (DEPLOY / "souk.env.example").read_text()
    text = (DEPLOY / "compose.yaml").read_text()
    for name in re.findall(r"\$\{(\w+):\?", text):
        assert re.search(rf"^{name}=", example, re.MULTILINE), name
    settings = (ROOT / "marrakech_site" / "settings.py").read_text()
    own = {"POSTGRES_PASSWORD", "BACKUP_PASSPHRASE"}
    for name in set(re.findall(r"^(\w+)=", example, re.MULTILINE)) - own:
        assert f'"{name}"' in settings, f"nobody reads {name}"


def test_the_example_says_the_same_to_a_shell() -> None:
    """As docs/operate.md reads it before the first start under systemd."""
    read = 'set -eua; . "$0"; printf "%s\n" "$DEFAULT_FROM_EMAIL" "$EMAIL_URL" "$RELEASE"'
    said = subprocess.run(
        ["sh", "-c", read, DEPLOY / "souk.env.example"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    sender, server, release = said.splitlines()
    assert sender == "Souk <souk@example.org>"
    assert server.startswith("smtp+tls://user:password@")
    assert release


def test_the_proxy_understands_its_file_and_buffers_and_tries_again(tmp_path: Path) -> None:
    adapted = subprocess.run(
        [BIN / "caddy", "adapt", "--validate", "--config", DEPLOY / "Caddyfile"],
        env={**os.environ, "SITE_HOST": "souk.example", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert adapted.returncode == 0, adapted.stderr
    (server,) = json.loads(adapted.stdout)["apps"]["http"]["servers"].values()
    handlers = re.findall(r'\{[^{}]*"source":"a"[^{}]*\}', adapted.stdout)
    assert [json.loads(each)["name"] for each in handlers] == ["live", "web"], "streams first"
    assert server["routes"][0]["match"] == [{"host": ["souk.example"]}]
    for setting in ("request_buffers", "response_buffers", "try_duration"):
        assert adapted.stdout.count(f'"{setting}"') == 1, "streams go through as they come"
    assert '"flush_interval":-1' in adapted.stdout


def test_units_are_valid_and_start_roles_that_there_are() -> None:
    if not shutil.which("systemd-analyze"):
        missing("systemd-analyze")
    units = sorted(DEPLOY.glob("systemd/*"))
    verified = subprocess.run(
        ["systemd-analyze", "verify", *units], capture_output=True, text=True, check=False
    )
    # Souk is not installed under the paths of the units, here.
    complaints = [
        line
        for line in verified.stderr.splitlines()
        if str(DEPLOY) in line and "not executable" not in line and "does not exist" not in line
    ]
    assert not complaints
    target = (DEPLOY / "systemd" / "souk.target").read_text()
    assert set(re.findall(r"souk@(\w+)\.service", target)) == {"web", *BACKGROUND}


@pytest.mark.parametrize("script", ["souk", "roll"])
def test_scripts_are_plain_shell(script: str) -> None:
    subprocess.run(["sh", "-n", DEPLOY / script], check=True)


def variables(data: Path, **own: str) -> dict[str, str]:
    path = f"{BIN}:{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "SOUK_DATA": str(data), "LOG_LEVEL": "ERROR", **own}


@contextmanager
def playing(role: str, environ: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen([DEPLOY / "souk", role], env=environ, start_new_session=True)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def well(role: str, environ: dict[str, str]) -> bool:
    asked = subprocess.run(
        [sys.executable, DEPLOY / "healthy", role], env=environ, stderr=subprocess.DEVNULL
    )
    return asked.returncode == 0


def test_web_starts_after_a_release_and_says_how_it_is(migrated_folder: Path) -> None:
    environ = variables(
        migrated_folder, PORT=str(free_port()), ALLOWED_HOSTS="souk.example,b.example"
    )
    assert not well("web", environ)
    subprocess.run([DEPLOY / "souk", "release"], env=environ, check=True)
    with playing("web", environ) as process:
        wait_until(lambda: well("web", environ))
        (migrated_folder / "souk.sqlite3").rename(migrated_folder / "gone")
        (migrated_folder / "souk.sqlite3").mkdir()
        wait_until(lambda: not well("web", environ))
        process.terminate()
        assert process.wait(PATIENCE) == 0


def test_each_background_role_says_that_it_is_alive(migrated_folder: Path, tmp_path: Path) -> None:
    """To the health check of a container by a file, to systemd by a socket."""
    for role in BACKGROUND:
        alive, address = tmp_path / f"alive-{role}", tmp_path / f"{role}.socket"
        environ = variables(migrated_folder, ALIVE_FILE=str(alive), NOTIFY_SOCKET=str(address))
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
            systemd.bind(str(address))
            systemd.settimeout(PATIENCE)
            assert not well(role, environ)
            with playing(role, environ) as process:
                assert b"READY=1" in systemd.recv(100)
                assert well(role, environ)
                process.terminate()
                assert process.wait(PATIENCE) == 0
        long_ago = time.time() - 1000
        os.utime(alive, (long_ago, long_ago))
        assert not well(role, environ), "silent for too long"


def test_a_role_that_is_not_there_is_refused() -> None:
    asked = subprocess.run([DEPLOY / "souk", "carpet"], capture_output=True, text=True)
    assert asked.returncode == 64
    assert "no role carpet" in asked.stderr
