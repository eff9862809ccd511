"""Test cases of methods."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Union

from ... import errors
from ..inspector._numbers import is_tensor

# A tensor (numpy array or any object that supports DLPack), int, bool or float.
ConfigValue = Any
MethodInputType = Sequence[ConfigValue]
MethodOutputType = Sequence[ConfigValue]
DataContainer = Union[list, tuple, dict]


class CaseError(errors.ArgumentError, AssertionError):
    """A test case that is invalid or does not match its method."""


class MethodTestCase:
    """Inputs of a method and the expected outputs.

    Attributes:
        inputs: one value per input: numpy array, torch tensor, ``int``, ``float`` or ``bool``.
        expected_outputs: one value per output; empty for a case that is only measured.
    """

    def __init__(self, inputs: MethodInputType, expected_outputs: MethodOutputType | None = None) -> None:
        """
        Args:
            inputs: nested lists, tuples and dictionaries are flattened; a single value needs no list.
            expected_outputs: likewise; None: no expected outputs.

        Raises:
            CaseError: a value has an unsupported type.
        """
        self.inputs: list[ConfigValue] = list(_flattened(inputs, "inputs"))
        self.expected_outputs: list[ConfigValue] = []
        if expected_outputs is not None:
            self.expected_outputs = list(_flattened(expected_outputs, "expected_outputs"))

    def __repr__(self) -> str:
        return f"MethodTestCase({len(self.inputs)} inputs, {len(self.expected_outputs)} expected outputs)"


@dataclass
class MethodTestSuite:
    """The test cases of one method.

    Attributes:
        method_name: name of the method.
        test_cases: its test cases.
    """

    method_name: str
    test_cases: Sequence[MethodTestCase]


def _flattened(data: Any, place: str) -> Iterator[ConfigValue]:
    if isinstance(data, dict):
        data = list(data.values())
    if isinstance(data, (list, tuple)):
        for index, each in enumerate(data):
            yield from _flattened(each, f"{place}[{index}]")
    elif isinstance(data, (bool, int, float)) or is_tensor(data):
        yield data
    else:
        raise CaseError(f"{place}: expected a tensor, int, bool or float, got {type(data).__name__}")
