"""Explanations of logs."""

from __future__ import annotations

import os
import tempfile

from . import _program
from ._arguments import PathLike, path
from ._display import Rows
from ._document import Result


class ExplainResult(Result):
    """Explanation of a log.

    Attributes:
        known: the failure is known.
        failure: what failed, in one sentence.
        causes: the most likely first, each with ``cause``, ``evidence``, ``remedy`` and ``confidence`` (``certain``,
            ``likely`` or ``possible``).
        codes: error codes in the log, such as ``OperatorMissing (0x14)``.
    """

    def _rows(self) -> Rows:
        columns = ("cause", "evidence", "remedy", "confidence")
        return columns, [[cause[name] for name in columns] for cause in self._values["causes"]]

    def _caption(self) -> str:
        return str(self._values["failure"])


def explain(
    text: str | bytes,
    model: PathLike | None = None,
    *,
    etrecord: PathLike | None = None,
    data: PathLike | None = None,
) -> ExplainResult:
    """Explains the first failure in a log. Same as ``et-inspect explain``.

    Args:
        text: the log, as captured: adb logcat, Xcode, a runner, a Python traceback, a serial console.
        model: program or bundled program that ran, to check causes against.
        etrecord: ETRecord of the program, for the Python line of an operator.
        data: external weights (``.ptd``) that the program was given.
    """
    content = text.encode(errors="replace") if isinstance(text, str) else text
    files = [path(each) for each in (model, etrecord, data) if each is not None]
    with tempfile.NamedTemporaryFile(suffix=".log", delete=False) as log:
        log.write(content)
    try:
        outcome = _program.run("explain", [], positional=[log.name, *files], files=files, progress=False)
    finally:
        os.unlink(log.name)
    return ExplainResult(outcome.output, outcome.warnings, outcome.notes)
