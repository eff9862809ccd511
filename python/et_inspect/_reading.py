"""Workflows that read files without running models, with the code of the command line."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from . import _native
from ._arguments import PathLike, Paths, TimeUnit, path, paths, texts
from ._display import Rows
from ._document import Fields, Result, columns_of

Overlay = Literal["kind", "dtype", "bytes", "time", "error", "partition", "quantized"]


class MemoryResult(Result):
    """The memory plans of a program; ``methods`` has one per method."""

    _COLUMNS = ("value", "kind", "arena", "tensor", "bytes", "offset")
    _COLUMNS += ("first_step", "last_step", "name", "operator", "module")

    def __init__(self, page: _native.MemoryPage) -> None:
        super().__init__(page.json())
        self._page = page

    @property
    def planned_bytes(self) -> int:
        """Total size of all arenas of all methods, in bytes."""
        return sum(method["planned_bytes"] for method in self._values["methods"])

    @property
    def peak_bytes(self) -> int:
        """Peak of live bytes, summed over methods: a lower bound for any plan with this instruction order."""
        return sum(method["peak_bytes"] for method in self._values["methods"])

    def text(self, top: int = 10) -> str:
        """Returns the command line's text output. ``top``: tensors to list; 0: all."""
        return self._page.text(top)

    def to_chrome_trace(self, memory_offsets: bool = False) -> str:
        """Returns live tensors by instruction for chrome://tracing, in the layout of ExecuTorch's ``generate_memory_trace()``.

        Args:
            memory_offsets: place each tensor at its offset in the arena; otherwise tensors are placed side by side.
        """
        return self._page.chrome_trace(memory_offsets)

    def _caption(self) -> str:
        return f"{self._values['file']}: {self.planned_bytes:,} bytes planned, {self.peak_bytes:,} at the peak"

    def _rows(self) -> Rows:
        rows = [
            [method["method"], *(tensor.get(name) for name in self._COLUMNS)]
            for method in self._values["methods"]
            for tensor in method["tensors"]
        ]
        return ("method", *self._COLUMNS), rows

    def _picture(self) -> str:
        return self._page.picture()


class DelegatesResult(Result):
    """Delegates of a program and delegation of its operators; ``methods`` has one entry per method."""

    _COLUMNS = ("id", "backend", "device", "payload_bytes", "payload_format", "nodes", "constant_bytes", "edge_nodes")

    def __init__(self, page: _native.DelegatesPage, nodes: bool) -> None:
        super().__init__(page.json(nodes))
        self._page = page

    def text(self, nodes: bool = False) -> str:
        """Returns the command line's text output. ``nodes``: include every node and value inside delegates."""
        return self._page.text(nodes)

    def _caption(self) -> str:
        totals = [method["operators_total"] for method in self._values["methods"]]
        count, delegated = sum(each["count"] for each in totals), sum(each["delegated"] for each in totals)
        return f"{self._values['file']}: {delegated} of {count} operators are delegated"

    def _rows(self) -> Rows:
        rows = [
            [method["name"], *(delegate.get(name) for name in self._COLUMNS), len(delegate["calls"])]
            for method in self._values["methods"]
            for delegate in method["delegates"]
        ]
        return ("method", *self._COLUMNS, "calls"), rows

    def _picture(self) -> str | None:
        operators = [each for method in self._values["methods"] for each in method["operators"]]
        bars = [
            (
                each["operator"],
                float(each["count"]),
                f"{each['delegated']} of {each['count']} delegated",
                None,
                None,
                "good" if each["delegated"] == each["count"] else "faint" if each["delegated"] == 0 else "plain",
            )
            for each in sorted(operators, key=lambda each: -each["count"])
        ]
        return _native.bar_picture("operators by count", bars) if bars else None


