"""Results as objects: the keys of the JSON documents are attributes."""

from __future__ import annotations

import copy
import json
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ._display import Rows, Shown
from .errors import RunError

if TYPE_CHECKING:
    import pandas as pd


class Fields:
    """A JSON object. Its keys are attributes; use ``fields["…"]`` for keys that are not identifiers."""

    def __init__(self, values: dict[str, Any]) -> None:
        self._values = values

    def __getattr__(self, name: str) -> Any:
        # copy and pickle look up private names before _values is set.
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return _wrapped(self._values[name])
        except KeyError:
            raise AttributeError(f"{type(self).__name__} has no {name!r}; it has {', '.join(self._values)}") from None

    def __getitem__(self, name: str) -> Any:
        return _wrapped(self._values[name])

    def __contains__(self, name: object) -> bool:
        return name in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._values})

    def __eq__(self, other: object) -> bool:
        return self._values == other._values if isinstance(other, Fields) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Fields({self._values!r})"

    def to_json(self) -> dict[str, Any]:
        """Returns a deep copy as dictionaries, lists, numbers and strings."""
        return copy.deepcopy(self._values)


class Result(Fields, Shown):
    """Result of a workflow.

    Attributes:
        warnings: warnings, as the command line prints them on standard error.
        notes: other lines printed there.
    """

    def __init__(self, document: str, told: Sequence[str] = (), notes: Sequence[str] = ()) -> None:
        try:
            super().__init__(json.loads(document))
        except ValueError as error:
            raise RunError(f"et-inspect printed no JSON: {error}") from error
        self.warnings = list(told) or list(self._values.get("warnings") or ())
        self.notes = list(notes)
        for line in self.warnings:
            warn(line)

    def to_dataframe(self) -> pd.DataFrame:
        """Returns the rows of the result as a pandas DataFrame."""
        import pandas as pd

        columns, rows = self._rows()
        return pd.DataFrame([list(row) for row in rows], columns=list(columns))

    def to_svg(self) -> str | None:
        """Returns an SVG that follows the viewer's light or dark theme; None if there is nothing to draw."""
        return self._picture()

    def _rows(self) -> Rows:
        raise NotImplementedError

    def __repr__(self) -> str:
        caption = self._caption()
        return f"<{type(self).__name__}: {caption}>" if caption else f"<{type(self).__name__}>"


def warn(line: str) -> None:
    """Issues a warning that points to the caller of the package."""
    if sys.version_info >= (3, 12):
        warnings.warn(line, skip_file_prefixes=(os.path.dirname(__file__),), stacklevel=2)
    else:
        warnings.warn(line, stacklevel=4)


def _wrapped(value: Any) -> Any:
    if isinstance(value, dict):
        return Fields(value)
    if isinstance(value, list):
        return [_wrapped(each) for each in value]
    return value


def columns_of(entries: Sequence[dict[str, Any]], names: Sequence[str]) -> Rows:
    """Returns the named keys of the objects as rows; missing keys are None."""
    return names, [[entry.get(name) for name in names] for entry in entries]
