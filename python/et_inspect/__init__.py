"""Developer tools for ExecuTorch: read, link, compare, run and display models.

Uses the same engine as ``et-inspect`` and ``et-studio``, in a child process and without torch.

>>> from et_inspect.devtools import Inspector
>>> Inspector(etdump_path="trace.etdp", etrecord="model.etrecord").print_data_tabular()
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from . import errors
from ._commands import *  # noqa: F403: its __all__ lists the functions
from ._commands import __all__ as _COMMANDS
from ._native import version as __version__
from ._kernels import kernel, remove_kernel
from .errors import Error

if TYPE_CHECKING:
    from . import devtools as devtools, runtime as runtime
    from ._arguments import LimitOptions as LimitOptions, ModelOptions as ModelOptions
    from ._command_results import CommandResult as CommandResult
    from ._reading import delegates as delegates, diff as diff, graph as graph, memory as memory
    from .conversation import Conversation as Conversation
    from .debugger import Debugger as Debugger, debug as debug
    from ._explaining import explain as explain
    from ._running import bench as bench, compare as compare, gap as gap, generate as generate, verify as verify
    from .devtools.visualization import visualize as visualize, visualize_with_clusters as visualize_with_clusters
    from .session import Session as Session, findings as findings, open as open  # noqa: A004

# Imported on first access, to keep the import of the package short.
_PARTS = ("devtools", "runtime")
# Maps each public name to the module that defines it.
_NAMES = {
    **dict.fromkeys(("delegates", "diff", "graph", "memory"), "_reading"),
    **dict.fromkeys(("bench", "compare", "gap", "generate", "verify"), "_running"),
    **dict.fromkeys(("visualize", "visualize_with_clusters"), "devtools.visualization"),
    "explain": "_explaining",
    "CommandResult": "_command_results",
    "Conversation": "conversation",
    **dict.fromkeys(("Debugger", "debug"), "debugger"),
    **dict.fromkeys(("LimitOptions", "ModelOptions"), "_arguments"),
    **dict.fromkeys(("Session", "findings", "open"), "session"),
}

# Without `open`: `from et_inspect import *` must not hide the built-in.
_OFFERED = tuple(name for name in _NAMES if name != "open")
__all__ = ["Error", "__version__", "errors", "kernel", "remove_kernel", *_COMMANDS, *_PARTS, *_OFFERED]


def __getattr__(name: str) -> Any:
    if name in _PARTS:
        return importlib.import_module(f"{__name__}.{name}")
    if name in _NAMES:
        return getattr(importlib.import_module(f"{__name__}.{_NAMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_NAMES})
