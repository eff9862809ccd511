"""Intermediate values of a run, by name."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from .. import _native, errors
from ..devtools import ETRecord
from ..devtools.etrecord._etrecord import as_record

_HANDLE = "handle:"
_KERNEL = "native_call_"


@dataclass(frozen=True)
class TappedValue:
    """Values computed by an instruction, a delegate call or a node inside a delegate.

    Attributes:
        name: the operator of an instruction (``addmm.out``), ``DELEGATE_CALL``, or, inside a delegate, the kind of the
            producing node (``Conv2d``).
        values: results of a kernel; arguments of a delegate call, inputs first; or the value of a node. Arrays are read-only
            and row-major.
        instruction: index of the instruction.
        chain: index of its chain.
        debug_handle: debug handle of the node inside a delegate; None if unknown.
        delegate_value: index of the value inside the delegate; None outside delegates.
    """

    name: str
    values: list[Any]
    instruction: int
    chain: int
    debug_handle: int | None = None
    delegate_value: int | None = None

    @property
    def value(self) -> Any:
        """The last value: the result."""
        return self.values[-1]


class Taps:
    """Captures values of runs inside a ``with`` block. Created by :meth:`et_inspect.runtime.Method.tap`."""

    def __init__(self, method: _native.Method, name: str, names: Sequence[str | int], etrecord: object) -> None:
        self._method = method
        self._wanted = _Wanted(name, names, etrecord)
        self._native: _native.ValueTaps | None = None
        self._values: list[TappedValue] = []

    def __enter__(self) -> Taps:
        wanted = self._wanted
        self._native = _native.ValueTaps.start(
            self._method, wanted.patterns, sorted(wanted.instructions), sorted(wanted.handles)
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._native.stop()

    @property
    def values(self) -> list[TappedValue]:
        """The values of the last run in execution order, instructions before delegates; for an instruction that ran more than
        once, those of its last execution."""
        if self._native is not None:
            fresh = self._native.take()
            if fresh:
                self._values = [TappedValue(**fields) for fields in map(_renamed, fresh)]
        return self._values

    def __getitem__(self, name: str | int) -> Any:
        """Returns the first value that matches a name, as in Method.tap(). Raises NotFoundError."""
        wanted = self._wanted.only(name)
        for each in self.values:
            if wanted.matches(each):
                return each.value
        known = ", ".join(dict.fromkeys(each.name for each in self._values)) or "nothing"
        raise errors.NotFoundError(f"no value of {name!r}; the run gave: {known}")

    def __len__(self) -> int:
        return len(self.values)


class _Wanted:
    """The patterns, instructions and debug handles selected by names."""

    def __init__(self, method: str, names: Sequence[str | int], etrecord: object) -> None:
        self.patterns: list[str] = []
        self.instructions: set[int] = set()
        self.handles: set[int] = set()
        self._method = method
        self._etrecord = etrecord
        self._record: ETRecord | None = None
        for name in names or ("*",):
            self._add(name)

    def only(self, name: str | int) -> _Wanted:
        one = _Wanted(self._method, (name,), self._etrecord if self._record is None else self._record)
        return one

    def matches(self, value: TappedValue) -> bool:
        base = value.name.split(".")[0]
        return (
            any(fnmatch.fnmatchcase(text, each) for each in self.patterns for text in (value.name, base))
            or (value.delegate_value is None and value.instruction in self.instructions)
            or (value.debug_handle is not None and value.debug_handle in self.handles)
        )

    def _add(self, name: str | int) -> None:
        if isinstance(name, int):
            self.instructions.add(name)
        elif name.startswith(_HANDLE) and name[len(_HANDLE) :].isdigit():
            self._add_handle(int(name[len(_HANDLE) :]))
        elif not self._add_node(name):
            self.patterns.append(name)

    def _add_handle(self, handle: int) -> None:
        self.handles.add(handle)
        for instruction, handles in self._handle_map().items():
            if handle in (handles if isinstance(handles, list) else [handles]):
                self.instructions.add(int(instruction))

    def _add_node(self, name: str) -> bool:
        """Adds the debug handles of the node with this name; returns False if the graph has no such node, or it has none."""
        graph = self._graph()
        for node in graph.nodes() if graph is not None else ():
            if node["name"] == name:
                for handle in node["debug_handles"]:
                    self._add_handle(handle)
                return bool(node["debug_handles"])
        return False

    def _handle_map(self) -> dict[str, Any]:
        record = self._opened()
        return {} if record is None else (record._native.debug_handle_map(self._method) or {})

    def _graph(self) -> _native.Graph | None:
        record = self._opened()
        return None if record is None else record._native.edge_graph(self._method)

    def _opened(self) -> ETRecord | None:
        if self._record is None and self._etrecord is not None:
            self._record = as_record(self._etrecord)
        return self._record


def _renamed(fields: dict[str, Any]) -> dict[str, Any]:
    """Removes the prefix of event names from operator names."""
    fields["name"] = fields["name"].removeprefix(_KERNEL)
    return fields
