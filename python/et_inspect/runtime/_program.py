"""Loaded programs."""

from __future__ import annotations

import os

from .. import _native, errors
from ._metadata import MethodMeta
from ._method import Method


class Program:
    """A program, ready to load methods. Created by :meth:`et_inspect.runtime.Runtime.load_program`.

    Methods of one program share its state and memory, so their executions are serialized across threads; different
    programs run in parallel. Loading a file again needs no additional memory for its weights, which are mapped.
    """

    def __init__(self, native: _native.Program, etrecord: object = None) -> None:
        self._native = native
        self._etrecord = etrecord
        self._methods: dict[str, Method | None] = dict.fromkeys(native.method_names)

    @property
    def method_names(self) -> set[str]:
        """The names of the methods."""
        return set(self._methods)

    @property
    def emulation_note(self) -> str:
        """Describes the emulated backends and the consequences; empty if none is emulated."""
        return self._native.emulation_note

    def metadata(self, method_name: str) -> MethodMeta:
        """Returns the metadata of a method, which need not be loaded. Raises NotFoundError."""
        self._check(method_name)
        return MethodMeta(self._native.facts(method_name))

    def load_method(self, name: str) -> Method:
        """Loads a method, or returns it if already loaded.

        Raises:
            NotFoundError: no such method.
            UnsupportedError: an operator, a backend or external weights are missing; the message names them.
            FormatError: part of the program is damaged.
            LimitError: the method exceeds the memory limit.
        """
        self._check(name)
        method = self._methods[name]
        if method is None:
            method = self._methods[name] = Method(self._native.load_method(name), self.metadata(name), self._etrecord)
        return method

    def write_etdump_result_to_file(
        self, etdump_path: str | os.PathLike, debug_buffer_path: str | os.PathLike | None = None
    ) -> None:
        """Writes a trace of all executions so far, and the recorded values.

        Args:
            etdump_path: path of the trace.
            debug_buffer_path: path of the debug buffer; not written if no values were recorded.

        Raises:
            ArgumentError: the program was loaded without ``enable_etdump``.
            OSError: a file cannot be written.
        """
        trace, buffer = self._native.recorded()
        with open(etdump_path, "wb") as file:
            file.write(trace)
        if debug_buffer_path is not None and buffer:
            with open(debug_buffer_path, "wb") as file:
                file.write(buffer)

    def _check(self, name: str) -> None:
        if name not in self._methods:
            known = ", ".join(self._methods)
            raise errors.NotFoundError(f'no method "{name}"; available: {known}')

    def __repr__(self) -> str:
        return f"Program(methods={sorted(self._methods)})"
