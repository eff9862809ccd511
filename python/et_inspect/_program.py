"""Runs models in an et-inspect process: a model that crashes raises an exception instead of ending this process."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

from . import _native, errors

# Exit codes of et-inspect.
_CHECK_FAILED = 1
_USAGE = 2
_UNREADABLE = 3
_ENDED_EARLY = {4, 130, 143}
_NOT_BUILT = 127

# Per program: environment variable with its path, and paths relative to the folders of the package and of other programs.
_PLACES = {
    "et-inspect": ("ET_INSPECT_LAUNCHER", ("et-inspect",)),
    "et-layout": ("ET_INSPECT_LAYOUT", ("et-layout", "../libexec/et-inspect/et-layout", "../et-layout")),
    "et-studio": (None, ("et-studio", "../studio/et-studio")),
}

_PREFIX = "et-inspect: "
_WARNING = "warning: "
# Time for the child to write partial results after SIGINT.
_PATIENCE_SECONDS = 10


class Outcome(NamedTuple):
    """Result of a run of et-inspect.

    Attributes:
        code: exit code; 1 if a check failed.
        output: standard output.
        warnings: warnings from standard error.
        notes: other lines from standard error.
    """

    code: int
    output: str
    warnings: list[str]
    notes: list[str]


def find(name: str = "et-inspect") -> str:
    """Returns the path of a program: from ET_INSPECT_LAUNCHER, the package, Python's folders, the PATH, or next to et-inspect.

    Raises:
        et_inspect.errors.NotFoundError: the program was not found.
    """
    variable, places = _PLACES[name]
    if variable and os.environ.get(variable):
        return os.environ[variable]
    for folder in _folders():
        for place in places:
            found = folder / place
            if os.access(found, os.X_OK) and found.is_file():
                return str(found)
    package = "et-studio" if name == "et-studio" else "et-inspect"
    raise errors.NotFoundError(
        f"{name} is not found: install the Debian package {package}, add the program to the PATH, or set ET_INSPECT_LAUNCHER "
        "to the path of et-inspect"
    )


def _folders() -> Iterator[Path]:
    yield Path(__file__).parent / "bin"
    yield Path(sys.executable).parent
    yield Path(sys.prefix) / "bin"
    for program in (os.environ.get("ET_INSPECT_LAUNCHER"), shutil.which("et-inspect"), shutil.which("et-studio")):
        if program:
            yield Path(program).parent
            yield Path(program).resolve().parent


def run(command: str, arguments: Sequence[str], *, files: Sequence[str] = (), json_output: bool = True) -> Outcome:
    """Runs an et-inspect command and waits for it; Ctrl-C ends it.

    Args:
        command: command, such as ``bench``.
        arguments: options and files.
        files: the files among the arguments, for error messages.
        json_output: add ``--format json``.

    Raises:
        et_inspect.Error: the command gave no result; the subclass is the kind of error.
    """
    progress_in, progress_out = os.pipe()
    argv = [find(), command, *arguments, "--progress", "json", "--progress-fd", str(progress_out)]
    argv += ["--format", "json"] if json_output else []
    try:
        child = subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(progress_out,),
            # A terminal sends Ctrl-C to the whole process group; in its own session, the child gets it from _end() only.
            start_new_session=True,
        )
    except OSError as error:
        os.close(progress_in)
        raise errors.FileError(f"{argv[0]}: cannot start: {error.strerror}", file=argv[0]) from error
    finally:
        os.close(progress_out)
    said, output = _attend(child, progress_in, command)
    return _outcome(child.returncode, output, said, files)


def _attend(child: subprocess.Popen[bytes], progress: int, command: str) -> tuple[str, str]:
    said: list[bytes] = []
    readers = [
        threading.Thread(target=lambda: said.append(child.stderr.read()), daemon=True),
        threading.Thread(target=_show_progress, args=(os.fdopen(progress, "rb"), command), daemon=True),
    ]
    for reader in readers:
        reader.start()
    with child:
        try:
            output = child.stdout.read()
            child.wait()
        except BaseException:
            _end(child)
            raise
        finally:
            for reader in readers:
                reader.join()
    return b"".join(said).decode(errors="replace"), output.decode(errors="replace")


def _end(child: subprocess.Popen[bytes]) -> None:
    """Interrupts the child; kills it if it does not exit in time."""
    child.send_signal(signal.SIGINT)
    try:
        child.wait(_PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def _show_progress(lines: IO[bytes], command: str) -> None:
    """Shows the child's progress with tqdm on a terminal; otherwise discards it."""
    bar: Any = None
    phase = ""
    make = _bars()
    with lines:
        for line in lines:
            if make is None:
                continue
            try:
                now = json.loads(line)
            except ValueError:
                continue
            if bar is None or now["phase"] != phase:
                if bar is not None:
                    bar.close()
                phase = now["phase"]
                bar = None if phase == "done" else make(total=now["total"], desc=f"{command}: {phase}", leave=False)
            if bar is not None:
                bar.update(now["done"] - bar.n)
    if bar is not None:
        bar.close()


def _bars() -> Any:
    """Returns tqdm if it is installed and standard error is a terminal, otherwise None."""
    if sys.stderr is None or not sys.stderr.isatty():
        return None
    try:
        from tqdm import tqdm
    except ImportError:
        return None
    return tqdm


def _outcome(code: int, output: str, said: str, files: Sequence[str]) -> Outcome:
    lines = [line.removeprefix(_PREFIX) for line in said.splitlines()]
    warnings = [line.removeprefix(_WARNING) for line in lines if line.startswith(_WARNING)]
    notes = [line for line in lines if not line.startswith(_WARNING)]
    outcome = Outcome(code, output, warnings, notes)
    if code in (0, _CHECK_FAILED) and (output or code == 0):
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
        what = "cannot be executed" if code == _NOT_BUILT else f"was ended by {_signal_name(-code)}"
        return errors.RunError(told or f"et-inspect {what}")
    if code in _ENDED_EARLY:
        return errors.CancelledError(told or "interrupted before completion")
    if code == _USAGE:
        return errors.ArgumentError(told, **_place(told, files))
    if code == _CHECK_FAILED:
        return errors.MismatchError(told, **_place(told, files))
    return _unreadable(told, files)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _unreadable(told: str, files: Sequence[str]) -> errors.Error:
    """Reads the file in this process to find the exception class of the child's error."""
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
