"""The debugger: steps through a run, also backwards, and stops where a value goes wrong.

>>> import et_inspect
>>> with et_inspect.debug("model.pte", "model.etrecord", inputs="x.npy") as debugger:
...     debugger.watch("nan")
...     stop = debugger.run()
...     print(stop, stop.source)
...     print(debugger.array("out"))

The model runs in a process of its own, ``et-inspect debug``: a crash of an operator is a stop. Places and expressions are those
of the command line (``et-inspect debug --help``).
"""

from __future__ import annotations

import collections
import concurrent.futures
import itertools
import json
import math
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

from . import _arguments, _places, _processes, _program, errors
from ._arguments import ModelOptions, PathLike
from ._display import Rows, Shown
from ._document import Fields

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike
    from typing_extensions import Self, Unpack

__all__ = ["Breakpoint", "Debugger", "Stop", "Value", "Watchpoint", "debug"]

_ERRORS: dict[str, type[errors.Error]] = {
    "Io": errors.FileError,
    "Format": errors.FormatError,
    "Unsupported": errors.UnsupportedError,
    "Limit": errors.LimitError,
    "NotFound": errors.NotFoundError,
    "InvalidArgument": errors.ArgumentError,
    "Mismatch": errors.MismatchError,
    "Cancelled": errors.CancelledError,
}
# NumPy types for dtypes that NumPy does not have.
_DTYPES = {"bfloat16": "float32"}
# Maximum number of elements that `print /a` prints.
_MAX_ELEMENTS = 1 << 20
# Time for the process to stop after Ctrl-C, and to exit.
_PATIENCE_SECONDS = 10
# Time between interrupts: one that arrives before the command has no effect.
_INTERRUPT_SECONDS = 0.5
# Lines of standard error that are kept for the message of a process that ended.
_KEPT_LINES = 50


class Stop(Fields, Shown):
    """Where and why the model stopped: ``reason``, ``execution``, ``instruction``, ``node``, ``operator``, ``debug_handles``,
    ``module``, ``source`` and the other keys of ``"stop"`` in JSON."""

    def _caption(self) -> str:
        place = f"execution {self.execution}, instruction {self.instruction}"
        if self._values.get("node") is not None:
            place += f", node {self.node}"
        source = self._values.get("source")
        parts = [
            f"{self.reason}: {place}",
            self._values.get("operator"),
            f"{source['file']}:{source['line']}" if source else None,
            self._values.get("message"),
        ]
        return ", ".join(part for part in parts if part)

    def __repr__(self) -> str:
        return f"<Stop {self._caption()}>"


class Breakpoint(Fields):
    """A breakpoint: ``id``, ``location``, ``condition``, ``ignore``, ``hits``, ``enabled``, ``instructions``, ``message``."""

    def __repr__(self) -> str:
        return f"<Breakpoint {self.id}: {self.location}>"


class Watchpoint(Fields):
    """A watchpoint: ``id``, ``expression``, ``kind``, ``condition``, ``hits``, ``enabled``, ``value``."""

    def __repr__(self) -> str:
        return f"<Watchpoint {self.id}: {self.expression}>"


class Value(Fields, Shown):
    """A value at the current point: ``name``, ``dtype``, ``sizes``, ``role``, ``arena``, ``statistics``, ``data`` (at most 1000
    elements) and the other keys of ``"value"`` in JSON. :meth:`Debugger.array` returns all elements."""

    def _caption(self) -> str:
        kind = self._values.get("kind")
        if kind != "tensor":
            return f"{self._values.get('name')}: {self._values.get('value')}"
        return f"{self.name}: {self.dtype} {self.sizes}"

    def _rows(self) -> Rows | None:
        statistics = self._values.get("statistics")
        return (list(statistics), [list(statistics.values())]) if statistics else None

    def __repr__(self) -> str:
        return f"<Value {self._caption()}>"


_Answer = TypeVar("_Answer", bound=Fields)


