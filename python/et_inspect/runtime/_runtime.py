"""The runtime: what it has, and how it loads programs."""

from __future__ import annotations

import enum
import functools
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, BinaryIO

from .. import _native, errors
from ._program import Program

if TYPE_CHECKING:
    from ..devtools import ETRecord

Path = str | os.PathLike
Paths = Path | Sequence[Path]

_MAX_THREADS = 1024


class Verification(enum.IntEnum):
    """How much of a program is checked when it is loaded. Here it is always all."""

    Minimal = 0
    InternalConsistency = 1


class BackendRegistry:
    """The backends that come with this build."""

    @property
    def registered_backend_names(self) -> list[str]:
        """Their names, as programs spell them: ``XnnpackBackend``."""
        return _native.backend_names()

    def is_available(self, backend_name: str) -> bool:
        """Whether delegates of this backend can run here."""
        return backend_name in self.registered_backend_names


class OperatorRegistry:
    """The operators that come with this build."""

    @property
    def operator_names(self) -> set[str]:
        """Their names, as programs spell them: ``aten::add.out``."""
        return set(_native.operator_names())


class Runtime:
    """Loads programs. There is one: :meth:`Runtime.get`.

    Attributes:
        backend_registry: the backends that come with this build.
        operator_registry: the operators that come with this build.
    """

    @staticmethod
    @functools.cache
    def get() -> Runtime:
        """The runtime."""
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
            data: a program (``.pte``) or bundled program (``.bpte``): its path, its bytes, or a file that is open for reading
                bytes. A file that a path names is mapped and must stay as it is while the program is in use; bytes are copied.
            verification: accepted for compatibility: everything is always checked.
            enable_etdump: record all that the methods do, for ``write_etdump_result_to_file()``. :meth:`Method.trace` needs
                no such promise.
            debug_buffer_size: bytes of values to record at most; 0: none. Only with ``enable_etdump``.
            data_path: a ``.ptd`` file, or several, with weights that the program keeps outside.
            threads: that kernels and delegates share; 0: as many as the machine has processors.
            plugins: shared libraries with operators and backends in C++ (``examples/plugin``).
            backends_off: backends that must not be used. With ``etrecord`` their delegates are emulated.
            etrecord: an ETRecord, the exporter's as well, or the path of one: delegates of backends that are not here are computed from its graph.
            max_memory: bytes that the program may plan and take; 8 GiB by default.
            max_instructions: of one execution; a million by default.
            timeout: seconds of one execution, which ends with LimitError before its next instruction.
            seed: of operators that draw random numbers.

        Raises:
            FileError: there is no such file.
            FormatError: the bytes are no program, or damaged; says where.
            ArgumentError: there is no such backend.
            TypeError: ``data`` is something else.
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
    raise TypeError(f"data: expected a path, bytes or a file that is open for reading bytes, got {type(data).__name__}")


def _paths(names: Paths | None) -> list[str]:
    if names is None:
        return []
    if isinstance(names, (str, os.PathLike)):
        return [os.fspath(names)]
    return [os.fspath(name) for name in names]


def _record(given: object) -> ETRecord | str | None:
    """A path, or a record with one: the exporter's own has none until it is saved."""
    if given is None or isinstance(given, (str, os.PathLike)):
        return None if given is None else os.fspath(given)
    from ..devtools.etrecord._etrecord import as_record

    return as_record(given)


def _count(name: str, value: int, largest: int = 2**63 - 1) -> int:
    if not 0 <= value <= largest:
        raise errors.ArgumentError(f"{name}: expected 0 to {largest}, got {value}")
    return value
