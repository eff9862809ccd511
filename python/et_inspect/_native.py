"""Internal functions and objects of ``et-inspect serve``, with its names; not for direct use."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Union

from . import _child
from ._child import KernelResult as KernelResult, Served, call, call_with_paths, make
from ._child import register_kernel as register_kernel, remove_kernel as remove_kernel
from ._values import Inputs
from ._version import VERSION as version

if TYPE_CHECKING:
    from numpy.typing import NDArray

PathLike = Union[str, "os.PathLike[str]"]
Source = Union[str, bytes]

# (label, value, formatted value, both ends of its interval or None, colour: plain, good, bad or faint)
Bar = tuple[str, float, str, Union[float, None], Union[float, None], str]


def grid(headers: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Returns a table in the grid format of ExecuTorch's Inspector.

    Args:
        headers: one per column.
        rows: lists of cells, one per header; numbered from 0.
    """
    return call("grid", list(headers), [[_cell(cell) for cell in row] for row in rows])


def _cell(value: Any) -> Any:
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [_cell(each) for each in value]
    return str(value)


def options(workflow: str) -> list[dict[str, object]]:
    """Returns the options of bench, compare, gap, generate or verify, as the command line declares them: name, help, flag,
    repeatable, default (texts), choices, least and most. Empty for other workflows."""
    return call("options", workflow)


def describe(path: PathLike, others: Sequence[str] = ()) -> str:
    """Returns the document of `et-inspect info --format json` of one file that is not a session; a program is checked
    against the weights and ETRecords among `others`."""
    return call_with_paths("describe", path, list(others))


def bar_picture(title: str, bars: Sequence[Bar]) -> str:
    """Returns figures as a bar chart, as SVG."""
    return call("bar_picture", title, list(bars))


def gap_picture(rows: Sequence[tuple[str, float | None, bool]]) -> str | None:
    """Returns errors on a logarithmic axis as SVG; None if no row has an error.

    Args:
        rows: for each operator, its name, its largest error, and whether it diverges.
    """
    return call("gap_picture", list(rows))


def gap(etdump: PathLike, debug_buffer: PathLike, record: PathLike, edge: bool) -> list[dict[str, object]]:
    """Compares the values that the runtime logged with those that the record's graph computes, operator by operator.

    Args:
        etdump, debug_buffer, record: paths.
        edge: the graph is the Edge graph, not the exported program.

    Returns:
        Rows, in which `reference` and `runtime` are lists of real-valued arrays with the same shapes.
    """
    return call_with_paths("gap", etdump, debug_buffer, record, edge)


def backend_names() -> list[str]:
    """Returns the built-in backends."""
    return call("backend_names")


def operator_names() -> list[str]:
    """Returns the operators with a built-in kernel, in the form `aten::add.out`."""
    return call("operator_names")


Cases = Sequence[tuple[Sequence[object], Sequence[object]]]


def write_bundle(program: Source, suites: Sequence[tuple[str, Cases]]) -> bytes:
    """Creates a bundled program from a program (path or bytes) and the (inputs, expected outputs) of each case of each method."""
    plain = [(name, [(Inputs(inputs), Inputs(expected)) for inputs, expected in cases]) for name, cases in suites]
    return call_with_paths("write_bundle", program, plain)


def write_raw_bundle(program: Source, suites: Sequence[tuple[str, Sequence[tuple[list[Any], list[Any]]]]]) -> bytes:
    """Creates a bundled program from values as Bundle.raw_inputs() returns them."""
    return call_with_paths("write_raw_bundle", program, list(suites))


def program_contents(program: Source) -> dict[str, Any]:
    """Returns a program (path or bytes; also of a bundled program) as dictionaries and lists: version, methods (name, inputs,
    outputs, values, operators, delegates, chains, buffers) and named_data."""
    return call_with_paths("program_contents", program)


def trace_contents(etdump: Source) -> dict[str, Any]:
    """Returns a trace (path or bytes) as dictionaries and lists: version and runs (name, bundled_input_index, allocators,
    events)."""
    return call_with_paths("trace_contents", etdump)


