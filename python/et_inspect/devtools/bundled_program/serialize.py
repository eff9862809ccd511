"""Bundled programs as files."""

from __future__ import annotations

import os

from ... import _native
from . import schema
from .core import BundledProgram


def serialize_from_bundled_program_to_flatbuffer(bundled_program: BundledProgram) -> bytes:
    """What a file holds of it."""
    return bundled_program.to_bytes()


def deserialize_from_flatbuffer_to_bundled_program(flatbuffer: bytes) -> schema.BundledProgram:
    """What a file holds, as its format describes it; :meth:`BundledProgram.load` has it as arrays. Raises FormatError."""
    return schema.described(_native.Bundle.open(flatbuffer))


def save_bundled_program(bundled_program: BundledProgram, path: str | os.PathLike) -> None:
    """Writes a bundled program (``.bpte``). Raises OSError."""
    with open(path, "wb") as file:
        file.write(bundled_program.to_bytes())
