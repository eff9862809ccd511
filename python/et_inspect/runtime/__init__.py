"""``executorch.runtime``: change the import, keep the script. No torch, and more to ask for.

>>> from et_inspect.runtime import Runtime
>>> program = Runtime.get().load_program("model.pte")
>>> method = program.load_method("forward")
>>> outputs = method.execute([numpy.ones((2, 2), numpy.float32)])

What ``executorch.runtime`` lacks: :meth:`Method.trace` gives an Inspector of what runs, :meth:`Method.tap` the values inside,
:func:`et_inspect.kernel` runs operators that are written in Python, and :meth:`Runtime.load_program` takes threads, limits,
plugins, external weights, and an ETRecord that backends which are not here are emulated from.
"""

from ._metadata import MethodMeta, Tag, TensorInfo
from ._method import Method
from ._program import Program
from ._runtime import BackendRegistry, OperatorRegistry, Runtime, Verification
from ._taps import TappedValue, Taps
from ._trace import Trace

__all__ = [
    "BackendRegistry",
    "Method",
    "MethodMeta",
    "OperatorRegistry",
    "Program",
    "Runtime",
    "Tag",
    "TappedValue",
    "Taps",
    "TensorInfo",
    "Trace",
    "Verification",
]