class FindingsResult(Result):
    """Wasted time and memory, costliest first. Iterates over the findings."""

    _COLUMNS = ("rule", "finding", "share", "weight", "unit", "method", "instructions")

    def __iter__(self) -> Iterator[Fields]:  # type: ignore[override]
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self._values["findings"])

    def _caption(self) -> str:
        return f"{len(self)} findings"

    def _rows(self) -> Rows:
        return columns_of(self._values["findings"], self._COLUMNS)

    def _picture(self) -> str | None:
        bars = [
            (each["finding"], 100 * each["share"], f"{each['share']:.1%}", None, None, "plain")
            for each in self._values["findings"]
            if each["share"] is not None
        ]
        return _native.bar_picture("share of run time or memory, in percent", bars) if bars else None


class GraphResult(Result):
    """A graph: ``nodes``, ``values`` and ``groups``."""

    _COLUMNS = ("node", "name", "kind", "group", "instruction", "debug_handles", "instruction_time")

    def __init__(self, page: _native.GraphPage, timeout: float) -> None:
        super().__init__(page.json(), page.warnings)
        self._page = page
        self._timeout = timeout
        self._drawn: str | None = None

    def text(self) -> str:
        """Returns the diagram as indented lines."""
        return self._page.text()

    def to_dot(self) -> str:
        """Returns the diagram in Graphviz's DOT format."""
        return self._page.dot()

    def to_model_explorer(self, clusters: bool = False) -> str:
        """Returns a graph collection for Google's Model Explorer, as JSON.

        Args:
            clusters: group nodes by partition and quantized cluster instead of modules.
        """
        return self._page.model_explorer(clusters)

    def node_data(self) -> dict[str, str]:
        """Returns node data for Model Explorer, as JSON: ``"partition"``, ``"quantization"``, with a trace ``"time"``, and with a
        gap ``"gap"``, each only if the graph has any."""
        return dict(self._page.node_data())

    def _caption(self) -> str:
        return f"{self._values['name']} of {self._values['file']}: {len(self._values['nodes'])} nodes"

    def _rows(self) -> Rows:
        names = [name for name in self._COLUMNS if any(name in node for node in self._values["nodes"])]
        return columns_of(self._values["nodes"], names or self._COLUMNS)

    def _picture(self) -> str:
        if self._drawn is None:
            self._drawn = self._page.picture(self._timeout, os.environ.get("ET_INSPECT_LAYOUT", ""))
        return self._drawn


class DiffResult(Result):
    """Semantic differences between two programs.

    Attributes:
        same: True if nothing except, possibly, the file size changed.
    """

    def __init__(self, native: _native.ProgramDiff, all_: bool) -> None:
        super().__init__(native.json(all_))
        self._native = native

    def text(self, all: bool = False) -> str:  # noqa: A002: the name of the option
        """Returns the command line's text output. ``all``: include unchanged entries."""
        return self._native.text(all)

    def to_markdown(self) -> str:
        """Returns Markdown for a pull request comment."""
        return self._native.markdown()

    def _caption(self) -> str:
        return f"{self._values['before']} and {self._values['after']}: {'the same' if self._values['same'] else 'different'}"

    def _rows(self) -> Rows:
        return _CHANGE_COLUMNS, list(_changes(self._values))

    def _picture(self) -> str | None:
        counts = [each for method in self._values["methods"] for each in method["operators"]]
        counts += [each for method in self._values["methods"] for call in method["delegates"] for each in call["nodes_by_kind"]]
        bars = []
        for each in counts:
            before, after = each["before"], each["after"]
            tone = "bad" if after > before else "good"
            if after != before:
                bars.append((each["name"], float(after - before), f"{before} to {after}", None, None, tone))
        return _native.bar_picture("change in operators, also inside delegates", bars) if bars else None


_CHANGE_COLUMNS = ("method", "part", "operator", "name", "change", "before", "after")


def _changes(document: dict[str, Any]) -> Iterator[list[Any]]:
    """Yields a row for each operator with its calls, and for each change elsewhere."""
    for method in document["methods"]:
        name = method["name"]
        yield from ([name, *row] for row in _changes_of_method(method))
    for each in document["named_data"]:
        yield [None, "named data", None, each["name"], each["change"], each["before"], each["after"]]
    for key in ("file_bytes", "segment_bytes"):
        yield from ([None, *row] for row in _sizes(key, document[key]))


