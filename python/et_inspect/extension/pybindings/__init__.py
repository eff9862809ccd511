"""The functions of ``executorch.extension.pybindings``, on the runtime of ``et_inspect``."""

from . import data_loader, portable_lib

__all__ = ["data_loader", "portable_lib"]