def write_trace(runs: Sequence[tuple[str, int, list[str], list[list[Any]]]]) -> bytes:
    """Creates a trace from (name, bundled_input_index, allocators, events) of each run, as in trace_contents()."""
    return call("write_trace", list(runs))


def torch_archive(values: Any) -> bytes:
    """Returns the bytes that torch.save() writes for lists and dictionaries of ("tensor", Inputs([row-major array]))."""
    return call("torch_archive", values)


class Graph(Served):
    """A graph of an ETRecord."""

    def nodes(self) -> list[dict[str, object]]:
        """Returns name, target, op, inputs, outputs, stack_trace, nn_module_stack, debug_handles and arguments (name and text)
        of each operator, in execution order."""
        return call("Graph.nodes", self)

    def inputs(self) -> list[tuple[str, str, str]]:
        """Returns (kind, value, target) of each input."""
        return call("Graph.inputs", self)

    def outputs(self) -> list[tuple[str, str, str]]:
        """Returns (kind, value, target) of each output."""
        return call("Graph.outputs", self)

    def __len__(self) -> int:
        return call("Graph.__len__", self)


class Record(Served):
    """An ETRecord; graphs are read on demand."""

    @staticmethod
    def open(path: PathLike) -> Record:
        """Reads an ETRecord."""
        return make(Record, "Record.open", path, paths=True)

    @property
    def path(self) -> str:
        """Path of the file, as given."""
        return call("Record.path", self)

    @property
    def methods(self) -> list[str]:
        """Methods that have an Edge graph."""
        return call("Record.methods", self)

    @property
    def extra_graphs(self) -> list[str]:
        """Names of further graphs."""
        return call("Record.extra_graphs", self)

    @property
    def export_graph_id(self) -> int | None:
        """The exporter's ID of the graph."""
        return call("Record.export_graph_id", self)

    @property
    def archives(self) -> list[str]:
        """Names of the archives that hold tensors."""
        return call("Record.archives", self)

    def debug_handle_map(self, method: str) -> dict[str, int | list[int]] | None:
        """Returns {instruction: debug handle or handles}, as stored in the file; None without maps."""
        return call("Record.debug_handle_map", self, method)

    def delegate_map(self, method: str) -> dict[str, dict[str, object]] | None:
        """Returns {instruction: {name, delegate_map}}, as stored in the file; None without one."""
        return call("Record.delegate_map", self, method)

    def output_counts(self, method: str) -> dict[str, int]:
        """Returns {instruction: number of outputs}; empty if the file does not contain them."""
        return call("Record.output_counts", self, method)

    def tensors(self) -> list[dict[str, object]]:
        """Returns archive, name, dtype, sizes and bytes of each weight and input that the record holds."""
        return call("Record.tensors", self)

    def archived(self, archive: str) -> list[tuple[str, NDArray]]:
        """Returns the tensors of an archive by their position in it (`forward[0][1]`), as read-only arrays."""
        return call("Record.archived", self, archive)

    def edge_graph(self, method: str) -> Graph | None:
        """Returns the Edge graph of a method; None if the record has none."""
        return make(Graph, "Record.edge_graph", self, method)

    def exported_program(self) -> Graph | None:
        """Returns the graph produced by torch.export; None if the record has none."""
        return make(Graph, "Record.exported_program", self)

    def extra_graph(self, name: str) -> Graph:
        """Returns a graph of `extra_graphs`."""
        return make(Graph, "Record.extra_graph", self, name)


