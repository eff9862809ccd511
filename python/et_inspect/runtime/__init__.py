"""Drop-in replacement for ``executorch.runtime``, without torch and with additional features.

>>> from et_inspect.runtime import Runtime
>>> program = Runtime.get().load_program("model.pte")
>>> method = program.load_method("forward")
>>> outputs = method.execute([numpy.ones((2, 2), numpy.float32)])

Additional features: :meth:`Method.trace` records a trace for an Inspector, :meth:`Method.tap` captures intermediate values,
:func:`et_inspect.kernel` registers kernels written in Python, and :meth:`Runtime.load_program` accepts threads, limits,
plugins, external weights, and an ETRecord from which unavailable backends are emulated.
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
