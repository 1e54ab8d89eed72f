"""The file in which one process counts for all to read, in the format of prometheus_client.

Its own class maps the file into memory: on a full disk, a process that counts there is killed by
SIGBUS. Here counts are kept in memory and written; what cannot be written is left out of the file
until there is room again.
"""

from __future__ import annotations

import os
import struct
from contextlib import suppress

from prometheus_client import mmap_dict, values

_HEADER = 8
"""How much of the file is used, and padding to that."""
_NUMBERS = struct.Struct("dd")


class CountsOnDisk:
    """In place of `mmap_dict.MmapedDict`; its caller holds a lock."""

    def __init__(self, filename: str) -> None:
        self._filename = filename
        self._file: int | None = None
        self._positions: dict[str, int] = {}
        self._data = bytearray(_HEADER)
        # A process of the same number may have counted before.
        with suppress(OSError, RuntimeError, struct.error):
            counted = mmap_dict.MmapedDict.read_all_values_from_file(filename)
            for key, value, timestamp, _ in counted:
                self._add(key, value, timestamp)
        self._is_whole = False
        """Whether all that is counted stands in the file."""

    def read_value(self, key: str) -> tuple[float, float]:
        if key not in self._positions:
            self._add(key, 0.0, 0.0)
            self._is_whole = False
        value, timestamp = _NUMBERS.unpack_from(self._data, self._positions[key])
        return value, timestamp

    def write_value(self, key: str, value: float, timestamp: float) -> None:
        self.read_value(key)
        position = self._positions[key]
        _NUMBERS.pack_into(self._data, position, value, timestamp)
        try:
            if self._is_whole:
                self._write(position, position + _NUMBERS.size)
            else:
                self._write_all()
        except OSError:
            self._is_whole = False

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _add(self, key: str, value: float, timestamp: float) -> None:
        name = key.encode()
        padding = b" " * (8 - (len(name) + 4) % 8)
        self._data += struct.pack("i", len(name)) + name + padding
        self._data += _NUMBERS.pack(value, timestamp)
        self._positions[key] = len(self._data) - _NUMBERS.size
        struct.pack_into("i", self._data, 0, len(self._data))

    def _write_all(self) -> None:
        if self._file is None:
            self._file = os.open(self._filename, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            if os.fstat(self._file).st_size < _HEADER:
                os.ftruncate(self._file, _HEADER)
        # Readers go by the header, so it comes last.
        self._write(_HEADER, len(self._data))
        self._write(0, _HEADER)
        self._is_whole = True

    def _write(self, start: int, end: int) -> None:
        assert self._file is not None
        if os.pwrite(self._file, self._data[start:end], start) < end - start:
            raise OSError("the disk is full")


def count_without_maps() -> None:
    values.MmapedDict = CountsOnDisk  # type: ignore[attr-defined, assignment]
