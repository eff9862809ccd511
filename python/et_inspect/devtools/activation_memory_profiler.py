"""Memory over time, with the API of ``executorch.util.activation_memory_profiler``."""

from __future__ import annotations

import collections
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ._given import program_file
from .etrecord._etrecord import as_record

if TYPE_CHECKING:
    import os


@dataclass
class Allocation:
    """A tensor in the memory plan.

    Attributes:
        name: name of the Edge graph's node or input that it holds, from the ETRecord; otherwise ``value_`` and its index in
            the program.
        op_name: the operator that writes it; empty for inputs.
        memory_id: the arena.
        memory_offset, size_bytes: offset in the arena and size, in bytes.
        fqn: the module of the operator; empty if unknown.
        file_and_line_num: locations in the Python source, one per line; empty if unknown.
    """

    name: str
    op_name: str
    memory_id: int
    memory_offset: int
    size_bytes: int
    fqn: str
    file_and_line_num: str


@dataclass
class MemoryTimeline:
    """The tensors alive at one step."""

    allocations: list[Allocation] = field(default_factory=list)


def create_tensor_allocation_info(
    program: Any, *, etrecord: str | os.PathLike | None = None, method: str = "forward"
) -> list[MemoryTimeline]:
    """Returns the tensors alive at each step of a program.

    Args:
        program: path or bytes of a program, or an exporter object with a ``buffer``.
        etrecord: its ETRecord, for names, modules and source lines.
        method: the method.

    Returns:
        The first element is the state before the first instruction, when inputs are set; the last is the state after all
        instructions, when outputs are read; the others are instructions. Only planned tensors are included, not weights
        and memory of delegates.
    """
    from .._reading import memory

    with program_file(program) as path:
        (plan,) = memory(path, etrecord=etrecord, method=method).to_json()["methods"]
    tensors = plan["tensors"]
    names = {} if etrecord is None else _names(etrecord, method, tensors)
    steps = [MemoryTimeline() for _ in range(max((each["last_step"] for each in tensors), default=-2) + 2)]
    for each in sorted(tensors, key=lambda each: each["value"]):
        placed = Allocation(
            name=each["name"] or names.get(each["value"]) or f"value_{each['value']}",
            op_name=each["operator"],
            memory_id=each["arena"],
            memory_offset=each["offset"],
            size_bytes=each["bytes"],
            fqn=each.get("module") or "",
            file_and_line_num="\n".join(each.get("source_lines") or ()),
        )
        for step in steps[each["first_step"] + 1 : each["last_step"] + 2]:
            step.allocations.append(placed)
    return steps


def _names(etrecord: Any, method: str, tensors: list[dict[str, Any]]) -> dict[int, str]:
    """Returns the name of the Edge graph's value in each planned value that the ETRecord identifies."""
    if all(each.get("module") is None for each in tensors):
        return {}  # the ETRecord belongs to another program, or has no debug handles
    record = as_record(etrecord)
    graphs = record.edge_dialect_program
    graph = graphs[method] if isinstance(graphs, dict) else graphs
    last_of = {handle: (at, node.name) for at, node in enumerate(graph.nodes) for handle in node.debug_handles}
    written = collections.Counter(each["instruction"] for each in tensors)
    handles = record._debug_handle_map.get(method, {})
    names = {}
    for each in tensors:
        known = handles.get(str(each["instruction"]), [])
        nodes = [last_of[handle] for handle in ([known] if isinstance(known, int) else known) if handle in last_of]
        # A delegate computes several nodes, the last of which is its output if it has only one.
        if nodes and (len(nodes) == 1 or written[each["instruction"]] == 1):
            names[each["value"]] = max(nodes)[1]
    inputs = [value for kind, value, _ in graph.inputs if kind == "user_input"]
    planned = sorted(each["value"] for each in tensors if each["kind"] == "input")
    if len(inputs) == len(planned):  # the exporter numbers inputs in their order
        names.update(zip(planned, inputs))
    return names


def _metadata(each: Allocation) -> dict[str, Any]:
    return {
        "op_name": each.op_name,
        "Memory ID": each.memory_id,
        "fqn": each.fqn,
        "source": each.file_and_line_num,
        "bytes": each.size_bytes,
    }


def generate_memory_trace(
    executorch_program_manager: Any,
    chrome_trace_filename: str | os.PathLike,
    enable_memory_offsets: bool = False,
    method_name: str = "forward",
    ommit_metadata: bool = False,
    *,
    etrecord: str | os.PathLike | None = None,
) -> None:
    """Writes the memory of a program over time for chrome://tracing and Perfetto.

    Each row (thread) is a step, each group of rows (process) an arena; the width of a box is the size of a tensor, with one
    byte drawn as one microsecond.

    Args:
        executorch_program_manager: path or bytes of a program, or the exporter's object.
        chrome_trace_filename: the file to write.
        enable_memory_offsets: place each tensor at its offset in the arena; otherwise tensors are placed side by side.
        method_name: the method.
        ommit_metadata: write no operators, modules and source lines. The spelling is ExecuTorch's.
        etrecord: the program's ETRecord, for names, modules and source lines.
    """
    events = []
    timeline = create_tensor_allocation_info(executorch_program_manager, etrecord=etrecord, method=method_name)
    for step, alive in enumerate(timeline):
        beside = 0
        for each in alive.allocations:
            events.append(
                {
                    "name": each.name,
                    "cat": "memory_allocation",
                    "ph": "X",
                    "ts": each.memory_offset if enable_memory_offsets else beside,
                    "dur": each.size_bytes,
                    "pid": each.memory_id,
                    "tid": step,
                    "args": {} if ommit_metadata else _metadata(each),
                }
            )
            beside += each.size_bytes
    with open(chrome_trace_filename, "w", encoding="utf-8") as file:
        json.dump({"traceEvents": events}, file, indent=2)
