"""Operator kernels written in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from . import _native, errors

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(name: str, *, results: int = 1) -> Callable[[Function], Function]:
    """Registers a function as the kernel of an operator, for programs loaded afterwards.

    The function receives the operator's arguments in schema order: numpy arrays for tensors, ``int``, ``float``, ``bool``,
    ``str``, lists of these, or None. It either returns the results (a tuple if ``results`` is more than one), which are
    copied into the program's tensors, or it has one keyword-only parameter per result and writes to the arrays passed there.

    >>> @et_inspect.kernel("my::relu6.out")
    ... def relu6(x):
    ...     return numpy.clip(x, 0, 6)
    >>> @et_inspect.kernel("my::relu6.out")
    ... def relu6(x, *, out):
    ...     numpy.clip(x, 0, 6, out=out)

    Inputs are read-only copies; the arrays for results start with zeros. bfloat16 is passed and returned as float32. A kernel
    whose result sizes vary must return them. Kernels run in the thread that calls ``execute()``.
    :meth:`et_inspect.runtime.Method.execute` re-raises exceptions of a kernel, with a note that names the instruction.

    Registering the same name and signature again also replaces the kernel in loaded programs. Python kernels take
    precedence over those of plugins and over built-in ones.

    Args:
        name: operator with overload, as spelled in programs.
        results: number of tensors returned by a function without keyword-only parameters.

    Raises:
        ArgumentError: invalid operator name, or a function without a fixed number of parameters.
        LimitError: more than 256 names and signatures.
    """
    if not _is_operator(name):
        raise errors.ArgumentError(f"kernel: expected a name such as my::relu6.out, got {name!r}")

    def register(function: Function) -> Function:
        inputs, outputs = _parameters(function)
        count = len(outputs) or results
        call = _writing(function, outputs) if outputs else _returning(function, name)
        _native.register_kernel(name, call, inputs, count)
        return function

    return register


def remove_kernel(name: str) -> None:
    """Removes the Python kernel of an operator, for programs loaded afterwards.

    Raises:
        NotFoundError: the operator has no Python kernel.
    """
    if not _native.remove_kernel(name):
        raise errors.NotFoundError(f"no Python kernel is registered for {name!r}")


def _is_operator(name: str) -> bool:
    namespace, colons, operator = name.partition("::")
    parts = [namespace, *operator.split(".")]
    return bool(colons) and len(parts) <= 3 and all(part.isidentifier() for part in parts)


def _parameters(function: Callable[..., Any]) -> tuple[int, list[str]]:
    """Returns the number of inputs, and the names of keyword-only result parameters."""
    import inspect  # slower to import than the rest of the package

    inputs, outputs = 0, []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY:
            outputs.append(parameter.name)
        elif parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            inputs += 1
        else:
            raise errors.ArgumentError(f"kernel: expected a fixed number of parameters, got {parameter}")
    return inputs, outputs


def _writing(function: Callable[..., Any], names: list[str]) -> Callable[[list, list], None]:
    def call(inputs: list[Any], results: list[Any]) -> None:
        function(*inputs, **{name: result.array() for name, result in zip(names, results)})

    return call


def _returning(function: Callable[..., Any], name: str) -> Callable[[list, list], None]:
    def call(inputs: list[Any], results: list[Any]) -> None:
        returned = function(*inputs)
        values = (returned,) if len(results) == 1 and not isinstance(returned, tuple) else returned
        if not isinstance(values, tuple) or len(values) != len(results):
            got = len(values) if isinstance(values, tuple) else type(returned).__name__
            raise errors.ArgumentError(f"{name}: expected {len(results)} results, got {got}")
        for result, value in zip(results, values):
            _store(result, value)

    return call


def _store(result: Any, value: Any) -> None:
    import numpy as np

    array = np.asarray(value)
    result.resize(list(array.shape))
    if result.dtype == "bfloat16":  # numpy has no bfloat16
        result.store_floats(np.asarray(array, np.float32, order="C"))
    else:
        np.copyto(result.array(), array, casting="same_kind")