class Blocks(Served):
    """The events of a trace, linked with a record and a debug buffer; immutable.

    Blocks and events are numbered from 0, in file order.
    """

    @staticmethod
    def open(
        etdump: Source,
        record: Record | None,
        debug_buffer: Source | None,
        source: str,
        target: str,
        method: str,
        reference_quirks: bool,
        delegate_time_scale: Sequence[str] = (),
        profiles: Sequence[Source] = (),
    ) -> Blocks:
        """Reads a trace or a profile: a path, or its bytes.

        Args:
            etdump, debug_buffer: paths, or bytes.
            record: the program's ETRecord.
            source, target: time scales by name (ns, us, ms, s, cycles).
            method: of the record; empty: detected from the events.
            reference_quirks: as described in docs/reference/differences.md.
        """
        given = (etdump, record, debug_buffer, source, target, method, reference_quirks)
        given += (list(delegate_time_scale), list(profiles))
        return make(Blocks, "Blocks.open", *given, paths=True)

    def __len__(self) -> int:
        return call("Blocks.__len__", self)

    def block(self, index: int) -> dict[str, object]:
        """Returns name, bundled_input_index, method, and the numbers of runs and events."""
        return call("Blocks.block", self, index)

    def events(self, block: int) -> list[dict[str, object]]:
        """Returns all data of each event; samples and statistics (p10, p50, p90, avg, min, max) in the target time scale,
        start_time in source ticks."""
        return call("Blocks.events", self, block)

    def columns(self, block: int) -> dict[str, object]:
        """Returns the columns of the data frame, numpy arrays with one element per event; and `kinds`, rows with all
        combinations of types that occur.

        Equal strings, lists and dictionaries share one object, except times.
        """
        from . import _columns

        return _columns.assembled(call("Blocks.columns", self, block))

    def ticks(self, block: int, event: int) -> list[tuple[int, int]]:
        """Returns start and end of each sample, in ticks of the source clock."""
        return call("Blocks.ticks", self, block, event)

    def debug_data(self, block: int, event: int) -> list[Any]:
        """Returns the values that the runtime logged for an event, from the first run that has any: read-only arrays, lists of
        them, numbers."""
        return call("Blocks.debug_data", self, block, event)

    def debug_differs(self, block: int, event: int) -> bool:
        """Returns whether runs logged different values."""
        return call("Blocks.debug_differs", self, block, event)

    def run_output(self, block: int) -> list[Any]:
        """Returns the outputs of the method that the runtime logged, from the first run that has any."""
        return call("Blocks.run_output", self, block)

    def json(self) -> str:
        """Returns the document of `et-inspect --format json`."""
        return call("Blocks.json", self)

    def timeline(self) -> str | None:
        """Returns the timeline of the median run, as SVG; None if no run has times."""
        return call("Blocks.timeline", self)

    def table(self, format: str, columns: Sequence[str], sort: str, filter: str, module: str) -> str:  # noqa: A002
        """Returns the table of `et-inspect`.

        Args:
            format: table, tsv, csv, json or markdown.
            columns, sort, filter, module: as the options of the command line; empty: the defaults.
        """
        return call("Blocks.table", self, format, list(columns), sort, filter, module)

    @property
    def warnings(self) -> list[str]:
        """Warnings about files that contradict each other, one per line."""
        return call("Blocks.warnings", self)


class Bundle(Served):
    """A bundled program."""

    @staticmethod
    def open(source: Source) -> Bundle:
        """Reads a bundled program: a path, or its bytes."""
        return make(Bundle, "Bundle.open", source, paths=True)

    @property
    def path(self) -> str:
        """Path of the file, as given."""
        return call("Bundle.path", self)

    @property
    def suites(self) -> list[tuple[str, int]]:
        """Methods, with their numbers of cases."""
        return call("Bundle.suites", self)

    @property
    def program(self) -> bytes:
        """The bytes of the program."""
        return call("Bundle.program", self)

    @property
    def version(self) -> int:
        """Version of the format."""
        return call("Bundle.version", self)

    def inputs(self, method: str, case: int) -> list[Any]:
        """Returns the inputs of a case: read-only arrays, and numbers."""
        return call("Bundle.inputs", self, method, case)

    def expected_outputs(self, method: str, case: int) -> list[Any]:
        """Returns the expected outputs of a case, in the same form."""
        return call("Bundle.expected_outputs", self, method, case)

    def raw_inputs(self, method: str, case: int) -> list[Any]:
        """Returns the inputs of a case: (dtype, sizes, bytes, dim order) of tensors, and numbers."""
        return call("Bundle.raw_inputs", self, method, case)

    def raw_expected_outputs(self, method: str, case: int) -> list[Any]:
        """Returns the expected outputs of a case, in the same form."""
        return call("Bundle.raw_expected_outputs", self, method, case)


