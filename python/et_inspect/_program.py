"""Runs models in an et-inspect process: a model that crashes raises an exception instead of ending this process."""

from __future__ import annotations

import contextlib
import contextvars
import os
import re
import signal
import subprocess
import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

from . import _native, _processes, errors
from ._places import find
from ._progress import show_progress

# Exit codes of et-inspect.
_CHECK_FAILED = 1
_USAGE = 2
_UNREADABLE = 3
_ENDED_EARLY = {4, 130, 143}
_MEMORY_FAULT = 6
_NOT_BUILT = 127

_PREFIX = "et-inspect: "
_WARNING = "warning: "
# Time for the child to write partial results after SIGINT.
_PATIENCE_SECONDS = 10


class Outcome(NamedTuple):
    """Result of a run of et-inspect.

    Attributes:
        code: exit code; 1 if a check failed, 6 if ``--sanitize`` found memory errors.
        output: standard output.
        warnings: warnings from standard error.
        notes: other lines from standard error.
    """

    code: int
    output: str
    warnings: list[str]
    notes: list[str]


def run(
    command: str,
    arguments: Sequence[str],
    *,
    positional: Sequence[str] = (),
    files: Sequence[str] = (),
    json_output: bool = True,
    progress: bool = True,
) -> Outcome:
    """Runs an et-inspect command and waits for it; Ctrl-C ends it.

    Args:
        command: command, such as ``bench``.
        arguments: options.
        positional: arguments that are not options, even if they start with ``-``.
        files: the files among the arguments, for error messages.
        json_output: add ``--format json``.
        progress: the command has ``--progress``.

    Raises:
        et_inspect.Error: the command gave no result; the subclass is the kind of error.
    """
    progress_in, progress_out = os.pipe()
    argv = [find(), command, *arguments]
    argv += ["--progress", "json", "--progress-fd", str(progress_out)] if progress else []
    argv += ["--format", "json"] if json_output else []
    argv += ["--", *positional] if positional else []
    interrupts = _processes.DeferredInterrupts()
    with interrupts:
        child = _start(argv, progress_in, progress_out)
        said, output = _attend(child, progress_in, command, interrupts)
    return _outcome(child.returncode, output, said, files)


def _start(argv: Sequence[str], progress_in: int, progress_out: int) -> subprocess.Popen[bytes]:
    """Starts the child and closes this process's copy of the writing end of its progress pipe."""
    try:
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return _processes.start(argv, **pipes, pass_fds=(progress_out,))
    except BaseException:
        os.close(progress_in)
        raise
    finally:
        os.close(progress_out)


def _attend(
    child: subprocess.Popen[bytes], progress: int, command: str, interrupts: _processes.DeferredInterrupts
) -> tuple[str, str]:
    """Waits for the child; returns its standard error and output. Ends the child if this thread is interrupted."""
    # Each pipe has a reader until the child exits: a child that writes to a full pipe does not exit.
    output: list[bytes] = []
    said: list[bytes] = []
    context = contextvars.copy_context()  # IPython sends the output of threads to the cell of their context
    readers = [
        threading.Thread(target=lambda: output.append(child.stdout.read()), daemon=True),
        threading.Thread(target=lambda: said.append(child.stderr.read()), daemon=True),
        threading.Thread(target=context.run, args=(show_progress, os.fdopen(progress, "rb"), command), daemon=True),
    ]
    with child:
        try:
            for reader in readers:
                reader.start()
            interrupts.deliver()
            child.wait()
        except BaseException:
            _end(child)
            raise
        finally:
            for reader in readers:
                reader.join()
    return b"".join(said).decode(errors="replace"), b"".join(output).decode(errors="replace")


def _end(child: subprocess.Popen[bytes]) -> None:
    """Interrupts the child, kills it if it does not exit in time or at the next Ctrl-C, and kills its children."""
    child.send_signal(signal.SIGINT)
    try:
        child.wait(_PATIENCE_SECONDS)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):
        child.kill()
        child.wait()
    # Processes that it started and left keep the pipes open.
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)


def _outcome(code: int, output: str, said: str, files: Sequence[str]) -> Outcome:
    lines = [line.removeprefix(_PREFIX) for line in said.splitlines()]
    warnings = [line.removeprefix(_WARNING) for line in lines if line.startswith(_WARNING)]
    notes = [line for line in lines if not line.startswith(_WARNING)]
    outcome = Outcome(code, output, warnings, notes)
    if code in (0, _CHECK_FAILED, _MEMORY_FAULT) and (output or code == 0):
        return outcome
    if code == _UNREADABLE and output and not notes:
        return outcome
    error = _error(code, notes, files)
    if isinstance(error, errors.CancelledError):
        error.partial = output or None
    raise error


def _error(code: int, notes: Sequence[str], files: Sequence[str]) -> errors.Error:
    """Converts the exit code and the last note to an exception."""
    told = notes[-1] if notes else ""
    if code == _NOT_BUILT or code < 0:
        what = "cannot be executed" if code == _NOT_BUILT else _processes.exit_description(code)
        return errors.RunError(told or f"et-inspect {what}")
    if code in _ENDED_EARLY:
        return errors.CancelledError(told or "interrupted before completion")
    if code == _USAGE:
        return errors.ArgumentError(told, **_place(told, files))
    if code == _CHECK_FAILED:
        return errors.MismatchError(told, **_place(told, files))
    return _unreadable(told, files)


def _unreadable(told: str, files: Sequence[str]) -> errors.Error:
    """Reads the file again to find the exception class of the child's error."""
    place = _place(told, files)
    if place["file"] is not None:
        try:
            _native.describe(place["file"])
        except errors.Error as error:
            parts = {name: getattr(error, name) or place[name] for name in ("file", "field", "offset")}
            return type(error)(told, message=error.message, **parts)
    return errors.RunError(told, **place)


def _place(told: str, files: Sequence[str]) -> dict[str, Any]:
    """Splits ``FILE: FIELD at offset N: MESSAGE`` into file, field, offset and message."""
    # et-inspect escapes bytes that are not UTF-8 in file names.
    printed = {file: os.fsencode(file).decode("utf-8", "backslashreplace") for file in files}
    file = next((each for each in files if told.startswith(printed[each] + ": ")), None)
    rest = told if file is None else told[len(printed[file]) + 2 :]
    found = re.match(r"(?:(\S+) )?at offset (\d+): ", rest) if file is not None else None
    return {
        "message": rest if found is None else rest[found.end() :],
        "file": file,
        "field": found and found.group(1),
        "offset": None if found is None else int(found.group(2)),
    }
