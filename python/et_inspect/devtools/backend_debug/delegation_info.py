"""How many operators were handed to delegates, by type."""

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

# What exporting calls the node that runs a delegate, and the attribute that holds it.
_CALL = "executorch_call_delegate"
_LOWERED = "lowered_module_"


@dataclass
class DelegationBreakdown:
    """Operators of one type.

    Attributes:
        op_type: as ``aten_add_tensor``.
        delegated: how many a delegate runs.
        non_delegated: how many the runtime runs itself.
    """

    op_type: str = ""
    delegated: int = 0
    non_delegated: int = 0


@dataclass
class DelegationInfo:
    """What was handed to delegates.

    Attributes:
        num_delegated_subgraphs: delegates.
        num_delegated_nodes: operators inside them.
        num_non_delegated_nodes: operators beside them.
        delegation_by_operator: both, by type.
    """

    num_delegated_subgraphs: int
    num_delegated_nodes: int
    num_non_delegated_nodes: int
    delegation_by_operator: dict[str, DelegationBreakdown]

    def get_summary(self) -> str:
        """The three numbers, a line each."""
        return (
            f"Total delegated subgraphs: {self.num_delegated_subgraphs}\n"
            f"Number of delegated nodes: {self.num_delegated_nodes}\n"
            f"Number of non-delegated nodes: {self.num_non_delegated_nodes}\n"
        )

    def get_operator_delegation_dataframe(self) -> pd.DataFrame:
        """A data frame with a row for each type and one for the total: ``op_type``, ``occurrences_in_delegated_graphs`` and
        ``occurrences_in_non_delegated_graphs``."""
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
    """What of a program, or of a lowered graph, was handed to delegates.

    Args:
        graph_module: the path or the bytes of a program, an object of the exporter that has them as ``buffer``, or the
            lowered ``torch.fx.GraphModule`` of a method.
        etrecord: of the program's export: operators are counted as exporting named them. Without it they are counted as
            the instructions of the program, and the nodes of its delegates, are called.
        method: of the program; all by default.

    Raises:
        ArgumentError: something else was given.
        et_inspect.Error: a file that cannot be read, a method that is not there.
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
    """Prints the summary and the table of :func:`get_delegation_info`, which takes the same."""
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
    """Of a graph of torch, by its attributes alone."""
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
    """Types of the operators: names of nodes without the number that tells one from the other."""
    return [re.sub(r"_\d+$", "", node.name) for node in nodes if node.op == "call_function"]