class Debugger:
    """A model that is being debugged, from :func:`debug`. Use it in a ``with`` statement, or call :meth:`close`.

    Commands that move the model return a :class:`Stop`. Ctrl-C stops a running command and raises ``KeyboardInterrupt``; the
    debugger remains usable.

    Attributes:
        stop: where the model stopped last; None before the first run.
        output: the last lines that the process wrote to standard error.
    """

    def __init__(self, files: Sequence[str], options: dict[str, Any]) -> None:
        self.stop: Stop | None = None
        self.output: collections.deque[str] = collections.deque(maxlen=_KEPT_LINES)
        self._files = list(files)
        # For arrays that are passed to the process.
        self._folder = Path(tempfile.mkdtemp(prefix="et-inspect-"))
        self._written = 0
        try:
            argv = [_places.find(), "debug", "--format=json", *self._flags(options), "--", *files]
            pipe = subprocess.PIPE
            with _processes.DeferredInterrupts():
                self._child = _processes.start(argv, stdin=pipe, stdout=pipe, stderr=pipe)
                self._worker = concurrent.futures.ThreadPoolExecutor(1, "et-inspect debug")
                # The threads must not keep this object alive.
                self._listener = threading.Thread(target=_listen, args=(self._child.stderr, self.output), daemon=True)
                self._listener.start()
        except BaseException:
            if hasattr(self, "_listener"):
                self.close()
            self._remove_folder()
            raise

    def command(self, line: str) -> dict[str, Any]:
        """Executes a command of the command line and returns its JSON answer.

        Raises:
            et_inspect.Error: the command failed; RunError: the process ended.
        """
        if "\n" in line or "\r" in line or "\0" in line or not line.strip() or line.lstrip().startswith("#"):
            raise errors.ArgumentError(f"expected one command, got {line!r}")
        if self._child.stdin.closed:
            raise errors.RunError("the debugger was closed")
        if self._child.poll() is not None:
            raise self._ended()
        text = self._answer(line.encode(errors="surrogateescape") + b"\n")
        if not text.endswith(b"\n"):
            raise self._ended()
        try:
            answer = json.loads(text)
        except ValueError as error:
            raise errors.RunError(f"et-inspect debug printed no JSON: {error}") from error
        if "error" in answer:
            told = answer["error"]
            raise _ERRORS.get(told.get("code"), errors.RunError)(told.get("message", ""))
        if "stop" in answer:
            self.stop = Stop(answer["stop"])
        return answer

    def _answer(self, line: bytes) -> bytes:
        """Sends a line and returns the answer; after Ctrl-C, waits for that of the interrupted command and raises."""
        # In another thread, a KeyboardInterrupt cannot separate a command from its answer.
        answer = self._worker.submit(_exchange, self._child, line)
        try:
            return answer.result()
        except KeyboardInterrupt:
            end = time.monotonic() + _PATIENCE_SECONDS
            while not answer.done() and time.monotonic() < end:
                self._child.send_signal(signal.SIGINT)
                concurrent.futures.wait([answer], _INTERRUPT_SECONDS)
            if not answer.done():
                self._child.kill()
            text = answer.result()
            if text.startswith(b'{"stop"') and text.endswith(b"\n"):
                self.stop = Stop(json.loads(text)["stop"])
            raise

    def _ended(self) -> errors.Error:
        code = self._child.wait()
        self._listener.join(_PATIENCE_SECONDS)
        try:
            _program._outcome(code, "", "\n".join(self.output), self._files)
        except errors.Error as error:
            return error
        return errors.RunError("the process of the debugger ended")

    # Moving ---------------------------------------------------------------------------------------------------------

    def run(self, *inputs: Any, reset: bool = False) -> Stop:
        """Runs the next execution to the first stop.

        Args:
            inputs: arrays, files, numbers or words, as for :func:`debug`; default: those of the previous execution.
            reset: load the method again and forget earlier executions.
        """
        return self._begin("run", inputs, reset)

    def start(self, *inputs: Any, reset: bool = False) -> Stop:
        """Begins the next execution and stops before its first instruction. Arguments as in :meth:`run`."""
        return self._begin("start", inputs, reset)

    def continue_(self, count: int = 1) -> Stop:
        """Runs to the next stop, or passes ``count`` of them."""
        return self._move("continue", count)

    def step(self, count: int = 1) -> Stop:
        """Executes an instruction, or an operator inside a delegate."""
        return self._move("step", count)

    def next(self, count: int = 1) -> Stop:
        """Executes an instruction, including whole delegates."""
        return self._move("next", count)

    def finish(self) -> Stop:
        """Runs to the end of the delegate, or of the execution."""
        return self._move("finish")

    def until(self, location: str) -> Stop:
        """Runs to a location."""
        return self._move(f"until {location}")

    def jump(self, instruction: int, execution: int | None = None) -> Stop:
        """Moves to an instruction, forward or back."""
        return self._move(f"jump {instruction}" if execution is None else f"jump {execution}:{instruction}")

    def reverse_step(self, count: int = 1) -> Stop:
        """Steps back."""
        return self._move("reverse-step", count)

    def reverse_next(self, count: int = 1) -> Stop:
        """Steps back over whole delegates."""
        return self._move("reverse-next", count)

    def reverse_finish(self) -> Stop:
        """Runs back to the start of the delegate, or of the execution."""
        return self._move("reverse-finish")

    def reverse_continue(self) -> Stop:
        """Runs back to the previous stop."""
        return self._move("reverse-continue")

    def where(self) -> Stop:
        """Returns the last stop."""
        return self._move("where")

    # Stopping -------------------------------------------------------------------------------------------------------

    def break_(
        self, location: str | int, condition: str | None = None, ignore: int = 0, temporary: bool = False
    ) -> Breakpoint:
        """Sets a breakpoint.

        Args:
            location: an instruction (17), an operator (``"aten.mul.out"``, ``"*softmax*"``), a line (``"model.py:88"``),
                ``"module:…"``, ``"handle:…"``, ``"delegate:…"`` or ``"method:…"``.
            condition: stop only if this expression is true: ``"max(abs(out)) > 1e4"``.
            ignore: number of hits to ignore.
            temporary: delete it at its first hit.
        """
        verb = "tbreak" if temporary else "break"
        return self._get(f"{verb} {location}{_limits(condition, ignore)}", "breakpoint", Breakpoint)

    def watch(self, what: str, condition: str | None = None, ignore: int = 0) -> Watchpoint:
        """Sets a watchpoint: on a value that changes (``"out"``), on ``"nan"``, ``"inf"``, ``"own_error"``, ``"overwritten"``,
        ``"snr < 40"``, an expression, …"""
        return self._get(f"watch {what}{_limits(condition, ignore)}", "watchpoint", Watchpoint)

    def delete(self, *ids: int) -> None:
        """Deletes breakpoints and watchpoints; without ids, all."""
        self.command(" ".join(["delete", *map(str, ids)]))

    # Looking --------------------------------------------------------------------------------------------------------

    def value(self, name: str, *, reference: bool = False, previous: bool = False, histogram: bool = False) -> Value:
        """Returns a value or the result of an expression.

        Args:
            name: ``"out"``, ``"in0"``, ``"%12"``, ``"output:0"``, a name of the exported graph, with a slice
                (``"out[0, 0:3]"``), or an expression.
            reference: also the difference from the exported graph.
            previous: also the difference from the previous execution.
            histogram: also a histogram.
        """
        flags = "".join(flag for flag, on in (("/h ", histogram), ("/r ", reference), ("/p ", previous)) if on)
        return self._get(f"print {flags}{name}", "value", Value)

    def array(self, name: str, *, reference: bool = False, previous: bool = False) -> np.ndarray:
        """Returns all elements of a tensor, integers above 2^53 rounded.

        Args:
            name: as in :meth:`value`, without a slice.
            reference, previous: instead, the tensor of the exported graph, or of the previous execution.
        """
        import numpy as np

        first = self.value(name, reference=reference, previous=previous)
        if first["kind"] != "tensor":
            raise errors.ArgumentError(f"{name}: expected a tensor, got {first['kind']}")
        key = "reference" if reference else "previous" if previous else None
        sizes = tuple(first.sizes)
        elements = _elements(first, key)
        if len(elements) < math.prod(sizes):
            flags = f"/a{key[0]}" if key else "/a"
            parts = (self._get(f"print {flags} {name}{each}", "value", Value) for each in _slices(sizes))
            elements = [element for part in parts for element in _elements(part, key)]
        return np.array(elements, np.float64).astype(_DTYPES.get(first.dtype, first.dtype)).reshape(sizes)

    def values(self) -> list[Value]:
        """Returns all values of the method at the current point, without elements."""
        return [Value(each) for each in self.info("values")["values"]]

    def info(self, kind: str) -> dict[str, Any]:
        """Returns the JSON of ``info``: ``"breakpoints"``, ``"arena"``, ``"executions"``, ``"writers out"``, …"""
        return self.command(f"info {kind}")["info"]

    # Changing -------------------------------------------------------------------------------------------------------

    def set(self, name: str, value: str | float | PathLike | ArrayLike) -> Fields:
        """Sets a value, which creates a branch of the time line.

        Args:
            name: as in :meth:`value`.
            value: an array, a number, a file, ``"reference"`` or an expression.
        """
        if isinstance(value, (str, int, float, os.PathLike)):
            text = os.fspath(value) if isinstance(value, os.PathLike) else value
        else:
            text = _arguments._input(value, self._next_file())
        return self._get(f"set {name} = {text}", "branch", Fields)

    def skip(self) -> Stop:
        """Skips the next instruction."""
        return self._move("skip")

    def force(self) -> Stop:
        """Replaces the results of the instruction by those of the exported graph."""
        return self._move("force")

    def branch(self, number: int) -> Stop:
        """Switches to a branch."""
        return self._move(f"branch {number}")

    def diff(self, branch: int) -> Fields:
        """Compares all values at this point with another branch: ``equal`` and ``values``."""
        return Fields(self.command(f"diff {branch}")["info"])

    def save(self, file: PathLike) -> Fields:
        """Saves the recording; ``not_replayable`` lists what cannot be replayed."""
        return Fields(self.command(f"save {os.fspath(file)}")["info"])

    # End ------------------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Ends the process. Further calls have no effect."""
        if self._child.stdin.closed:
            return
        try:
            self._child.stdin.close()
        except OSError:  # it has ended
            pass
        self._child.send_signal(signal.SIGINT)
        _processes.wait_or_kill(self._child, _PATIENCE_SECONDS)
        self._worker.shutdown()
        self._listener.join(_PATIENCE_SECONDS)
        self._child.stdout.close()
        self._child.stderr.close()
        self._remove_folder()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_listener"):
            self.close()

    def __repr__(self) -> str:
        return f"<Debugger: {self.stop._caption() if self.stop else 'not started'}>"

    def _flags(self, options: dict[str, Any]) -> list[str]:
        """Returns options of the command line. Arrays become files, which the process reads when an execution begins."""
        flags: list[str] = []
        for name, value in options.items():
            if name == "inputs" and value is not None:
                several = value if isinstance(value, (list, tuple)) else [value]
                value = [_arguments._input(each, self._next_file()) for each in several]
            flags += _arguments.flag(_arguments.flag_name(name), value)
        return flags

    def _begin(self, verb: str, inputs: Sequence[Any], reset: bool) -> Stop:
        texts = [_arguments._input(each, self._next_file()) for each in inputs]
        return self._move(" ".join([verb, *(["--reset"] if reset else []), *texts]))

    def _move(self, line: str, count: int = 1) -> Stop:
        return self._get(line if count == 1 else f"{line} {count}", "stop", Stop)

    def _get(self, line: str, key: str, kind: type[_Answer]) -> _Answer:
        answer = self.command(line)
        if key not in answer:
            raise errors.RunError(f"et-inspect debug answered {line!r} without {key!r}")
        return kind(answer[key])

    def _next_file(self) -> Path:
        self._written += 1
        return self._folder / f"{self._written}.npy"

    def _remove_folder(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)


