"""Loaded methods."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from .. import _native, errors
from ._metadata import MethodMeta
from ._taps import Taps
from ._trace import Trace


class Method:
    """A method, ready to run. Created by :meth:`et_inspect.runtime.Program.load_method`."""

    def __init__(self, native: _native.Method, metadata: MethodMeta, etrecord: object = None) -> None:
        self._native = native
        self._metadata = metadata
        self._etrecord = etrecord

    @property
    def metadata(self) -> MethodMeta:
        """Metadata of the method."""
        return self._metadata

    def execute(self, inputs: Sequence[Any]) -> list[Any]:
        """Runs the method.

        Executions of one program's methods are serialized. Ctrl-C ends the run before the next instruction.

        Args:
            inputs: one value per input: numpy arrays or other DLPack tensors in CPU memory (such as torch tensors); ``int``,
                ``float``, ``bool``, None. Inputs are copied. Tensors must have the expected dtype (float32 is accepted for
                bfloat16) and shape, and be dense: any order of dimensions, no gaps.

        Returns:
            One value per output: numpy arrays that own their memory, or torch tensors if an input is a torch tensor;
            ``int``, ``float``, ``bool``, ``str``, None or a list. numpy arrays of bfloat16 are converted to float32.

        Raises:
            ArgumentError: an input does not match; the message names it and the expected and given value.
            FormatError, UnsupportedError: an instruction is invalid or unsupported; the message names it.
            LimitError: memory, instructions or time exceeded the limit.
            RunError: the model crashed, or the child that kept its state has ended.
            KeyboardInterrupt: Ctrl-C, or any other exception that a signal handler raises.
            Exception: raised by a Python kernel.
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
        """Records a trace of executions in memory.

        >>> with method.trace() as trace:
        ...     method.execute(inputs)
        >>> trace.inspector().print_data_tabular()

        Args:
            debug: values to record: ``none``, ``outputs`` (of the method), ``intermediates`` (also of every instruction).
            names: record intermediate values only of these operators: patterns with ``*`` and ``?`` (``convolution*``).
            instructions: record intermediate values only of these instructions and of ``names``.
            taps: record values inside delegates: ``all``, or a regular expression that matches part of the kind of the
                producing node (``Conv``), or its id in the delegate or debug handle (``handle:5``). Delegates then run twice.
            allocations: record memory allocations. ExecuTorch's Inspector rejects such traces.
            etrecord: an ETRecord or its path, for the Inspector; default: the program's ETRecord.
            max_events: maximum number of events; further events are only counted.
            max_debug_bytes: maximum size of recorded values, in bytes; further values are only counted.

        Raises:
            ArgumentError: the method is already traced or tapped.
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
        """Captures intermediate values by the name of their producer.

        >>> with method.tap("convolution*", 7) as taps:
        ...     method.execute(inputs)
        >>> taps["convolution*"]

        Args:
            names: operators (``addmm``, ``aten*``: patterns with ``*`` and ``?``), kinds of nodes inside delegates
                (``Conv2d``), instruction numbers, debug handles (``handle:5``) and, with an ETRecord, names of nodes
                (``aten_convolution_default_3``). Without names: all values of instructions and delegates.
            etrecord: an ETRecord or its path; default: the program's ETRecord.

        Raises:
            ArgumentError: the method is already traced or tapped.
            NotFoundError: the ETRecord does not have the debug handle.
        """
        return Taps(
            self._native, self._metadata.name(), names, self._etrecord if etrecord is None else etrecord
        )

    def memory(self) -> dict[str, Any]:
        """Returns the current memory use in bytes: ``arenas`` (a list by memory id), ``constants``, ``copied_constants``,
        ``unplanned_io``, ``growing``, ``temporary_peak``, ``packed_weights``, ``workspace``."""
        return self._native.memory()

    def _as_torch(self, value: Any, index: int) -> Any:
        if isinstance(value, list):
            return [self._as_torch(each, index) for each in value]
        if not hasattr(value, "__array__"):
            return value
        torch = sys.modules["torch"]
        # numpy has DLPack since 1.22.
        tensor = torch.from_dlpack(value) if hasattr(value, "__dlpack__") else torch.from_numpy(value)
        meta = self._metadata
        is_bfloat16 = meta._facts["outputs"][index].get("dtype_name") == "bfloat16"
        return tensor.to(torch.bfloat16) if is_bfloat16 else tensor

    def __repr__(self) -> str:
        return f"Method({self._metadata!r})"


def _is_torch(value: object) -> bool:
    """Returns whether the value is a torch tensor, without importing torch."""
    return isinstance(value, getattr(sys.modules.get("torch"), "Tensor", ()))
