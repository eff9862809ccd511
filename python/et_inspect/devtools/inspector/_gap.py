"""Implements Inspector.calculate_numeric_gap()."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ... import _native, errors
from .numerical_comparator import NumericalComparatorBase
from .numerical_comparator._distances import BY_NAME

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from ._inspector import Inspector


# Names of the reference graphs, as ExecuTorch's ETRecord names them.
EDGE_GRAPH = "edge_dialect_graph_module"
EXPORTED_GRAPH = "exported_program"


def numeric_gap(
    inspector: Inspector, distance: str | NumericalComparatorBase, reference_graph: str | None
) -> pd.DataFrame:
    """Returns the data frame of Inspector.calculate_numeric_gap()."""
    comparator = _comparator(distance)
    if inspector._etrecord is None:
        raise errors.ArgumentError("a numeric gap needs an ETRecord")
    if inspector._debug_buffer is None:
        raise errors.ArgumentError("a numeric gap needs a debug buffer")
    comparator.inspector = inspector
    rows = _rows(inspector, _is_edge(inspector, reference_graph))
    # ExecuTorch's comparators receive tensors; ours compute with numpy.
    value = _value if type(comparator) in BY_NAME.values() else _value_of_caller()
    mapping = {
        (row["aot_debug_handle"], value(row["reference"])): (row["runtime_debug_handle"], value(row["runtime"]))
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
    name = distance.strip().upper() if isinstance(distance, str) else None
    if name not in BY_NAME:
        raise errors.ArgumentError(f"distance: expected one of {', '.join(BY_NAME)} or a comparator, got {distance!r}")
    return BY_NAME[name]()


def _is_edge(inspector: Inspector, reference_graph: str | None) -> bool:
    """Returns whether the reference is the Edge graph."""
    record = inspector._etrecord
    name = reference_graph
    if name is None and inspector._reference_graph_name != EDGE_GRAPH:
        name = inspector._reference_graph_name
    if name in (None, EDGE_GRAPH):
        return name is not None
    if name != EXPORTED_GRAPH:
        raise errors.ArgumentError(f"reference_graph: expected {EDGE_GRAPH!r} or {EXPORTED_GRAPH!r}, got {name!r}")
    if record.exported_program is None:
        raise errors.NotFoundError(f"{record.path}: the ETRecord does not contain its exported program")
    return False


def _rows(inspector: Inspector, edge: bool) -> list[dict[str, Any]]:
    """Returns the rows of the gap; sources given as bytes are written to temporary files."""
    with tempfile.TemporaryDirectory() as folder:
        trace = _as_file(inspector._trace_source, os.path.join(folder, "trace.etdp"))
        buffer = _as_file(inspector._debug_buffer, os.path.join(folder, "debug_buffer.bin"))
        return _native.gap(trace, buffer, inspector._etrecord.path, edge)


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


def _value_of_caller() -> Callable[[list[np.ndarray]], Any]:
    """Returns a conversion to torch tensors if the caller uses torch, else to arrays."""
    torch = sys.modules.get("torch")
    if torch is None:
        return _value

    def tensors(arrays: list[np.ndarray]) -> Any:
        values = tuple(torch.from_numpy(array.copy()) for array in arrays)
        return values[0] if len(values) == 1 else values

    return tensors


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
