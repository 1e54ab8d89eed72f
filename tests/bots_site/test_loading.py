"""What a process of the site loads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.site.test_serve import ROOT, environment
from tools.local_servers import free_port


def test_a_web_process_never_loads_what_must_be_compiled(data_folder: Path) -> None:
    question = (
        "import sys, marrakech_site.wsgi, marrakech_site.urls, games.urls, games.tasks;"
        "print([name for name in ('numba', 'games.bots') if name in sys.modules])"
    )
    answer = subprocess.run(
        [sys.executable, "-c", question],
        cwd=ROOT,
        env=environment(data_folder, free_port()),
        capture_output=True,
        text=True,
        check=True,
    )
    assert answer.stdout.strip() == "[]"
