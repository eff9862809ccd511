"""Drop-in replacement for ``executorch.devtools``: only the import changes.

>>> from et_inspect.devtools import Inspector
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from . import bundled_program, inspector
from .bundled_program import BundledProgram
from .etrecord import ETRecord, generate_etrecord, parse_etrecord
from .inspector import Inspector

if TYPE_CHECKING:
    from .activation_memory_profiler import MemoryTimeline as MemoryTimeline
    from .activation_memory_profiler import generate_memory_trace as generate_memory_trace
    from .backend_debug import DelegationInfo as DelegationInfo
    from .backend_debug import get_delegation_info as get_delegation_info

# Less used names and the modules that define them, imported on first access.
_LATER = {
    **dict.fromkeys(("DelegationInfo", "get_delegation_info"), "backend_debug"),
    **dict.fromkeys(("MemoryTimeline", "generate_memory_trace"), "activation_memory_profiler"),
}

__all__ = [
    "BundledProgram",
    "DelegationInfo",
    "ETRecord",
    "Inspector",
    "MemoryTimeline",
    "bundled_program",
    "generate_etrecord",
    "generate_memory_trace",
    "get_delegation_info",
    "inspector",
    "parse_etrecord",
]


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(importlib.import_module(f"{__name__}.{_LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
