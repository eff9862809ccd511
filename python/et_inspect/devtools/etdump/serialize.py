"""Reads and writes ETDumps as objects of their schema, with the API of ``executorch.devtools.etdump.serialize``."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from typing import Any

from ... import _native, errors
from .schema_flatcc import (
    AllocationEvent,
    Allocator,
    Bool,
    DebugEvent,
    Double,
    ETDumpFlatCC,
    Event,
    Float,
    Int,
    ProfileEvent,
    RunData,
    String,
    Tensor,
    TensorList,
    Value,
)

# The attribute of Value, its class and the field of the class, by kind.
_KINDS: dict[str, tuple[str, Callable[[Any], Any], str]] = {
    "Int": ("int_value", Int, "int_val"),
    "Bool": ("bool_value", Bool, "bool_val"),
    "Float": ("float_value", Float, "float_val"),
    "Double": ("double_value", Double, "double_val"),
    "String": ("string_value", String, "string_val"),
}


def deserialize_from_etdump_flatcc(data: bytes, size_prefixed: bool = True) -> ETDumpFlatCC:
    """Reads a trace.

    Args:
        data: the bytes of an ETDump.
        size_prefixed: accepted for compatibility; the layout is detected.

    Raises:
        et_inspect.Error: not an ETDump, or damaged.
    """
    contents = _native.trace_contents(bytes(data))
    return ETDumpFlatCC(contents["version"], [_run(each) for each in contents["runs"]])


def serialize_to_etdump_flatcc(etdump: ETDumpFlatCC) -> bytes:
    """Writes a trace, with the size before the flatbuffer as the runtime does."""
    return _native.write_trace(
        [
            (
                run.name or "",
                -1 if run.bundled_input_index is None else run.bundled_input_index,
                [each.name for each in run.allocators or ()],
                [_written(each) for each in run.events or ()],
            )
            for run in etdump.run_data
        ]
    )


def serialize_to_etdump_json(etdump: ETDumpFlatCC) -> str:
    """Returns a trace as JSON, with the names of the schema. Metadata of delegates is a list of numbers."""
    return json.dumps(dataclasses.asdict(etdump), default=list)


def deserialize_from_etdump_json(etdump_json: str | bytes) -> ETDumpFlatCC:
    """Reads the JSON of :func:`serialize_to_etdump_json`. Raises FormatError."""
    try:
        found = json.loads(etdump_json)
        return ETDumpFlatCC(found["version"], [_run_of_json(each) for each in found["run_data"]])
    except (KeyError, TypeError, ValueError) as error:
        raise errors.FormatError(f"not the JSON of an ETDump: {error}") from error


def _run(contents: dict[str, Any]) -> RunData:
    events = contents["events"]
    return RunData(
        contents["name"],
        contents["bundled_input_index"],
        [Allocator(name) for name in contents["allocators"]],
        None if events is None else [_event(each) for each in events],
    )


def _event(fields: tuple[Any, ...]) -> Event:
    kind, *rest = fields
    if kind == "allocation":
        return Event(None, AllocationEvent(*rest), None)
    name, chain, instruction, delegate, delegate_text, *rest = rest
    if kind == "profile":
        start, end, metadata = rest
        return Event(
            ProfileEvent(name, chain, instruction, delegate, delegate_text, metadata or None, start, end), None, None
        )
    value, output = rest
    return Event(None, None, DebugEvent(name, chain, instruction, delegate, delegate_text, _value(*value, output)))


def _value(kind: str, content: Any, output: bool) -> Value:
    value = Value(kind, output=Bool(True) if output else None)
    if kind == "Tensor":
        value.tensor = Tensor(*content)
    elif kind == "TensorList":
        value.tensor_list = TensorList([Tensor(*each) for each in content])
    elif kind in _KINDS:
        attribute, made, _ = _KINDS[kind]
        setattr(value, attribute, made(content))
    return value


def _written(event: Event) -> list[Any]:
    if event.allocation_event is not None:
        return ["allocation", event.allocation_event.allocator_id, event.allocation_event.allocation_size]
    found = event.profile_event or event.debug_event
    if found is None:
        raise errors.ArgumentError("an event has neither a profile_event, an allocation_event nor a debug_event")
    ids = [
        found.name or "",
        found.chain_index,
        found.instruction_id,
        -1 if found.delegate_debug_id_int is None else found.delegate_debug_id_int,
        found.delegate_debug_id_str or "",
    ]
    if isinstance(found, ProfileEvent):
        return ["profile", *ids, found.start_time, found.end_time, found.delegate_debug_metadata or b""]
    value = found.debug_entry
    return ["debug", *ids, (value.val, _content(value)), value.output is not None and value.output.bool_val]


def _content(value: Value) -> Any:
    if value.tensor is not None:
        return _tensor(value.tensor)
    if value.tensor_list is not None:
        return [_tensor(each) for each in value.tensor_list.tensors]
    if value.val in _KINDS:
        attribute, _, field = _KINDS[value.val]
        return getattr(getattr(value, attribute), field)
    return None


def _tensor(tensor: Tensor) -> tuple[int, list[int], list[int], int]:
    return tensor.scalar_type, list(tensor.sizes), list(tensor.strides), tensor.offset or 0


def _run_of_json(run: dict[str, Any]) -> RunData:
    return RunData(
        run["name"],
        run["bundled_input_index"],
        [Allocator(**each) for each in run["allocators"] or ()],
        None if run["events"] is None else [_event_of_json(each) for each in run["events"]],
    )


def _event_of_json(event: dict[str, Any]) -> Event:
    if event["allocation_event"] is not None:
        return Event(None, AllocationEvent(**event["allocation_event"]), None)
    if event["profile_event"] is not None:
        profile = ProfileEvent(**event["profile_event"])
        if profile.delegate_debug_metadata is not None:
            profile.delegate_debug_metadata = bytes(profile.delegate_debug_metadata)
        return Event(profile, None, None)
    debug = DebugEvent(**event["debug_event"])
    debug.debug_entry = _value_of_json(event["debug_event"]["debug_entry"])
    return Event(None, None, debug)


def _value_of_json(value: dict[str, Any]) -> Value:
    made = Value(**value)
    made.tensor = None if made.tensor is None else Tensor(**value["tensor"])
    if made.tensor_list is not None:
        made.tensor_list = TensorList([Tensor(**each) for each in value["tensor_list"]["tensors"]])
    for attribute, kind, _ in (*_KINDS.values(), ("output", Bool, "")):
        found = value.get(attribute)
        setattr(made, attribute, None if found is None else kind(**found))
    return made
