"""Assembles the columns of a data frame (app/serve/columns.h) without a loop over rows."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import Any

import numpy as np

_NUMBER = -2
# Cells of events without nodes or values.
_EMPTY: dict[str, type] = {"op_types": list, "debug_data": list, "stack_traces": dict, "module_hierarchy": dict}
_LISTS = ("raw", "start_time")


def assembled(found: dict[str, Any]) -> dict[str, Any]:
    """Returns arrays of the cells of each column, and `kinds`."""
    # A million rows are two million lists without references to each other: searching them for cycles takes long.
    enabled = gc.isenabled()
    gc.disable()
    try:
        return {name: _column(name, given) if isinstance(given, tuple) else given for name, given in found.items()}
    finally:
        if enabled:
            gc.enable()


def _column(name: str, given: tuple[Any, ...]) -> Any:
    if name in _LISTS:
        return _lists(*given)
    codes, values, *numbers = given
    # Negative codes select from the end.
    cells = object_array([*values, None, _EMPTY[name]() if name in _EMPTY else None])[codes]
    if numbers and numbers[0] is not None:
        are_numbers = codes == _NUMBER
        cells[are_numbers] = numbers[0][are_numbers].astype(object)
    return cells


def _lists(offsets: Any, numbers: Any) -> Any:
    """Returns a list of the numbers of each row; None for rows without numbers."""
    counts = np.diff(offsets)
    if not len(counts):
        return object_array([])
    longest = int(counts.max())
    if longest and (counts == longest).all():
        return object_array(numbers.reshape(-1, longest).tolist())
    flat, places = numbers.tolist(), offsets.tolist()
    return object_array([flat[start:end] if end > start else None for start, end in zip(places, places[1:])])


def object_array(cells: Sequence[Any]) -> Any:
    """Returns an array of objects."""
    made = np.empty(len(cells), object)
    if len(cells):
        try:
            return np.fromiter(cells, object, len(cells))
        except ValueError:  # numpy before 1.23
            for at, cell in enumerate(cells):
                made[at] = cell
    return made
