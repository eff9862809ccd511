#pragma once

#include <executorch/runtime/core/event_tracer.h>
#include <executorch/runtime/core/memory_allocator.h>

namespace executorch::runtime {

/// Context of execute() of a backend.
class BackendExecutionContext final {
  public:
    BackendExecutionContext(EventTracer* event_tracer = nullptr, MemoryAllocator* temp_allocator = nullptr,
                            const char* method_name = nullptr)
        : tracer(event_tracer), allocator(temp_allocator), method(method_name) {}

    /// Null: the run is not traced.
    EventTracer* event_tracer() { return tracer; }
    /// Memory that is valid until execute() returns.
    void* allocate(size_t size, size_t alignment = MemoryAllocator::kDefaultAlignment) {
        return allocator->allocate(size, alignment);
    }
    MemoryAllocator* get_temp_allocator() { return allocator; }
    const char* get_method_name() const { return method; }

  private:
    EventTracer* tracer;
    MemoryAllocator* allocator;
    const char* method;
};

}  // namespace executorch::runtime

namespace torch::executor {
using ::executorch::runtime::BackendExecutionContext;
}
