"""A new release comes while people play: old and new processes answer side by side, and nobody
sees an error or a page without its files."""

from __future__ import annotations

import http.client
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import cycle
from pathlib import Path
from threading import Event, Lock, Thread

from tests import environment
from tests.outages.processes import wait_until
from tests.servers import free_port, wait_for_port

ROOT = Path(environment.ROOT)
CHANGED = Path("games/static/games/css/frame.css")
ASSET = re.compile(r'(?:href|src)="(/static/[^"]+)"')


def variables(data: Path, release: str, **own: str) -> dict[str, str]:
    names = {"SOUK_DATA": str(data), "RELEASE": release, "LOG_LEVEL": "ERROR"}
    return {**os.environ, **names, "WEB_CONCURRENCY": "1", **own}


@contextmanager
def web(code: Path, data: Path, release: str, port: int) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", "--config", "python:marrakech_site.gunicorn"],
        cwd=code,
        env=variables(data, release, PORT=str(port)),
    )
    try:
        wait_for_port(port, seconds=60)
        yield process
    finally:
        process.terminate()
        process.wait(30)


def collect(code: Path, data: Path, release: str) -> None:
    for arguments in (["migrate", "--verbosity", "0"], ["collectstatic", "--noinput", "-v", "0"]):
        subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=code,
            env=variables(data, release),
            check=True,
        )


class Proxy:
    """What the proxy of the deploy folder does: takes turns, and asks another one while one does
    not answer at all."""

    def __init__(self, ports: list[int]) -> None:
        self.ports, self.turns, self.lock = ports, cycle(range(len(ports))), Lock()

    def get(self, path: str) -> tuple[int, str, int]:
        for _ in range(200):
            with self.lock:
                port = self.ports[next(self.turns)]
            link = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            try:
                link.connect()
            except ConnectionRefusedError:
                Event().wait(0.05)
                continue
            with ExitStack() as stack:
                stack.callback(link.close)
                link.request("GET", path)
                answer = link.getresponse()
                return answer.status, answer.read().decode(errors="replace"), port
        raise AssertionError("no web process answers")


class Visitor(Thread):
    """Looks at pages with all that belongs to them, until told to stop."""

    def __init__(self, proxy: Proxy) -> None:
        super().__init__(daemon=True)
        self.proxy, self.enough = proxy, Event()
        self.failures: list[str] = []
        self.seen: set[tuple[str, int]] = set()

    def run(self) -> None:
        while not self.enough.is_set():
            for page in ("/learn/", "/rules/marrakech/"):
                status, body, _ = self.proxy.get(page)
                if status != 200:
                    self.failures.append(f"{page}: {status}")
                for asset in set(ASSET.findall(body)):
                    status, _, port = self.proxy.get(asset)
                    self.seen.add((asset, port))
                    if status != 200:
                        self.failures.append(f"{asset} of {page}: {status} at {port}")


def test_nobody_notices_a_new_release(tmp_path: Path, data_folder: Path) -> None:
    new = tmp_path / "new"
    for name in ("games", "marrakech_site", "templates"):
        shutil.copytree(ROOT / name, new / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "manage.py", new)
    with (new / CHANGED).open("a") as css:
        css.write("\n.of-the-new-release { color: red }\n")
    ports = [free_port(), free_port()]
    collect(ROOT, data_folder, "old")
    before = {path.name for path in (data_folder / "static").rglob("*.css")}

    with ExitStack() as stack:
        olds = [stack.enter_context(web(ROOT, data_folder, "old", port)) for port in ports]
        visitor = Visitor(Proxy(ports))
        visitor.start()
        collect(new, data_folder, "new")
        after = {path.name for path in (data_folder / "static").rglob("*.css")}
        (fresh,) = {name for name in after - before if name.startswith("frame.")}
        assert before <= after, "old files are kept"
        for old, port in zip(olds, ports, strict=True):
            old.terminate()
            old.wait(30)
            stack.enter_context(web(new, data_folder, "new", port))
            if port == ports[0]:
                # The other one is still old, and is asked for files that it never heard of.
                wait_until(lambda: asked(visitor, fresh, ports[1]), 180)
        wait_until(lambda: asked(visitor, fresh, ports[0]), 180)
        visitor.enough.set()
        visitor.join(60)
        stale = next(name for name in before if re.fullmatch(r"frame\.[0-9a-f]{12}\.css", name))
        folder = f"/static/{CHANGED.relative_to('games/static').parent}"
        assert visitor.proxy.get(f"{folder}/{stale}")[0] == 200, "pages that are open go on"
    assert not visitor.failures


def asked(visitor: Visitor, name: str, port: int) -> bool:
    assert not visitor.failures
    return any(asset.endswith(name) and at == port for asset, at in list(visitor.seen))