def _changes_of_method(method: dict[str, Any]) -> Iterator[list[Any]]:
    for each in method["operators"]:
        change = "same" if each["before"] == each["after"] else "changed"
        yield ["operator", each["name"], "calls", change, each["before"], each["after"]]
    for part in ("inputs", "outputs"):
        for each in method[part]:
            yield from _entry(part[:-1], f"{part[:-1]} {each['position']}", each)
    for each in method["instructions"]:
        yield from _entry("instruction", each["name"], each)
    for each in method["delegates"]:
        place = f"delegate {each['before'] if each['after'] is None else each['after']}"
        if each["change"] != "same":
            sizes = each["payload_bytes"]
            yield [place, None, each["backend"], each["change"], sizes["before"], sizes["after"]]
        for kind in each["nodes_by_kind"]:
            if kind["before"] != kind["after"]:
                yield [place, None, f"{kind['name']}, nodes", "changed", kind["before"], kind["after"]]
        for node in each["nodes"]:
            yield from _entry(place, node["name"], node)
    for arena in method["memory"]:
        yield from _sizes(f"arena {arena['id']}", arena)
    for each in method["constants"]:
        if each.get("different"):
            yield ["constant", None, each["name"], "changed", None, f"{each['different']} of {each['elements']} elements differ"]
    for key in ("planned_bytes", "constant_bytes"):
        yield from _sizes(key, method[key])


def _entry(part: str, name: str, entry: dict[str, Any]) -> Iterator[list[Any]]:
    """Yields the changes of an entry: of each attribute, otherwise of its position or text."""
    if entry["change"] == "same" and not entry.get("moved"):
        return
    change = "moved" if entry["change"] == "same" else entry["change"]
    if not entry["attributes"]:
        yield [part, None, name, change, entry["before"], entry["after"]]
    for each in entry["attributes"]:
        yield [part, None, f"{name}: {each['name']}", change, each["before"], each["after"]]


def _sizes(name: str, sizes: dict[str, Any]) -> Iterator[list[Any]]:
    if sizes["before"] != sizes["after"]:
        yield ["size", None, name, "changed", sizes["before"], sizes["after"]]


def memory(
    model: PathLike,
    *,
    etrecord: PathLike | None = None,
    etdump: PathLike | None = None,
    method: str = "",
    what_if: bool = False,
) -> MemoryResult:
    """Returns the memory plan of a program over time: live tensors, arenas and the peak. Same as ``et-inspect memory``.

    Args:
        model: a program or bundled program.
        etrecord: its ETRecord, for modules and source lines.
        etdump: a trace with allocations, for memory outside the plan.
        method: only this method.
        what_if: also plan the same tensors with other algorithms.

    Returns:
        Sizes in bytes; a row of the data frame is a planned tensor; the picture is the plan.

    Raises:
        et_inspect.Error: unreadable file or unknown method.
    """
    page = _native.MemoryPage.open(path(model), path(etrecord or ""), path(etdump or ""), method, what_if)
    return MemoryResult(page)


def delegates(
    model: PathLike,
    *,
    etrecord: PathLike | None = None,
    etdump: PathLike | None = None,
    data: Paths | None = None,
    method: str = "",
    nodes: bool = False,
    source_time_scale: TimeUnit = "ns",
    delegate_time_scale: str | Sequence[str] | None = None,
) -> DelegatesResult:
    """Returns delegates, their contents, and where operators and time go. Same as ``et-inspect delegates``.

    Args:
        model: a program or bundled program.
        etrecord: its ETRecord, which links nodes to operators, modules and source.
        etdump: a trace of the program, for shares of time.
        data: external weights.
        method: only this method.
        nodes: list every node and value inside delegates.
        source_time_scale: the unit of the trace's clock.
        delegate_time_scale: the unit of times inside delegates: ``"us"``, ``"VulkanBackend=800MHz"``.

    Returns:
        Sizes in bytes, times in milliseconds; a row of the data frame is a delegate; the picture counts operators.
    """
    files = (path(model), paths(data), path(etrecord or ""), path(etdump or ""))
    page = _native.DelegatesPage.open(*files, method, source_time_scale, texts(delegate_time_scale))
    return DelegatesResult(page, nodes)


