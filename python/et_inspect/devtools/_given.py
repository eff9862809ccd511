"""Programs that a caller has, as files."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any

from .. import errors


def program_source(program: Any) -> str | bytes:
    """The path or the bytes of a program: of what has its bytes as ``buffer``, as the exporter's objects have, too.

    Raises:
        ArgumentError: it is none of them.
    """
    if isinstance(program, (str, os.PathLike)):
        return os.fspath(program)
    source = getattr(program, "buffer", program)
    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(source)
    raise errors.ArgumentError(f"expected a path, bytes or an exported program, got {type(program).__name__}")


@contextlib.contextmanager
def program_file(program: Any) -> Iterator[str]:
    """The program as a file; bytes are written to one for as long as it takes."""
    source = program_source(program)
    if isinstance(source, str):
        yield source
        return
    import tempfile  # takes milliseconds, which importing the package must not

    with tempfile.TemporaryDirectory(prefix="et-inspect-program-") as folder:
        path = os.path.join(folder, "program.pte")
        with open(path, "wb") as file:
            file.write(source)
        yield path
