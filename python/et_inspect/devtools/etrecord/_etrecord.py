"""ETRecords and their graphs."""

from __future__ import annotations

import dataclasses
import os
from functools import cached_property
from collections.abc import Mapping
from typing import Any

from ... import _native, errors
from ..._display import Rows, Shown
from . import _entries
from ._editing import EditableRecord


@dataclasses.dataclass(frozen=True)
class Node:
    """An operator of a graph.

    Attributes:
        name: name in the graph, such as ``aten_convolution_default``.
        target: the serialized function name.
        op: the operator, such as ``aten.convolution.default``.
        inputs, outputs: names of the graph's values; None for a missing optional value.
        stack_trace: Python stack trace; None if not recorded at export.
        nn_module_stack: ``{path: (name, type)}``, outermost first.
        debug_handles: link the node to runtime events; empty if not assigned at export.
        arguments: (name, value) of each argument, as torch.fx prints values: ``("stride", "[1, 1]")``.
    """

    name: str
    target: str
    op: str
    inputs: list[str | None]
    outputs: list[str | None]
    stack_trace: str | None
    nn_module_stack: dict[str, tuple[str, str]]
    debug_handles: list[int]
    arguments: list[tuple[str, str]] = dataclasses.field(default_factory=list)

    def format_node(self) -> str:
        """Returns the node as torch.fx prints it, without the number of users."""
        values = ", ".join(value for _, value in self.arguments)
        return f"%{self.name} = call_function[target={self.target}](args = ({values}), kwargs = {{}})"


class Graph(Shown):
    """A graph of an ETRecord: the Edge graph of a method, or the exported program."""

    def __init__(
        self, name: str, native: Any, place: dict[str, str] | None = None, entry: str | None = None
    ) -> None:
        self.name = name
        self._native = native
        self._place = place
        self._entry = entry

    @cached_property
    def nodes(self) -> list[Node]:
        """The operators, in execution order."""
        return [Node(**fields) for fields in self._native.nodes()]

    @property
    def inputs(self) -> list[tuple[str, str, str]]:
        """(kind, value, target) of each input, such as ``("parameter", "p_conv_weight", "conv.weight")``."""
        return self._native.inputs()

    @property
    def outputs(self) -> list[tuple[str, str, str]]:
        """(kind, value, target) of each output."""
        return self._native.outputs()

    @property
    def graph(self) -> Graph:
        """The graph itself, for scripts that expect torch's ``ExportedProgram.graph``."""
        return self

    @property
    def graph_module(self) -> Graph:
        """The graph itself, for scripts that expect torch's ``ExportedProgram.graph_module``."""
        return self

    def __str__(self) -> str:
        users: dict[str, int] = {}
        for node in self.nodes:
            for value in set(node.inputs) - {None}:
                users[value] = users.get(value, 0) + 1
        lines = ["graph():"]
        for kind, value, target in self.inputs:
            described = f"{kind} {target}" if target else kind
            lines.append(f"    %{value} : [num_users={users.get(value, 0)}] = placeholder[target={value}]  # {described}")
        for node in self.nodes:
            count = sum(users.get(value, 0) for value in node.outputs if value is not None)
            lines.append("    " + node.format_node().replace(" = ", f" : [num_users={count}] = ", 1))
        lines.append(f"    return ({', '.join(value for _, value, _ in self.outputs)})")
        return "\n".join(lines)

    def print_readable(self, print_output: bool = True) -> str:
        """Returns the graph as text, and prints it.

        Args:
            print_output: print the text.
        """
        text = str(self)
        if print_output:
            print(text)
        return text

    def to_svg(self) -> str | None:
        """Returns an SVG that follows the viewer's light or dark theme; None if the graph's ETRecord is unknown."""
        return self._picture()

    def _caption(self) -> str:
        return f"graph {self.name} of {len(self)} operators"

    def _rows(self) -> Rows:
        rows = [(node.name, node.op, node.inputs, node.outputs, node.debug_handles) for node in self.nodes]
        return ("name", "op", "inputs", "outputs", "debug_handles"), rows

    def _picture(self) -> str | None:
        if self._place is None:
            return None
        from ..._reading import graph

        return graph(**self._place).to_svg()

    def __len__(self) -> int:
        return len(self._native)

    def __repr__(self) -> str:
        return f"<Graph {self.name!r} of {len(self)} operators>"


