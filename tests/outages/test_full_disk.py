"""The disk with the data folder is really full: a small file system with not a byte to spare."""

from __future__ import annotations

import random
import re
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client.mmap_dict import MmapedDict

from marrakech_site.counts_on_disk import CountsOnDisk
from tests.conftest import missing
from tests.notices.post_office import PostOffice
from tests.outages.browser import Browser
from tests.outages.processes import Site
from tools import prepared_database as prepared
from tools.patience import wait_until

TOKEN = "let-me-count"
PASSWORD = "open-sesame-42"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=20m", "tmpfs", str(disk)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        missing("the right to mount a file system")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


def fill(disk: Path) -> Path:
    filling = disk / "filling"
    with filling.open("wb", buffering=0) as file:
        for size in (2**16, 1):
            try:
                while file.write(b"x" * size):
                    pass
            except OSError:
                pass
    return filling


def answers(port: int) -> int:
    asked = urllib.request.Request(
        f"http://127.0.0.1:{port}/metrics", headers={"Authorization": f"Bearer {TOKEN}"}
    )
    with urllib.request.urlopen(asked) as page:
        found = re.findall(r"^souk_requests_total\{.*\} (\S+)$", page.read().decode(), re.MULTILINE)
    return int(sum(map(float, found)))


@pytest.fixture
def site(small_disk: Path, post_office: PostOffice, postgres_url: str) -> Iterator[Site]:
    """Its database is elsewhere, and it counts, wakes workers and limits sign-ins by files."""
    prepared.release(small_disk)
    (small_disk / "souk.sqlite3").unlink()
    database = prepared.copy_on_server(postgres_url, f"souk_{random.randrange(10**9)}")
    site = Site(small_disk, post_office.port, database)
    site.more |= {"METRICS_TOKEN": TOKEN, "WEB_CONCURRENCY": "2"}
    yield site
    site.stop()


def test_pages_need_no_room_on_the_disk_and_no_worker_dies(site: Site, small_disk: Path) -> None:
    url, name = site.ask("-m", "tests.outages.people").split()
    browser = Browser(site.web())
    server = site.children[-1]
    wait_until(lambda: len(children_of(server.pid)) == 2)
    workers = children_of(server.pid)
    filling = fill(small_disk)
    assert browser.sign_in(name, PASSWORD).status == 302, "limits are counted elsewhere"
    for _ in range(30):
        assert browser.get(url).status == 200
    for number in range(20):
        assert browser.get(f"/rules/nothing-{number}/").status == 404
    assert browser.post(f"{url}move/", action="turn:L", on="0").status == 200
    assert children_of(server.pid) == workers, "nobody died"
    before = answers(browser.port)
    filling.unlink()
    for _ in range(30):
        assert browser.get(url).status == 200
    assert answers(browser.port) > before + 30, "they count again"


def test_a_site_starts_again_on_a_full_disk(site: Site, small_disk: Path) -> None:
    site.ask("-c", "import django; django.setup()")  # makes its folders
    fill(small_disk)
    browser = Browser(site.web())
    for _ in range(20):
        assert browser.get("/games/").status == 200
    assert answers(browser.port) >= 0


def children_of(pid: int) -> set[str]:
    return set(Path(f"/proc/{pid}/task/{pid}/children").read_text().split())


def test_counts_that_did_not_fit_are_written_when_there_is_room(small_disk: Path) -> None:
    def written(file: Path) -> dict[str, float]:
        return {key: value for key, value, _, _ in MmapedDict.read_all_values_from_file(str(file))}

    file = small_disk / "counter_1.db"
    counts = CountsOnDisk(str(file))
    counts.write_value("first", 1, 0)
    filling = fill(small_disk)
    names = [f"{number}-{'x' * 200}" for number in range(100)]
    for name in names:
        counts.write_value(name, 2, 0)
    counts.write_value("first", 3, 0)
    assert set(written(file)) >= {"first"}
    assert counts.read_value(names[-1]) == (2, 0)
    filling.unlink()
    counts.write_value("first", 4, 0)
    assert written(file) == {"first": 4} | dict.fromkeys(names, 2)
    counts.close()
    again = CountsOnDisk(str(file))
    again.write_value("first", 5, 0)
    assert written(file) == {"first": 5} | dict.fromkeys(names, 2)
    again.close()
