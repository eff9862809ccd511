"""The API of ``executorch.extension.pybindings.data_loader``.

>>> from et_inspect.extension.pybindings.data_loader import PyDataLoader
>>> loader = PyDataLoader(gzip.open("model.pte.gz"))
"""

from __future__ import annotations

import os
from typing import Any

__all__ = ["PyDataLoader"]


class PyDataLoader:
    """A source of the bytes of a program, for ``portable_lib._load_for_executorch_from_data_loader()``.

    ExecuTorch's class wraps loaders that are written in C++; this one reads a path, bytes, or an object with ``read()``.
    """

    def __init__(self, source: Any) -> None:
        self._source = source

    def load(self) -> bytes:
        """Returns all bytes.

        Raises:
            TypeError: the source has another type.
            OSError: it cannot be read.
        """
        source = self._source
        if isinstance(source, (str, os.PathLike)):
            with open(source, "rb") as file:
                return file.read()
        data = source.read() if hasattr(source, "read") else source
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise TypeError(f"expected a path, bytes or an object with read(), got {type(data).__name__}")
        return bytes(data)