class ETRecord(EditableRecord, Shown):
    """An ETRecord. Its graphs are :class:`Graph` objects, which do not need torch.

    Constructed without arguments, it is empty; the functions ``add_…`` and ``update_…`` fill it.
    """

    def __init__(
        self,
        exported_program: Any = None,
        export_graph_id: int | None = None,
        edge_dialect_program: Any = None,
        graph_map: Mapping[str, Any] | None = None,
        *,
        native: _native.Record | None = None,
    ) -> None:
        """
        Args:
            exported_program: as in add_exported_program().
            export_graph_id: the exporter's identifier of its graph; default: that of ``exported_program``.
            edge_dialect_program: as in add_edge_dialect_program().
            graph_map: as in add_extra_export_modules().
            native: for internal use.
        """
        super().__init__(native)
        if exported_program is not None:
            self.add_exported_program(exported_program)
        if export_graph_id is not None:
            self._change({_entries.EXPORT_GRAPH_ID: _entries.as_json(export_graph_id)})
        if edge_dialect_program is not None:
            self.add_edge_dialect_program(edge_dialect_program)
        if graph_map:
            self.add_extra_export_modules(graph_map)

    @property
    def path(self) -> str:
        """Path of the file, as given; empty for an ETRecord without an Edge graph."""
        return "" if self._native is None else self._native.path

    @property
    def methods(self) -> list[str]:
        """Methods with an Edge graph."""
        return [] if self._native is None else self._native.methods

    @cached_property
    def edge_dialect_program(self) -> Graph | dict[str, Graph] | None:
        """The Edge graph; for several methods, a dictionary by method."""
        graphs = {name: self._edge_graph(name) for name in self.methods}
        if len(graphs) == 1:
            return next(iter(graphs.values()))
        return graphs or None

    def _edge_graph(self, name: str) -> Graph:
        place = {"file": self.path, "source": "edge", "method": name}
        return Graph(name, self._native.edge_graph(name), place, f"{_entries.EDGE}/{name}")

    @cached_property
    def exported_program(self) -> Graph | None:
        """The graph from torch.export; None if the ETRecord does not contain it."""
        native = None if self._native is None else self._native.exported_program()
        place = {"file": self.path, "source": "exported"}
        return None if native is None else Graph("exported_program", native, place, _entries.EXPORTED)

    @cached_property
    def graph_map(self) -> dict[str, Graph]:
        """Additional graphs by name."""
        return {
            name: Graph(name, self._native.extra_graph(name), {"file": self.path, "source": name}, name)
            for name in (() if self._native is None else self._native.extra_graphs)
        }

    @property
    def export_graph_id(self) -> int | None:
        """The exporter's identifier of the graph; None if not recorded."""
        return None if self._native is None else self._native.export_graph_id

    def copy(self) -> ETRecord:
        """Returns an ETRecord with the same graphs, without the maps, outputs and inputs of a program."""
        made = ETRecord()
        program_data = (_entries.HANDLES, _entries.DELEGATES, _entries.OUTPUT_COUNTS, _entries.REFERENCE_OUTPUTS,
                        _entries.REPRESENTATIVE_INPUTS)
        made._change({name: data for name, data in self._all_entries().items() if name not in program_data})
        return made

    @cached_property
    def _debug_handle_map(self) -> dict[str, dict[str, int | list[int]]]:
        return self._maps("debug_handle_map")

    @cached_property
    def _delegate_map(self) -> dict[str, dict[str, dict[str, Any]]]:
        return self._maps("delegate_map")

    @cached_property
    def _instruction_id_to_num_outs_map(self) -> dict[str, dict[str, int]]:
        return self._maps("output_counts")

    @cached_property
    def _reference_outputs(self) -> dict[str, list[list[Any]]] | None:
        """Expected outputs of the exporter's bundled program: by method, then by case, one value per output."""
        return self._archived("reference_outputs")

    @cached_property
    def _representative_inputs(self) -> list[Any] | None:
        """The inputs of the first case of ``forward``."""
        return self._archived("representative_inputs")

    def _archived(self, archive: str) -> Any:
        if self._native is None or archive not in self._native.archives:
            return None
        return _nested(self._native.archived(archive))

    def _maps(self, kind: str) -> dict[str, Any]:
        found = {name: getattr(self._native, kind)(name) for name in self.methods}
        return {name: each for name, each in found.items() if each is not None}

    def tensors(self) -> list[dict[str, Any]]:
        """Returns name, archive, dtype, sizes and bytes of each weight and input."""
        return [] if self._native is None else self._native.tensors()

    def _caption(self) -> str:
        return f"ETRecord {self.path} of {', '.join(self.methods)}"

    def _rows(self) -> Rows:
        edge = self.edge_dialect_program
        graphs = list((edge if isinstance(edge, dict) else {edge.name: edge} if edge else {}).values())
        graphs += [self.exported_program] if self.exported_program is not None else []
        graphs += self.graph_map.values()
        return ("graph", "operators", "inputs", "outputs"), [
            (graph.name, len(graph), len(graph.inputs), len(graph.outputs)) for graph in graphs
        ]

    def __repr__(self) -> str:
        return f"<ETRecord {self.path!r}: {', '.join(self.methods)}>"


