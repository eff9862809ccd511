"""What the caller gives, as options and files of the command line."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

PathLike = Union[str, "os.PathLike[str]"]
Paths = Union[PathLike, Sequence[PathLike]]
TimeUnit = Literal["ns", "us", "ms", "s", "cycles"]

# Options that are given again and again have a plural name here.
_FLAGS = {"plugins": "plugin", "backends_off": "backend-off", "inputs": "input", "stops": "stop"}


class LimitOptions(TypedDict, total=False):
    """How a model is run, and what it may take.

    Attributes:
        method: the method to run; ``forward`` or the only one by default.
        data: external weights (``.ptd``).
        plugins: shared libraries with operators or backends, preferred to built-in ones.
        backends_off: backends that are not to be used.
        max_memory: bytes of planned and growing tensors.
        max_instructions: of one execution.
        timeout, max_time: seconds of all, of one execution.
        sandbox: ``"off"``, ``"auto"`` or ``"on"``: keep the model from files, network and programs.
    """

    method: str
    data: Paths
    plugins: Paths
    backends_off: str | Sequence[str]
    max_memory: int
    max_instructions: int
    timeout: float
    max_time: float
    sandbox: Literal["off", "auto", "on"]


class ModelOptions(LimitOptions, total=False):
    """The same, and the inputs of the model.

    Attributes:
        inputs: one for each input: an array or tensor, a file, a number, ``"random"``, ``"ones"``, ``"zeros"``, ``"none"``;
            a single word stands for all.
        seed: of random inputs.
        case: of a bundled program, whose inputs are taken.
    """

    inputs: str | Sequence[str | PathLike | ArrayLike]
    seed: int
    case: int


def path(value: PathLike) -> str:
    """A path that no option looks like."""
    name = os.fspath(value)
    return os.path.join(".", name) if name.startswith("-") else name


def paths(value: Paths | None) -> list[str]:
    """None, one path or several, as a list."""
    if value is None:
        return []
    return [path(value)] if isinstance(value, (str, os.PathLike)) else [path(each) for each in value]


def flags(**options: Any) -> list[str]:
    """``threads=2, emulate=True, data=["a", "b"]`` as ``--threads=2 --emulate --data=a --data=b``."""
    given: list[str] = []
    for name, value in options.items():
        flag = "--" + _FLAGS.get(name, name.rstrip("_").replace("_", "-"))
        if value is None or value is False:
            continue
        if value is True:
            given.append(flag)
        else:
            several = value if isinstance(value, (list, tuple, set)) else [value]
            given += [f"{flag}={os.fspath(each) if isinstance(each, os.PathLike) else each}" for each in several]
    return given


def check(function: str, options: dict[str, Any], *allowed: type) -> None:
    """Raises TypeError for an option that is in none of the dictionaries, as Python does for keywords."""
    known = {name for kind in allowed for name in kind.__annotations__}
    for name in options:
        if name not in known:
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}")


@contextlib.contextmanager
def with_files(options: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The options with arrays among ``inputs`` as files, which are there as long as the context is."""
    inputs = options.get("inputs")
    if inputs is None or isinstance(inputs, (str, os.PathLike)):
        yield options
        return
    if _is_array(inputs):
        inputs = [inputs]
    with tempfile.TemporaryDirectory(prefix="et-inspect-") as folder:
        named = [_input(each, Path(folder) / f"{at}.npy") for at, each in enumerate(inputs)]
        yield {**options, "inputs": named}


def _input(value: Any, file: Path) -> str:
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if value is None:
        return "none"
    if isinstance(value, (bool, int, float)):
        return str(value)
    import numpy as np

    if hasattr(value, "detach"):  # a tensor of torch
        value = value.detach().cpu()
    np.save(file, np.asarray(value), allow_pickle=False)
    return str(file)


def _is_array(value: Any) -> bool:
    return hasattr(value, "__array__") or hasattr(value, "__dlpack__")
