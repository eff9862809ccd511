"""Metadata of methods."""

from __future__ import annotations

import enum
from typing import Any


class Tag(enum.IntEnum):
    """The kind of a value, with ExecuTorch's numbers."""

    NONE = 0
    TENSOR = 1
    STRING = 2
    DOUBLE = 3
    INT = 4
    BOOL = 5
    LIST_BOOL = 6
    LIST_DOUBLE = 7
    LIST_INT = 8
    LIST_TENSOR = 9
    LIST_SCALAR = 10
    LIST_OPTIONAL_TENSOR = 11


_TAGS = {
    "Null": Tag.NONE,
    "Tensor": Tag.TENSOR,
    "String": Tag.STRING,
    "Double": Tag.DOUBLE,
    "Int": Tag.INT,
    "Bool": Tag.BOOL,
    "BoolList": Tag.LIST_BOOL,
    "DoubleList": Tag.LIST_DOUBLE,
    "IntList": Tag.LIST_INT,
    "TensorList": Tag.LIST_TENSOR,
    "OptionalTensorList": Tag.LIST_OPTIONAL_TENSOR,
}


# ExecuTorch's printed names of dtypes and of values that are not tensors.
_DTYPES = {
    0: "Byte",
    1: "Char",
    2: "Short",
    3: "Int",
    4: "Long",
    5: "Half",
    6: "Float",
    7: "Double",
    8: "ComplexHalf",
    9: "ComplexFloat",
    10: "ComplexDouble",
    11: "Bool",
    12: "QInt8",
    13: "QUInt8",
    14: "QInt32",
    15: "BFloat16",
    22: "Bits16",
    27: "UInt16",
    28: "UInt32",
    29: "UInt64",
}
_TAG_NAMES = {
    Tag.LIST_BOOL: "ListBool",
    Tag.LIST_DOUBLE: "ListDouble",
    Tag.LIST_INT: "ListInt",
    Tag.LIST_TENSOR: "ListTensor",
    Tag.LIST_OPTIONAL_TENSOR: "ListOptionalTensor",
}


class TensorInfo:
    """Metadata of a tensor."""

    def __init__(self, facts: dict[str, Any]) -> None:
        self._facts = facts

    def sizes(self) -> tuple[int, ...]:
        """Returns the shape in elements; for dynamic shapes, the upper bound."""
        return self._facts["sizes"]

    def dtype(self) -> int:
        """Returns the dtype as a ``ScalarType`` value: 6 is float32."""
        return self._facts["dtype"]

    @property
    def dtype_name(self) -> str:
        """Torch's name of the dtype: ``float32``, ``bfloat16``."""
        return self._facts["dtype_name"]

    @property
    def name(self) -> str:
        """The fully qualified name of state and weights; usually empty."""
        return self._facts["name"]

    def is_memory_planned(self) -> bool:
        """Returns whether the program plans memory for the tensor."""
        return self._facts["planned"]

    def nbytes(self) -> int:
        """Returns the size of the elements in bytes."""
        return self._facts["nbytes"]

    def __repr__(self) -> str:
        return (
            f"TensorInfo(sizes={list(self.sizes())}, dtype={_DTYPES.get(self.dtype(), self.dtype_name)}, "
            f"is_memory_planned={self.is_memory_planned()}, nbytes={self.nbytes()})"
        )


class MethodMeta:
    """Metadata of a method, which need not be loaded."""

    def __init__(self, facts: dict[str, Any]) -> None:
        self._facts = facts

    def name(self) -> str:
        """Returns the name of the method, such as ``forward``."""
        return self._facts["name"]

    def num_inputs(self) -> int:
        """Returns the number of inputs of execute()."""
        return len(self._facts["inputs"])

    def num_outputs(self) -> int:
        """Returns the number of outputs of execute()."""
        return len(self._facts["outputs"])

    def num_attributes(self) -> int:
        """Returns the number of named tensors that persist between executions."""
        return len(self._facts["attributes"])

    def input_value_tag(self, index: int) -> Tag:
        """Returns the kind of an input. Raises IndexError."""
        return self._tag("inputs", index)

    def output_value_tag(self, index: int) -> Tag:
        """Returns the kind of an output. Raises IndexError."""
        return self._tag("outputs", index)

    input_tag = input_value_tag
    output_tag = output_value_tag

    def input_tensor_meta(self, index: int) -> TensorInfo:
        """Returns the metadata of an input. Raises IndexError; TypeError if it is not a tensor."""
        return self._tensor("inputs", index)

    def output_tensor_meta(self, index: int) -> TensorInfo:
        """Returns the metadata of an output. Raises IndexError; TypeError if it is not a tensor."""
        return self._tensor("outputs", index)

    def attribute_tensor_meta(self, index: int) -> TensorInfo:
        """Returns the metadata of a persistent tensor. Raises IndexError."""
        return self._tensor("attributes", index)

    def num_memory_planned_buffers(self) -> int:
        """Returns the number of arenas of the method's memory plan."""
        return len(self._facts["buffers"])

    def memory_planned_buffer_size(self, index: int) -> int:
        """Returns the size of an arena in bytes. Raises IndexError."""
        return self._at("buffers", index)

    def num_backends(self) -> int:
        """Returns the number of backends that the method's delegates need."""
        return len(self._facts["backends"])

    def get_backend_name(self, index: int) -> str:
        """Returns the name of a backend. Raises IndexError."""
        return self._at("backends", index)

    def uses_backend(self, name: str) -> bool:
        """Returns whether a delegate of the method needs this backend."""
        return name in self._facts["backends"]

    def num_instructions(self) -> int:
        """Returns the number of instructions."""
        return self._facts["instructions"]

    def _at(self, kind: str, index: int) -> Any:
        items = self._facts[kind]
        if not 0 <= index < len(items):
            raise IndexError(f"{kind}: expected an index below {len(items)}, got {index}")
        return items[index]

    def _tag(self, kind: str, index: int) -> Tag:
        return _TAGS[self._at(kind, index)["tag"]]

    def _tensor(self, kind: str, index: int) -> TensorInfo:
        facts = self._at(kind, index)
        if facts["tag"] != "Tensor":
            raise TypeError(f"{kind}[{index}]: expected a tensor, got {facts['tag']}")
        return TensorInfo(facts)

    def __repr__(self) -> str:
        return (
            f"MethodMeta(name={self.name()!r}, num_inputs={self.num_inputs()}, "
            f"input_tensor_meta={self._described('inputs')}, num_outputs={self.num_outputs()}, "
            f"output_tensor_meta={self._described('outputs')})"
        )

    def _described(self, kind: str) -> list[str]:
        tags = [self._tag(kind, index) for index in range(len(self._facts[kind]))]
        return [
            repr(self._tensor(kind, index)) if tag == Tag.TENSOR else _TAG_NAMES.get(tag, tag.name.capitalize())
            for index, tag in enumerate(tags)
        ]
