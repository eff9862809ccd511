"""Bundled programs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from ... import _native, errors
from .._given import program_source
from . import schema
from .config import CaseError, MethodTestCase, MethodTestSuite


class BundledProgram:
    """A program and its test cases.

    Attributes:
        executorch_program: the program: a path, bytes, or an exporter object.
        method_test_suites: the test cases, one suite per method, sorted by method name.
    """

    def __init__(
        self,
        executorch_program: Any = None,
        method_test_suites: Sequence[MethodTestSuite] = (),
        pte_file_path: str | os.PathLike | None = None,
    ) -> None:
        """
        Args:
            executorch_program: path or bytes of a program (``.pte``), or an object with a ``buffer``, such as the exporter's
                ``ExecutorchProgramManager``. Of a bundled program, only the program is used.
            method_test_suites: the test cases by method.
            pte_file_path: path of a program, instead of ``executorch_program``.

        Raises:
            CaseError: a case does not match its method, or the program has no such method; the message names the case and
                the expected and given value.
            ArgumentError: not exactly one program was given.
            FormatError: the bytes are not a program.
        """
        if (executorch_program is None) == (pte_file_path is None):
            raise errors.ArgumentError("expected exactly one of executorch_program and pte_file_path")
        self.executorch_program = pte_file_path if executorch_program is None else executorch_program
        self.method_test_suites = sorted(method_test_suites, key=lambda suite: suite.method_name)
        self._bytes: bytes | None = None
        self.to_bytes()

    @classmethod
    def load(cls, source: bytes | str | os.PathLike) -> BundledProgram:
        """Reads a bundled program (``.bpte``).

        Tensors are read-only numpy arrays.

        Args:
            source: path or bytes.

        Raises:
            FormatError: not a bundled program, or damaged; the message names the location.
        """
        bundle = _native.Bundle.open(source if isinstance(source, bytes) else os.fspath(source))
        made = cls.__new__(cls)
        made.executorch_program = bundle.program
        made.method_test_suites = [
            MethodTestSuite(name, [_case(bundle, name, index) for index in range(count)])
            for name, count in bundle.suites
        ]
        made._bytes = None
        return made

    def to_bytes(self) -> bytes:
        """Serializes the bundled program."""
        if self._bytes is None:
            suites = [
                (suite.method_name, [(_plain(case.inputs), _plain(case.expected_outputs)) for case in suite.test_cases])
                for suite in self.method_test_suites
            ]
            try:
                self._bytes = _native.write_bundle(program_source(self.executorch_program), suites)
            except (errors.ArgumentError, errors.NotFoundError) as error:
                raise CaseError(str(error), message=error.message, file=error.file, field=error.field) from None
        return self._bytes

    def serialize_to_schema(self) -> schema.BundledProgram:
        """Returns the bundled program as objects of the file format's schema."""
        return schema.described(_native.Bundle.open(self.to_bytes()))

    def __repr__(self) -> str:
        cases = ", ".join(f"{suite.method_name}: {len(suite.test_cases)}" for suite in self.method_test_suites)
        return f"BundledProgram(cases of {cases})"


def _plain(values: Sequence[Any]) -> list[Any]:
    """Detaches torch tensors and moves them to the CPU."""
    return [value.detach().cpu() if hasattr(value, "detach") else value for value in values]


def _case(bundle: _native.Bundle, method: str, index: int) -> MethodTestCase:
    case = MethodTestCase([])
    case.inputs = bundle.inputs(method, index)
    case.expected_outputs = bundle.expected_outputs(method, index)
    return case