class Session(Served):
    """Related files, linked; immutable."""

    @staticmethod
    def open(
        files: Sequence[PathLike], method: str, source_time_scale: str, delegate_time_scale: Sequence[str]
    ) -> Session:
        """Reads a session, or the files that form one, detected by content. ``method``: the one that the trace ran; empty:
        detected."""
        given = (list(files), method, source_time_scale, list(delegate_time_scale))
        return make(Session, "Session.open", *given, paths=True)

    @property
    def files(self) -> dict[str, str]:
        """{kind: path}; for a stored session {kind: name}."""
        return call("Session.files", self)

    @property
    def profiles(self) -> list[str]:
        """Paths of the profiles of vendors' tools that were added to the trace."""
        return call("Session.profiles", self)

    @property
    def stored(self) -> bool:
        """Whether it was saved as one file."""
        return call("Session.stored", self)

    @property
    def warnings(self) -> list[str]:
        """Contradictions between the files, one per line."""
        return call("Session.warnings", self)

    def ask(self, sql: str, limit: int) -> list[tuple[list[str], list[list[Any]], bool]]:
        """Returns, for each statement with a result, the column names, the columns, and whether all rows are included.
        ``limit``: maximum number of rows; 0: all."""
        return call("Session.ask", self, sql, limit)

    def save(self, path: PathLike, gap: PathLike, verify: PathLike, notes: Sequence[str], force: bool) -> None:
        """Writes the session to one file, completely or not at all.

        Args:
            path: the file.
            gap, verify: document files to store with it, or empty.
            notes: notes to store with it.
            force: replace a session that has notes.
        """
        call_with_paths("Session.save", self, path, gap, verify, list(notes), force)

    def extract(self, folder: PathLike) -> dict[str, str]:
        """Extracts the files of a stored session into a folder: {kind: path}."""
        return call_with_paths("Session.extract", self, folder)

    def findings(self) -> str:
        """Returns the document of `et-inspect findings --format json`."""
        return call("Session.findings", self)


class MemoryPage(Served):
    """The memory plans of a program; immutable."""

    @staticmethod
    def open(model: PathLike, etrecord: PathLike, etdump: PathLike, method: str, what_if: bool) -> MemoryPage:
        """Reads a program and related files; empty paths are skipped.

        Args:
            model, etrecord, etdump: paths.
            method: only this one; empty: all.
            what_if: plan the same tensors again.
        """
        return make(MemoryPage, "MemoryPage.open", model, etrecord, etdump, method, what_if, paths=True)

    def json(self) -> str:
        """Returns the document of `et-inspect memory --format json`."""
        return call("MemoryPage.json", self)

    def text(self, top: int) -> str:
        """Returns the text printed by the command line. ``top``: tensors to list; 0: all."""
        return call("MemoryPage.text", self, top)

    def picture(self) -> str:
        """Returns the plan as SVG."""
        return call("MemoryPage.picture", self)

    def chrome_trace(self, offsets: bool) -> str:
        """Returns live tensors by instruction as a Chrome trace. ``offsets``: place tensors at their offsets."""
        return call("MemoryPage.chrome_trace", self, offsets)

    @property
    def warnings(self) -> list[str]:
        """Overlapping tensors, and files that contradict the program, one per line."""
        return call("MemoryPage.warnings", self)


class DelegatesPage(Served):
    """The delegates of a program; immutable."""

    @staticmethod
    def open(
        model: PathLike,
        data: Sequence[PathLike],
        etrecord: PathLike,
        etdump: PathLike,
        method: str,
        source_time_scale: str,
        delegate_time_scale: Sequence[str],
    ) -> DelegatesPage:
        """Reads a program and related files; empty paths are skipped.

        Args:
            model, etrecord, etdump: paths.
            data: external weights.
            method: only this one; empty: all, or with a trace the one that it ran.
            source_time_scale: of the trace.
            delegate_time_scale: of times inside delegates: "[BACKEND=]UNIT".
        """
        given = (model, list(data), etrecord, etdump, method, source_time_scale, list(delegate_time_scale))
        return make(DelegatesPage, "DelegatesPage.open", *given, paths=True)

    def json(self, nodes: bool) -> str:
        """Returns the document of `et-inspect delegates --format json`. ``nodes``: every node and value inside."""
        return call("DelegatesPage.json", self, nodes)

    def text(self, nodes: bool) -> str:
        """Returns the text printed by the command line."""
        return call("DelegatesPage.text", self, nodes)

    @property
    def warnings(self) -> list[str]:
        """Files that contradict the program, and data missing from the trace, one per line."""
        return call("DelegatesPage.warnings", self)


