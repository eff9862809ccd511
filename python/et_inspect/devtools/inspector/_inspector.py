"""The Inspector: events of a trace, linked with an ETRecord."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import IO, TYPE_CHECKING, Any

from ... import _native, errors
from ..._arguments import texts
from ..._display import Rows, Shown
from ..etrecord import ETRecord, Graph
from ..etrecord._etrecord import as_record
from . import _frames
from ._events import Event, EventBlock, PerfData, TimeScale

if TYPE_CHECKING:
    import pandas as pd

    from .numerical_comparator import NumericalComparatorBase

MetadataParser = Callable[[list[bytes]], "list[str] | dict[str, Any]"]
TimeConverter = Callable[["int | str", "int | float"], "int | float"]


class Inspector(Shown):
    """Events of an ETDump with their times, linked with an ETRecord.

    Args:
        etdump_path: path of the trace. Either this or ``etdump_data``.
        etdump_data: the bytes of a trace.
        etrecord: an ETRecord (also from the exporter's ``get_etrecord()``) or its path; adds operators, Python stack traces
            and modules.
        source_time_scale: the unit of the runtime's clock: a :class:`TimeScale` or its value, such as ``"us"``.
        target_time_scale: the unit of all times returned, likewise. Cycles cannot be converted to other units.
        debug_buffer_path: the debug buffer with values that the runtime logged.
        delegate_metadata_parser: receives the delegate's metadata of an event's samples; returns a list, or a dictionary of
            columns.
        delegate_time_scale_converter: converts a clock reading of a delegate event to the target unit; called with the name
            of the event and the reading. Default: same conversion as for other events.
        enable_module_hierarchy: accepted for compatibility; modules are always available.
        reference_graph_name: the graph that get_reference_graph() returns and, unless it is the default, the reference of
            calculate_numeric_gap(): ``"edge_dialect_graph_module"``, ``"exported_program"``, or another graph of the ETRecord.
        debug_buffer_data: the bytes of a debug buffer, instead of ``debug_buffer_path``.
        buffer_path: another name of ``debug_buffer_path``, which ExecuTorch's tutorials use.
        delegate_time_scale: the unit of times inside delegates: ``"us"``, ``"VulkanBackend=800MHz"``; one or several.
        profiles: paths of profiles of vendors' tools (QNN, TensorRT, Vela, Core ML, Streamline), whose operators are added to
            the delegate calls. ``etdump_path`` can also be such a profile.

    Raises:
        ValueError: not exactly one of ``etdump_path`` and ``etdump_data`` was given, or several debug buffers.
        et_inspect.Error: invalid file; the message names file, field and offset.
    """

    def __init__(
        self,
        etdump_path: str | os.PathLike | None = None,
        etdump_data: bytes | None = None,
        etrecord: ETRecord | str | os.PathLike | None = None,
        source_time_scale: TimeScale | str = TimeScale.NS,
        target_time_scale: TimeScale | str = TimeScale.MS,
        debug_buffer_path: str | os.PathLike | None = None,
        delegate_metadata_parser: MetadataParser | None = None,
        delegate_time_scale_converter: TimeConverter | None = None,
        enable_module_hierarchy: bool = False,
        reference_graph_name: str = "edge_dialect_graph_module",
        *,
        debug_buffer_data: bytes | None = None,
        buffer_path: str | os.PathLike | None = None,
        delegate_time_scale: str | Sequence[str] | None = None,
        profiles: Sequence[str | os.PathLike] = (),
    ) -> None:
        source_time_scale = _scale("source_time_scale", source_time_scale)
        target_time_scale = _scale("target_time_scale", target_time_scale)
        if (source_time_scale == TimeScale.CYCLES) != (target_time_scale == TimeScale.CYCLES):
            raise RuntimeError(
                "For TimeScale in cycles both the source and target time scale have to be in cycles."
            )
        if (etdump_path is None) == (etdump_data is None):
            raise ValueError("Expecting exactly one of etdump_path or etdump_data to be specified.")
        self._source_time_scale = source_time_scale
        self._target_time_scale = target_time_scale
        self._enable_module_hierarchy = enable_module_hierarchy
        self._reference_graph_name = reference_graph_name
        self._parser = delegate_metadata_parser
        self._converter = delegate_time_scale_converter
        self._etrecord = None if etrecord is None else as_record(etrecord)
        self._trace_source = bytes(etdump_data) if etdump_path is None else os.fspath(etdump_path)
        self._debug_buffer = _buffer(debug_buffer_path, buffer_path, debug_buffer_data)
        self._blocks = _native.Blocks.open(
            self._trace_source,
            self._etrecord._native if self._etrecord else None,
            self._debug_buffer,
            source_time_scale.value,
            target_time_scale.value,
            "",
            False,
            texts(delegate_time_scale),
            [os.fspath(each) for each in profiles],
        )
        self._event_blocks: list[EventBlock] | None = None
        for line in self._blocks.warnings:
            warnings.warn(line, stacklevel=2)

    @property
    def event_blocks(self) -> list[EventBlock]:
        """The blocks of events, in file order."""
        if self._event_blocks is None:
            self._event_blocks = [self._block(index) for index in range(len(self._blocks))]
        return self._event_blocks

    @event_blocks.setter
    def event_blocks(self, blocks: list[EventBlock]) -> None:
        self._event_blocks = blocks

    def _blocks_of_method(self, method: str) -> list[EventBlock]:
        """Returns the blocks of a method, and those of which the method is unknown."""
        methods = [self._blocks.block(index)["method"] for index in range(len(self._blocks))]
        return [block for block, of in zip(self.event_blocks, methods) if of in ("", method)]

    def to_dataframe(self, include_units: bool = True, include_delegate_debug_data: bool = False) -> pd.DataFrame:
        """Returns a pandas DataFrame with a row per event.

        Args:
            include_units: append the unit to the headers of time columns.
            include_delegate_debug_data: add the delegates' metadata of the events.
        """
        import pandas as pd

        if self._event_blocks is None and not include_delegate_debug_data and self._converter is None:
            frames = [self._frame(index, include_units) for index in range(len(self._blocks))]
        else:
            frames = [block.to_dataframe(include_units, include_delegate_debug_data) for block in self.event_blocks]
        return frames[0] if len(frames) == 1 else pd.concat(frames, ignore_index=True)

    def print_data_tabular(
        self,
        file: IO[str] | None = None,
        include_units: bool = True,
        include_delegate_debug_data: bool = False,
    ) -> None:
        """Prints the events as a table; in a notebook, displays it.

        Args:
            file: output file; default: standard output.
            include_units: append the unit to the headers of time columns.
            include_delegate_debug_data: add the delegates' metadata of the events.
        """
        if _in_notebook():
            from IPython.display import display

            display(self._for_people(include_units, include_delegate_debug_data))
            return
        print(self._table(include_units, include_delegate_debug_data), end="", file=file or sys.stdout)

    def save_data_to_tsv(
        self,
        file: IO[str] | str | os.PathLike,
        include_units: bool = True,
        include_delegate_debug_data: bool = False,
    ) -> None:
        """Writes the table of print_data_tabular() as tab-separated values.

        Args:
            file: a path, or a text file open for writing.
            include_units: append the unit to the headers of time columns.
            include_delegate_debug_data: add the delegates' metadata of the events.
        """
        if self._is_as_read() and include_units and not include_delegate_debug_data:
            table = self._blocks.table("tsv", [], "", "", "")
        else:
            table = _frames.printable(self._for_people(include_units, include_delegate_debug_data).to_csv(sep="\t"))
        if hasattr(file, "write"):
            file.write(table)
            return
        with open(file, "w", encoding="utf-8") as opened:
            opened.write(table)

    def find_total_for_module(self, module_name: str) -> float:
        """Returns the sum of the mean times of all operators in a module, in the target time scale.

        Args:
            module_name: part of the module's path, such as ``layers.0``.
        """
        times = (
            event.perf_data.avg
            for block in self.event_blocks
            for event in block.events
            if event.name != _frames.HIDDEN_EVENT
            and event.perf_data is not None
            and any(module_name in path for modules in event.module_hierarchy.values() for path in modules or ())
        )
        return sum(times, 0.0)

    def get_op_list(self, event_block: str, show_delegated_ops: bool | None = True) -> dict[str, list[Event]]:
        """Returns the events of a block by the operators that they ran.

        Args:
            event_block: name of the block, such as ``Execute``.
            show_delegated_ops: include operators that delegates ran.
        """
        found: dict[str, list[Event]] = {}
        for event in (each for block in self.event_blocks if block.name == event_block for each in block.events):
            if show_delegated_ops or not event.is_delegated_op:
                for op_type in event.op_types:
                    found.setdefault(op_type, []).append(event)
        return found

    def get_exported_program(self, graph: str | None = None) -> Graph | None:
        """Returns a graph of the ETRecord; default: the Edge graph. None without an ETRecord."""
        if self._etrecord is None:
            warnings.warn("there is no exported program without an ETRecord", stacklevel=2)
            return None
        return self._etrecord.edge_dialect_program if graph is None else self._etrecord.graph_map.get(graph)

    def get_reference_graph(self) -> Graph | None:
        """Returns the graph ``reference_graph_name`` of the ETRecord; None without an ETRecord, or if it has none."""
        if self._etrecord is None:
            return None
        if self._reference_graph_name == "exported_program":
            return self._etrecord.exported_program
        if self._reference_graph_name == "edge_dialect_graph_module":
            return self._etrecord.edge_dialect_program
        return self._etrecord.graph_map.get(self._reference_graph_name)

    def calculate_numeric_gap(
        self,
        distance: str | NumericalComparatorBase = "MSE",
        disable_debug_handle_valdiation: bool = False,
        reference_graph: str | None = None,
    ) -> pd.DataFrame:
        """Compares logged values with those of the exported graph, operator by operator.

        Runs the ETRecord's graph on the inputs in the ETRecord.

        Args:
            distance: ``"MSE"``, ``"L1"``, ``"SNR"``, ``"COS"`` in any case, or a custom comparator.
            disable_debug_handle_valdiation: accepted for compatibility.
            reference_graph: ``"exported_program"`` or ``"edge_dialect_graph_module"``; default: the exported program if the
                ETRecord contains it, otherwise the Edge graph.

        Returns:
            A data frame with ``aot_debug_handle``, ``aot_ops``, ``aot_intermediate_output``, ``runtime_ops``,
            ``runtime_debug_handle``, ``runtime_intermediate_output``, ``gap`` and ``stacktraces``, in execution order. Values
            are numpy arrays of real numbers; with a custom comparator, and if torch is imported, they are torch tensors.

        Raises:
            et_inspect.Error: no ETRecord or debug buffer, unknown distance or reference graph, or an invalid file.
        """
        from ._gap import numeric_gap

        return numeric_gap(self, distance, reference_graph)

    def to_svg(self) -> str | None:
        """Returns a timeline of the median run (SVG) that follows the viewer's theme; None if no run has times."""
        return self._picture()

    def _caption(self) -> str:
        events = sum(self._blocks.block(index)["events"] for index in range(len(self._blocks)))
        return f"{events} events in {len(self._blocks)} blocks, times in {self._target_time_scale.value}"

    def _rows(self) -> Rows:
        """Returns the events for notebooks, slowest first."""
        columns = ("block", "name", "runs", "p50", "p90", "max", "op_types", "delegate", "debug_handles")
        rows = [row for row in self._timed_rows() if row[1] != _frames.HIDDEN_EVENT]
        return columns, sorted(rows, key=lambda row: -row[3])

    def _timed_rows(self) -> Iterator[tuple[Any, ...]]:
        if not self._is_as_read():
            for block in self.event_blocks:
                for event in (each for each in block.events if each.perf_data is not None):
                    times = event.perf_data
                    shown = (event.op_types, event.delegate_backend_name, event.debug_handles)
                    yield (block.name, event.name, len(times.raw), times.p50, times.p90, times.max, *shown)
            return
        # Avoids creating an Event object for every event.
        for index in range(len(self._blocks)):
            name = self._blocks.block(index)["name"]
            for event in (each for each in self._blocks.events(index) if each["statistics"] is not None):
                _, p50, p90, _, _, longest = event["statistics"]
                shown = (event["op_types"], event["delegate_backend_name"], event["debug_handles"])
                yield (name, event["name"], len(event["samples"]), p50, p90, longest, *shown)

    def _picture(self) -> str | None:
        return self._blocks.timeline()

    def __repr__(self) -> str:
        return f"<Inspector: {self._caption()}>"

    def _is_as_read(self) -> bool:
        return self._event_blocks is None and self._converter is None

    def _table(self, include_units: bool, include_delegate_debug_data: bool) -> str:
        if self._is_as_read() and include_units and not include_delegate_debug_data:
            return self._blocks.table("table", [], "", "", "")
        shown = self._for_people(include_units, include_delegate_debug_data)
        return _native.grid([str(header) for header in shown.columns], shown.astype(object).values.tolist())

    def _for_people(self, include_units: bool, include_delegate_debug_data: bool) -> pd.DataFrame:
        return _frames.for_people(self.to_dataframe(include_units, include_delegate_debug_data))

    def _frame(self, index: int, include_units: bool) -> pd.DataFrame:
        unit = self._target_time_scale.value if include_units else None
        return _frames.frame_of_columns(self._blocks.block(index)["name"], self._blocks.columns(index), unit)

    def _block(self, index: int) -> EventBlock:
        of = self._blocks.block(index)
        return EventBlock(
            name=of["name"],
            events=[self._event(index, at, fields) for at, fields in enumerate(self._blocks.events(index))],
            source_time_scale=self._source_time_scale,
            target_time_scale=self._target_time_scale,
            bundled_input_index=of["bundled_input_index"],
            run_output=self._blocks.run_output(index),
            reference_output=lambda: self._reference_output(of["method"], of["bundled_input_index"]),
        )

    def _reference_output(self, method: str, case: int) -> list | None:
        outputs = (self._etrecord and self._etrecord._reference_outputs) or {}
        cases = outputs.get(method, [])
        return cases[case] if 0 <= case < len(cases) else None

    def _event(self, block: int, at: int, fields: dict[str, Any]) -> Event:
        samples = self._samples(block, at, fields)
        return Event(
            name=fields["name"],
            perf_data=None if samples is None else PerfData(samples),
            op_types=fields["op_types"],
            delegate_debug_identifier=fields["delegate_debug_identifier"],
            debug_handles=fields["debug_handles"],
            num_outputs=fields["num_outputs"] or 1,
            stack_traces=fields["stack_traces"],
            module_hierarchy=fields["module_hierarchy"],
            is_delegated_op=fields["is_delegated_op"],
            delegate_backend_name=fields["delegate_backend_name"],
            _delegate_debug_metadatas=fields["metadata"],
            debug_data=(lambda: self._debug_data(block, at)) if fields["has_debug_data"] else [],
            _instruction_id=fields["instruction_id"] if fields["instruction_id"] >= 0 else None,
            _delegate_metadata_parser=self._parser,
            _delegate_time_scale_converter=self._converter,
            _start_time=fields["start_time"],
        )

    def _samples(self, block: int, at: int, fields: dict[str, Any]) -> list[float] | None:
        if fields["samples"] is None or self._converter is None or not fields["is_delegated_op"]:
            return fields["samples"]
        name = fields["name"]
        return [self._converter(name, end) - self._converter(name, start) for start, end in self._blocks.ticks(block, at)]

    def _debug_data(self, block: int, at: int) -> list:
        return self._blocks.debug_data(block, at)


def _buffer(
    debug_buffer_path: str | os.PathLike | None, buffer_path: str | os.PathLike | None, data: bytes | None
) -> str | bytes | None:
    given = [each for each in (debug_buffer_path, buffer_path, data) if each is not None]
    if len(given) > 1:
        raise ValueError("Expecting at most one of debug_buffer_path, buffer_path and debug_buffer_data to be specified.")
    if not given:
        return None
    return given[0] if isinstance(given[0], bytes) else os.fspath(given[0])


def _scale(parameter: str, given: TimeScale | str) -> TimeScale:
    try:
        return TimeScale(given.strip().lower() if isinstance(given, str) else given)
    except ValueError:
        known = ", ".join(each.value for each in TimeScale)
        raise errors.ArgumentError(f"{parameter}: expected a TimeScale or one of {known}, got {given!r}") from None


def _in_notebook() -> bool:
    # Code that runs in IPython has imported it.
    shell = sys.modules.get("IPython")
    return shell is not None and shell.get_ipython() is not None
