"""The runtime: registries of backends and operators, and loading of programs."""

from __future__ import annotations

import enum
import functools
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, BinaryIO, Union

from .. import _native, errors
from ._program import Program

if TYPE_CHECKING:
    from ..devtools import ETRecord

Path = Union[str, os.PathLike]
Paths = Union[Path, Sequence[Path]]

_MAX_THREADS = 1024


class Verification(enum.IntEnum):
    """Verification level when loading a program. This runtime always verifies everything."""

    Minimal = 0
    InternalConsistency = 1


class BackendRegistry:
    """The built-in backends."""

    @property
    def registered_backend_names(self) -> list[str]:
        """Names as spelled in programs, such as ``XnnpackBackend``."""
        return _native.backend_names()

    def is_available(self, backend_name: str) -> bool:
        """Returns whether delegates of this backend can run."""
        return backend_name in self.registered_backend_names


class OperatorRegistry:
    """The built-in operators."""

    @property
    def operator_names(self) -> set[str]:
        """Names as spelled in programs, such as ``aten::add.out``."""
        return set(_native.operator_names())


class Runtime:
    """Loads programs. Use the single instance from :meth:`Runtime.get`.

    Attributes:
        backend_registry: the built-in backends.
        operator_registry: the built-in operators.
    """

    @staticmethod
    @functools.cache
    def get() -> Runtime:
        """Returns the runtime."""
        return Runtime()

    def __init__(self) -> None:
        self.backend_registry = BackendRegistry()
        self.operator_registry = OperatorRegistry()

    def load_program(
        self,
        data: bytes | bytearray | memoryview | BinaryIO | Path,
        *,
        verification: Verification = Verification.InternalConsistency,
        enable_etdump: bool = False,
        debug_buffer_size: int = 0,
        data_path: Paths | None = None,
        threads: int = 1,
        plugins: Paths = (),
        backends_off: str | Sequence[str] = (),
        etrecord: object = None,
        max_memory: int | None = None,
        max_instructions: int | None = None,
        timeout: float | None = None,
        seed: int = 0,
    ) -> Program:
        """Loads a program.

        Args:
            data: a program (``.pte``) or bundled program (``.bpte``): a path, bytes, or a binary file object. A file given by
                path is mapped and must not change while the program is in use; bytes are copied.
            verification: accepted for compatibility; everything is always verified.
            enable_etdump: record all executions for ``write_etdump_result_to_file()``. Not needed for :meth:`Method.trace`.
            debug_buffer_size: maximum size of recorded values, in bytes; 0: none. Only with ``enable_etdump``.
            data_path: one or several ``.ptd`` files with external weights.
            threads: threads shared by kernels and delegates; 0: the number of processors.
            plugins: shared libraries with operators and backends in C++ (``examples/plugin``).
            backends_off: backends to disable. With ``etrecord``, their delegates are emulated.
            etrecord: an ETRecord (also the exporter's) or its path; delegates of unavailable backends are emulated from its
                graph.
            max_memory: limit for the program's memory, in bytes; default: 8 GiB.
            max_instructions: limit per execution; default: one million.
            timeout: limit per execution, in seconds; exceeding it raises LimitError before the next instruction.
            seed: seed for operators that draw random numbers.

        Raises:
            FileError: no such file.
            FormatError: not a program, or damaged; the message names the location.
            ArgumentError: no such backend.
            TypeError: ``data`` is of another type.
        """
        Verification(verification)
        etrecord = _record(etrecord)
        request = _native.OpenRequest()
        request.data = _paths(data_path)
        request.plugins = _paths(plugins)
        request.backends_off = [backends_off] if isinstance(backends_off, str) else list(backends_off)
        request.record = etrecord if isinstance(etrecord, str) else "" if etrecord is None else etrecord.path
        request.threads = _count("threads", threads, _MAX_THREADS)
        request.seed = _count("seed", seed)
        request.memory_bytes = None if max_memory is None else _count("max_memory", max_memory)
        request.instructions = None if max_instructions is None else _count("max_instructions", max_instructions)
        if timeout is not None and not timeout > 0:
            raise errors.ArgumentError(f"timeout: expected more than 0 s, got {timeout}")
        debug_bytes = _count("debug_buffer_size", debug_buffer_size)
        if not plugins:
            self._check_backends(request.backends_off)
        return Program(
            _native.Program.open(_source(data), request, enable_etdump, debug_bytes, timeout),
            etrecord,
        )

    def _check_backends(self, names: Sequence[str]) -> None:
        known = self.backend_registry.registered_backend_names
        for name in names:
            if name not in known:
                raise errors.ArgumentError(f"backends_off: expected one of {', '.join(known)}, got {name!r}")


def _source(data: object) -> str | bytes:
    if isinstance(data, (str, os.PathLike)):
        return os.fspath(data)
    if hasattr(data, "read"):
        data = data.read()
    if isinstance(data, (bytes, bytearray, memoryview)):
        return bytes(data)
    raise TypeError(f"data: expected a path, bytes or a binary file object, got {type(data).__name__}")


def _paths(names: Paths | None) -> list[str]:
    if names is None:
        return []
    if isinstance(names, (str, os.PathLike)):
        return [os.fspath(names)]
    return [os.fspath(name) for name in names]


def _record(given: object) -> ETRecord | str | None:
    """Returns a path, or an ETRecord with a path: the exporter's objects have none until they are saved."""
    if given is None or isinstance(given, (str, os.PathLike)):
        return None if given is None else os.fspath(given)
    from ..devtools.etrecord._etrecord import as_record

    return as_record(given)


def _count(name: str, value: int, largest: int = 2**63 - 1) -> int:
    if not 0 <= value <= largest:
        raise errors.ArgumentError(f"{name}: expected 0 to {largest}, got {value}")
    return value
