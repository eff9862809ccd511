#pragma once

#include <executorch/runtime/core/event_tracer.h>

// Calls of a delegate's tracer, which may be null.
namespace executorch::runtime {

inline EventTracerEntry event_tracer_start_profiling_delegate(EventTracer* tracer, const char* name,
                                                              DebugHandle delegate_debug_id) {
    return tracer == nullptr
               ? EventTracerEntry{}
               : tracer->start_profiling_delegate(name, static_cast<DelegateDebugIntId>(delegate_debug_id));
}
inline void event_tracer_end_profiling_delegate(EventTracer* tracer, EventTracerEntry entry,
                                                const void* metadata = nullptr, size_t metadata_len = 0) {
    if (tracer != nullptr) {
        tracer->end_profiling_delegate(entry, metadata, metadata_len);
    }
}
inline void event_tracer_log_profiling_delegate(EventTracer* tracer, const char* name,
                                                DebugHandle delegate_debug_id, et_timestamp_t start_time,
                                                et_timestamp_t end_time, const void* metadata = nullptr,
                                                size_t metadata_len = 0) {
    if (tracer != nullptr) {
        tracer->log_profiling_delegate(name, static_cast<DelegateDebugIntId>(delegate_debug_id), start_time,
                                       end_time, metadata, metadata_len);
    }
}
/// `output`: a Tensor, an ArrayRef of tensors, an int, a bool or a double.
template <typename T>
void event_tracer_log_output_delegate(EventTracer* tracer, const char* name, DebugHandle delegate_debug_id,
                                      const T& output) {
    if (tracer != nullptr) {
        static_cast<void>(tracer->log_intermediate_output_delegate(
            name, static_cast<DelegateDebugIntId>(delegate_debug_id), output));
    }
}

}  // namespace executorch::runtime

namespace torch::executor {
using ::executorch::runtime::event_tracer_end_profiling_delegate;
using ::executorch::runtime::event_tracer_log_output_delegate;
using ::executorch::runtime::event_tracer_log_profiling_delegate;
using ::executorch::runtime::event_tracer_start_profiling_delegate;
}  // namespace torch::executor
