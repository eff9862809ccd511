"""A method that is loaded."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from .. import _native, errors
from ._metadata import MethodMeta
from ._taps import Taps
from ._trace import Trace


class Method:
    """A method, ready to run. Made by :meth:`et_inspect.runtime.Program.load_method`."""

    def __init__(self, native: _native.Method, metadata: MethodMeta, etrecord: object = None) -> None:
        self._native = native
        self._metadata = metadata
        self._etrecord = etrecord

    @property
    def metadata(self) -> MethodMeta:
        """What the program says of the method."""
        return self._metadata

    def execute(self, inputs: Sequence[Any]) -> list[Any]:
        """Runs the method.

        Other threads of Python run meanwhile; calls of methods of one program wait for each other. Ctrl-C ends the run before
        its next instruction.

        Args:
            inputs: a value for each input: numpy arrays, or anything else in the CPU's memory that speaks DLPack (torch
                tensors); ``int``, ``float``, ``bool``, None. They are copied. Tensors have the dtype and shape that the method
                takes, float32 for bfloat16 is fine, and are dense: any order of dimensions, no holes.

        Returns:
            A value for each output: numpy arrays with memory of their own; torch tensors where an input is one; ``int``,
            ``float``, ``bool``, ``str``, None or a list. bfloat16 comes as float32, which numpy has.

        Raises:
            ArgumentError: an input does not fit; says which, expected and given.
            FormatError, UnsupportedError: the program does something that cannot be done; says which instruction.
            LimitError: it took more memory, instructions or time than is allowed.
            KeyboardInterrupt: Ctrl-C, or what else a handler of a signal raises.
            Exception: what a kernel in Python raised.
        """
        if not isinstance(inputs, (list, tuple)):
            if not isinstance(inputs, Sequence) or isinstance(inputs, (str, bytes)):
                raise errors.ArgumentError(f"expected a sequence of inputs, got {type(inputs).__name__}")
            inputs = list(inputs)
        if not any(_is_torch(value) for value in inputs):
            return self._native.execute(inputs)
        plain = [value.detach() if _is_torch(value) else value for value in inputs]
        return [
            self._as_torch(value, index) for index, value in enumerate(self._native.execute(plain))
        ]

    __call__ = execute

    def trace(
        self,
        *,
        debug: str = "none",
        names: str | Sequence[str] = (),
        instructions: int | Sequence[int] = (),
        taps: str = "",
        allocations: bool = False,
        etrecord: object = None,
        max_events: int = 4_000_000,
        max_debug_bytes: int = 16 << 30,
    ) -> Trace:
        """Records what runs, in memory.

        >>> with method.trace() as trace:
        ...     method.execute(inputs)
        >>> trace.inspector().print_data_tabular()

        Args:
            debug: values to record: ``none``, ``outputs`` (of the method), ``intermediates`` (of every instruction, too).
            names: record intermediate values of these operators only: patterns with ``*`` and ``?`` (``convolution*``).
            instructions: and of these instructions.
            taps: record values inside of delegates: ``all``, or a regular expression that is found in the kind of the node
                that makes the value (``Conv``), or is its id in the delegate or its debug handle (``handle:5``). Delegates run
                twice for it.
            allocations: record what memory is taken. ExecuTorch's own Inspector refuses such a trace.
            etrecord: an ETRecord or the path of one, for the Inspector; by default that of the program.
            max_events: to record at most; more are counted and left out.
            max_debug_bytes: of values, likewise.

        Raises:
            ArgumentError: the method is traced or tapped already.
        """
        request = _native.RecordingRequest()
        request.debug = "intermediates" if debug == "none" and (names or instructions != ()) else debug
        request.names = [names] if isinstance(names, str) else list(names)
        request.instructions = [instructions] if isinstance(instructions, int) else list(instructions)
        request.taps = taps
        request.allocations = allocations
        request.max_events = max_events
        request.max_debug_bytes = max_debug_bytes
        return Trace(self._native, request, self._etrecord if etrecord is None else etrecord)

    def tap(self, *names: str | int, etrecord: object = None) -> Taps:
        """Keeps values inside of the runs, by the name of what makes them.

        >>> with method.tap("convolution*", 7) as taps:
        ...     method.execute(inputs)
        >>> taps["convolution*"]

        Args:
            names: operators (``addmm``, ``aten*``: patterns with ``*`` and ``?``), kinds of nodes inside of delegates
                (``Conv2d``), numbers of instructions, debug handles (``handle:5``), and, with an ETRecord, names of nodes
                (``aten_convolution_default_3``). None: everything that instructions and delegates compute.
            etrecord: an ETRecord or the path of one; by default that of the program.

        Raises:
            ArgumentError: the method is traced or tapped already.
            NotFoundError: a debug handle that the ETRecord does not have.
        """
        return Taps(
            self._native, self._metadata.name(), names, self._etrecord if etrecord is None else etrecord
        )

    def memory(self) -> dict[str, Any]:
        """What the method takes now, in bytes: ``arenas`` (a list by memory id), ``constants``, ``copied_constants``,
        ``unplanned_io``, ``growing``, ``temporary_peak``, ``packed_weights``, ``workspace``."""
        return self._native.memory()

    def _as_torch(self, value: Any, index: int) -> Any:
        if isinstance(value, list):
            return [self._as_torch(each, index) for each in value]
        if not hasattr(value, "__dlpack__"):
            return value
        torch = sys.modules["torch"]
        tensor = torch.from_dlpack(value)
        meta = self._metadata
        is_bfloat16 = meta._facts["outputs"][index].get("dtype_name") == "bfloat16"
        return tensor.to(torch.bfloat16) if is_bfloat16 else tensor

    def __repr__(self) -> str:
        return f"Method({self._metadata!r})"


def _is_torch(value: object) -> bool:
    """Whether the caller has torch and gives one of its tensors; torch is never imported here."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)
