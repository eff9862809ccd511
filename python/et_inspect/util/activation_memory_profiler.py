"""Memory over time, at ExecuTorch's module path."""

from ..devtools.activation_memory_profiler import (
    Allocation,
    MemoryTimeline,
    create_tensor_allocation_info,
    generate_memory_trace,
)

__all__ = ["Allocation", "MemoryTimeline", "create_tensor_allocation_info", "generate_memory_trace"]
