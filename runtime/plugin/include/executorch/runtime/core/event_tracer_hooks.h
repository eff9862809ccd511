#pragma once

#include <executorch/runtime/core/event_tracer.h>

// Calls of a tracer that may be null.
namespace executorch::runtime::internal {

/// Records the time from its construction to its destruction.
class EventTracerProfileOpScope final {
  public:
    EventTracerProfileOpScope(EventTracer* event_tracer, const char* name) : tracer(event_tracer) {
        if (tracer != nullptr) {
            entry = tracer->start_profiling(name);
        }
    }
    EventTracerProfileOpScope(const EventTracerProfileOpScope&) = delete;
    EventTracerProfileOpScope& operator=(const EventTracerProfileOpScope&) = delete;
    ~EventTracerProfileOpScope() {
        if (tracer != nullptr) {
            tracer->end_profiling(entry);
        }
    }

  private:
    EventTracer* tracer;
    EventTracerEntry entry{};
};
using EventTracerProfileScope = EventTracerProfileOpScope;
using EventTracerProfileMethodScope = EventTracerProfileOpScope;

inline bool event_tracer_enabled() {
    return true;
}
inline void event_tracer_create_event_block(EventTracer* tracer, const char* name) {
    if (tracer != nullptr) {
        tracer->create_event_block(name);
    }
}
inline EventTracerEntry event_tracer_begin_profiling_event(EventTracer* tracer, const char* name) {
    return tracer == nullptr ? EventTracerEntry{} : tracer->start_profiling(name);
}
inline void event_tracer_end_profiling_event(EventTracer* tracer, EventTracerEntry event) {
    if (tracer != nullptr) {
        tracer->end_profiling(event);
    }
}
inline AllocatorID event_tracer_track_allocator(EventTracer* tracer, const char* name) {
    return tracer == nullptr ? 0 : tracer->track_allocator(name);
}
inline void event_tracer_track_allocation(EventTracer* tracer, AllocatorID id, size_t size) {
    if (tracer != nullptr) {
        tracer->track_allocation(id, size);
    }
}
inline void event_tracer_log_evalue(EventTracer* tracer, EValue& evalue) {
    if (tracer != nullptr &&
        tracer->event_tracer_debug_level() >= EventTracerDebugLogLevel::kIntermediateOutputs) {
        static_cast<void>(tracer->log_evalue(evalue, LoggedEValueType::kIntermediateOutput));
    }
}
inline void event_tracer_log_evalue_output(EventTracer* tracer, const EValue& evalue) {
    if (tracer != nullptr &&
        tracer->event_tracer_debug_level() >= EventTracerDebugLogLevel::kProgramOutputs) {
        static_cast<void>(tracer->log_evalue(evalue, LoggedEValueType::kProgramOutput));
    }
}
inline void event_tracer_set_bundled_input_index(EventTracer* tracer, int index) {
    if (tracer != nullptr) {
        tracer->set_bundled_input_index(index);
    }
}

}  // namespace executorch::runtime::internal

namespace torch::executor::internal {
using ::executorch::runtime::internal::event_tracer_begin_profiling_event;
using ::executorch::runtime::internal::event_tracer_create_event_block;
using ::executorch::runtime::internal::event_tracer_end_profiling_event;
using ::executorch::runtime::internal::event_tracer_log_evalue;
using ::executorch::runtime::internal::event_tracer_log_evalue_output;
using ::executorch::runtime::internal::event_tracer_set_bundled_input_index;
using ::executorch::runtime::internal::event_tracer_track_allocation;
using ::executorch::runtime::internal::event_tracer_track_allocator;
using ::executorch::runtime::internal::EventTracerProfileMethodScope;
using ::executorch::runtime::internal::EventTracerProfileOpScope;
using ::executorch::runtime::internal::EventTracerProfileScope;
}  // namespace torch::executor::internal