class GraphPage(Served):
    """A graph of a program or a record; immutable."""

    @staticmethod
    def open(asked: dict[str, object]) -> GraphPage:
        """Reads a graph. ``asked``: every parameter of et_inspect.graph() except the timeout."""
        return make(GraphPage, "GraphPage.open", asked, paths=True)

    def json(self) -> str:
        """Returns the document of `et-inspect graph --format json`."""
        return call("GraphPage.json", self)

    def text(self) -> str:
        """Returns the diagram as indented lines."""
        return call("GraphPage.text", self)

    def dot(self) -> str:
        """Returns the diagram for Graphviz."""
        return call("GraphPage.dot", self)

    def model_explorer(self, clusters: bool) -> str:
        """Returns the document of `et-inspect graph --format model-explorer`. ``clusters``: its option --clusters."""
        return call("GraphPage.model_explorer", self, clusters)

    def node_data(self) -> list[list[str]]:
        """Returns name and document of each kind of node data for Model Explorer."""
        return call("GraphPage.node_data", self)

    def picture(self, timeout: float, helper: PathLike) -> str:
        """Returns the diagram as SVG. ``timeout``: time limit in seconds for the layout by the program ``helper``; empty: the
        one of et-inspect."""
        return call("GraphPage.picture", self, timeout, helper)

    @property
    def warnings(self) -> list[str]:
        """Files that contradict each other, one per line."""
        return call("GraphPage.warnings", self)


class ProgramDiff(Served):
    """Changes between two programs; immutable."""

    @staticmethod
    def of(
        before: PathLike, after: PathLike, data: Sequence[PathLike], data_after: Sequence[PathLike], method: str
    ) -> ProgramDiff:
        """Compares two programs. ``data``, ``data_after``: external weights; ``method``: empty: all."""
        return make(ProgramDiff, "ProgramDiff.of", before, after, list(data), list(data_after), method, paths=True)

    def json(self, all: bool) -> str:  # noqa: A002: the name of the option
        """Returns the document of `et-inspect diff --format json`. ``all``: include unchanged items."""
        return call("ProgramDiff.json", self, all)

    def text(self, all: bool) -> str:  # noqa: A002
        """Returns the text printed by the command line."""
        return call("ProgramDiff.text", self, all)

    def markdown(self) -> str:
        """Returns the text for a pull request comment."""
        return call("ProgramDiff.markdown", self)


class OpenRequest:
    """Options for loading a program.

    Attributes:
        data: paths of external weights.
        plugins: shared libraries with operators or backends.
        backends_off: backends to disable.
        record: ETRecord used to emulate delegates; empty: none.
        threads: threads of one execution.
        seed: seed for operators that draw random numbers.
        memory_bytes: maximum bytes of tensors; None: no limit set by the caller.
        instructions: maximum number of instructions per execution; None: no limit set by the caller.
    """

    def __init__(self) -> None:
        self.data: Sequence[PathLike] = []
        self.plugins: Sequence[PathLike] = []
        self.backends_off: Sequence[str] = []
        self.record: PathLike = ""
        self.threads = 1
        self.seed = 0
        self.memory_bytes: int | None = None
        self.instructions: int | None = None


class Method(Served):
    """A method that is ready to run."""

    _timeout: float | None = None
    _ran = False

    def execute(self, inputs: Sequence[object]) -> list[Any]:
        """Runs the method: an array, tensor, number, string, list or None for each input."""
        outputs = call("Method.execute", self, Inputs(inputs), timeout=self._timeout)
        self._ran = True
        return outputs

    def attribute(self, name: str) -> Any:
        """Returns a copy of a mutable buffer, by its qualified name."""
        return call("Method.attribute", self, name)

    def memory(self) -> dict[str, object]:
        """Returns the memory use in bytes: a list of `arenas`, and numbers."""
        return call("Method.memory", self)

    @property
    def name(self) -> str:
        """Name in the program."""
        return call("Method.name", self)

    def _recreate(self, child: _child._Child) -> None:
        super()._recreate(child)
        program, name = self._made[1]
        if self._ran and child.call("Program.facts", (program, name))["attributes"]:
            raise _child.lost("the state of the program was lost")


