"""Events and blocks of events, with the API and results of ``executorch.devtools.inspector``."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..._display import Rows, Shown
from . import _frames

if TYPE_CHECKING:
    import pandas as pd


class TimeScale(enum.Enum):
    """A unit of time. Cycles cannot be converted to other units."""

    NS = "ns"
    US = "us"
    MS = "ms"
    S = "s"
    CYCLES = "cycles"


class PerfData:
    """The times of an event, one per run, in the target time scale.

    Percentiles interpolate linearly between the closest ranks, as ``numpy.percentile`` does.
    """

    def __init__(self, raw: Sequence[float]) -> None:
        self.raw = raw

    def _percentile(self, rank: int) -> float:
        import numpy as np

        return np.percentile(self.raw, rank)

    @property
    def p10(self) -> float:
        """The 10th percentile."""
        return self._percentile(10)

    @property
    def p50(self) -> float:
        """The median."""
        return self._percentile(50)

    @property
    def p90(self) -> float:
        """The 90th percentile."""
        return self._percentile(90)

    @property
    def avg(self) -> float:
        """The mean."""
        import numpy as np

        return np.mean(self.raw)

    @property
    def min(self) -> float:
        """The shortest time."""
        return min(self.raw)

    @property
    def max(self) -> float:
        """The longest time."""
        return max(self.raw)

    def __eq__(self, other: object) -> bool:
        return self.raw == other.raw if isinstance(other, PerfData) else NotImplemented

    __hash__ = None

    def __repr__(self) -> str:
        return f"PerfData(raw={_shortened(self.raw)})"


class _ReadWhenAsked:
    """A field whose value may be a function, which is called on first access.

    Logged tensors can be large and are rarely needed.
    """

    def __init__(self, missing: Callable[[], Any] = lambda: None) -> None:
        self.missing = missing

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = "_" + name

    def __get__(self, event: Any, owner: type) -> Any:
        if event is None:
            return None  # default of the dataclass field
        held = getattr(event, self.name)
        if callable(held):
            held = held()
            setattr(event, self.name, held)
        return held

    def __set__(self, event: Any, value: Any) -> None:
        setattr(event, self.name, self.missing() if value is None else value)


def _shortened(values: Sequence[Any]) -> str:
    """Returns the representation of the first values, and their number if there are more."""
    if len(values) <= _SHOWN:
        return repr(list(values))
    return f"[{', '.join(repr(each) for each in values[:_SHOWN])}, … {len(values)} in total]"


# Number of values or events that repr() prints.
_SHOWN = 8


@dataclasses.dataclass(repr=False)
class Event(Shown):
    """An operator, or a step of the runtime, over all runs of its block.

    Attributes:
        name: name of the event; for delegate events, the delegate debug identifier.
        perf_data: its times; None if the runtime logged only values.
        op_types: corresponding operators from the ETRecord.
        delegate_debug_identifier: the delegate's identifier; None outside delegates.
        debug_handles: one or several debug handles, as in the ETRecord.
        num_outputs: number of outputs of the instruction, from the ETRecord; 1 if unknown.
        stack_traces: Python stack traces by node of the Edge graph.
        module_hierarchy: ``{path: (name, type)}`` of the modules by node, outermost first.
        is_delegated_op: whether a delegate ran it.
        delegate_backend_name: the delegate's backend; None if unknown.
        debug_data: logged values: read-only numpy arrays, lists of them, or numbers.
    """

    name: str
    perf_data: PerfData | None = None
    op_types: list[str] = dataclasses.field(default_factory=list)
    delegate_debug_identifier: int | str | None = None
    debug_handles: int | Sequence[int] | None = None
    num_outputs: int = 1
    stack_traces: dict[str, str | None] = dataclasses.field(default_factory=dict)
    module_hierarchy: dict[str, dict] = dataclasses.field(default_factory=dict)
    is_delegated_op: bool | None = None
    delegate_backend_name: str | None = None
    _delegate_debug_metadatas: list[bytes] = dataclasses.field(default_factory=list)
    debug_data: list = _ReadWhenAsked(list)
    _instruction_id: int | None = None
    _delegate_metadata_parser: Callable[[list[bytes]], list[str] | dict[str, Any]] | None = None
    _delegate_time_scale_converter: Callable[[int | str, int | float], int | float] | None = None
    _start_time: list[int | float] | None = None

    def __repr__(self) -> str:
        times = self.perf_data
        known = [
            f"name={self.name!r}",
            f"p50={times.p50:.4g}, runs={len(times.raw)}" if times is not None and len(times.raw) else "",
            f"op_types={_shortened(self.op_types)}" if self.op_types else "",
            f"delegate={self.delegate_backend_name!r}" if self.is_delegated_op else "",
            f"debug_handles={self.debug_handles!r}" if isinstance(self.debug_handles, int) else "",
        ]
        return f"Event({', '.join(part for part in known if part)})"

    def _caption(self) -> str:
        return repr(self)

    def _rows(self) -> Rows:
        cells = zip(_frames.COLUMNS, _frames.row_of(self))
        return ("", "value"), [(name, _plain(value)) for name, value in cells if name != "debug_data"]

    @cached_property
    def delegate_debug_metadatas(self) -> list[bytes] | dict[str, Any]:
        """The delegate's metadata of each sample, parsed if a parser was given."""
        if not self.is_delegated_op or self._delegate_metadata_parser is None:
            return self._delegate_debug_metadatas
        return self._delegate_metadata_parser(self._delegate_debug_metadatas)

    @property
    def raw_delegate_debug_metadatas(self) -> list[bytes]:
        """The delegate's unparsed metadata of each sample; empty if there is none."""
        return self._delegate_debug_metadatas

    @property
    def start_time(self) -> list[int | float] | None:
        """Start of each sample, in ticks of the source clock."""
        return self._start_time

    def asdict(self, _units: str = "") -> dict[str, Any]:
        """Returns the data frame row by column; cells that are lists are wrapped in a list of one element."""
        row = _frames.row_of(self)
        return {
            column + (_units if column in _frames.STATISTICS else ""): [value] if column in _frames.LISTS else value
            for column, value in zip(_frames.COLUMNS, row)
        }

    def to_dataframe(self, _units: str = "") -> pd.DataFrame:
        """Returns a data frame with one row."""
        import pandas as pd

        return pd.DataFrame(self.asdict(_units))


