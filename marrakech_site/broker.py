"""The broker that needs no server: messages are files in the data folder.

Kombu's own filesystem transport writes a message in place, so a worker may read
half of one and die of it. Here a message appears under its name only when it is
complete. It is still best effort and for one host only: whatever must happen is
a due row in the database, and the broker merely wakes somebody up to look.
"""

from __future__ import annotations

import os
import uuid
from pathlib import Path
from time import monotonic_ns
from typing import Any

from kombu.transport import TRANSPORT_ALIASES, filesystem, virtual
from kombu.utils.encoding import str_to_bytes
from kombu.utils.json import dumps

ALIAS = "folder"


class Channel(filesystem.Channel):
    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]
        folder = Path(self.data_folder_out)
        name = f"{monotonic_ns()}_{uuid.uuid4()}.{queue}.msg"
        partial = folder / f".{name}.partial"
        partial.write_bytes(str_to_bytes(dumps(payload)))
        os.replace(partial, folder / name)


class Transport(filesystem.Transport):
    Channel = Channel

    def __init__(self, client: Any, **kwargs: Any) -> None:
        super().__init__(client, **kwargs)
        # Which queues there are stands in the folder; what another folder had is no help.
        self.state = virtual.BrokerState()


def register() -> None:
    TRANSPORT_ALIASES[ALIAS] = f"{__name__}:Transport"


def transport_options(folder: Path) -> dict[str, Any]:
    messages, control = folder / "messages", folder / "control"
    for path in (messages, control):
        path.mkdir(parents=True, exist_ok=True)
    return {
        "data_folder_in": str(messages),
        "data_folder_out": str(messages),
        "control_folder": str(control),
        "polling_interval": 0.2,
    }
