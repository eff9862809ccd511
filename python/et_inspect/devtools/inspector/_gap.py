"""Implements Inspector.calculate_numeric_gap()."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING, Any

from ... import _native, errors
from .numerical_comparator import NumericalComparatorBase
from .numerical_comparator._distances import BY_NAME

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from ._inspector import Inspector


def numeric_gap(inspector: Inspector, distance: str | NumericalComparatorBase) -> pd.DataFrame:
    """Returns the data frame of Inspector.calculate_numeric_gap()."""
    comparator = _comparator(distance)
    if inspector._etrecord is None:
        raise errors.ArgumentError("a numeric gap needs an ETRecord")
    if inspector._debug_buffer is None:
        raise errors.ArgumentError("a numeric gap needs a debug buffer")
    comparator.inspector = inspector
    rows = _rows(inspector)
    mapping = {
        (row["aot_debug_handle"], _value(row["reference"])): (row["runtime_debug_handle"], _value(row["runtime"]))
        for row in rows
        if row["reference"]
    }
    frame = comparator.compare(
        mapping,
        {row["aot_debug_handle"]: row["aot_ops"] for row in rows},
        {row["runtime_debug_handle"]: row["runtime_ops"] for row in rows},
    )
    stacks = {node: stack for row in rows for node, stack in row["stacktraces"].items()}
    frame["stacktraces"] = [{node: stacks.get(node) for node in nodes} for nodes in frame.get("aot_ops", ())]
    return frame


def _comparator(distance: str | NumericalComparatorBase) -> NumericalComparatorBase:
    if isinstance(distance, NumericalComparatorBase):
        return distance
    if distance not in BY_NAME:
        raise errors.ArgumentError(f"distance: expected one of {', '.join(BY_NAME)} or a comparator, got {distance!r}")
    return BY_NAME[distance]()


def _rows(inspector: Inspector) -> list[dict[str, Any]]:
    """Returns the rows of the gap; sources given as bytes are written to temporary files."""
    with tempfile.TemporaryDirectory() as folder:
        trace = _as_file(inspector._trace_source, os.path.join(folder, "trace.etdp"))
        buffer = _as_file(inspector._debug_buffer, os.path.join(folder, "debug_buffer.bin"))
        return _native.gap(trace, buffer, inspector._etrecord.path)


def _as_file(source: str | bytes, path: str) -> str:
    if isinstance(source, str):
        return source
    with open(path, "wb") as file:
        file.write(source)
    return path


def _value(arrays: list[np.ndarray]) -> Any:
    """Returns one array or a tuple. Arrays hash by identity, because they are keys of preprocessing()'s mapping."""
    values = tuple(array.view(_identified()) for array in arrays)
    return values[0] if len(values) == 1 else values


def _identified() -> type:
    import numpy as np

    global _Identified
    if _Identified is None:

        class Value(np.ndarray):
            """An array that hashes by identity."""

            __hash__ = object.__hash__

        _Identified = Value
    return _Identified


_Identified: type | None = None
