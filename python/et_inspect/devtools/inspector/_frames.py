"""Data frames of events: columns, index and dtypes as the Inspector of ExecuTorch makes them.

It makes a frame of one row for each event and concatenates them, which takes a millisecond a row. Here whole columns are made,
and pandas is asked once what dtypes its concatenation of rows of such kinds would have.
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
# What a table for people leaves out.
HIDDEN = ("raw", "delegate_debug_identifier", "stack_traces", "module_hierarchy", "debug_data")
HIDDEN_EVENT = "OPERATOR_CALL"


def shortened(op_types: list[str]) -> list[str] | str:
    """Five operators or more as first, second and last."""
    if len(op_types) < 5:
        return op_types
    first, second, last = op_types[0], op_types[1], op_types[-1]
    return f"['{first}', '{second}' ... '{last}'] ({len(op_types)} total)"


def row_of(event: Event) -> tuple:
    """The cells of an event, in the order of COLUMNS."""
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


def row_of_fields(fields: dict[str, Any], debug_data: list) -> tuple:
    """The same of what the libraries say of an event, without an object of it."""
    return (
        fields["name"],
        fields["samples"],
        *(fields["statistics"] or (None,) * len(STATISTICS)),
        shortened(fields["op_types"]),
        fields["delegate_debug_identifier"],
        fields["stack_traces"],
        fields["module_hierarchy"],
        fields["is_delegated_op"],
        fields["delegate_backend_name"],
        debug_data,
        fields["start_time"],
    )


def frame(block: str, rows: list[tuple], unit: str | None) -> pd.DataFrame:
    """The data frame of the rows of a block. Raises ValueError where there are none."""
    import numpy as np
    import pandas as pd

    if not rows:
        raise ValueError("No objects to concatenate")
    headers = [f"{name} ({unit})" if unit and name in STATISTICS else name for name in COLUMNS]
    dtypes = _dtypes(rows)
    columns = {}
    for at, (name, header) in enumerate(zip(COLUMNS, headers, strict=True)):
        cells = np.empty(len(rows), dtype=object)
        cells[:] = [row[at] for row in rows] if name not in LISTS else None
        if name in LISTS:
            for index, row in enumerate(rows):
                cells[index] = row[at]
        columns[header] = pd.Series(cells).astype(dtypes[name])
    out = pd.DataFrame(columns)
    out.insert(0, "event_block_name", np.asarray([block] * len(rows)))
    return out


def _dtypes(rows: list[tuple]) -> dict[str, Any]:
    """The dtype of each column, as pandas concatenates one row of each kind."""
    import warnings

    import pandas as pd

    kinds = {tuple(map(type, row)): row for row in reversed(rows)}
    frames = [
        pd.DataFrame(
            {name: [cell] if name in LISTS else cell for name, cell in zip(COLUMNS, row, strict=True)}, index=[0]
        )
        for row in kinds.values()
    ]
    with warnings.catch_warnings():
        # About columns without a value in some row, whose dtype pandas means to change.
        warnings.simplefilter("ignore", FutureWarning)
        return pd.concat(frames, ignore_index=True).dtypes.to_dict()


def with_metadata(frame: pd.DataFrame, metadata: list[list | dict[str, Any]]) -> pd.DataFrame:
    """The frame and what delegates wrote: a list as one column, a dictionary with a column for each key."""
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
    """Bytes of a file that were no UTF-8 as ``\\xNN``, which every file takes."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def for_people(frame: pd.DataFrame) -> pd.DataFrame:
    """What a printed table shows."""
    shown = frame.drop(columns=list(HIDDEN))
    shown = shown[~shown["event_name"].str.contains(HIDDEN_EVENT)]
    return shown.reset_index(drop=True)