def graph(
    file: PathLike,
    *,
    etrecord: PathLike | None = None,
    etdump: PathLike | None = None,
    gap: PathLike | None = None,
    data: Paths | None = None,
    method: str = "",
    source: str = "",
    source_time_scale: TimeUnit = "ns",
    delegate_time_scale: str | Sequence[str] | None = None,
    expand: str | Sequence[str] = (),
    collapse: str | Sequence[str] = (),
    boxes: int = 160,
    find: str = "",
    around: str | Sequence[str] = (),
    depth: int = 2,
    overlay: Overlay = "kind",
    left_to_right: bool = False,
    simplify: bool = False,
    timeout: float = 60,
) -> GraphResult:
    """Returns the graph of a program, delegate or ETRecord. Same as ``et-inspect graph``.

    Args:
        file: a program, bundled program or ETRecord.
        etrecord: the program's ETRecord, for module names.
        etdump: a trace of the program, for ``overlay="time"``.
        gap: output of ``et-inspect gap --format json``, for ``overlay="error"``.
        data: external weights.
        method: default: ``forward``, or the first method.
        source: ``"program"``, ``"delegate:N"``, ``"edge"``, ``"exported"``, or another graph of the ETRecord.
        source_time_scale: the unit of the trace's clock.
        delegate_time_scale: the unit of times inside delegates: ``"us"``, ``"VulkanBackend=800MHz"``.
        expand, collapse: groups by name or module, or ``"all"``.
        boxes: maximum number of boxes when groups are expanded.
        find: a regular expression (ECMAScript); matching nodes are highlighted.
        around, depth: only these nodes and nodes at most ``depth`` edges away.
        overlay: property shown by the colours.
        left_to_right: lay out from left to right.
        simplify: omit views, scalars and checks, and merge repeated modules into one group.
        timeout: time limit for the layout, in seconds.

    Returns:
        A row of the data frame is a node.
    """
    asked: dict[str, Any] = {
        "file": path(file),
        "etrecord": path(etrecord or ""),
        "etdump": path(etdump or ""),
        "gap": path(gap or ""),
        "data": paths(data),
        "method": method,
        "source": source,
        "source_time_scale": source_time_scale,
        "delegate_time_scale": texts(delegate_time_scale),
        "expand": texts(expand),
        "collapse": texts(collapse),
        "boxes": boxes,
        "find": find,
        "around": texts(around),
        "depth": depth,
        "overlay": overlay,
        "left_to_right": left_to_right,
        "simplify": simplify,
    }
    return GraphResult(_native.GraphPage.open(asked), timeout)


def diff(
    before: PathLike,
    after: PathLike,
    *,
    data: Paths | None = None,
    data_after: Paths | None = None,
    method: str = "",
    all: bool = False,  # noqa: A002: the name of the option
) -> DiffResult:
    """Compares operators, arguments, delegates, memory and weights of two programs. Same as ``et-inspect diff``.

    Args:
        before, after: programs or bundled programs.
        data: external weights of ``before``, and of ``after`` unless ``data_after`` is given.
        data_after: external weights of ``after``.
        method: only this method.
        all: include unchanged entries.

    Returns:
        ``same`` is False if anything changed. A row of the data frame is an operator with its numbers of calls, or a change of
        another ``part``: an instruction, a delegate or its nodes, an input, a constant, named data, a size in bytes.
    """
    native = _native.ProgramDiff.of(path(before), path(after), paths(data), paths(data_after), method)
    return DiffResult(native, all)
