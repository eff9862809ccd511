#pragma once

#include "app/tasks/debug/timeline.h"
#include "etrecord/record.h"
#include "inspector/numeric_gap/numeric_gap.h"
#include "runtime/core/result.h"
#include "runtime/program/value.h"

#include <memory>

namespace et::tasks {

/// Expected values at points of a timeline, computed from the record's Edge graph.
class TimelineReference {
  public:
    TimelineReference(Timeline& timeline, std::shared_ptr<const etrecord::Record> record);
    ~TimelineReference();
    TimelineReference(const TimelineReference&) = delete;
    TimelineReference& operator=(const TimelineReference&) = delete;

    /// The gap of the current execution from its inputs and the state at its start, with own errors as in
    /// `gap --bisect`. The first call per execution and branch runs the execution again.
    /// Errors: those of Timeline::trace() and of inspector::calculateGap().
    [[nodiscard]] core::Result<std::shared_ptr<const inspector::NumericGap>> gap();
    /// The row of the instruction (inside a delegate: the node) that ran last; null if it has no counterpart
    /// in the graph. Errors: those of gap().
    [[nodiscard]] core::Result<const inspector::GapRow*> row();
    /// The reference, in real numbers, for the content that this execution last wrote to `value` before the
    /// point; null if the graph does not compute it. Errors: those of gap().
    [[nodiscard]] core::Result<const inspector::GapTensor*> valueOf(program::ValueId value);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl;
};

}  // namespace et::tasks