def _plain(value: Any) -> Any:
    """Returns a cell of a table: long lists are shortened."""
    return _shortened(value) if isinstance(value, (list, tuple)) and len(value) > _SHOWN else value


@dataclasses.dataclass(repr=False)
class EventBlock(Shown):
    """Runs with the same events: a load phase, a method, a branch.

    Attributes:
        name: name of the block.
        events: events in order of first appearance.
        bundled_input_index: test case of the bundled program; -1 if none.
        run_output: outputs of the method that the runtime logged.
        reference_output: expected outputs of the case from the ETRecord, as numpy arrays; None without a case or if the
            ETRecord has none.
    """

    name: str
    events: list[Event] = dataclasses.field(default_factory=list)
    source_time_scale: TimeScale = TimeScale.NS
    target_time_scale: TimeScale = TimeScale.MS
    bundled_input_index: int | None = None
    run_output: list | None = None
    reference_output: list | None = _ReadWhenAsked()

    def __repr__(self) -> str:
        return f"EventBlock(name={self.name!r}, events={_shortened(self.events)}, times in {self.target_time_scale.value})"

    def _caption(self) -> str:
        return f"{self.name}: {len(self.events)} events, times in {self.target_time_scale.value}"

    def _rows(self) -> Rows:
        columns = ("name", "runs", "p50", "p90", "max", "op_types", "delegate", "debug_handles")
        rows = []
        for event in self.events:
            times = event.perf_data
            known = (len(times.raw), times.p50, times.p90, times.max) if times is not None and len(times.raw) else (0, None, None, None)
            rows.append((event.name, *known, event.op_types, event.delegate_backend_name, event.debug_handles))
        return columns, rows

    def to_dataframe(self, include_units: bool = False, include_delegate_debug_data: bool = False) -> pd.DataFrame:
        """Returns a data frame with a row per event.

        Args:
            include_units: append the unit to the headers of time columns.
            include_delegate_debug_data: add the delegates' metadata of the events.
        """
        unit = self.target_time_scale.value if include_units else None
        frame = _frames.frame(self.name, [_frames.row_of(event) for event in self.events], unit)
        if include_delegate_debug_data:
            frame = _frames.with_metadata(frame, [event.delegate_debug_metadatas for event in self.events])
        return frame
