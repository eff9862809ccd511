#include "app/tasks/debug/timeline_reference.h"

// A placeholder until the reference exists.
namespace et::tasks {

struct TimelineReference::Impl {};

TimelineReference::TimelineReference(Timeline& /*timeline*/, std::shared_ptr<const etrecord::Record> /*record*/,
                                     double /*tolerance*/) {}
TimelineReference::~TimelineReference() = default;

core::Result<std::shared_ptr<const inspector::NumericGap>> TimelineReference::gap() {
    return core::fail(core::ErrorCode::Unsupported, "the reference is not available yet");
}

core::Result<const inspector::GapRow*> TimelineReference::row() {
    return core::fail(core::ErrorCode::Unsupported, "the reference is not available yet");
}

core::Result<const inspector::GapTensor*> TimelineReference::valueOf(program::ValueId /*value*/) {
    return core::fail(core::ErrorCode::Unsupported, "the reference is not available yet");
}

}  // namespace et::tasks
