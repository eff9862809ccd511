"""Graphs with their delegates as text, with the API of ``executorch.exir.backend.utils``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...devtools._given import program_file

_INDENT = "  "
# Exporter's name of the attribute that holds a delegate.
_LOWERED = "lowered_module_"


def get_delegates(graph: Any) -> list[Any]:
    """Returns the nodes of a torch graph that hold delegates.

    Args:
        graph: a ``torch.fx.Graph``.
    """
    return [node for node in graph.nodes if node.op == "get_attr" and node.name.startswith(_LOWERED)]


def format_delegated_graph(graph_module: Any, *, method: str = "forward") -> str:
    """Returns a graph as text, with the graph of each delegate under its call.

    Args:
        graph_module: the lowered ``torch.fx.GraphModule`` of a method, a graph of an ETRecord, or a program: path, bytes or
            exporter object.
        method: the method of a program.
    """
    if hasattr(graph_module, "_native") and hasattr(graph_module, "nodes"):
        return f"{graph_module}\n"
    lines = _of_module(graph_module) if hasattr(graph_module, "graph") else _of_program(graph_module, method)
    return "\n".join(["graph():", *lines]) + "\n"


def print_delegated_graph(graph_module: Any, *, method: str = "forward") -> None:
    """Prints the text of :func:`format_delegated_graph`. Same arguments."""
    print(format_delegated_graph(graph_module, method=method), end="")


def _of_module(module: Any) -> Iterator[str]:
    for node in module.graph.nodes:
        yield f"{_INDENT}{node.format_node()}"
        if node.op == "get_attr" and node.name.startswith(_LOWERED):
            lowered = getattr(module, node.name)
            inner = [each.format_node() for each in lowered.original_module.graph.nodes]
            yield from _delegate(lowered.backend_id, inner)


def _of_program(program: Any, method: str) -> Iterator[str]:
    from ... import _native

    with program_file(program) as path:
        contents = _native.program_contents(path)
        found = next((each for each in contents["methods"] if each["name"] == method), None)
        if found is None:
            from ... import errors

            raise errors.NotFoundError(f'no method "{method}"')
        inside = _insides(path, method)
    for at, instruction in enumerate(each for chain in found["chains"] for each in chain):
        yield f"{_INDENT}{_instruction(found, at, instruction)}"
        if instruction[0] == "DelegateCall":
            yield from _delegate(found["delegates"][instruction[1]], inside.get(at, []))


def _delegate(backend: str, nodes: list[str]) -> Iterator[str]:
    yield f"{_INDENT * 2}backend_id: {backend}"
    yield f"{_INDENT * 2}lowered graph():"
    for node in nodes:
        yield f"{_INDENT * 3}{node}"


def _instruction(method: dict[str, Any], at: int, instruction: tuple[Any, ...]) -> str:
    kind, *rest = instruction
    if kind == "KernelCall":
        name, arguments = method["operators"][rest[0]], rest[1]
    elif kind == "DelegateCall":
        name, arguments = "executorch_call_delegate", rest[1]
    else:
        name, arguments = kind, rest
    return f"%{at} = call_function[target={name}](args = ({', '.join(f'%v{each}' for each in arguments)}))"


def _insides(path: str, method: str) -> dict[int, list[str]]:
    """Returns the nodes of each delegate call, by instruction, as far as the payload can be described."""
    from ..._reading import graph

    document = graph(path, method=method).to_json()
    nodes: dict[int, list[str]] = {}
    for node in document["nodes"]:
        if node.get("group") is not None and node.get("instruction") is not None:
            nodes.setdefault(node["instruction"], []).append(f"%{node['name']} = {node['kind']}")
    return nodes
