"""Serialization of bundled programs."""

from __future__ import annotations

import base64
import json
import os
from typing import Any

from ... import _native, errors
from . import schema
from .core import BundledProgram


def serialize_from_bundled_program_to_flatbuffer(bundled_program: BundledProgram) -> bytes:
    """Serializes a bundled program."""
    return bundled_program.to_bytes()


def deserialize_from_flatbuffer_to_bundled_program(flatbuffer: bytes) -> schema.BundledProgram:
    """Returns the schema objects of a bundled program; :meth:`BundledProgram.load` returns arrays. Raises FormatError."""
    return schema.described(_native.Bundle.open(flatbuffer))


def save_bundled_program(bundled_program: BundledProgram, path: str | os.PathLike) -> None:
    """Writes a bundled program (``.bpte``). Raises OSError."""
    with open(path, "wb") as file:
        file.write(bundled_program.to_bytes())


def serialize_from_bundled_program_to_json(bundled_program: schema.BundledProgram) -> str:
    """Returns the objects of a bundled program's schema as JSON: of every value its type (``val_type``), bytes as lists of
    numbers, the program in Base64."""
    return json.dumps(
        {
            "version": bundled_program.version,
            "method_test_suites": [
                {
                    "method_name": suite.method_name,
                    "test_cases": [
                        {
                            "inputs": [_to_json(each.val) for each in case.inputs],
                            "expected_outputs": [_to_json(each.val) for each in case.expected_outputs],
                        }
                        for case in suite.test_cases
                    ],
                }
                for suite in bundled_program.method_test_suites
            ],
            "program": base64.b64encode(bundled_program.program).decode(),
        }
    )


def deserialize_from_json_to_bundled_program(program_json: str | bytes) -> schema.BundledProgram:
    """Reads the JSON of :func:`serialize_from_bundled_program_to_json`. Raises FormatError."""
    try:
        found = json.loads(program_json)
        suites = [
            schema.BundledMethodTestSuite(
                suite["method_name"],
                [
                    schema.BundledMethodTestCase(
                        [_from_json(each) for each in case["inputs"]],
                        [_from_json(each) for each in case["expected_outputs"]],
                    )
                    for case in suite["test_cases"]
                ],
            )
            for suite in found["method_test_suites"]
        ]
        return schema.BundledProgram(found["version"], suites, base64.b64decode(found["program"]))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise errors.FormatError(f"not the JSON of a bundled program: {error}") from error


def convert_to_flatbuffer(program_json: str | bytes) -> bytes:
    """Returns the bundled program (``.bpte``) of such JSON."""
    found = deserialize_from_json_to_bundled_program(program_json)
    suites = [
        (suite.method_name, [([*map(_raw, case.inputs)], [*map(_raw, case.expected_outputs)]) for case in suite.test_cases])
        for suite in found.method_test_suites
    ]
    return _native.write_raw_bundle(found.program, suites)


def convert_from_flatbuffer(program_flatbuffer: bytes) -> bytes:
    """Returns a bundled program (``.bpte``) as such JSON."""
    found = deserialize_from_flatbuffer_to_bundled_program(program_flatbuffer)
    return serialize_from_bundled_program_to_json(found).encode()


def _to_json(value: Any) -> dict[str, Any] | None:
    if value is None:
        return None
    fields = {name: list(field) if isinstance(field, bytes) else field for name, field in vars(value).items()}
    return {"val_type": type(value).__name__, "val": fields}


def _from_json(value: dict[str, Any] | None) -> schema.Value:
    if value is None:
        return schema.Value(None)
    kinds = {kind.__name__: kind for kind in (schema.Tensor, schema.Int, schema.Bool, schema.Double)}
    made = kinds[value["val_type"]](**value["val"])
    if isinstance(made, schema.Tensor):
        made.data = bytes(made.data)
    return schema.Value(made)


def _raw(value: schema.Value) -> Any:
    held = value.val
    if isinstance(held, schema.Tensor):
        return (held.scalar_type, list(held.sizes), bytes(held.data), list(held.dim_order))
    return None if held is None else next(iter(vars(held).values()))
