"""Compares two programs value by value: ``python -m et_inspect.devtools.pte_tool.diff_pte A B``.

:func:`et_inspect.diff` compares what two programs compute, independently of the numbers of their values.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ... import _native, errors


@dataclass
class OperatorUsage:
    """A use of a value: the operator, or ``delegate:`` and a backend, and the position of the argument."""

    name: str
    arg_index: int


@dataclass
class TensorInfo:
    """A tensor of a program, by the index of its value."""

    evalue_index: int
    scalar_type: int
    sizes: list[int]
    fqn: str | None
    data_buffer_idx: int
    operator_usages: list[OperatorUsage] = field(default_factory=list)


@dataclass
class FieldDiff:
    """A field with two values."""

    field_name: str
    value_a: Any
    value_b: Any


@dataclass
class ElementDiff:
    """An element of a tensor with two values."""

    flat_index: int
    multi_index: tuple[int, ...]
    value_a: float
    value_b: float


@dataclass
class TensorDataDiff:
    """A tensor whose fields or data differ."""

    tensor_a: TensorInfo
    tensor_b: TensorInfo
    byte_size_a: int
    byte_size_b: int
    bytes_differ: bool
    metadata_diffs: list[FieldDiff] = field(default_factory=list)
    num_elements: int = 0
    num_differing: int = 0
    max_abs_diff: float = 0.0
    mean_abs_diff: float = 0.0
    element_diffs: list[ElementDiff] = field(default_factory=list)


@dataclass
class EValueDiff:
    """A value that differs and is not a tensor in both programs."""

    evalue_index: int
    type_a: str
    type_b: str
    type_mismatch: bool = False
    field_diffs: list[FieldDiff] = field(default_factory=list)
    operator_usages_a: list[OperatorUsage] = field(default_factory=list)
    operator_usages_b: list[OperatorUsage] = field(default_factory=list)


@dataclass
class ExecutionPlanDiff:
    """Differences of two methods. Numbers are None if they are equal."""

    plan_index: int
    name_a: str | None = None
    name_b: str | None = None
    operators_only_in_a: list[str] = field(default_factory=list)
    operators_only_in_b: list[str] = field(default_factory=list)
    delegates_only_in_a: list[str] = field(default_factory=list)
    delegates_only_in_b: list[str] = field(default_factory=list)
    non_const_buffer_sizes_a: list[int] | None = None
    non_const_buffer_sizes_b: list[int] | None = None
    value_count_a: int | None = None
    value_count_b: int | None = None
    instruction_count_a: int | None = None
    instruction_count_b: int | None = None
    tensor_diffs: list[TensorDataDiff] = field(default_factory=list)
    evalue_diffs: list[EValueDiff] = field(default_factory=list)
    tensors_only_in_a: list[TensorInfo] = field(default_factory=list)
    tensors_only_in_b: list[TensorInfo] = field(default_factory=list)

    def has_differences(self) -> bool:
        """Returns whether anything differs."""
        return self != ExecutionPlanDiff(self.plan_index)


@dataclass
class NamedDataDiff:
    """Named data of one program only, or with other bytes. ``only_in``: ``A``, ``B`` or empty."""

    key: str
    only_in: str
    bytes_differ: bool = False


@dataclass
class PTEDiffResult:
    """Differences of two programs."""

    path_a: str
    path_b: str
    size_a: int
    size_b: int
    bitwise_equal: bool
    version_a: int | None = None
    version_b: int | None = None
    plan_diffs: list[ExecutionPlanDiff] = field(default_factory=list)
    extra_plans_in_a: list[str] = field(default_factory=list)
    extra_plans_in_b: list[str] = field(default_factory=list)
    named_data_diffs: list[NamedDataDiff] = field(default_factory=list)
    error: str | None = None


def diff_pte(
    data_a: bytes, data_b: bytes, path_a: str = "A", path_b: str = "B", max_samples: int = 10
) -> PTEDiffResult:
    """Compares two programs.

    Args:
        data_a, data_b: the bytes of the programs.
        path_a, path_b: names for the result.
        max_samples: maximum number of differing elements listed for a tensor.
    """
    result = PTEDiffResult(path_a, path_b, len(data_a), len(data_b), data_a == data_b)
    if result.bitwise_equal:
        return result
    try:
        a, b = _native.program_contents(bytes(data_a)), _native.program_contents(bytes(data_b))
    except errors.Error as error:
        result.error = str(error)
        return result
    if a["version"] != b["version"]:
        result.version_a, result.version_b = a["version"], b["version"]
    both = list(zip(a["methods"], b["methods"]))
    found = (_Methods(index, *pair, max_samples).compared() for index, pair in enumerate(both))
    result.plan_diffs = [each for each in found if each.has_differences()]
    result.extra_plans_in_a = [each["name"] for each in a["methods"][len(both) :]]
    result.extra_plans_in_b = [each["name"] for each in b["methods"][len(both) :]]
    result.named_data_diffs = list(_named(dict(a["named_data"]), dict(b["named_data"])))
    return result


def _named(a: dict[str, bytes], b: dict[str, bytes]) -> Iterator[NamedDataDiff]:
    for key in sorted({*a, *b}):
        if key not in a or key not in b:
            yield NamedDataDiff(key, "A" if key in a else "B")
        elif a[key] != b[key]:
            yield NamedDataDiff(key, "", bytes_differ=True)


class _Methods:
    """Compares two methods."""

    def __init__(self, index: int, a: dict[str, Any], b: dict[str, Any], max_samples: int) -> None:
        self._a, self._b = a, b
        self._uses_a, self._uses_b = _uses(a), _uses(b)
        self._max_samples = max_samples
        self._found = ExecutionPlanDiff(index)

    def compared(self) -> ExecutionPlanDiff:
        a, b, found = self._a, self._b, self._found
        if a["name"] != b["name"]:
            found.name_a, found.name_b = a["name"], b["name"]
        found.operators_only_in_a, found.operators_only_in_b = _only(a["operators"], b["operators"])
        found.delegates_only_in_a, found.delegates_only_in_b = _only(a["delegates"], b["delegates"])
        if a["buffers"] != b["buffers"]:
            found.non_const_buffer_sizes_a, found.non_const_buffer_sizes_b = a["buffers"], b["buffers"]
        if len(a["values"]) != len(b["values"]):
            found.value_count_a, found.value_count_b = len(a["values"]), len(b["values"])
        instructions = [sum(map(len, each["chains"])) for each in (a, b)]
        if instructions[0] != instructions[1]:
            found.instruction_count_a, found.instruction_count_b = instructions
        self._compare_values()
        return found

    def _compare_values(self) -> None:
        a, b = self._a["values"], self._b["values"]
        for index, (one, other) in enumerate(zip(a, b)):
            if one["type"] == other["type"] == "Tensor":
                self._compare_tensors(index, one, other)
            elif one["type"] != other["type"] or one["value"] != other["value"]:
                self._found.evalue_diffs.append(self._value(index, one, other))
        both = min(len(a), len(b))
        self._found.tensors_only_in_a = list(_tensors(a, both, self._uses_a))
        self._found.tensors_only_in_b = list(_tensors(b, both, self._uses_b))

    def _value(self, index: int, one: dict[str, Any], other: dict[str, Any]) -> EValueDiff:
        differs = one["type"] != other["type"]
        return EValueDiff(
            index,
            one["type"],
            other["type"],
            differs,
            [] if differs else [FieldDiff("value", one["value"], other["value"])],
            self._uses_a.get(index, []),
            self._uses_b.get(index, []),
        )

    def _compare_tensors(self, index: int, one: dict[str, Any], other: dict[str, Any]) -> None:
        fields = [
            FieldDiff(name, one[name], other[name])
            for name in one
            if name not in ("type", "data", "dtype_name") and one[name] != other[name]
        ]
        data = one["data"], other["data"]
        if not fields and data[0] == data[1]:
            return
        found = TensorDataDiff(
            _info(index, one, self._uses_a),
            _info(index, other, self._uses_b),
            *(len(each or b"") for each in data),
            bytes_differ=data[0] != data[1],
            metadata_diffs=fields,
        )
        if found.bytes_differ and None not in data:
            _compare_elements(found, one, other, self._max_samples)
        self._found.tensor_diffs.append(found)


def _compare_elements(found: TensorDataDiff, one: dict[str, Any], other: dict[str, Any], max_samples: int) -> None:
    import numpy as np

    arrays = [np.frombuffer(each["data"], _numpy_type(each)) for each in (one, other)]
    count = found.num_elements = min(len(each) for each in arrays)
    a, b = (each[:count] for each in arrays)
    differing = np.flatnonzero(a != b)
    found.num_differing = len(differing)
    if not len(differing) or a.dtype.kind not in "biuf":
        return
    distances = np.abs(a[differing].astype(float) - b[differing].astype(float))
    found.max_abs_diff, found.mean_abs_diff = float(distances.max()), float(distances.mean())
    for at in differing[:max_samples]:
        place = tuple(int(each) for each in np.unravel_index(at, one["sizes"] or [1]))
        found.element_diffs.append(ElementDiff(int(at), place, float(a[at]), float(b[at])))


def _numpy_type(tensor: dict[str, Any]) -> Any:
    """Returns the dtype of the elements; bytes if numpy has none, or if the data do not consist of whole elements."""
    import numpy as np

    try:
        dtype = np.dtype(tensor["dtype_name"])
    except TypeError:
        return np.dtype("u1")
    return dtype if len(tensor["data"]) % dtype.itemsize == 0 else np.dtype("u1")


def _only(a: list[str], b: list[str]) -> tuple[list[str], list[str]]:
    one, other = Counter(a), Counter(b)
    return sorted((one - other).elements()), sorted((other - one).elements())


def _uses(method: dict[str, Any]) -> dict[int, list[OperatorUsage]]:
    uses: dict[int, list[OperatorUsage]] = {}
    for kind, called, *rest in (each for chain in method["chains"] for each in chain):
        if kind in ("KernelCall", "DelegateCall"):
            name = method["operators"][called] if kind == "KernelCall" else f"delegate:{method['delegates'][called]}"
            for at, value in enumerate(rest[0]):
                uses.setdefault(value, []).append(OperatorUsage(name, at))
    return uses


def _info(index: int, tensor: dict[str, Any], uses: dict[int, list[OperatorUsage]]) -> TensorInfo:
    return TensorInfo(
        index, tensor["dtype"], tensor["sizes"], tensor["name"] or None, tensor["data_index"], uses.get(index, [])
    )


def _tensors(values: list[dict[str, Any]], start: int, uses: dict[int, list[OperatorUsage]]) -> Iterator[TensorInfo]:
    for index in range(start, len(values)):
        if values[index]["type"] == "Tensor":
            yield _info(index, values[index], uses)


def format_diff_result(result: PTEDiffResult, verbose: bool = False) -> str:
    """Returns the differences as text.

    Args:
        result: the differences.
        verbose: add sizes in bytes.
    """
    lines = [f"Comparing: {result.path_a} ({result.size_a} bytes) vs {result.path_b} ({result.size_b} bytes)"]
    lines.append(f"Status: {'' if result.bitwise_equal else 'NOT '}bitwise equal")
    if result.error:
        lines.append(f"Error: {result.error}")
    if result.version_a is not None:
        lines.append(f"Version: {result.version_a} vs {result.version_b}")
    for plan in result.plan_diffs:
        lines += ["", f"Plan {plan.plan_index}{f' {plan.name_a!r} vs {plan.name_b!r}' if plan.name_a else ''}:"]
        lines += _plan_lines(plan, verbose)
    for side, names in (("A", result.extra_plans_in_a), ("B", result.extra_plans_in_b)):
        if names:
            lines.append(f"Extra plans in {side}: {', '.join(names)}")
    if result.named_data_diffs:
        lines += ["", "Named data:"]
    for each in result.named_data_diffs:
        lines.append(f"  {each.key}: " + (f"only in {each.only_in}" if each.only_in else "bytes differ"))
    return "\n".join(lines)


def _plan_lines(plan: ExecutionPlanDiff, verbose: bool) -> Iterator[str]:
    for side in "ab":
        for kind in ("operators", "delegates"):
            names = getattr(plan, f"{kind}_only_in_{side}")
            if names:
                yield f"  {kind.capitalize()} only in {side.upper()}: {', '.join(names)}"
    for title, name in (
        ("Planned memory", "non_const_buffer_sizes"),
        ("Values", "value_count"),
        ("Instructions", "instruction_count"),
    ):
        one, other = getattr(plan, f"{name}_a"), getattr(plan, f"{name}_b")
        if one is not None:
            yield f"  {title}: {one} vs {other}"
    for tensor in plan.tensor_diffs:
        yield from _tensor_lines(tensor, verbose)
    for value in plan.evalue_diffs:
        shown = [f"{each.value_a} vs {each.value_b}" for each in value.field_diffs] or [f"{value.type_a} vs {value.type_b}"]
        yield f"  Value {value.evalue_index}: {', '.join(shown)}{_used(value.operator_usages_a)}"
    for side in "ab":
        for tensor in getattr(plan, f"tensors_only_in_{side}"):
            yield f"  Tensor only in {side.upper()}: {_named_tensor(tensor)}"


def _tensor_lines(tensor: TensorDataDiff, verbose: bool) -> Iterator[str]:
    yield f"  Tensor {_named_tensor(tensor.tensor_a)}{_used(tensor.tensor_a.operator_usages)}"
    for each in tensor.metadata_diffs:
        yield f"    {each.field_name}: {each.value_a} vs {each.value_b}"
    if verbose:
        yield f"    bytes: {tensor.byte_size_a} vs {tensor.byte_size_b}"
    if tensor.num_differing:
        yield f"    {tensor.num_differing} of {tensor.num_elements} elements differ"
        yield f"    largest difference {tensor.max_abs_diff:.6g}, mean {tensor.mean_abs_diff:.6g}"
    elif tensor.bytes_differ:
        yield "    data differ"
    for each in tensor.element_diffs:
        yield f"      {list(each.multi_index)}: {each.value_a:.6g} vs {each.value_b:.6g}"


def _named_tensor(tensor: TensorInfo) -> str:
    return f"{tensor.evalue_index} {tensor.sizes}{f' {tensor.fqn}' if tensor.fqn else ''}"


def _used(uses: list[OperatorUsage]) -> str:
    return "".join(f", argument {each.arg_index} of {each.name}" for each in uses[:3])


def _main() -> None:
    parser = argparse.ArgumentParser(description="Compare two programs (.pte) value by value.")
    parser.add_argument("file_a", help="the first program")
    parser.add_argument("file_b", help="the second program")
    parser.add_argument("-v", "--verbose", action="store_true", help="print sizes in bytes, too")
    parser.add_argument("--max-samples", type=int, default=10, help="maximum number of elements listed for a tensor")
    arguments = parser.parse_args()
    data = []
    for path in (arguments.file_a, arguments.file_b):
        with open(path, "rb") as file:
            data.append(file.read())
    result = diff_pte(*data, arguments.file_a, arguments.file_b, max_samples=arguments.max_samples)
    print(format_diff_result(result, verbose=arguments.verbose))


if __name__ == "__main__":
    _main()
