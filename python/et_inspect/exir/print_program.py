"""Programs and nodes of graphs as text, with the API of ``executorch.exir.print_program``."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TextIO

from .. import _native
from ..devtools._given import program_source

if TYPE_CHECKING:
    from ..devtools.etrecord import Graph, Node

_DTYPES = {0: "bt", 1: "c", 2: "s", 3: "i", 4: "l", 5: "h", 6: "f", 7: "d", 8: "c32", 9: "c64", 10: "c128", 11: "b",
           12: "qi8", 13: "qui8", 14: "qi32", 15: "bf16"}
_RED, _BLUE, _PLAIN = "\033[31m", "\033[34m", "\033[0m"


def print_program(
    program: Any,
    show_meminfo: bool = True,
    mark_dynamic_shape_tensor: bool = False,
    out: TextIO | None = None,
    *,
    method: str | None = None,
) -> None:
    """Prints the instructions of a program.

    A value is its index, ``I`` or ``O`` with a number for inputs and outputs, its type and its content: ``T`` is a tensor,
    ``CT`` a constant one, ``m1.64`` the arena and offset of its memory.

    Args:
        program: a program: path, bytes or exporter object with a ``buffer``.
        show_meminfo: add the memory of tensors.
        mark_dynamic_shape_tensor: mark tensors whose sizes are upper bounds.
        out: a text file open for writing; default: standard output.
        method: default: the first.
    """
    methods = _native.program_contents(program_source(program))["methods"]
    found = next((each for each in methods if method in (None, each["name"])), None)
    if found is None:
        from .. import errors

        raise errors.NotFoundError(f'no method "{method}"')
    lines = _Lines(found, show_meminfo, mark_dynamic_shape_tensor)
    instructions = [each for chain in found["chains"] for each in chain]
    out = out or sys.stdout
    print(f"The program contains the following {len(instructions)} instructions", file=out)
    for index, instruction in enumerate(instructions):
        print(f"{index:3}: {lines.instruction(instruction)}", file=out)


class _Lines:
    """Formats the instructions of a method."""

    def __init__(self, method: dict[str, Any], memory: bool, dynamic: bool) -> None:
        self._method = method
        self._memory = memory
        self._dynamic = dynamic

    def instruction(self, instruction: tuple[Any, ...]) -> str:
        kind, first, *rest = instruction
        if kind == "KernelCall":
            return f"{self._method['operators'][first]} {','.join(map(self._value, rest[0]))}"
        if kind == "DelegateCall":
            return f"{self._method['delegates'][first]} {','.join(map(self._value, rest[0]))}"
        if kind == "JumpFalseCall":
            return f"JF ({self._value(first)}) -> {rest[0]}"
        if kind == "MoveCall":
            return f"MOVE {self._value(first)} -> {self._value(rest[0])}"
        return f"FREE {self._value(first)}"

    def _value(self, index: int) -> str:
        text = str(index)
        for letter, ids in (("I", self._method["inputs"]), ("O", self._method["outputs"])):
            if index in ids:
                text += f"{_RED}{letter}{ids.index(index)}{_PLAIN}"
        return f"{text}{_BLUE}{self._typed(self._method['values'][index])}{_PLAIN}"

    def _typed(self, value: dict[str, Any]) -> str:
        kind = value["type"]
        if kind == "Tensor":
            return self._tensor(value)
        if kind in ("TensorList", "OptionalTensorList"):
            return f"{'TL' if kind == 'TensorList' else 'OTL'}{value['value']}"
        letters = {"Int": "I", "Bool": "B", "Double": "D", "String": "S", "IntList": "IL", "BoolList": "BL", "DoubleList": "DL"}
        if kind not in letters:
            return "N"
        content = value["value"]
        return letters[kind] + str(int(content) if kind == "Bool" else content)

    def _tensor(self, tensor: dict[str, Any]) -> str:
        constant = tensor["allocation"] is None and (tensor["data"] is not None or tensor["external"])
        place = ""
        if self._memory:
            place = "m." if tensor["allocation"] is None else "m{}.{}".format(*tensor["allocation"])
        mark = "*" if self._dynamic and tensor["dynamism"] != 0 else ""
        dtype = _DTYPES.get(tensor["dtype"], tensor["dtype_name"])
        return f"{'CT' if constant else 'T'}{place if not constant else ''}{mark}{tensor['sizes']}{dtype}"


def add_cursor_to_graph(graph: Any, finding_node: Any) -> str:
    """Returns a graph as text, with an arrow at a node.

    Args:
        graph: a ``torch.fx.Graph`` or a graph of an ETRecord.
        finding_node: the node, or its name.
    """
    name = finding_node if isinstance(finding_node, str) else finding_node.name
    marked = re.compile(rf"%?{re.escape(name)}\b")
    lines = str(graph).splitlines() if _is_of_record(graph) else ["graph():", *_formatted(graph)]
    return "\n".join(f"--> {line.strip()}" if marked.match(line.strip()) else line for line in lines)


def inspect_node(graph: Any, node: Any) -> str:
    """Returns a graph as text, with an arrow at a node, and the node's Python stack.

    Args:
        graph: a ``torch.fx.Graph`` or a graph of an ETRecord.
        node: one of its nodes, or its name.
    """
    found = _find(graph, node)
    text = f"Here is the node in the graph module:\n{add_cursor_to_graph(graph, found)}\n"
    text += f"This node {found.name} has metadata of:\n"
    meta = getattr(found, "meta", {})
    if "spec" in meta:
        text += f"The node spec:\n{meta['spec']}\n"
    stack = meta.get("stack_trace") or getattr(found, "stack_trace", None)
    if stack:
        text += f"The node stacktrace:\nTraceback (most recent call last):\n{stack.rstrip()}\n"
    modules = getattr(found, "nn_module_stack", None)
    if modules:
        text += "The node modules:\n" + "".join(f"    {path}: {kind}\n" for path, kind in modules.values())
    return text


def _find(graph: Graph | Any, node: Node | str | Any) -> Any:
    if not isinstance(node, str):
        return node
    for each in graph.nodes:
        if each.name == node:
            return each
    from .. import errors

    raise errors.NotFoundError(f"no node {node!r} in the graph")


def _is_of_record(graph: Any) -> bool:
    return hasattr(graph, "_native")


def _formatted(graph: Any) -> Iterator[str]:
    for node in graph.nodes:
        line = node.format_node()
        if line:
            yield "    " + line
