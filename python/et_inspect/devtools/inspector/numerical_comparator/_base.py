"""Base class of custom comparators."""

from __future__ import annotations

import collections.abc
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .... import errors

if TYPE_CHECKING:
    import pandas as pd

    from .._inspector import Inspector

DebugHandle = tuple[int, ...]
IntermediateOutputMapping = dict[tuple[DebugHandle, Any], tuple[DebugHandle, Any]]


COLUMNS = [
    "aot_debug_handle",
    "aot_ops",
    "aot_intermediate_output",
    "runtime_ops",
    "runtime_debug_handle",
    "runtime_intermediate_output",
    "gap",
]


class NumericalComparatorBase(ABC):
    """Compares values operator by operator.

    Override element_compare() to define a distance, and preprocessing() to change values before the comparison, for example
    to dequantize them.
    """

    def __init__(self, inspector: Inspector | None = None) -> None:
        self._inspector = inspector

    @property
    def inspector(self) -> Inspector | None:
        """The Inspector whose values are compared; calculate_numeric_gap() sets it."""
        return self._inspector

    @inspector.setter
    def inspector(self, value: Inspector | None) -> None:
        self._inspector = value

    def preprocessing(self, mapping: IntermediateOutputMapping) -> IntermediateOutputMapping:
        """Returns the values to compare: ``{(debug handles, value of the graph): (debug handles, value of the runtime)}``.

        Values in keys are compared by identity. Debug handles are tuples of integers; a pair whose value is None is omitted.
        """
        return mapping

    @abstractmethod
    def element_compare(self, a: Any, b: Any) -> float:
        """Returns the distance between two values.

        Args:
            a: value of the graph: a numpy array, or a torch tensor if torch is imported.
            b: value of the runtime, likewise.
        """

    def compare(
        self,
        mapping: IntermediateOutputMapping,
        aot_debug_handle_to_op_names: dict[DebugHandle, list[str]],
        runtime_debug_handle_to_op_names: dict[DebugHandle, list[str]],
    ) -> pd.DataFrame:
        """Returns the data frame of calculate_numeric_gap() with the distances of all pairs.

        Raises:
            ArgumentError: preprocessing() returned something other than such a mapping.
        """
        import pandas as pd

        rows = [
            {
                "aot_debug_handle": reference_handles,
                "aot_ops": _names(reference_handles, aot_debug_handle_to_op_names),
                "aot_intermediate_output": reference,
                "runtime_ops": _names(runtime_handles, runtime_debug_handle_to_op_names),
                "runtime_debug_handle": runtime_handles,
                "runtime_intermediate_output": runtime,
                "gap": self.distances(reference, runtime),
            }
            for (reference_handles, reference), (runtime_handles, runtime) in _checked(self.preprocessing(mapping)).items()
            if reference is not None and runtime is not None
        ]
        return pd.DataFrame(rows, columns=COLUMNS)

    def distances(self, a: Any, b: Any) -> list[float]:
        """Returns the distance between two values, or between each pair of two sequences."""
        if isinstance(a, Sequence) != isinstance(b, Sequence):
            raise ValueError("expected two sequences or two single values, got one of each")
        if not isinstance(a, Sequence):
            return [self.element_compare(a, b)]
        if len(a) != len(b):
            raise ValueError(f"expected sequences of equal length, got {len(a)} and {len(b)}")
        return [self.element_compare(one, other) for one, other in zip(a, b)]


def _checked(mapping: Any) -> IntermediateOutputMapping:
    """Returns the result of preprocessing() if it has the form of a mapping."""
    if not isinstance(mapping, collections.abc.Mapping):
        raise errors.ArgumentError(f"preprocessing(): expected a dictionary, got {type(mapping).__name__}")
    for side, pairs in (("key", mapping.keys()), ("value", mapping.values())):
        for pair in pairs:
            if not (isinstance(pair, tuple) and len(pair) == 2 and _are_handles(pair[0])):
                raise errors.ArgumentError(
                    f"preprocessing(): expected each {side} to be (debug handles, value), got {_described(pair)}"
                )
    return mapping


def _are_handles(value: Any) -> bool:
    return isinstance(value, tuple) and all(isinstance(each, int) for each in value)


def _described(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(type(each).__name__ for each in value)})"
    return type(value).__name__


def _names(handles: DebugHandle, by_handles: dict[DebugHandle, list[str]]) -> list[str]:
    wanted = set(handles)
    return [name for key, names in by_handles.items() if wanted.issuperset(key) for name in names]
