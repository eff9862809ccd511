#pragma once

#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/event_tracer_hooks.h>
#include <executorch/runtime/core/memory_allocator.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/platform/compiler.h>

namespace executorch::runtime {

/// Context of a kernel, in addition to its arguments.
class KernelRuntimeContext {
  public:
    KernelRuntimeContext(EventTracer* event_tracer = nullptr, MemoryAllocator* temp_allocator = nullptr)
        : tracer(event_tracer), allocator(temp_allocator) {}

    /// Makes the instruction fail after the kernel returns.
    void fail(Error error) { failure = error; }
    ET_NODISCARD Error failure_state() const { return failure; }
    /// Null: the host records the events of kernels.
    EventTracer* internal_event_tracer() { return tracer; }
    /// Memory that is valid until the kernel returns.
    Result<void*> allocate_temp(size_t size, size_t alignment = MemoryAllocator::kDefaultAlignment) {
        ET_CHECK_OR_RETURN_ERROR(allocator != nullptr, NotFound, "there is no temporary memory");
        void* const memory = allocator->allocate(size, alignment);
        ET_CHECK_OR_RETURN_ERROR(memory != nullptr, MemoryAllocationFailed,
                                 "cannot allocate %zu bytes of temporary memory", size);
        return memory;
    }

  private:
    EventTracer* tracer = nullptr;
    MemoryAllocator* allocator = nullptr;
    Error failure = Error::Ok;
};

}  // namespace executorch::runtime

namespace executorch::aten {
using RuntimeContext = ::executorch::runtime::KernelRuntimeContext;
}

namespace torch::executor {
using ::executorch::runtime::KernelRuntimeContext;
using RuntimeContext = ::executorch::runtime::KernelRuntimeContext;
}  // namespace torch::executor