def _nested(found: list[tuple[str, Any]]) -> Any:
    """Builds nested lists from indexed names: ``[("forward[0][1]", x)]`` becomes ``{"forward": [[None, x]]}``."""
    import re

    methods: dict[str, list[Any]] = {}
    for name, value in found:
        method, way = re.fullmatch(r"(.*?)((?:\[\d+\])*)", name, re.DOTALL).groups()
        indices = [int(index) for index in re.findall(r"\d+", way)]
        if not indices:
            methods[method] = value
            continue
        inside = methods.setdefault(method, [])
        for index in indices[:-1]:
            inside = _at(inside, index, list)
        _at(inside, indices[-1], lambda: None)
        inside[indices[-1]] = value
    return methods[""] if list(methods) == [""] else methods


def _at(values: list[Any], index: int, make: Any) -> Any:
    """Returns the element at an index, creating it if needed. Missing elements before it were not tensors, and become None."""
    values += [None] * (index + 1 - len(values))
    if values[index] is None:
        values[index] = make()
    return values[index]


def as_record(given: Any) -> ETRecord:
    """Returns an ETRecord from an ETRecord, a path, or an exporter object, which is saved to a temporary file and read.

    Raises:
        TypeError: ``given`` is none of these.
    """
    if isinstance(given, ETRecord):
        return given
    if isinstance(given, (str, os.PathLike)):
        return parse_etrecord(given)
    if not hasattr(given, "save"):
        raise TypeError(f"etrecord: expected an ETRecord or a path, got {type(given).__name__}")
    import tempfile  # imported here to keep the import of the package fast

    # The ETRecord reads its file lazily, so the folder must exist as long as the ETRecord.
    folder = tempfile.TemporaryDirectory(prefix="et-inspect-record-")
    path = os.path.join(folder.name, "exported.etrecord")
    given.save(path)
    record = parse_etrecord(path)
    record._folder = folder
    return record


def generate_etrecord(*arguments: Any, **keywords: Any) -> None:
    """Calls ``executorch.devtools.generate_etrecord``: only ExecuTorch can serialize torch graphs.

    A :class:`~et_inspect.devtools.BundledProgram` is passed as ExecuTorch's; its program must be the exporter's object, which
    has the debug handles.

    Raises:
        et_inspect.errors.NotFoundError: ExecuTorch is not installed.
        et_inspect.errors.ArgumentError: a bundled program of a file.
    """
    try:
        from executorch.devtools import generate_etrecord as generate
    except ImportError as error:
        raise errors.NotFoundError(f"generate_etrecord() serializes torch graphs and needs ExecuTorch: {error}") from error
    generate(
        *(_of_executorch(each) for each in arguments), **{name: _of_executorch(each) for name, each in keywords.items()}
    )


def _of_executorch(given: Any) -> Any:
    """Returns ExecuTorch's bundled program for ours, with torch tensors; other objects unchanged."""
    from ..bundled_program import BundledProgram

    if not isinstance(given, BundledProgram):
        return given
    program = given.executorch_program
    if isinstance(program, (str, bytes, bytearray, memoryview, os.PathLike)):
        raise errors.ArgumentError(
            "generate_etrecord(): expected a bundled program of the exporter's program object, got one of a file or bytes, "
            "which have no debug handles"
        )
    from executorch.devtools import BundledProgram as Theirs
    from executorch.devtools.bundled_program.config import MethodTestCase, MethodTestSuite

    suites = [
        MethodTestSuite(
            method_name=suite.method_name,
            test_cases=[MethodTestCase(_tensors(case.inputs), _tensors(case.expected_outputs)) for case in suite.test_cases],
        )
        for suite in given.method_test_suites
    ]
    return Theirs(program, suites)


def _tensors(values: list[Any]) -> list[Any]:
    """Returns arrays as torch tensors; other values unchanged."""
    import torch

    # torch requires memory that it may write.
    return [torch.from_numpy(value.copy()) if type(value).__module__ == "numpy" else value for value in values]


def parse_etrecord(etrecord_path: str | os.PathLike) -> ETRecord:
    """Reads an ETRecord.

    Raises:
        et_inspect.Error: no such file, or not an ETRecord; the message names the zip entry.
    """
    return ETRecord(native=_native.Record.open(os.fspath(etrecord_path)))
