"""What a program says of its methods."""

from __future__ import annotations

import enum
from typing import Any


class Tag(enum.IntEnum):
    """The kind of a value, as ExecuTorch numbers it."""

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


class TensorInfo:
    """What a program says of a tensor."""

    def __init__(self, facts: dict[str, Any]) -> None:
        self._facts = facts

    def sizes(self) -> tuple[int, ...]:
        """The shape in elements; of a tensor whose shape may change, the largest."""
        return self._facts["sizes"]

    def dtype(self) -> int:
        """The dtype as ``ScalarType`` numbers it: 6 is float32."""
        return self._facts["dtype"]

    @property
    def dtype_name(self) -> str:
        """The dtype as torch names it: ``float32``, ``bfloat16``."""
        return self._facts["dtype_name"]

    @property
    def name(self) -> str:
        """The fully qualified name of state and weights; mostly empty."""
        return self._facts["name"]

    def is_memory_planned(self) -> bool:
        """Whether the program has memory for it."""
        return self._facts["planned"]

    def nbytes(self) -> int:
        """Bytes of the elements."""
        return self._facts["nbytes"]

    def __repr__(self) -> str:
        return (
            f"TensorInfo(sizes={list(self.sizes())}, dtype={self.dtype_name}, "
            f"is_memory_planned={self.is_memory_planned()}, nbytes={self.nbytes()})"
        )


class MethodMeta:
    """What a program says of a method, which need not be loaded."""

    def __init__(self, facts: dict[str, Any]) -> None:
        self._facts = facts

    def name(self) -> str:
        """The name of the method: ``forward``."""
        return self._facts["name"]

    def num_inputs(self) -> int:
        """How many inputs execute() takes."""
        return len(self._facts["inputs"])

    def num_outputs(self) -> int:
        """How many outputs execute() gives."""
        return len(self._facts["outputs"])

    def num_attributes(self) -> int:
        """How many tensors the method keeps under a name from one execution to the next."""
        return len(self._facts["attributes"])

    def input_value_tag(self, index: int) -> Tag:
        """The kind of an input. Raises IndexError."""
        return self._tag("inputs", index)

    def output_value_tag(self, index: int) -> Tag:
        """The kind of an output. Raises IndexError."""
        return self._tag("outputs", index)

    input_tag = input_value_tag
    output_tag = output_value_tag

    def input_tensor_meta(self, index: int) -> TensorInfo:
        """What is said of an input. Raises IndexError; TypeError for one that is no tensor."""
        return self._tensor("inputs", index)

    def output_tensor_meta(self, index: int) -> TensorInfo:
        """What is said of an output. Raises IndexError; TypeError for one that is no tensor."""
        return self._tensor("outputs", index)

    def attribute_tensor_meta(self, index: int) -> TensorInfo:
        """What is said of a tensor that is kept. Raises IndexError."""
        return self._tensor("attributes", index)

    def num_memory_planned_buffers(self) -> int:
        """How many arenas the method's tensors are planned in."""
        return len(self._facts["buffers"])

    def memory_planned_buffer_size(self, index: int) -> int:
        """Bytes of an arena. Raises IndexError."""
        return self._at("buffers", index)

    def num_backends(self) -> int:
        """How many backends the delegates of the method need."""
        return len(self._facts["backends"])

    def get_backend_name(self, index: int) -> str:
        """The name of a backend. Raises IndexError."""
        return self._at("backends", index)

    def uses_backend(self, name: str) -> bool:
        """Whether a delegate of the method needs this backend."""
        return name in self._facts["backends"]

    def num_instructions(self) -> int:
        """How many instructions the method has."""
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
        def values(kind: str) -> str:
            return ", ".join(
                f"{each['dtype_name']} {list(each['sizes'])}" if each["tag"] == "Tensor" else each["tag"]
                for each in self._facts[kind]
            )

        return f"MethodMeta(name={self.name()!r}, inputs=[{values('inputs')}], outputs=[{values('outputs')}])"
