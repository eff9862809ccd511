"""The schema of ETDumps, with the API of ``executorch.devtools.etdump.schema_flatcc``."""

from __future__ import annotations

import enum
from dataclasses import dataclass


@dataclass
class Tensor:
    """A logged tensor.

    Attributes:
        scalar_type: the dtype as a ``ScalarType`` value.
        sizes: the shape, in elements.
        strides: in elements.
        offset: of its elements in the debug buffer, in bytes.
    """

    scalar_type: int
    sizes: list[int]
    strides: list[int]
    offset: int | None


@dataclass
class TensorList:
    """A list of logged tensors."""

    tensors: list[Tensor]


@dataclass
class Null:
    """No value."""


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
    """A floating-point number of 64 bits."""

    double_val: float


@dataclass
class Float:
    """A floating-point number of 32 bits."""

    float_val: float


@dataclass
class String:
    """A text."""

    string_val: str


class ValueType(enum.Enum):
    """The kind of a logged value."""

    NULL = "Null"
    INT = "Int"
    BOOL = "Bool"
    FLOAT = "Float"
    DOUBLE = "Double"
    TENSOR = "Tensor"
    TENSOR_LIST = "TensorList"
    STRING = "String"


@dataclass
class Value:
    """A logged value: the attribute that ``val`` names.

    Attributes:
        val: the kind, a value of :class:`ValueType`.
        output: whether the runtime marked it as an output of the method.
    """

    val: str
    tensor: Tensor | None = None
    tensor_list: TensorList | None = None
    int_value: Int | None = None
    float_value: Float | None = None
    double_value: Double | None = None
    bool_value: Bool | None = None
    output: Bool | None = None
    string_value: String | None = None


@dataclass
class DebugEvent:
    """A value that the runtime logged."""

    name: str | None
    chain_index: int
    instruction_id: int
    delegate_debug_id_int: int | None
    delegate_debug_id_str: str | None
    debug_entry: Value


class PROFILE_EVENT_ENUM(enum.Enum):
    """Names of the runtime's own events."""

    RUN_MODEL = "Method::execute"
    OPERATOR_CALL = "OPERATOR_CALL"
    DELEGATE_CALL = "DELEGATE_CALL"
    LOAD_MODEL = "Program::load_method"


@dataclass
class ProfileEvent:
    """A time interval, in ticks of the runtime's clock."""

    name: str | None
    chain_index: int
    instruction_id: int
    delegate_debug_id_int: int | None
    delegate_debug_id_str: str | None
    delegate_debug_metadata: bytes | None
    start_time: int
    end_time: int


@dataclass
class AllocationEvent:
    """An allocation of memory."""

    allocator_id: int
    allocation_size: int


@dataclass
class Allocator:
    """An allocator of a run; the first has the id 1."""

    name: str


@dataclass
class Event:
    """An event: one of the three is set."""

    profile_event: ProfileEvent | None
    allocation_event: AllocationEvent | None
    debug_event: DebugEvent | None


@dataclass
class RunData:
    """An execution, or a phase of loading."""

    name: str
    bundled_input_index: int | None
    allocators: list[Allocator] | None
    events: list[Event] | None


@dataclass
class ETDumpFlatCC:
    """A trace."""

    version: int
    run_data: list[RunData]
