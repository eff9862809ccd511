"""Data frames of events, with the columns, index and dtypes of ExecuTorch's Inspector.

ExecuTorch concatenates one-row frames, which takes a millisecond per row. Here whole columns are built; their dtypes come from
concatenating one row of each combination of types.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from ._events import Event

STATISTICS = ("p10", "p50", "p90", "avg", "min", "max")
COLUMNS = (
    "event_name",
    "raw",
    *STATISTICS,
    "op_types",
    "delegate_debug_identifier",
    "stack_traces",
    "module_hierarchy",
    "is_delegated_op",
    "delegate_backend_name",
    "debug_data",
    "start_time",
)
# Columns whose cells are lists or dictionaries.
LISTS = frozenset({"raw", "op_types", "stack_traces", "module_hierarchy", "debug_data", "start_time"})
# Columns that printed tables omit.
HIDDEN = ("raw", "delegate_debug_identifier", "stack_traces", "module_hierarchy", "debug_data")
HIDDEN_EVENT = "OPERATOR_CALL"


def shortened(op_types: list[str]) -> list[str] | str:
    """Abbreviates five or more operators to the first, second and last."""
    if len(op_types) < 5:
        return op_types
    first, second, last = op_types[0], op_types[1], op_types[-1]
    return f"['{first}', '{second}' ... '{last}'] ({len(op_types)} total)"


def row_of(event: Event) -> tuple:
    """Returns the cells of an event, in the order of COLUMNS."""
    times = event.perf_data
    return (
        event.name,
        times.raw if times else None,
        *((getattr(times, name) for name in STATISTICS) if times else (None,) * len(STATISTICS)),
        shortened(event.op_types),
        event.delegate_debug_identifier,
        event.stack_traces,
        event.module_hierarchy,
        event.is_delegated_op,
        event.delegate_backend_name,
        event.debug_data,
        event._start_time,
    )


def frame(block: str, rows: list[tuple], unit: str | None) -> pd.DataFrame:
    """Returns the data frame of a block's rows. Raises ValueError if there are none."""
    # The first row of each combination of types.
    kinds = {tuple(map(type, row)): row for row in reversed(rows)}
    return _assembled(block, dict(zip(COLUMNS, zip(*rows))), list(kinds.values()), unit)


def frame_of_columns(block: str, columns: dict[str, Any], unit: str | None) -> pd.DataFrame:
    """Returns the same frame from whole columns of the native library, without creating Event objects."""
    if any(len(columns["op_types"][row]) >= 5 for row in columns["kinds"]):
        columns["op_types"] = list(map(shortened, columns["op_types"]))
    kinds = [
        tuple(
            None if name in STATISTICS and columns["raw"][row] is None else columns[name][row] for name in COLUMNS
        )
        for row in columns["kinds"]
    ]
    return _assembled(block, columns, kinds, unit)


def _assembled(block: str, columns: dict[str, Any], kinds: list[tuple], unit: str | None) -> pd.DataFrame:
    """Builds a data frame from columns; `kinds` has one row per combination of types."""
    import numpy as np
    import pandas as pd

    from ..._columns import object_array

    if not kinds:
        raise ValueError("No objects to concatenate")
    dtypes = _dtypes(kinds)
    count = len(columns["event_name"])
    # One string object is shared by all rows.
    out = {"event_block_name": pd.Series(np.full(count, block, dtype=object))}
    for name in COLUMNS:
        cells = columns[name]
        if not isinstance(cells, np.ndarray):
            cells = object_array(cells)
        elif dtypes[name] == object and cells.dtype != object:
            cells = np.where(np.isnan(cells), None, cells)
        header = f"{name} ({unit})" if unit and name in STATISTICS else name
        out[header] = pd.Series(cells, dtype=dtypes[name], copy=False)
    return pd.DataFrame(out, copy=False)


def _dtypes(kinds: list[tuple]) -> dict[str, Any]:
    """Returns the dtype of each column after pandas concatenates the rows."""
    import warnings

    import pandas as pd

    frames = [
        pd.DataFrame(
            {name: [cell] if name in LISTS else cell for name, cell in zip(COLUMNS, row)}, index=[0]
        )
        for row in kinds
    ]
    with warnings.catch_warnings():
        # pandas warns that dtypes of columns with missing values will change.
        warnings.simplefilter("ignore", FutureWarning)
        return pd.concat(frames, ignore_index=True).dtypes.to_dict()


def with_metadata(frame: pd.DataFrame, metadata: list[list | dict[str, Any]]) -> pd.DataFrame:
    """Adds delegate metadata to the frame: one column for lists, one column per key for dictionaries."""
    import pandas as pd

    added = []
    for each in metadata:
        if isinstance(each, dict):
            added.append(pd.Series(each, dtype=None if each else object))
        elif isinstance(each, list):
            added.append(pd.Series([each], index=["delegate_debug_metadata"]) if each else pd.Series(dtype=object))
        else:
            raise ValueError(f"Unexpected type for delegate_debug_metadata: {type(each)}")
    if all(series.empty for series in added):
        return frame
    return pd.concat([frame, pd.DataFrame(added).reset_index(drop=True)], axis=1)


def printable(text: str) -> str:
    """Writes bytes that are not UTF-8 as ``\\xNN``, so that the text can be encoded."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def for_people(frame: pd.DataFrame) -> pd.DataFrame:
    """Returns the rows and columns that a printed table shows."""
    shown = frame.drop(columns=list(HIDDEN))
    shown = shown[~shown["event_name"].str.contains(HIDDEN_EVENT)]
    return shown.reset_index(drop=True)
