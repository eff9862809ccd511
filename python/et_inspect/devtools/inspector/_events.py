"""Events and blocks of events, with the names and results of ``executorch.devtools.inspector``."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from . import _frames

if TYPE_CHECKING:
    import pandas as pd


class TimeScale(enum.Enum):
    """A unit of time; cycles only go with cycles."""

    NS = "ns"
    US = "us"
    MS = "ms"
    S = "s"
    CYCLES = "cycles"


class PerfData:
    """The times of an event, one a run, in the target time scale.

    Percentiles interpolate linearly between the closest ranks, as ``numpy.percentile`` does.
    """

    def __init__(self, raw: Sequence[float]) -> None:
        self.raw = raw

    def _percentile(self, rank: int) -> float:
        import numpy as np

        return np.percentile(self.raw, rank)

    @property
    def p10(self) -> float:
        """A tenth of the runs took at most this long."""
        return self._percentile(10)

    @property
    def p50(self) -> float:
        """The median."""
        return self._percentile(50)

    @property
    def p90(self) -> float:
        """Nine tenths of the runs took at most this long."""
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
        return f"PerfData(raw={self.raw!r})"


class _ReadWhenAsked:
    """A field whose value may be a function, which is called when somebody looks.

    Tensors that the runtime logged can be large; most who open a trace never look at them.
    """

    def __init__(self, missing: Callable[[], Any] = lambda: None) -> None:
        self.missing = missing

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = "_" + name

    def __get__(self, event: Any, owner: type) -> Any:
        if event is None:
            return None  # the default of the field: none given
        held = getattr(event, self.name)
        if callable(held):
            held = held()
            setattr(event, self.name, held)
        return held

    def __set__(self, event: Any, value: Any) -> None:
        setattr(event, self.name, self.missing() if value is None else value)


@dataclasses.dataclass
class Event:
    """An operator, or a step of the runtime, over all runs of its block.

    Attributes:
        name: name of the event; of a delegate's event, its identifier.
        perf_data: its times; None where the runtime logged values alone.
        op_types: operators that it stands for, from the ETRecord.
        delegate_debug_identifier: what the delegate calls it; None outside of delegates.
        debug_handles: one debug handle or several, as the ETRecord has them.
        stack_traces: Python stack by node of the Edge graph.
        module_hierarchy: ``{path: (name, type)}`` of the modules by node, outermost first.
        is_delegated_op: whether a delegate ran it.
        delegate_backend_name: the delegate's backend; None where unknown.
        debug_data: values that the runtime logged: numpy arrays, which share memory with the debug buffer and cannot be
            written to, lists of them, or numbers.
    """

    name: str
    perf_data: PerfData | None = None
    op_types: list[str] = dataclasses.field(default_factory=list)
    delegate_debug_identifier: int | str | None = None
    debug_handles: int | Sequence[int] | None = None
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

    @cached_property
    def delegate_debug_metadatas(self) -> list[bytes] | dict[str, Any]:
        """What the delegate wrote beside each sample, as the parser reads it; as it is without a parser."""
        if not self.is_delegated_op or self._delegate_metadata_parser is None:
            return self._delegate_debug_metadatas
        return self._delegate_metadata_parser(self._delegate_debug_metadatas)

    @property
    def raw_delegate_debug_metadatas(self) -> list[bytes]:
        """What the delegate wrote beside each sample; empty where it wrote nothing."""
        return self._delegate_debug_metadatas

    @property
    def start_time(self) -> list[int | float] | None:
        """When each sample began, in ticks of the source clock."""
        return self._start_time

    def asdict(self, _units: str = "") -> dict[str, Any]:
        """The row of a data frame, by column; what is a list stands in a list of one."""
        row = _frames.row_of(self)
        return {
            column + (_units if column in _frames.STATISTICS else ""): [value] if column in _frames.LISTS else value
            for column, value in zip(_frames.COLUMNS, row, strict=True)
        }

    def to_dataframe(self, _units: str = "") -> pd.DataFrame:
        """A data frame of one row."""
        import pandas as pd

        return pd.DataFrame(self.asdict(_units))


@dataclasses.dataclass
class EventBlock:
    """Runs that have the same events: a phase of loading, a method, a branch.

    Attributes:
        name: name of the block.
        events: what ran, in order of first appearance.
        bundled_input_index: the case of the bundled program that the runs are of; -1 where of none.
        run_output: outputs of the method that the runtime logged.
        reference_output: the outputs that the ETRecord has of the case, numpy arrays; None for runs of no case and
            where the ETRecord has none.
    """

    name: str
    events: list[Event] = dataclasses.field(default_factory=list)
    source_time_scale: TimeScale = TimeScale.NS
    target_time_scale: TimeScale = TimeScale.MS
    bundled_input_index: int | None = None
    run_output: list | None = None
    reference_output: list | None = _ReadWhenAsked()

    def to_dataframe(self, include_units: bool = False, include_delegate_debug_data: bool = False) -> pd.DataFrame:
        """A data frame with a row for each event.

        Args:
            include_units: end the headers of times in their unit.
            include_delegate_debug_data: add what the delegates wrote beside their events.
        """
        unit = self.target_time_scale.value if include_units else None
        frame = _frames.frame(self.name, [_frames.row_of(event) for event in self.events], unit)
        if include_delegate_debug_data:
            frame = _frames.with_metadata(frame, [event.delegate_debug_metadatas for event in self.events])
        return frame
