"""Compares values that a program returns as additional outputs, as ``executorch.devtools.intermediate_output_tap``.

Functions that add outputs to a torch graph call ExecuTorch's and need it. Without an export, ``et-inspect gap`` compares
all values of a program with its ETRecord.
"""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ... import errors
from ..inspector._numbers import is_tensor, to_array

if TYPE_CHECKING:
    import pandas as pd

# Names that change or select nodes of torch graphs.
_OF_EXECUTORCH = (
    "FULL_TENSOR",
    "STATS",
    "NodeSelector",
    "StatReducer",
    "TapRule",
    "find_tap_nodes",
    "get_reducer",
    "is_tap_node",
    "select_all",
    "select_all_call_function",
    "select_any",
    "select_by_module_class",
    "select_by_module_path",
    "select_by_op_type",
    "select_not",
    "strip_taps_",
    "tap_compare",
    "tap_intermediate_outputs_",
)

__all__ = ["TapSpec", "compare_aot_runtime_dataframe"]


@dataclasses.dataclass(frozen=True)
class TapSpec:
    """An additional output: its node, and its index among the outputs."""

    node_name: str
    op_target: str
    output_index: int
    reducer_name: str
    fields: tuple[str, ...]
    stack_trace: str | None = None
    module_path: str | None = None
    module_class: str | None = None


def compare_aot_runtime_dataframe(
    specs: Sequence[Any], aot_flat: Sequence[Any], rt_flat: Sequence[Any]
) -> pd.DataFrame:
    """Returns a row per additional output with the values of the exported graph and of the runtime.

    Args:
        specs: the outputs, also ExecuTorch's ``TapSpec``.
        aot_flat: all outputs of the exported graph: numpy arrays, torch tensors, numbers or lists of them.
        rt_flat: all outputs of the program.

    Returns:
        With reducer ``FULL_TENSOR`` the signal to noise ratio (``sqnr_db``) and the numbers of elements; otherwise
        ``aot_<field>`` and ``rt_<field>`` for each field of the reducer.
    """
    import pandas as pd

    return pd.DataFrame([_row(spec, aot_flat[spec.output_index], rt_flat[spec.output_index]) for spec in specs])


def _row(spec: Any, reference: Any, value: Any) -> dict[str, Any]:
    names = ("node_name", "module_path", "module_class", "op_target", "reducer_name", "output_index")
    row = {name: getattr(spec, name) for name in names}
    expected, given = _numbers(reference), _numbers(value)
    if spec.reducer_name == "FULL_TENSOR":
        return {**row, "sqnr_db": _decibels(expected, given), "aot_numel": len(expected), "rt_numel": len(given)}
    fields = spec.fields or [f"v{index}" for index in range(max(len(expected), len(given)))]
    for index, field in enumerate(fields):
        row[f"aot_{field}"] = expected[index] if index < len(expected) else float("nan")
        row[f"rt_{field}"] = given[index] if index < len(given) else float("nan")
    return row


def _numbers(value: Any) -> list[float]:
    if isinstance(value, (list, tuple)):
        return [number for each in value for number in _numbers(each)]
    if is_tensor(value):
        return to_array(value).astype("float64").ravel().tolist()
    try:
        return [float(value)]
    except (TypeError, ValueError):
        return []


def _decibels(expected: list[float], given: list[float]) -> float:
    import numpy as np

    count = min(len(expected), len(given))
    if count == 0:
        return float("nan")
    signal = np.array(given[:count])
    noise = signal - np.array(expected[:count])
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(20 * np.log10(np.linalg.norm(signal) / np.linalg.norm(noise)))


def __getattr__(name: str) -> Any:
    if name not in _OF_EXECUTORCH:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = importlib.import_module("executorch.devtools.intermediate_output_tap")
    except ImportError as error:
        raise errors.NotFoundError(f"{name} works on torch graphs and needs ExecuTorch: {error}") from error
    return getattr(module, name)
