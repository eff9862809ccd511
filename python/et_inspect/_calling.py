"""Runs the commands that have a generated function (``_commands``), each in an et-inspect process."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from . import _arguments, _program
from ._command_results import CommandResult


def call(command: str, files: Sequence[Any], options: dict[str, Any], *, progress: bool, json_output: bool) -> CommandResult:
    """Runs a command.

    Args:
        command: command, such as ``quantize``.
        files: positional arguments; None is omitted.
        options: value of each option by its name on the command line; a pair of a value and a separator joins several values.
        progress: the command reports progress.
        json_output: the command prints JSON.
    """
    positional = [os.fspath(file) if isinstance(file, os.PathLike) else str(file) for file in files if file is not None]
    with _arguments.with_arrays(options, ("--input", "--expected")) as given:
        named = [os.fspath(each) for value in given.values() for each in _arguments.several(value) if isinstance(each, (str, os.PathLike))]
        arguments = [text for name, value in given.items() for text in _flags(name, value)]
        known = {"positional": positional, "files": [*positional, *named], "progress": progress}
        outcome = _program.run(command, arguments, json_output=json_output, **known)

    def draw() -> str:
        return _program.run(command, [*arguments, "--format=svg"], json_output=False, **known).output

    return CommandResult(command, outcome, options.get("--output"), draw)


def _flags(name: str, value: Any) -> list[str]:
    return _arguments.flag(name, *value) if isinstance(value, tuple) else _arguments.flag(name, value)
