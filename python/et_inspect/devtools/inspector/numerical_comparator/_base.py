"""Base class of custom comparators."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from .._inspector import Inspector

Handles = tuple[int, ...]
Mapping = dict[tuple[Handles, Any], tuple[Handles, Any]]


class NumericalComparatorBase(ABC):
    """Compares values operator by operator.

    Override element_compare() to define a distance, and preprocessing() to change values before the comparison, for example
    to dequantize them.
    """

    def __init__(self, inspector: Inspector | None = None) -> None:
        self.inspector = inspector

    def preprocessing(self, mapping: Mapping) -> Mapping:
        """Returns the values to compare: ``{(debug handles, value of the graph): (debug handles, value of the runtime)}``.

        Values in keys are compared by identity.
        """
        return mapping

    @abstractmethod
    def element_compare(self, a: Any, b: Any) -> float:
        """Returns the distance between two values.

        Args:
            a: value of the graph, a numpy array.
            b: value of the runtime, a numpy array.
        """

    def compare(
        self,
        mapping: Mapping,
        aot_debug_handle_to_op_names: dict[Handles, list[str]],
        runtime_debug_handle_to_op_names: dict[Handles, list[str]],
    ) -> pd.DataFrame:
        """Returns the data frame of calculate_numeric_gap() with the distances of all pairs."""
        import pandas as pd

        rows = [
            {
                "aot_ops": _names(reference_handles, aot_debug_handle_to_op_names),
                "aot_intermediate_output": reference,
                "runtime_ops": _names(runtime_handles, runtime_debug_handle_to_op_names),
                "runtime_intermediate_output": runtime,
                "gap": self.distances(reference, runtime),
            }
            for (reference_handles, reference), (runtime_handles, runtime) in self.preprocessing(mapping).items()
            if reference is not None and runtime is not None
        ]
        return pd.DataFrame(rows)

    def distances(self, a: Any, b: Any) -> list[float]:
        """Returns the distance between two values, or between each pair of two sequences."""
        if isinstance(a, Sequence) != isinstance(b, Sequence):
            raise ValueError("expected two sequences or two single values, got one of each")
        if not isinstance(a, Sequence):
            return [self.element_compare(a, b)]
        if len(a) != len(b):
            raise ValueError(f"expected sequences of equal length, got {len(a)} and {len(b)}")
        return [self.element_compare(one, other) for one, other in zip(a, b, strict=True)]


def _names(handles: Handles, by_handles: dict[Handles, list[str]]) -> list[str]:
    wanted = set(handles)
    return [name for key, names in by_handles.items() if wanted.issuperset(key) for name in names]
