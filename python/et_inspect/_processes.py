"""Starts processes of et-inspect, and waits for them."""

from __future__ import annotations

import signal
import subprocess
import threading
from collections.abc import Sequence
from typing import Any

from . import errors


class DeferredInterrupts:
    """Delays Ctrl-C from the start of a process until something ends the process in case of an exception.

    Without it, an interrupt between the system call and the assignment of its result would leave the process running.
    """

    def __init__(self) -> None:
        self._before: Any = None
        self._received: tuple[int, Any] | None = None

    def __enter__(self) -> DeferredInterrupts:
        if threading.current_thread() is threading.main_thread() and callable(signal.getsignal(signal.SIGINT)):
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def _note(self, number: int, frame: Any) -> None:
        self._received = (number, frame)

    def deliver(self) -> None:
        """Ends the delay; raises KeyboardInterrupt if Ctrl-C was pressed meanwhile."""
        before, self._before = self._before, None
        if before is None:
            return
        signal.signal(signal.SIGINT, before)
        if self._received is not None:
            before(*self._received)

    def __exit__(self, *_: object) -> None:
        self.deliver()


def start(argv: Sequence[str], **options: Any) -> subprocess.Popen[bytes]:
    """Starts a program; ``options`` are those of subprocess.Popen.

    A terminal sends Ctrl-C to its process group; in its own session, the process does not get it.

    Raises:
        et_inspect.errors.FileError: it cannot be started.
    """
    try:
        return subprocess.Popen(argv, start_new_session=True, **options)
    except OSError as error:
        raise errors.FileError(f"{argv[0]}: cannot start: {error.strerror}", file=argv[0]) from error


def wait_or_kill(process: subprocess.Popen[bytes], seconds: float) -> int:
    """Waits until a process exits, and kills it when the time has passed; returns its exit code."""
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()


def exit_description(code: int) -> str:
    """Describes an exit code as a predicate: ``ended with exit code 3``, ``was ended by SIGSEGV``."""
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by signal {-code}"