def debug(
    model: PathLike,
    record: PathLike | None = None,
    *,
    threads: int | None = None,
    budget: int | str | None = None,
    recording: PathLike | None = None,
    **options: Unpack[ModelOptions],
) -> Debugger:
    """Debugs a model. Same as ``et-inspect debug``.

    Args:
        model: a program or bundled program.
        record: its ETRecord, for Python lines, modules and reference values.
        threads: threads of the program.
        budget: maximum size of the recording, in bytes or as ``"64MB"``.
        recording: a saved recording to open.
        options: see :class:`~et_inspect.ModelOptions`.

    Raises:
        et_inspect.Error: unreadable file, or the model cannot be run.
    """
    _arguments.check("debug", options, ModelOptions)
    files = [_arguments.path(file) for file in (model, record) if file is not None]
    debugger = Debugger(files, {**options, "threads": threads, "budget": budget, "recording": recording})
    try:
        debugger.command("info methods")  # the process has opened the files
    except BaseException:
        debugger.close()
        raise
    return debugger


def _exchange(child: subprocess.Popen[bytes], line: bytes) -> bytes:
    """Sends a line and returns the answer, a line; without a line break if the process ended."""
    try:
        child.stdin.write(line)
        child.stdin.flush()
    except (OSError, ValueError):  # it ended, or its pipe was closed
        return b""
    return child.stdout.readline()


