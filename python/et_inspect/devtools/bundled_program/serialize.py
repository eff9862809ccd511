"""Serialization of bundled programs."""

from __future__ import annotations

import os

from ... import _native
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
