"""Programs with test cases, with the API of ``executorch.devtools.bundled_program``.

>>> from et_inspect.devtools.bundled_program import BundledProgram, MethodTestCase, MethodTestSuite, save_bundled_program
>>> case = MethodTestCase(inputs=[x], expected_outputs=[y])
>>> save_bundled_program(BundledProgram("model.pte", [MethodTestSuite("forward", [case])]), "model.bpte")
"""

from . import config, core, serialize
from .config import MethodTestCase, MethodTestSuite
from .core import BundledProgram
from .serialize import (
    deserialize_from_flatbuffer_to_bundled_program,
    save_bundled_program,
    serialize_from_bundled_program_to_flatbuffer,
)

__all__ = [
    "BundledProgram",
    "MethodTestCase",
    "MethodTestSuite",
    "config",
    "core",
    "deserialize_from_flatbuffer_to_bundled_program",
    "save_bundled_program",
    "serialize",
    "serialize_from_bundled_program_to_flatbuffer",
]
