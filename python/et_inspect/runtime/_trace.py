"""What a method did, recorded in memory."""

from __future__ import annotations

import os
from types import TracebackType
from typing import Any

from .. import _native
from ..devtools import Inspector


class Trace:
    """Records what a method does between ``with`` and the end of its block. Made by :meth:`et_inspect.runtime.Method.trace`.

    What was recorded can be asked for at any time, and stays when the block has ended.
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
        """The trace, as a file would hold it."""
        return self._started.trace()

    @property
    def debug_buffer(self) -> bytes:
        """The values that were recorded, as the debug buffer beside a trace holds them; empty without any."""
        return self._started.debug_buffer()

    @property
    def info(self) -> dict[str, int]:
        """How much was recorded, and left out for the limits: ``runs``, ``events``, ``runs_left_out``, ``events_left_out``,
        ``debug_bytes``, ``tensors_left_out``."""
        return self._started.info()

    def inspector(self, **options: Any) -> Inspector:
        """An Inspector of what was recorded.

        Args:
            options: those of :class:`et_inspect.devtools.Inspector`, such as ``etrecord`` and ``target_time_scale``.
        """
        options.setdefault("etrecord", self._etrecord)
        buffer = self.debug_buffer
        return Inspector(etdump_data=self.etdump, debug_buffer_data=buffer or None, **options)

    def save(self, etdump_path: str | os.PathLike, debug_buffer_path: str | os.PathLike | None = None) -> None:
        """Writes the trace, and the debug buffer where one is asked for.

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
            raise RuntimeError("nothing is recorded before the block of the trace is entered")
        return self._recording
