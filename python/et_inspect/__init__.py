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

__all__ = ["Error", "__version__", "errors", "kernel", "remove_kernel", *_PARTS]


def __getattr__(name: str) -> Any:
    if name in _PARTS:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
