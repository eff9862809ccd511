"""Converts arguments of Python functions to command-line options and files."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union

from . import _native

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

PathLike = Union[str, "os.PathLike[str]"]
Paths = Union[PathLike, Sequence[PathLike]]
TimeUnit = Literal["ns", "us", "ms", "s", "cycles"]


def texts(value: str | Sequence[str] | None) -> list[str]:
    """Returns one or several texts as a list."""
    if value is None:
        return []
    return [value] if isinstance(value, str) else list(value)

# Some options have other names in Python: repeatable ones are plurals.
_FLAGS = {"plugins": "plugin", "backends_off": "backend-off", "inputs": "input", "stops": "stop", "input_sets": "inputs", "images": "image"}


class LimitOptions(TypedDict, total=False):
    """Options for running a model, and its limits.

    Attributes:
        method: method to run; default: ``forward``, or the only method.
        data: external weights (``.ptd``).
        plugins: shared libraries with operators or backends; they take precedence over built-in ones.
        backends_off: backends to disable.
        kv_max_capacity, kv_windows, kv_storage_dtype: positions, sliding windows and element type of KV caches
            outside the program.
        workspace_sharing_mode: which XNNPACK delegates share memory for intermediate values.
        weight_cache: whether equal packed weights of XNNPACK delegates are kept once.
        max_memory: limit for planned and growing tensors, in bytes.
        max_instructions: limit per execution.
        timeout, max_time: limit in seconds for the whole command, and for one execution.
        sandbox: ``"off"``, ``"auto"`` or ``"on"``: deny the model access to files, the network and other programs.
    """

    method: str
    data: Paths
    plugins: Paths
    backends_off: str | Sequence[str]
    kv_max_capacity: int
    kv_windows: int | Sequence[int]
    kv_storage_dtype: Literal["fp32", "fp16", "bf16"]
    workspace_sharing_mode: Literal["disabled", "per-model", "global"]
    weight_cache: Literal["on", "off"]
    max_memory: int
    max_instructions: int
    timeout: float
    max_time: float
    sandbox: Literal["off", "auto", "on"]


class ModelOptions(LimitOptions, total=False):
    """LimitOptions and the inputs of the model.

    Attributes:
        inputs: one per input: an array or tensor, a file, a number, ``"random"``, ``"ones"``, ``"zeros"``, ``"none"``;
            a single word applies to all inputs.
        seed: seed for random inputs.
        case: test case of a bundled program whose inputs are used.
        cases: bundled program with the cases; default: the model itself.
    """

    inputs: str | Sequence[str | PathLike | ArrayLike]
    seed: int
    case: int
    cases: PathLike


def path(value: PathLike) -> str:
    """Returns the path, prefixed with ``./`` if it could be parsed as an option."""
    name = os.fspath(value)
    return os.path.join(".", name) if name.startswith("-") else name


def paths(value: Paths | None) -> list[str]:
    """Returns None, one path or several as a list."""
    if value is None:
        return []
    return [path(value)] if isinstance(value, (str, os.PathLike)) else [path(each) for each in value]


def flags(command: str, /, **options: Any) -> list[str]:
    """Converts ``threads=2, emulate=True, data=["a", "b"]`` to ``--threads=2 --emulate --data=a --data=b``.

    Several values of an option that is declared as not repeatable become one, separated by commas.
    """
    once = {str(option["name"]) for option in _native.options(command) if not option["repeatable"]}
    named = {flag_name(name): value for name, value in options.items()}
    return [text for name, value in named.items() for text in flag(name, value, "," if name in once else None)]


def flag_name(keyword: str) -> str:
    """Returns the option of a keyword: ``--backend-off`` of ``backends_off``."""
    return "--" + _FLAGS.get(keyword, keyword.rstrip("_").replace("_", "-"))


def flag(name: str, value: Any, separator: str | None = None) -> list[str]:
    """Returns an option once per value, or with all values joined by ``separator``; nothing for None and False."""
    if value is None or value is False:
        return []
    if value is True:
        return [name]
    texts = [os.fspath(each) if isinstance(each, os.PathLike) else str(each) for each in several(value)]
    return [f"{name}={text}" for text in (texts if separator is None else [separator.join(texts)])]


def several(value: Any) -> list[Any]:
    """Returns the items of a list, tuple or set, or the value as the only item."""
    return list(value) if isinstance(value, (list, tuple, set)) else [value]


def keywords(workflow: str) -> list[str]:
    """Returns the keywords for the options that C++ declares for a workflow."""
    names = {flag: name for name, flag in _FLAGS.items()}
    flags = [str(option["name"]).removeprefix("--") for option in _native.options(workflow)]
    return [names.get(flag, flag.replace("-", "_")) for flag in flags]


def check(function: str, options: dict[str, Any], *allowed: type) -> None:
    """Raises TypeError, as Python does for keywords, for an option that is in none of the dictionaries and is not declared."""
    known = {name for kind in allowed for name in kind.__annotations__}
    for name in options:
        if name not in known and name not in keywords(function):
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}")


@contextlib.contextmanager
def with_arrays(options: dict[str, Any], names: Sequence[str] = ("inputs",)) -> Iterator[dict[str, Any]]:
    """Yields the options with arrays in those with these names replaced by files that exist until the context exits."""
    given = {name: options[name] for name in names if not isinstance(options.get(name), (type(None), str, os.PathLike))}
    if not given:
        yield options
        return
    import tempfile

    with tempfile.TemporaryDirectory(prefix="et-inspect-") as folder:
        for name, values in given.items():
            several = values if isinstance(values, (list, tuple)) else [values]
            kind = name.strip("-")
            given[name] = [_input(each, Path(folder) / f"{kind}{at}.npy") for at, each in enumerate(several)]
        yield {**options, **given}


@contextlib.contextmanager
def with_prompts(prompts: Sequence[str]) -> Iterator[list[str]]:
    """Yields prompts for the command line. It reads ``@NAME`` as a file, so prompts that start with @ go into a file."""
    if not any(prompt.startswith("@") for prompt in prompts):
        yield list(prompts)
        return
    import tempfile

    with tempfile.TemporaryDirectory(prefix="et-inspect-") as folder:
        given = list(prompts)
        for at, prompt in enumerate(given):
            if prompt.startswith("@"):
                file = Path(folder) / f"{at}.txt"
                file.write_text(prompt, encoding="utf-8")
                given[at] = f"@{file}"
        yield given


def _input(value: Any, file: Path) -> str:
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if value is None:
        return "none"
    if isinstance(value, (bool, int, float)):
        return str(value)
    import numpy as np

    if hasattr(value, "detach"):  # a torch tensor
        value = value.detach().cpu()
    np.save(file, np.asarray(value), allow_pickle=False)
    return str(file)
