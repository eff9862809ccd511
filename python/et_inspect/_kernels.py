"""Operators that are written in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from . import _native, errors

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(name: str, *, results: int = 1) -> Callable[[Function], Function]:
    """Registers a function as the kernel of an operator, for programs that are loaded from then on.

    The function is called with the arguments of the operator in the order of its schema: numpy arrays for tensors,
    ``int``, ``float``, ``bool``, ``str``, lists of them, None. It returns what the operator gives (a tuple where
    ``results`` is more than one), which is copied into the tensors of the program; or it has keyword-only parameters, one for
    each result, and writes to the arrays that it is given for them.

    >>> @et_inspect.kernel("my::relu6.out")
    ... def relu6(x):
    ...     return numpy.clip(x, 0, 6)
    >>> @et_inspect.kernel("my::relu6.out")
    ... def relu6(x, *, out):
    ...     numpy.clip(x, 0, 6, out=out)

    Arrays share memory with the program, the inputs read-only, where no part of the program is emulated: what is in them
    changes when the kernel has returned. bfloat16 comes as float32. Kernels whose results change size return them. What a
    kernel raises, :meth:`et_inspect.runtime.Method.execute` raises, with a note that says which instruction called it.

    A kernel that is registered again under its name with the same signature replaces the one before in loaded programs, too.
    It wins over a plugin's and over one that is built in.

    Args:
        name: the operator with its overload, as programs spell it.
        results: how many tensors a function without keyword-only parameters returns.

    Raises:
        ArgumentError: no name of an operator, or a function whose parameters cannot be counted.
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
    """Forgets the kernel that is written in Python for this operator: programs that are loaded from then on do without it.

    Raises:
        NotFoundError: there is none.
    """
    if not _native.remove_kernel(name):
        raise errors.NotFoundError(f"no kernel in Python of {name!r}")


def _is_operator(name: str) -> bool:
    namespace, colons, operator = name.partition("::")
    parts = [namespace, *operator.split(".")]
    return bool(colons) and len(parts) <= 3 and all(part.isidentifier() for part in parts)


def _parameters(function: Callable[..., Any]) -> tuple[int, list[str]]:
    """The number of inputs, and the names of the results that the function writes to."""
    import inspect  # takes longer than all else that the package imports

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
        function(*inputs, **{name: result.array() for name, result in zip(names, results, strict=True)})

    return call


def _returning(function: Callable[..., Any], name: str) -> Callable[[list, list], None]:
    def call(inputs: list[Any], results: list[Any]) -> None:
        returned = function(*inputs)
        values = (returned,) if len(results) == 1 and not isinstance(returned, tuple) else returned
        if not isinstance(values, tuple) or len(values) != len(results):
            got = len(values) if isinstance(values, tuple) else type(returned).__name__
            raise errors.ArgumentError(f"{name}: expected {len(results)} results, got {got}")
        for result, value in zip(results, values, strict=True):
            _store(result, value)

    return call


def _store(result: Any, value: Any) -> None:
    import numpy as np

    array = np.asarray(value)
    result.resize(list(array.shape))
    np.copyto(result.array(), array, casting="same_kind")
