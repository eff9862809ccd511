"""Functions of ``executorch.devtools.inspector._inspector_utils`` that scripts use."""

from __future__ import annotations

import sys
from typing import IO, TYPE_CHECKING, Any

from ._comparison import _METRICS, compare_results
from ._events import TimeScale
from ._frames import for_people
from ._numbers import to_array

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "EDGE_DIALECT_GRAPH_KEY",
    "FORWARD",
    "TIME_SCALE_DICT",
    "TimeScale",
    "calculate_cosine_similarity",
    "calculate_mse",
    "calculate_snr",
    "calculate_time_scale_factor",
    "compare_results",
    "display_or_print_df",
]

FORWARD = "forward"
EDGE_DIALECT_GRAPH_KEY = "edge_dialect_graph_module"

# Units in a second.
TIME_SCALE_DICT = {
    TimeScale.NS: 1000000000,
    TimeScale.US: 1000000,
    TimeScale.MS: 1000,
    TimeScale.S: 1,
    TimeScale.CYCLES: 1,
}


def calculate_time_scale_factor(source_time_scale: TimeScale, target_time_scale: TimeScale) -> float:
    """Returns the target unit as a multiple of the source unit: 1000 from ns to us."""
    return TIME_SCALE_DICT[source_time_scale] / TIME_SCALE_DICT[target_time_scale]


def calculate_mse(ref_values: Any, values: Any) -> float:
    """Returns the mean of the squared differences."""
    return _METRICS["mse"](to_array(ref_values).astype("float32"), to_array(values).astype("float32"))


def calculate_snr(ref_values: Any, values: Any) -> float:
    """Returns the ratio of the power of the reference to that of the differences, in dB."""
    return _METRICS["snr"](to_array(ref_values).astype("float32"), to_array(values).astype("float32"))


def calculate_cosine_similarity(ref_values: Any, values: Any) -> float:
    """Returns the cosine of the angle between both, as vectors."""
    return _METRICS["cosine_similarity"](to_array(ref_values).astype("float32"), to_array(values).astype("float32"))


def display_or_print_df(df: pd.DataFrame, file: IO[str] = sys.stdout) -> None:
    """Prints a DataFrame of events as a table."""
    print(for_people(df).to_string(), file=file)
