"""A program that is loaded."""

from __future__ import annotations

import os

from .. import _native, errors
from ._metadata import MethodMeta
from ._method import Method


class Program:
    """A program, ready to load methods. Made by :meth:`et_inspect.runtime.Runtime.load_program`.

    Methods of one program share its state and memory and therefore run in turns, whatever threads call them; those of
    different programs run at the same time. Loading a file once more costs no memory for its weights, which are mapped.
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
        """Which backends are emulated, and what that means; empty: none is."""
        return self._native.emulation_note

    def metadata(self, method_name: str) -> MethodMeta:
        """What the program says of a method, which need not be loaded. Raises NotFoundError."""
        self._check(method_name)
        return MethodMeta(self._native.facts(method_name))

    def load_method(self, name: str) -> Method:
        """Loads a method, or gives the one that is loaded already.

        Raises:
            NotFoundError: no such method.
            UnsupportedError: an operator, a backend or external weights are missing; says which.
            FormatError: a part of the program is damaged.
            LimitError: it takes more memory than is allowed.
        """
        self._check(name)
        method = self._methods[name]
        if method is None:
            method = self._methods[name] = Method(self._native.load_method(name), self.metadata(name), self._etrecord)
        return method

    def write_etdump_result_to_file(
        self, etdump_path: str | os.PathLike, debug_buffer_path: str | os.PathLike | None = None
    ) -> None:
        """Writes what ran until now as a trace, and the values that were recorded beside it.

        Args:
            etdump_path: the trace.
            debug_buffer_path: the debug buffer; not written where no values were asked for.

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
