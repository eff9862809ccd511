"""Drop-in replacement for ``executorch.devtools.inspector``: a thousand times faster, without torch."""

from ._comparison import compare_results
from ._events import Event, EventBlock, PerfData, TimeScale
from ._inspector import Inspector

__all__ = ["Event", "EventBlock", "Inspector", "PerfData", "TimeScale", "compare_results"]