def _listen(stream: IO[bytes], lines: collections.deque[str]) -> None:
    """Keeps the last lines of a stream."""
    for line in stream:
        lines.append(line.decode(errors="replace").rstrip("\n"))


def _slices(sizes: Sequence[int]) -> Iterator[str]:
    """Yields slices of at most _MAX_ELEMENTS elements that cover a tensor in row-major order."""
    inner = len(sizes) - 1
    while inner > 0 and math.prod(sizes[inner:]) <= _MAX_ELEMENTS:
        inner -= 1
    step = max(1, _MAX_ELEMENTS // max(1, math.prod(sizes[inner + 1 :])))
    for outer in itertools.product(*map(range, sizes[:inner])):
        for begin in range(0, sizes[inner], step):
            ranges = [*map(str, outer), f"{begin}:{min(begin + step, sizes[inner])}"]
            yield f"[{', '.join(ranges)}]"


def _elements(value: Value, key: str | None) -> list[float]:
    """Returns the elements of a value, or of its reference or its previous version."""
    part = value if key is None else value[key]
    if "missing" in part:
        raise errors.NotFoundError(f"{value.name}: {part.missing}")
    return [float(element) for element in part["data"]]


def _limits(condition: str | None, ignore: int) -> str:
    return (f" if {condition}" if condition else "") + (f" ignore {ignore}" if ignore else "")
