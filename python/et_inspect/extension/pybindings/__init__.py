"""The functions of ``executorch.extension.pybindings``, on the runtime of ``et_inspect``."""

from . import portable_lib

__all__ = ["portable_lib"]
