"""Developer tools for ExecuTorch: read, join, compare, run and show models.

The same libraries as ``et-inspect`` and ``et-studio``, in this process, without torch.

>>> from et_inspect.devtools import Inspector
>>> Inspector(etdump_path="trace.etdp", etrecord="model.etrecord").print_data_tabular()
"""

from __future__ import annotations

import importlib
from typing import Any

from . import errors
from ._native import version as __version__
from ._kernels import kernel, remove_kernel
from .errors import Error

# Parts that are read when they are first asked for: importing the package takes milliseconds.
_PARTS = ("devtools", "runtime")
# Names, and the part that has them.
_NAMES = {
    **dict.fromkeys(("delegates", "diff", "findings", "graph", "memory"), "_reading"),
    **dict.fromkeys(("bench", "compare", "gap", "generate", "verify"), "_running"),
    **dict.fromkeys(("LimitOptions", "ModelOptions"), "_arguments"),
    **dict.fromkeys(("Session", "open"), "session"),
}

__all__ = ["Error", "__version__", "errors", "kernel", "remove_kernel", *_PARTS, *_NAMES]


def __getattr__(name: str) -> Any:
    if name in _PARTS:
        return importlib.import_module(f"{__name__}.{name}")
    if name in _NAMES:
        return getattr(importlib.import_module(f"{__name__}.{_NAMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
