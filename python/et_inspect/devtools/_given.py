"""Converts programs given by the caller to files."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any

from .. import errors


def program_source(program: Any) -> str | bytes:
    """Returns the path or the bytes of a program. Objects with a ``buffer``, such as the exporter's, are accepted.

    Raises:
        ArgumentError: ``program`` is none of these.
    """
    if isinstance(program, (str, os.PathLike)):
        return os.fspath(program)
    source = getattr(program, "buffer", program)
    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(source)
    raise errors.ArgumentError(f"expected a path, bytes or an exported program, got {type(program).__name__}")


@contextlib.contextmanager
def program_file(program: Any) -> Iterator[str]:
    """Yields the path of the program; bytes are written to a temporary file."""
    source = program_source(program)
    if isinstance(source, str):
        yield source
        return
    import tempfile  # imported here to keep the import of the package fast

    with tempfile.TemporaryDirectory(prefix="et-inspect-program-") as folder:
        path = os.path.join(folder, "program.pte")
        with open(path, "wb") as file:
            file.write(source)
        yield path
