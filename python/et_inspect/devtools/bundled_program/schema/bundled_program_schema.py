"""The schema of bundled programs, with the API of ``executorch.devtools.bundled_program.schema``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .... import _native


@dataclass
class Tensor:
    """A dense tensor.

    Attributes:
        scalar_type: the dtype as a ``ScalarType`` value.
        sizes: the shape, in elements.
        data: the elements in memory order.
        dim_order: the dimensions from outermost to innermost in memory.
    """

    scalar_type: int
    sizes: list[int]
    data: bytes
    dim_order: list[int]


@dataclass
class Int:
    """An integer."""

    int_val: int


@dataclass
class Bool:
    """A Boolean."""

    bool_val: bool


@dataclass
class Double:
    """A floating-point number."""

    double_val: float


@dataclass
class Value:
    """A value of a test case; None if missing in the file."""

    val: Tensor | Int | Bool | Double | None


@dataclass
class BundledMethodTestCase:
    """Inputs and expected outputs."""

    inputs: list[Value]
    expected_outputs: list[Value]


@dataclass
class BundledMethodTestSuite:
    """The test cases of a method."""

    method_name: str
    test_cases: list[BundledMethodTestCase]


@dataclass
class BundledProgram:
    """A program and its test cases."""

    version: int
    method_test_suites: list[BundledMethodTestSuite]
    program: bytes


def described(bundle: _native.Bundle) -> BundledProgram:
    """Converts a bundled program to objects of its schema."""
    suites = [
        BundledMethodTestSuite(
            name,
            [
                BundledMethodTestCase(
                    [_value(each) for each in bundle.raw_inputs(name, index)],
                    [_value(each) for each in bundle.raw_expected_outputs(name, index)],
                )
                for index in range(count)
            ],
        )
        for name, count in bundle.suites
    ]
    return BundledProgram(bundle.version, suites, bundle.program)


def _value(raw: Any) -> Value:
    if isinstance(raw, tuple):
        return Value(Tensor(*raw))
    if isinstance(raw, bool):
        return Value(Bool(raw))
    if isinstance(raw, int):
        return Value(Int(raw))
    return Value(None if raw is None else Double(raw))
