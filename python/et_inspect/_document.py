"""Results as objects: the keys of the JSON documents (docs/json.md) are attributes."""

from __future__ import annotations

import copy
import json
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ._display import Rows, Shown

if TYPE_CHECKING:
    import pandas as pd


class Fields:
    """An object of a document. Its keys are attributes; those that are no words are asked for as ``fields["…"]``."""

    def __init__(self, values: dict[str, Any]) -> None:
        self._values = values

    def __getattr__(self, name: str) -> Any:
        # What copying and pickling look for before there are values.
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
        """The object as dictionaries, lists, numbers and texts: a copy that may be changed."""
        return copy.deepcopy(self._values)


class Result(Fields, Shown):
    """What a workflow found.

    Attributes:
        warnings: what a user has to know, as the command line prints it on standard error.
        notes: what else it said there.
    """

    def __init__(self, document: str, told: Sequence[str] = (), notes: Sequence[str] = ()) -> None:
        super().__init__(json.loads(document))
        self.warnings = list(told) or list(self._values.get("warnings") or ())
        self.notes = list(notes)
        for line in self.warnings:
            warn(line)

    def to_dataframe(self) -> pd.DataFrame:
        """The rows of the result as a pandas DataFrame."""
        import pandas as pd

        columns, rows = self._rows()
        return pd.DataFrame([list(row) for row in rows], columns=list(columns))

    def to_svg(self) -> str | None:
        """The result as a picture (SVG), light or dark as the viewer is; None where there is nothing to draw."""
        return self._picture()

    def _rows(self) -> Rows:
        raise NotImplementedError

    def __repr__(self) -> str:
        caption = self._caption()
        return f"<{type(self).__name__}: {caption}>" if caption else f"<{type(self).__name__}>"


def warn(line: str) -> None:
    """Warns whoever called the package."""
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
    """The same keys of many objects as rows; what an object does not have is None."""
    return names, [[entry.get(name) for name in names] for entry in entries]
