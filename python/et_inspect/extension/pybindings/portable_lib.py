"""The API of ``executorch.extension.pybindings.portable_lib``, without torch.

>>> from et_inspect.extension.pybindings.portable_lib import _load_for_executorch
>>> module = _load_for_executorch("model.pte", "weights.ptd")
>>> outputs = module.forward([numpy.ones((2, 2), numpy.float32)])

Values are numpy arrays, or torch tensors if an input is one.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from typing import Any

from ... import errors
from ...devtools.bundled_program import BundledProgram
from ...runtime import Method, MethodMeta, Program, Runtime, TensorInfo, Verification
from .data_loader import PyDataLoader

__all__ = [
    "BundledModule",
    "ExecuTorchMethod",
    "ExecuTorchModule",
    "ExecuTorchProgram",
    "MethodMeta",
    "PyDataLoader",
    "TensorInfo",
    "Verification",
]

# Threads of programs that are loaded from now on; 1 at first, as in et_inspect.runtime.
_threads = 1


class _Loaded:
    """A program, and whether its executions are recorded."""

    def __init__(self, program: Program, recorded: bool, folder: Any = None) -> None:
        self._program = program
        self._recorded = recorded
        self._folder = folder  # keeps temporary files

    def method_meta(self, method_name: str) -> MethodMeta:
        """Returns the metadata of a method."""
        return self._program.metadata(method_name)

    def has_etdump(self) -> bool:
        """Returns whether executions are recorded."""
        return self._recorded

    def write_etdump_result_to_file(
        self, path: str | os.PathLike[str], debug_buffer_path: str | os.PathLike[str] | None = None
    ) -> None:
        """Writes the trace of all executions and, if a path is given, the recorded values."""
        self._program.write_etdump_result_to_file(path, debug_buffer_path)


class ExecuTorchModule(_Loaded):
    """A program whose methods are loaded when they first run."""

    def __call__(self, inputs: Any, clone_outputs: bool = True) -> list[Any]:
        """Runs ``forward``; a single input needs no list."""
        return self.forward(inputs if isinstance(inputs, (list, tuple)) else [inputs], clone_outputs)

    def forward(self, inputs: Sequence[Any], clone_outputs: bool = True) -> list[Any]:
        """Runs ``forward``."""
        return self.run_method("forward", inputs, clone_outputs)

    def run_method(self, method_name: str, inputs: Sequence[Any], clone_outputs: bool = True) -> list[Any]:
        """Runs a method.

        Args:
            method_name: the method.
            inputs: one value per input.
            clone_outputs: accepted for compatibility; outputs are always copies.
        """
        return self._program.load_method(method_name).execute(inputs)

    def plan_execute(self, method_name: str, clone_outputs: bool = True) -> list[Any]:
        """Runs a method on the inputs of load_bundled_input().

        Args:
            method_name: the method.
            clone_outputs: accepted for compatibility; outputs are always copies.
        """
        inputs = getattr(self, "_bundled", {}).get(method_name)
        if inputs is None:
            raise errors.ArgumentError(f'"{method_name}" has no inputs: call load_bundled_input() first')
        return self.run_method(method_name, inputs, clone_outputs)

    def load_bundled_input(self, bundle: BundledModule, method_name: str, testset_idx: int) -> None:
        """Sets the inputs of a test case for plan_execute()."""
        self._bundled = {**getattr(self, "_bundled", {}), method_name: bundle.case(method_name, testset_idx).inputs}

    def verify_result_with_bundled_expected_output(
        self, bundle: BundledModule, method_name: str, testset_idx: int, rtol: float = 1e-5, atol: float = 1e-8
    ) -> list[Any]:
        """Runs a test case and compares the outputs with the expected ones.

        Returns:
            The outputs.

        Raises:
            et_inspect.errors.ArgumentError: the case has no expected outputs.
            RuntimeError: an output differs by more than ``atol`` plus ``rtol`` of the expected value.
        """
        import numpy as np

        case = bundle.case(method_name, testset_idx)
        if not case.expected_outputs:
            raise errors.ArgumentError(f'case {testset_idx} of "{method_name}" has no expected outputs')
        outputs = self.run_method(method_name, case.inputs)
        for index, (output, expected) in enumerate(zip(outputs, case.expected_outputs)):
            if not np.allclose(np.asarray(output), np.asarray(expected), rtol=rtol, atol=atol, equal_nan=True):
                raise RuntimeError(f'output {index} of "{method_name}" differs from the expected one of case {testset_idx}')
        return outputs

    def method_names(self) -> list[str]:
        """Returns the names of the methods."""
        return sorted(self._program.method_names)


class ExecuTorchMethod:
    """A loaded method."""

    def __init__(self, method: Method) -> None:
        self._method = method
        self._inputs: list[Any] = []
        self._outputs: list[Any] | None = None

    def set_inputs(self, inputs: Sequence[Any]) -> None:
        """Sets the inputs of execute()."""
        self._inputs = list(inputs)

    def execute(self) -> None:
        """Runs the method on the inputs."""
        self._outputs = self._method.execute(self._inputs)

    def get_outputs(self, clone_outputs: bool = True) -> list[Any]:
        """Returns the outputs of the last execution.

        Args:
            clone_outputs: accepted for compatibility; outputs are always copies.
        """
        if self._outputs is None:
            raise RuntimeError("the method was not executed")
        return self._outputs

    def call(self, inputs: Sequence[Any] = (), clone_outputs: bool = True) -> list[Any]:
        """Runs the method and returns its outputs.

        Args:
            inputs: one value per input.
            clone_outputs: accepted for compatibility; outputs are always copies.
        """
        self.set_inputs(inputs)
        self.execute()
        return self.get_outputs(clone_outputs)

    __call__ = call

    def get_attribute(self, name: str) -> Any:
        """Returns a copy of the current value of a mutable buffer, by its qualified name.

        Raises:
            et_inspect.errors.NotFoundError: the method has no such buffer.
        """
        return self._method._native.attribute(name)

    def method_meta(self) -> MethodMeta:
        """Returns the metadata of the method."""
        return self._method.metadata


class ExecuTorchProgram(_Loaded):
    """A program whose methods are loaded one by one."""

    def num_methods(self) -> int:
        """Returns the number of methods."""
        return len(self._program.method_names)

    def get_method_name(self, method_index: int) -> str:
        """Returns the name of a method. Raises IndexError."""
        return list(self._program._methods)[method_index]

    def load_method(self, method_name: str) -> ExecuTorchMethod:
        """Loads a method."""
        return ExecuTorchMethod(self._program.load_method(method_name))


class BundledModule:
    """A bundled program."""

    def __init__(self, bundle: BundledProgram) -> None:
        self._bundle = bundle

    def case(self, method_name: str, index: int) -> Any:
        """Returns a test case. Raises NotFoundError."""
        for suite in self._bundle.method_test_suites:
            if suite.method_name == method_name and 0 <= index < len(suite.test_cases):
                return suite.test_cases[index]
        raise errors.NotFoundError(f'no case {index} of "{method_name}"')


def _load_for_executorch(
    program_path: str | os.PathLike[str],
    data_path: str | os.PathLike[str] | None = None,
    enable_etdump: bool = False,
    debug_buffer_size: int = 0,
    program_verification: Verification = Verification.InternalConsistency,
) -> ExecuTorchModule:
    """Loads a program from a file.

    Args:
        program_path: path of the program.
        data_path: path of a ``.ptd`` file with its weights.
        enable_etdump: record all executions.
        debug_buffer_size: maximum size of recorded values, in bytes; only with ``enable_etdump``.
        program_verification: accepted for compatibility; everything is always verified.
    """
    program = _open(program_path, data_path, enable_etdump, debug_buffer_size, program_verification)
    return ExecuTorchModule(program, enable_etdump)


def _load_for_executorch_from_buffer(
    buffer: bytes,
    data_map_buffer: bytes | None = None,
    enable_etdump: bool = False,
    debug_buffer_size: int = 0,
    program_verification: Verification = Verification.InternalConsistency,
) -> ExecuTorchModule:
    """Loads a program from bytes, and its weights from the bytes of a ``.ptd`` file."""
    folder, data_path = _written(data_map_buffer)
    program = _open(bytes(buffer), data_path, enable_etdump, debug_buffer_size, program_verification)
    return ExecuTorchModule(program, enable_etdump, folder)


def _load_for_executorch_from_bundled_program(
    module: BundledModule,
    data_map_buffer: bytes | None = None,
    enable_etdump: bool = False,
    debug_buffer_size: int = 0,
) -> ExecuTorchModule:
    """Loads the program of a bundled program."""
    program = bytes(module._bundle.executorch_program)
    return _load_for_executorch_from_buffer(program, data_map_buffer, enable_etdump, debug_buffer_size)


def _load_for_executorch_from_data_loader(
    loader: PyDataLoader,
    data_path: str | os.PathLike[str] | None = None,
    enable_etdump: bool = False,
    debug_buffer_size: int = 0,
) -> ExecuTorchModule:
    """Loads the program that a loader reads, and its weights from a ``.ptd`` file."""
    program = _open(loader.load(), data_path, enable_etdump, debug_buffer_size, Verification.InternalConsistency)
    return ExecuTorchModule(program, enable_etdump)


def _load_bundled_program_from_buffer(buffer: bytes, non_const_pool_size: int = 0) -> BundledModule:
    """Reads a bundled program from bytes.

    Args:
        buffer: the bytes.
        non_const_pool_size: accepted for compatibility.
    """
    return BundledModule(BundledProgram.load(bytes(buffer)))


def _load_program(
    path: str | os.PathLike[str],
    enable_etdump: bool = False,
    debug_buffer_size: int = 0,
    program_verification: Verification = Verification.Minimal,
    data_path: str | os.PathLike[str] | None = None,
) -> ExecuTorchProgram:
    """Loads a program from a file; methods are loaded by load_method()."""
    program = _open(path, data_path, enable_etdump, debug_buffer_size, program_verification)
    return ExecuTorchProgram(program, enable_etdump)


def _load_program_from_buffer(
    buffer: bytes,
    enable_etdump: bool = False,
    debug_buffer_size: int = 0,
    program_verification: Verification = Verification.Minimal,
    data_path: str | os.PathLike[str] | None = None,
) -> ExecuTorchProgram:
    """Loads a program from bytes; methods are loaded by load_method()."""
    program = _open(bytes(buffer), data_path, enable_etdump, debug_buffer_size, program_verification)
    return ExecuTorchProgram(program, enable_etdump)


def _is_available(backend_name: str) -> bool:
    """Returns whether delegates of a backend can run."""
    return Runtime.get().backend_registry.is_available(backend_name)


def _get_operator_names() -> list[str]:
    """Returns the operators with a kernel."""
    return sorted(Runtime.get().operator_registry.operator_names)


def _get_registered_backend_names() -> list[str]:
    """Returns the backends whose delegates can run."""
    return Runtime.get().backend_registry.registered_backend_names


def _create_profile_block(name: str) -> None:
    """Accepted for compatibility: ``enable_etdump`` records all executions."""


def _dump_profile_results() -> bytes:
    """Returns no bytes: traces are ETDumps."""
    return b""


def _reset_profile_results() -> None:
    """Accepted for compatibility."""


def _unsafe_reset_threadpool(num_threads: int) -> None:
    """Sets the number of threads of programs that are loaded later."""
    global _threads
    if num_threads < 1:
        raise errors.ArgumentError(f"num_threads: expected at least 1, got {num_threads}")
    _threads = num_threads


def _threadpool_get_thread_count() -> int:
    """Returns the number of threads of programs that are loaded later."""
    return _threads


def _open(
    source: Any, data_path: Any, enable_etdump: bool, debug_buffer_size: int, verification: Verification
) -> Program:
    return Runtime.get().load_program(
        source,
        verification=verification,
        enable_etdump=enable_etdump,
        debug_buffer_size=debug_buffer_size if enable_etdump else 0,
        data_path=data_path,
        threads=_threads,
    )


def _written(data: bytes | None) -> tuple[Any, str | None]:
    """Writes weights to a temporary file, which the runtime maps."""
    if data is None:
        return None, None
    folder = tempfile.TemporaryDirectory(prefix="et-inspect-data-")
    path = os.path.join(folder.name, "data.ptd")
    with open(path, "wb") as file:
        file.write(data)
    return folder, path
