"""Results of the commands that have a generated function (``_commands``)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from typing import Any

from ._display import Rows
from ._document import Result
from ._program import Outcome

# The list of a document that is its table; inner lists follow a dot. Other documents: the first list of objects.
_TABLES = {
    "baseline": "baselines",
    "counters": "instructions",
    "fit": "programs",
    "lower": "methods.nodes",
    "optimize": "points",
    "perplexity": "passages",
    "quantize": "sites",
    "replan": "methods",
    "roofline": "operators",
    "run": "outputs",
    "sensitivity": "sites",
    "probe": "findings",
    "shapes": "cases",
    "size": "owners",
    "sql": "answers.rows",
    "tensors": "tensors",
    "tokenize": "ids",
    "trend": "groups.points",
}
# Names of documents that are lists.
_LISTS = {"info": "files", "tensors": "tensors"}
# Commands that draw their result; those that measure would measure again.
_DRAWN = {"roofline", "size", "trend"}
# Number of figures in the caption.
_FIGURES = 6


class CommandResult(Result):
    """Result of a command: its JSON document, whose keys are attributes, or what it printed as ``text``.

    Attributes:
        passed: False if the command reported a failed check (exit code 1).
    """

    def __init__(
        self, command: str, outcome: Outcome, output: Any = None, draw: Callable[[], str] | None = None
    ) -> None:
        super().__init__(_document(command, outcome.output, output), outcome.warnings, outcome.notes)
        self._command = command
        self._draw = draw if command in _DRAWN else None
        self.passed = outcome.code == 0

    def _caption(self) -> str:
        scalars = [f"{name} {_short(value)}" for name, value in self._values.items() if _is_figure(name, value)]
        return f"{self._command}: {', '.join(scalars[:_FIGURES])}" if scalars else self._command

    def _rows(self) -> Rows:
        entries = list(self._entries())
        flat = [_flattened(each) for each in entries]
        columns = list(dict.fromkeys(name for each in flat for name in each))
        return columns, [[each.get(name) for name in columns] for each in flat]

    def _picture(self) -> str | None:
        return self._draw() if self._draw is not None else None

    def _entries(self) -> Iterator[dict[str, Any]]:
        keys = _TABLES.get(self._command, "").split(".")
        if keys[0] in self._values:
            yield from _nested(self._values, keys, {})
            return
        if "text" in self._values:
            yield from ({"text": line} for line in self._values["text"].splitlines())
            return
        lists = [value for value in self._values.values() if isinstance(value, list) and value and isinstance(value[0], dict)]
        yield from lists[0] if lists else [self._values]


def _document(command: str, printed: str, output: Any) -> str:
    """Returns the document as JSON of an object."""
    start = printed.lstrip()[:1]
    if start == "{":
        return printed
    if start == "[" and command in _LISTS:
        return f'{{"{_LISTS[command]}": {printed}}}'
    document = {"text": printed}
    if output is not None:
        document["output"] = os.fspath(output)
    return json.dumps(document)


def _nested(values: dict[str, Any], keys: list[str], outer: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yields the objects of the innermost list, each with the first value of the objects around it: their name."""
    for entry in values[keys[0]]:
        if not isinstance(entry, dict):
            yield {**outer, keys[0]: entry}
        elif len(keys) == 1:
            yield {**outer, **entry}
        else:
            name, value = next(iter(entry.items()))
            yield from _nested(entry, keys[1:], {**outer, name: value})


def _flattened(entry: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Returns the values of inner objects as columns ``outer.inner``."""
    flat: dict[str, Any] = {}
    for name, value in entry.items():
        if isinstance(value, dict) and value:
            flat.update(_flattened(value, f"{prefix}{name}."))
        else:
            flat[prefix + name] = value
    return flat


def _is_figure(name: str, value: Any) -> bool:
    return name not in ("schema", "text") and isinstance(value, (str, int, float)) and value != ""


def _short(value: Any) -> str:
    return f"{value:.5g}" if isinstance(value, float) else f"{value:,}" if type(value) is int else str(value)