class Program(Served):
    """A program that is ready to load methods."""

    _timeout: float | None = None
    _records = False

    @staticmethod
    def open(source: Source, request: OpenRequest, etdump: bool, debug_bytes: int, timeout: float | None) -> Program:
        """Loads a program: a path, or its bytes.

        Args:
            source: the program.
            request: further options.
            etdump: record all executions, with at most ``debug_bytes`` of values.
            debug_bytes: maximum bytes of values.
            timeout: time limit of one execution in seconds.
        """
        made = make(Program, "Program.open", source, dict(vars(request)), etdump, debug_bytes, timeout, paths=True)
        made._timeout, made._records = timeout, etdump
        return made

    @property
    def method_names(self) -> list[str]:
        """Its methods, in file order."""
        return call("Program.method_names", self)

    @property
    def emulation_note(self) -> str:
        """Description of the emulated delegates; empty: none."""
        return call("Program.emulation_note", self)

    def facts(self, method: str) -> dict[str, Any]:
        """Returns the metadata of a method: its name, memory, and tag, sizes, dtype and bytes of inputs, outputs and state."""
        return call("Program.facts", self, method)

    def load_method(self, name: str) -> Method:
        """Prepares a method to run."""
        made = make(Method, "Program.load_method", self, name)
        made._timeout = self._timeout
        return made

    def recorded(self) -> tuple[bytes, bytes]:
        """Returns the trace and the debug buffer of all executions; requires a program loaded with ``etdump``."""
        return call("Program.recorded", self)

    def _recreate(self, child: _child._Child) -> None:
        if self._records:
            raise _child.lost("the recorded trace was lost")
        super()._recreate(child)


class RecordingRequest:
    """Options for recording runs.

    Attributes:
        debug: values to log: none, outputs or intermediates.
        names: operators whose values are logged, with ``*`` and ``?``.
        instructions: instructions whose values are logged.
        taps: values inside delegates to log; empty: none.
        allocations: also record allocations.
        max_events: maximum number of events.
        max_debug_bytes: maximum bytes of logged values.
    """

    def __init__(self) -> None:
        self.debug = "none"
        self.names: Sequence[str] = []
        self.instructions: Sequence[int] = []
        self.taps = ""
        self.allocations = False
        self.max_events = 4_000_000
        self.max_debug_bytes = 16 << 30


class Recording(Served):
    """A trace that is being recorded in memory."""

    _LOST = "the recorded trace was lost"

    @staticmethod
    def start(method: Method, request: RecordingRequest) -> Recording:
        """Starts recording the method; at most one recording per method."""
        return make(Recording, "Recording.start", method, dict(vars(request)))

    def stop(self) -> None:
        """Stops recording the method."""
        call("Recording.stop", self)

    def trace(self) -> bytes:
        """Returns the ETDump."""
        return call("Recording.trace", self)

    def debug_buffer(self) -> bytes:
        """Returns the logged values."""
        return call("Recording.debug_buffer", self)

    def info(self) -> dict[str, int]:
        """Returns amounts of recorded and dropped data."""
        return call("Recording.info", self)


class ValueTaps(Served):
    """Values inside runs."""

    _LOST = "the kept values were lost"

    @staticmethod
    def start(method: Method, names: Sequence[str], instructions: Sequence[int], handles: Sequence[int]) -> ValueTaps:
        """Starts keeping the results of these operators, instructions or debug handles."""
        return make(ValueTaps, "ValueTaps.start", method, list(names), list(instructions), list(handles))

    def stop(self) -> None:
        """Stops keeping values."""
        call("ValueTaps.stop", self)

    def take(self) -> list[dict[str, Any]]:
        """Returns the values kept since the previous call."""
        return call("ValueTaps.take", self)
