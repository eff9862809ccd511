"""Counts delegated and undelegated operators by type."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ... import _native
from .._given import program_file

if TYPE_CHECKING:
    import os

    import pandas as pd

# Exporter's names for the node that calls a delegate, and for the attribute that holds the delegate.
_CALL = "executorch_call_delegate"
_LOWERED = "lowered_module_"


@dataclass
class DelegationBreakdown:
    """Operators of one type.

    Attributes:
        op_type: the type, such as ``aten_add_tensor``.
        delegated: number run by delegates.
        non_delegated: number run by the runtime.
    """

    op_type: str = ""
    delegated: int = 0
    non_delegated: int = 0


@dataclass
class DelegationInfo:
    """Delegation of a program.

    Attributes:
        num_delegated_subgraphs: number of delegates.
        num_delegated_nodes: number of operators inside delegates.
        num_non_delegated_nodes: number of operators outside delegates.
        delegation_by_operator: both numbers by operator type.
    """

    num_delegated_subgraphs: int
    num_delegated_nodes: int
    num_non_delegated_nodes: int
    delegation_by_operator: dict[str, DelegationBreakdown]

    def get_summary(self) -> str:
        """Returns the three numbers, one per line."""
        return (
            f"Total delegated subgraphs: {self.num_delegated_subgraphs}\n"
            f"Number of delegated nodes: {self.num_delegated_nodes}\n"
            f"Number of non-delegated nodes: {self.num_non_delegated_nodes}\n"
        )

    def get_operator_delegation_dataframe(self) -> pd.DataFrame:
        """Returns a data frame with a row per type and one for the total: ``op_type``, ``occurrences_in_delegated_graphs``
        and ``occurrences_in_non_delegated_graphs``."""
        import pandas as pd

        rows = sorted(self.delegation_by_operator.values(), key=lambda each: each.op_type)
        delegated, others = [each.delegated for each in rows], [each.non_delegated for each in rows]
        return pd.DataFrame(
            {
                "op_type": [*(each.op_type for each in rows), "Total"],
                "occurrences_in_delegated_graphs": [*delegated, sum(delegated)],
                "occurrences_in_non_delegated_graphs": [*others, sum(others)],
            }
        )


def get_delegation_info(
    graph_module: Any, *, etrecord: str | os.PathLike | None = None, method: str = ""
) -> DelegationInfo:
    """Counts delegated operators of a program or a lowered graph.

    Args:
        graph_module: path or bytes of a program, an exporter object with a ``buffer``, or the lowered
            ``torch.fx.GraphModule`` of a method.
        etrecord: the program's ETRecord: operators are counted under the exporter's names. Without it, they are counted
            under the names of the program's instructions and of the delegates' nodes.
        method: a method of the program; default: all.

    Raises:
        ArgumentError: ``graph_module`` is of another type.
        et_inspect.Error: unreadable file or unknown method.
    """
    if hasattr(graph_module, "graph"):
        subgraphs, counts = _of_module(graph_module)
    else:
        subgraphs, counts = _of_program(graph_module, etrecord, method)
    by_type: dict[str, DelegationBreakdown] = {}
    for op_type, delegated, others in counts:
        found = by_type.setdefault(op_type, DelegationBreakdown(op_type))
        found.delegated += delegated
        found.non_delegated += others
    return DelegationInfo(
        num_delegated_subgraphs=subgraphs,
        num_delegated_nodes=sum(each.delegated for each in by_type.values()),
        num_non_delegated_nodes=sum(each.non_delegated for each in by_type.values()),
        delegation_by_operator=by_type,
    )


def print_delegation_info(
    graph_module: Any, *, etrecord: str | os.PathLike | None = None, method: str = ""
) -> None:
    """Prints the summary and the table of :func:`get_delegation_info`. Same arguments."""
    found = get_delegation_info(graph_module, etrecord=etrecord, method=method)
    frame = found.get_operator_delegation_dataframe()
    print(found.get_summary())
    print(_native.grid(list(frame.columns), frame.astype(object).values.tolist()), end="")


Counts = list[tuple[str, int, int]]


def _of_program(program: Any, etrecord: str | os.PathLike | None, method: str) -> tuple[int, Counts]:
    from ..._reading import delegates

    with program_file(program) as path:
        methods = delegates(path, etrecord=etrecord, method=method).to_json()["methods"]
    counts = [
        (re.sub(r"[.:]+", "_", each["operator"]).lower(), each["delegated"], each["undelegated"])
        for found in methods
        for each in found["operators"]
    ]
    return sum(len(found["delegates"]) for found in methods), counts


def _of_module(module: Any) -> tuple[int, Counts]:
    """Counts operators of a torch graph through its attributes, without importing torch."""
    nodes = list(module.graph.nodes)
    lowered = [node for node in nodes if node.op == "get_attr" and node.name.startswith(_LOWERED)]
    beside = [(name, 0, 1) for name in _called(nodes) if name != _CALL]
    inside = [
        (name, 1, 0)
        for node in lowered
        for name in _called(getattr(module, node.name).original_module.graph.nodes)
    ]
    return len(lowered), beside + inside


def _called(nodes: Iterable[Any]) -> list[str]:
    """Returns operator types: node names without their numeric suffix."""
    return [re.sub(r"_\d+$", "", node.name) for node in nodes if node.op == "call_function"]
