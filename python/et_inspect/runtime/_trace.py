"""Traces recorded in memory."""

from __future__ import annotations

import os
from types import TracebackType
from typing import Any

from .. import _native
from ..devtools import Inspector


class Trace:
    """Records a method's executions inside a ``with`` block. Created by :meth:`et_inspect.runtime.Method.trace`.

    The recording can be read at any time, also after the block.
    """

    def __init__(self, method: _native.Method, request: _native.RecordingRequest, etrecord: object) -> None:
        self._method = method
        self._request = request
        self._etrecord = etrecord
        self._recording: _native.Recording | None = None

    def __enter__(self) -> Trace:
        self._recording = _native.Recording.start(self._method, self._request)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._started.stop()

    @property
    def etdump(self) -> bytes:
        """The serialized trace (ETDump)."""
        return self._started.trace()

    @property
    def debug_buffer(self) -> bytes:
        """The recorded values as a debug buffer; empty if there are none."""
        return self._started.debug_buffer()

    @property
    def info(self) -> dict[str, int]:
        """Amounts recorded, and omitted due to limits: ``runs``, ``events``, ``runs_left_out``, ``events_left_out``,
        ``debug_bytes``, ``tensors_left_out``."""
        return self._started.info()

    def inspector(self, **options: Any) -> Inspector:
        """Returns an Inspector of the recording.

        Args:
            options: options of :class:`et_inspect.devtools.Inspector`, such as ``etrecord`` and ``target_time_scale``.
        """
        options.setdefault("etrecord", self._etrecord)
        buffer = self.debug_buffer
        return Inspector(etdump_data=self.etdump, debug_buffer_data=buffer or None, **options)

    def save(self, etdump_path: str | os.PathLike, debug_buffer_path: str | os.PathLike | None = None) -> None:
        """Writes the trace and, if a path is given, the debug buffer.

        Raises:
            OSError: a file cannot be written.
        """
        with open(etdump_path, "wb") as file:
            file.write(self.etdump)
        if debug_buffer_path is not None:
            with open(debug_buffer_path, "wb") as file:
                file.write(self.debug_buffer)

    @property
    def _started(self) -> _native.Recording:
        if self._recording is None:
            raise RuntimeError("nothing is recorded before the trace's with block is entered")
        return self._recording
