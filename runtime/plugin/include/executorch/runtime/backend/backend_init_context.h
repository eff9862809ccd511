#pragma once

#include <executorch/runtime/backend/options.h>
#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/event_tracer.h>
#include <executorch/runtime/core/memory_allocator.h>
#include <executorch/runtime/core/named_data_map.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/core/span.h>

#include <cstring>

namespace executorch::runtime {

/// Context of init() of a backend.
class BackendInitContext final {
  public:
    explicit BackendInitContext(MemoryAllocator* runtime_allocator, EventTracer* event_tracer = nullptr,
                                const char* method_name = nullptr,
                                const NamedDataMap* named_data_map = nullptr,
                                Span<const BackendOption> runtime_specs = {})
        : allocator(runtime_allocator),
          tracer(event_tracer),
          method(method_name),
          data(named_data_map),
          specs(runtime_specs) {}

    /// Memory that is valid until the delegate is destroyed.
    MemoryAllocator* get_runtime_allocator() { return allocator; }
    /// Null: loading is not traced.
    EventTracer* event_tracer() { return tracer; }
    const char* get_method_name() const { return method; }
    const NamedDataMap* get_named_data_map() const { return data; }
    Span<const BackendOption> runtime_specs() const { return specs; }
    /// T: bool, int or const char*. Errors: NotFound, InvalidArgument (a value of another type).
    template <typename T>
    Result<T> get_runtime_spec(const char* key) const {
        T value{};
        const Error error = internal::option_value(specs, key, value);
        if (error != Error::Ok) {
            return error;
        }
        return value;
    }

  private:
    MemoryAllocator* allocator;
    EventTracer* tracer;
    const char* method;
    const NamedDataMap* data;
    Span<const BackendOption> specs;
};

}  // namespace executorch::runtime

namespace torch::executor {
using ::executorch::runtime::BackendInitContext;
}
